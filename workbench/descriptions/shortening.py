"""The strategies: what is kept of a text that is over its limit."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import islice
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, get_args

import regex

from workbench.descriptions.markup import spans
from workbench.descriptions.measures import Measure, Unit, measure_in
from workbench.descriptions.sentences import binds, sentence_ends
from workbench.errors import UsageError

if TYPE_CHECKING:
    from workbench.tokens import Encoding

__all__ = ["STRATEGIES", "Strategy", "shorten"]

Strategy: TypeAlias = Literal["hard", "word", "sentence", "first-sentence", "constraints"]
"""
`hard` keeps as much of the start as the limit admits; `word` ends it after a whole word, `sentence` after a whole sentence.
`first-sentence` keeps no more than that. `constraints` keeps the first sentence and those that bind the call.
"""

STRATEGIES: Final[tuple[Strategy, ...]] = get_args(Strategy)

#: After part of a sentence, and after a whole one.
_ELLIPSIS, _SPACED_ELLIPSIS = "…", " …"
#: Scripts that put no space between words; there, a word ends where UAX 29 says.
_UNSPACED = r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Tibetan}]"
_WORD_END = regex.compile(rf"(?<=\S)(?=\s|$)|(?:(?<={_UNSPACED})|(?={_UNSPACED}))\b", regex.WORD)
#: What should not be the last thing said.
_LOOSE_ENDS = " \t\r\n\f\v\u3000,;:([{<-–—、，；：（「『【"
#: Binding sentences that are looked at; a text with more is no description.
_MOST_BINDING = 1_000


@dataclass(frozen=True, slots=True)
class _Room:
    """A limit in a unit, and what has to follow a shortened text within it."""

    measure: Measure
    limit: int
    mark: str

    def fits(self, text: str) -> bool:
        return self.measure.size(text + self.mark) <= self.limit

    def reach(self, text: str) -> int:
        """The length of the longest start of a text, in whole characters, that fits together with the mark."""
        limit = self.limit - (self.measure.size(self.mark) if self.mark else 0)
        end = self.measure.reach(text, limit)
        while end and not self.fits(text[:end]):
            limit -= 1
            end = self.measure.reach(text, limit)
        return end


def shorten(
    text: str,
    limit: int,
    *,
    unit: Unit = "chars",
    strategy: Strategy = "hard",
    ellipsis: bool = False,
    encoding: Encoding | None = None,
) -> str:
    """
    A text within `limit` units as it is; a longer one cut down to at most that, an ellipsis included if one is asked for.

    A strategy that finds nothing to keep within the limit gives way to the next simpler one: sentences to words, words to a
    hard cut. `hard` without an ellipsis keeps exactly the first `limit` characters, or as many as have `limit` tokens. An
    ellipsis for which the limit has no room is left out.

    Raises:
        UsageError: a negative limit, an unknown unit or strategy, or tokens without an encoding.
    """
    if isinstance(limit, bool) or limit < 0:
        raise UsageError(f"a limit is a number of {unit} from 0 up, not {limit!r}")
    keep = _KEEP.get(strategy)
    if keep is None:
        raise UsageError(f"unknown strategy {strategy!r}; strategies are {', '.join(STRATEGIES)}")
    measure = measure_in(unit, encoding)
    if measure.size(text) <= limit:
        return text
    mark = _mark(strategy) if ellipsis else ""
    if measure.size(mark) > limit:
        mark = ""
    return keep(text, _Room(measure, limit, mark)) + mark


def _mark(strategy: Strategy) -> str:
    return _ELLIPSIS if strategy in ("hard", "word") else _SPACED_ELLIPSIS


def _hard(text: str, room: _Room) -> str:
    return text[: room.reach(text)]


def _word(text: str, room: _Room) -> str:
    whole = spans(text)
    reach = room.reach(text)
    ends = [match.start() for match in _WORD_END.finditer(text, 0, reach + 1) if match.start() <= reach]
    for end in reversed(ends):
        kept = text[: whole.start_of(end)].rstrip(_LOOSE_ENDS)
        if kept and room.fits(kept):
            return kept
    return _hard(text, room)


def _sentence(text: str, room: _Room) -> str:
    reach = room.reach(text)
    for end in reversed(sentence_ends(text, spans(text))):
        kept = text[:end].rstrip()
        if len(kept) <= reach and kept and room.fits(kept):
            return kept
    return _word(text, room)


def _first_sentence(text: str, room: _Room) -> str:
    first = text[: sentence_ends(text, spans(text))[0]].rstrip() if text.strip() else ""
    return first if first and room.fits(first) else _word(text, room)


def _constraints(text: str, room: _Room) -> str:
    ends = sentence_ends(text, spans(text))
    sentences = [text[start:end] for start, end in zip([0, *ends], ends, strict=False)]
    if not sentences or not room.fits(sentences[0].rstrip()):
        return _word(text, room)
    kept = sentences[0]
    for sentence in islice(filter(binds, sentences[1:]), _MOST_BINDING):
        if room.fits((kept + sentence).rstrip()):
            kept += sentence
    return kept.rstrip()


_KEEP: Mapping[str, Callable[[str, _Room], str]] = MappingProxyType(
    {
        "hard": _hard,
        "word": _word,
        "sentence": _sentence,
        "first-sentence": _first_sentence,
        "constraints": _constraints,
    }
)
