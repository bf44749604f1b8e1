"""The scorecard: a probe as text, for a terminal of 80 columns; the verdict first, then what is wrong and why."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from workbench.visible import visible

if TYPE_CHECKING:
    from workbench.conformance.result import Outcome, ProbeResult
    from workbench.conformance.verdicts import Evidence

__all__ = ["scorecard"]

#: Text in, text out, in some colour or in none.
Paint: TypeAlias = Callable[..., str]

_INDENT: Final = "  "
#: Pieces of evidence that are shown of one requirement; the JSON has more.
_SHOWN: Final = 3
_SUITE: Final = {
    "pass": "the official suite passes this",
    "fail": "the official suite fails this too",
    "skip": "the official suite takes this for not applicable, and passes",
}
_COLORS: Final = {"must": "red", "should": "yellow", "advice": "cyan"}


def _plain(text: str, **_: Any) -> str:
    return text


def scorecard(result: ProbeResult, *, width: int = 80, paint: Paint = _plain) -> str:
    """
    A probe for people. `paint` is `click.style` or like it.

    Nothing that a host sent acts on a terminal: all of it has been made visible, and is on lines of ours.
    """
    verdict = result.verdict[:1].upper() + result.verdict[1:]
    asked = f"{result.requests:,} requests were sent"
    if result.requests != result.needed:
        asked += f", where {result.needed:,} answer everything"
    lines = [*_wrapped(paint, verdict, width, bold=True)]
    lines += _wrapped(paint, f"{result.host}, major {result.major}: {result.counted}; {asked}", width)
    for level in ("must", "should", "advice"):
        for outcome in result.outcomes:
            if outcome.status == "fail" and outcome.level == level:
                lines += ["", *_failure(outcome, width, paint)]
    for status, what in (("undecided", "Could not be told"), ("skip", "Does not apply")):
        chosen = [outcome for outcome in result.outcomes if outcome.status == status]
        if chosen:
            lines += ["", paint(f"{what}: {len(chosen)}", bold=True)]
            lines += [line for reason, names in _by_reason(chosen) for line in _reason(reason, names, width)]
    passes = [outcome.id for outcome in result.outcomes if outcome.status == "pass"]
    if passes:
        lines += ["", paint(f"Held: {len(passes)}", bold=True), *_wrapped(_plain, ", ".join(passes), width, _INDENT)]
    lines += _times(result, width)
    return "\n".join(lines) + "\n"


def _failure(outcome: Outcome, width: int, paint: Paint) -> Iterator[str]:
    level = paint(f"FAIL {outcome.level}", fg=_COLORS[outcome.level], bold=True)
    yield f"{level}  {paint(outcome.id, bold=True)}"
    yield from _wrapped(_plain, outcome.summary, width, _INDENT)
    yield from _wrapped(paint, f"{outcome.requirement.text} ({outcome.requirement.source})", width, _INDENT, dim=True)
    for each in outcome.evidence[:_SHOWN]:
        yield from _shown(each, width)
    if len(outcome.evidence) > _SHOWN:
        yield f"{_INDENT}... and more (--format json)"
    notes = [_SUITE[outcome.suite]] if outcome.suite else []
    notes += [outcome.disagreement] if outcome.disagreement else []
    for note in notes:
        yield from _wrapped(_plain, note, width, f"{_INDENT}- ")


def _shown(evidence: Evidence, width: int) -> Iterator[str]:
    status = "no answer" if evidence.status is None else f"{evidence.status}"
    yield from _wrapped(_plain, f"{evidence.request} -> {status}", width, f"{_INDENT}> ")
    place = " ".join(part for part in (evidence.tool_id, evidence.pointer) if part)
    for text in (place, evidence.excerpt):
        if text:
            yield from _wrapped(_plain, text, width, f"{_INDENT}  ")


def _by_reason(outcomes: list[Outcome]) -> Iterator[tuple[str, list[str]]]:
    reasons: dict[str, list[str]] = {}
    for outcome in outcomes:
        reasons.setdefault(outcome.summary, []).append(outcome.id)
    yield from reasons.items()


def _reason(reason: str, names: list[str], width: int) -> Iterator[str]:
    yield from _wrapped(_plain, f"{', '.join(names)}: {reason}", width, _INDENT)


def _times(result: ProbeResult, width: int) -> list[str]:
    names = [name for name in ("foreign ids", "unknown ids") if name in result.timings]
    told = ", ".join(f"{result.timings[name] * 1000:.1f} ms for {name}" for name in names)
    return ["", *_wrapped(_plain, f"Median times, not judged: {told}", width)] if len(names) > 1 else []


def _wrapped(paint: Paint, text: str, width: int, indent: str = "", **style: Any) -> Iterator[str]:
    """Lines of at most so many characters; what follows the first is indented by as much."""
    wrapped = textwrap.wrap(
        visible(" ".join(text.split())),
        width,
        initial_indent=indent,
        subsequent_indent=" " * (len(indent) or 2),
        break_on_hyphens=False,
    )
    for line in wrapped:
        yield paint(line, **style)
