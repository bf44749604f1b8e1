"""The parameters `view` and `source`."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from workbench.conformance.deciders.lists import differing, named
from workbench.conformance.quoting import shown
from workbench.conformance.reading import UNKNOWN_VIEW, Ask, Listing, Reading
from workbench.conformance.verdicts import (
    MOST_EVIDENCE,
    NotApplicable,
    Undecided,
    Verdict,
    decides,
    failed,
    passed,
)
from workbench.values import equal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from workbench.sources.exchanges import Exchange

__all__ = ["default_view", "source_composes", "source_filter", "telling_source", "unknown_view"]

_SOURCES: Final = ("node-pack", "workflow", "mcp", "connector", "host-extension")
_D3: Final = (
    "D3: the pages have the standard view returned, the status line of RFC 0112 notes a 400; read as the pages say"
)
_D6: Final = "D6: source is a SHOULD in the prose of 1.x, and in neither OpenAPI file"
_OPEN: Final = "RFC 0112 leaves it open whether source and view compose, and leans towards it"


@decides("default-view")
def default_view(reading: Reading) -> Verdict:
    """The list, and one tool by its id."""
    return _like_none(reading, "standard", "without view, the answer is that of view=standard")


@decides("unknown-view")
def unknown_view(reading: Reading) -> Verdict:
    """The list, and one tool by its id."""
    verdict = _like_none(reading, UNKNOWN_VIEW, "an unknown view is answered with the standard view")
    return replace(verdict, disagreement=_D3) if verdict.status == "fail" else verdict


@decides("source-filter")
def source_filter(reading: Reading) -> Verdict:
    """One source, chosen so that the answer tells most."""
    standard = reading.listing()
    source = telling_source(standard)
    ask = Ask("list", None, reading.me, source=source)
    exchange = reading.answer(ask)
    if problem := reading.problem(ask):
        return failed(
            f"source={source} is not answered with a list: {shown(problem)}",
            [reading.evidence(exchange)],
            disagreement=_D6,
        )
    found = reading.listing(source=source)
    wanted = [tool.tool_id for tool in standard.tools if tool.descriptor.get("source") == source]
    return _filtered(reading, found, wanted, f"source={source}", _D6)


@decides("source-composes")
def source_composes(reading: Reading) -> Verdict:
    """What the host does with both parameters."""
    compact = reading.compact_listing()
    source = telling_source(reading.listing())
    ask = Ask("list", "compact", reading.me, source=source)
    exchange = reading.answer(ask)
    what = f"view=compact with source={source}"
    if problem := reading.problem(ask):
        return failed(
            f"{what} is not answered with a list: {shown(problem)}", [reading.evidence(exchange)], disagreement=_OPEN
        )
    found = reading.listing("compact", source=source)
    wanted = [tool.tool_id for tool in compact.tools if tool.descriptor.get("source") == source]
    if reading.major == 2 and Counter(found.ids) == Counter(compact.ids) != Counter(wanted):
        raise NotApplicable("2.x declares no source, and the host does not filter by it")
    changed = [tool for tool in found.tools if not compact.holds(tool.tool_id, tool.descriptor)]
    if changed and not set(found.ids) - set(compact.ids):
        evidence = [reading.evidence(exchange, tool.tool_id) for tool in changed[:MOST_EVIDENCE]]
        return failed(f"{what} does not give the compact descriptors", evidence, disagreement=_OPEN)
    return _filtered(reading, found, wanted, what, _OPEN)


def telling_source(listing: Listing) -> str:
    """The source to filter by: the rarest there is, or one that no tool has where all tools have the same."""
    counts = Counter(str(tool.descriptor.get("source")) for tool in listing.tools)
    known = [source for source in _SOURCES if counts[source]]
    if len(known) > 1:
        return min(known, key=lambda source: (counts[source], source))
    return next(source for source in _SOURCES if source not in known)


def _filtered(reading: Reading, found: Listing, wanted: list[str], what: str, disagreement: str) -> Verdict:
    lacking, beyond = sorted(set(wanted) - set(found.ids)), sorted(set(found.ids) - set(wanted))
    if not lacking and not beyond:
        return passed(f"{what} gives the {named(len(wanted), 'tool')} of that source", disagreement=disagreement)
    parts = [f"lacks {named(len(lacking), 'tool')}"] if lacking else []
    parts += [f"has {named(len(beyond), 'tool')} of other sources"] if beyond else []
    evidence = [reading.evidence(found.exchange, tool_id) for tool_id in [*beyond, *lacking][:MOST_EVIDENCE]]
    return failed(f"{what} {' and '.join(parts)}", evidence, disagreement=disagreement)


def _like_none(reading: Reading, view: str, holds: str) -> Verdict:
    """Whether a value of `view` gives what no `view` gives."""
    plain = reading.listing()
    ask = Ask("list", view, reading.me)
    exchange = reading.answer(ask)
    if problem := reading.problem(ask):
        return failed(f"view={view} is not answered with a list: {shown(problem)}", [reading.evidence(exchange)])
    changed = differing(plain, reading.listing(view))
    if changed:
        if differing(plain, reading.listing(turn=2)):
            raise Undecided("the list changes from one read to the next")
        evidence = [reading.evidence(exchange, tool_id) for tool_id in changed[:MOST_EVIDENCE]]
        return failed(f"view={view} changes {named(len(changed), 'tool')}", evidence)
    for tool_id in plain.ids[:1]:
        one, other = (reading.answer(Ask("one", each, reading.me, tool_id)) for each in (None, view))
        if not _alike(reading, (one, other)):
            return failed(f"view={view} changes a tool that is read by its id", [reading.evidence(other, tool_id)])
    return passed(holds)


def _alike(reading: Reading, answers: Iterable[Exchange]) -> bool:
    one, other = answers
    if one.status != other.status:
        return False
    both = reading.is_json(one), reading.is_json(other)
    return equal(reading.value(one), reading.value(other)) if all(both) else both[0] == both[1]
