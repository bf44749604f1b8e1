"""
The fields of the compact view against those of the standard one.

What counts as the shortened form of a title or description, so that no honest host is blamed: white space, the marks of Markdown,
case and punctuation do not matter. Then it is a shortened form if its words are the beginning of the standard one's, the last of
them cut or not, with or without an ellipsis; or if they are words of it in the same order (whole sentences, or a text without
asides). Any other description that is shorter may be a summary, which the RFC admits and no rule can judge: that is undecided. A
text that is neither, or a description that the standard view does not have, is broken.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import regex

from workbench.conformance.deciders.lists import named
from workbench.conformance.reading import Reading
from workbench.conformance.verdicts import MOST_EVIDENCE, Undecided, Verdict, decides, failed, passed
from workbench.values import equal

__all__ = ["description_shortened", "fields_agree", "is_shortened", "texts_agree"]

#: The cap that RFC 0112 leaves open, in characters.
_CAP: Final = 256
_WORD: Final = regex.compile(r"[\p{L}\p{N}\p{M}]+")


@decides("fields-agree")
def fields_agree(reading: Reading) -> Verdict:
    """Those that must be there; which tools there are is for `same-tool-ids`."""
    return _compared(reading, _field, "toolId, source and safetyTier are those of the standard view")


@decides("texts-agree")
def texts_agree(reading: Reading) -> Verdict:
    """Title and description."""
    return _compared(reading, _text, "every title and description is that of the standard view, or shortened")


def _compared(reading: Reading, differs: Callable[[dict[str, Any], dict[str, Any]], str | None], holds: str) -> Verdict:
    """Each compact descriptor against the standard ones of its id; one that agrees is enough."""
    compact, standard = reading.compact_listing(), reading.listing()
    wrong: list[tuple[str, str, Any]] = []
    summaries = 0
    for tool_id, descriptor in ((each, one) for each in compact.ids for one in compact.some_of(each)):
        told = [differs(descriptor, entry) for entry in standard.some_of(tool_id)]
        if not told or None in told:
            continue
        field = told[0]
        if field == "summary":
            summaries += 1
        elif field is not None:
            wrong.append((tool_id, field, descriptor.get(field)))
    if wrong:
        fields = ", ".join(dict.fromkeys(field for _, field, _ in wrong))
        evidence = [
            reading.evidence(compact.exchange, tool_id, f"/{field}", value)
            for tool_id, field, value in wrong[:MOST_EVIDENCE]
        ]
        return failed(
            f"{named(len({each[0] for each in wrong}), 'tool')} differ from the standard view in {fields}", evidence
        )
    if summaries:
        raise Undecided(
            f"{named(summaries, 'description')} say it shorter in other words; whether it is the same cannot be told"
        )
    return passed(holds)


@decides("description-shortened")
def description_shortened(reading: Reading) -> Verdict:
    """Of those over 256 characters, the cap that is an open question; a shorter one has nothing to be shortened."""
    compact, standard = reading.compact_listing(), reading.listing()
    texts = {tool.tool_id: tool.descriptor.get("description") for tool in compact.tools}
    long = {
        tool.tool_id: text
        for tool in standard.tools
        if isinstance(text := tool.descriptor.get("description"), str) and len(text) > _CAP and tool.tool_id in texts
    }
    if not long:
        return passed(f"no description has more than {_CAP} characters")
    whole = [
        each for each, text in long.items() if isinstance(texts[each], str) and len(texts[each] or "") >= len(text)
    ]
    over = sum(len(texts[each] or "") > _CAP for each in long if isinstance(texts[each], str))
    if whole:
        evidence = [
            reading.evidence(compact.exchange, each, "/description", texts[each]) for each in whole[:MOST_EVIDENCE]
        ]
        return failed(
            f"not shortened: {len(whole):,} of {named(len(long), 'description')} of more than {_CAP} characters",
            evidence,
        )
    note = f"; {over:,} still have more than {_CAP} characters" if over else ""
    return passed(f"shortened: {named(len(long), 'description')} of more than {_CAP} characters{note}")


def _field(compact: dict[str, Any], standard: dict[str, Any]) -> str | None:
    """The first required field that says something else; None where all agree. One that is not there has no say."""
    for field in ("source", "safetyTier"):
        if field in compact and not (field in standard and equal(compact[field], standard[field])):
            return field
    return None


def _text(compact: dict[str, Any], standard: dict[str, Any]) -> str | None:
    """The first text that says something else; `summary` for a description that may say the same; None where both agree."""
    if "title" in compact and not _is_label(compact["title"], standard.get("title")):
        return "title"
    if "description" not in compact:
        return None
    text, whole = compact["description"], standard.get("description")
    if not isinstance(text, str) or not isinstance(whole, str):
        return None if equal(text, whole) else "description"
    if is_shortened(text, whole):
        return None
    return "summary" if len(text) < len(whole) else "description"


def _is_label(title: Any, whole: Any) -> bool:
    """Whether a title is that of the standard view, whole or shortened."""
    both = isinstance(title, str) and isinstance(whole, str)
    return equal(title, whole) or (both and bool(title) and is_shortened(title, whole))


def is_shortened(text: str, whole: str) -> bool:
    """Whether a text is another one, or a shortened form of it, by the rules above."""
    words, all_words = (_WORD.findall(each.casefold()) for each in (text, whole))
    if not words:
        return True
    start = all_words[: len(words)]
    if len(start) == len(words) and words[:-1] == start[:-1] and start[-1].startswith(words[-1]):
        return True
    rest = iter(all_words)
    return all(word in rest for word in words)
