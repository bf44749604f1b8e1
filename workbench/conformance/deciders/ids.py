"""Reading tools by their id."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from workbench.catalog import Catalog, Tool
from workbench.checks import check
from workbench.conformance.deciders.lists import named, part
from workbench.conformance.reading import NOT_SERVED, Ask, Listing, Reading
from workbench.conformance.verdicts import MOST_EVIDENCE, Status, Undecided, Verdict, decides, failed, passed
from workbench.errors import InputError
from workbench.values import equal, join, resolve

if TYPE_CHECKING:
    from workbench.sources.exchanges import Exchange

__all__ = ["by_id_compact", "by_id_standard", "compact_one", "unknown_ids"]

#: Rules of the checks that make a descriptor no compact one.
_COMPACT_RULES = frozenset({"compact-field", "descriptor-schema", "compact-root", "compact-keyword", "exec-source"})


@decides("by-id-standard")
def by_id_standard(reading: Reading) -> Verdict:
    """Every listed tool; the official suite asks for the first alone, and looks at its id alone."""
    return _by_id(reading, reading.listing(), None)


@decides("by-id-compact")
def by_id_compact(reading: Reading) -> Verdict:
    """Every tool of the compact list."""
    return _by_id(reading, reading.compact_listing(), "compact")


@decides("compact-one")
def compact_one(reading: Reading) -> Verdict:
    """
    One bare descriptor that has nothing to find that its list entry has not.

    The official suite looks at the first tool alone, and only where the answer is 200.
    """
    found = reading.compact_listing()
    answers = {tool_id: reading.came(Ask("one", "compact", reading.me, tool_id)) for tool_id in found.ids}
    served = {
        tool_id: exchange for tool_id, exchange in answers.items() if exchange is not None and exchange.status == 200
    }
    if not served:
        raise Undecided("no tool could be read by its id in the compact view" if found.ids else "the catalog is empty")
    wrong = {
        tool_id: what
        for tool_id, exchange in served.items()
        if (what := _no_compact(reading, exchange, found, tool_id))
    }
    first = found.ids[0]
    suite: Status = "skip" if found.shape != "tools" else "fail" if first in wrong else "pass"
    busy = sum(exchange is None for exchange in answers.values())
    if busy and not wrong:
        raise Undecided(
            f"{busy:,} of {named(len(answers), 'tool')} were not answered by id; the others are as they should be"
        )
    if not wrong:
        return passed(f"{named(len(served), 'tool')} read by id are bare compact descriptors", suite=suite)
    evidence = [
        reading.evidence(served[tool_id], tool_id, note=what) for tool_id, what in list(wrong.items())[:MOST_EVIDENCE]
    ]
    commonest = Counter(wrong.values()).most_common(1)[0][0]
    return failed(
        f"read by id, {part(len(wrong), len(served), 'tool')} not given as a bare compact descriptor: {commonest}",
        evidence,
        suite=suite,
    )


@decides("unknown-id")
def unknown_ids(reading: Reading) -> Verdict:
    """In both views; the official suite asks in the standard one."""
    reading.need_catalog()
    views: list[str | None] = [None, "compact"] if reading.has_compact else [None]
    asks = [Ask("one", view, reading.me, reading.unknown_id()) for view in views]
    wrong = reading.other_than(404, asks)
    suite: Status = "fail" if reading.came(asks[0]) in wrong else "pass"
    if not wrong:
        return passed("an unknown id is answered 404" + (" in both views" if len(views) > 1 else ""), suite=suite)
    reading.listing()  # A host that answers nothing at all is not blamed for this.
    return failed(f"an unknown id is answered {wrong[0].status}, not 404", map(reading.evidence, wrong), suite=suite)


def _by_id(reading: Reading, found: Listing, view: str | None) -> Verdict:
    if not found.ids:
        raise Undecided("the catalog is empty")
    wrong: dict[str, tuple[Exchange, str, str]] = {}
    busy = 0
    for tool_id in found.ids:
        exchange = reading.came(Ask("one", view, reading.me, tool_id))
        if exchange is None:
            busy += 1
        elif said := _differs(reading, exchange, found, tool_id):
            wrong[tool_id] = (exchange, *said)
    suite = _suite(reading, found, view)
    if wrong:
        evidence = [
            reading.evidence(exchange, tool_id, pointer, *_quoted(reading, exchange, pointer))
            for tool_id, (exchange, _, pointer) in list(wrong.items())[:MOST_EVIDENCE]
        ]
        kinds = Counter(what for _, what, _ in wrong.values())
        told = ", ".join(f"{count:,} {what}" for what, count in kinds.most_common(3))
        return failed(f"read by id, of {named(len(found.ids), 'tool')}: {told}", evidence, suite=suite)
    if busy:
        raise Undecided(
            f"{busy:,} of {named(len(found.ids), 'tool')} were not answered by id; the others agree with the list"
        )
    return passed(f"{named(len(found.ids), 'tool')} can be read by id and agree with the list", suite=suite)


def _suite(reading: Reading, found: Listing, view: str | None) -> Status | None:
    """The suite asks for the first tool and, in the standard view, compares its id."""
    exchange = reading.answers.get(Ask("one", view, reading.me, found.ids[0]))
    if view or exchange is None:
        return None
    value = reading.value(exchange) if exchange.status == 200 and reading.is_json(exchange) else None
    return "pass" if isinstance(value, dict) and value.get("toolId") == found.ids[0] else "fail"


def _differs(reading: Reading, exchange: Exchange, found: Listing, tool_id: str) -> tuple[str, str] | None:
    """What is wrong with the answer for one tool, and where it first differs from the list; nothing where they agree."""
    if exchange.status != 200:
        where = "not served" if exchange.status in NOT_SERVED and exchange.status != 404 else "answered"
        return (f"{where} {exchange.status}" if where == "answered" else f"not served ({exchange.status})"), ""
    try:
        value = reading.value(exchange)
    except InputError:
        return "not readable", ""
    if found.holds(tool_id, value):
        return None
    if not isinstance(value, dict):
        return "no object", ""
    return "not what the list says", next(_differences(value, found.some_of(tool_id)[0]), "")


def _quoted(reading: Reading, exchange: Exchange, pointer: str) -> Iterator[Any]:
    """The value at the place where an answer differs; nothing where there is no such place."""
    if pointer:
        try:
            yield resolve(reading.value(exchange), pointer)
        except InputError:
            yield "nothing is there"


def _differences(one: Any, other: Any) -> Iterator[str]:
    """The pointers at which two values differ, the first being the first in the order of `one`."""
    stack = [("", one, other)]
    while stack:
        pointer, here, there = stack.pop()
        if equal(here, there):
            continue
        if isinstance(here, dict) and isinstance(there, dict):
            if lost := [name for name in there if name not in here]:
                stack.append((join(pointer, lost[0]), None, there[lost[0]]))
            stack += reversed(
                [(join(pointer, name), value, there[name]) for name, value in here.items() if name in there]
            )
            if added := [name for name in here if name not in there]:
                stack.append((join(pointer, added[0]), here[added[0]], None))
        elif isinstance(here, list) and isinstance(there, list) and len(here) == len(there):
            stack += reversed([(join(pointer, i), a, b) for i, (a, b) in enumerate(zip(here, there, strict=True))])
        else:
            yield pointer


def _no_compact(reading: Reading, exchange: Exchange, found: Listing, tool_id: str) -> str:
    """What keeps an answer from being one bare compact descriptor; nothing where it is one."""
    try:
        value = reading.value(exchange)
    except InputError as error:
        return error.message
    if found.holds(tool_id, value):
        return ""
    if not isinstance(value, dict):
        return "it is no object"
    if "toolId" not in value:
        return (
            "it is an envelope, not a bare descriptor"
            if {"tools", "items", "tool"} & value.keys()
            else "it has no toolId"
        )
    try:
        new = _rules(value, reading) - set().union(*(_rules(entry, reading) for entry in found.some_of(tool_id)))
    except InputError as error:
        raise Undecided(f"the checks cannot read what came for {tool_id}: {error}") from None
    return next((message for _, _, message in sorted(new)), "")


def _rules(descriptor: dict[str, Any], reading: Reading) -> set[tuple[str, str, str]]:
    tool = Tool(str(descriptor.get("toolId")), descriptor, 0)
    found = check(Catalog((tool,), "compact"), "compact", reading.major).findings
    return {
        (each.rule, each.pointer, each.message)
        for each in found
        if each.level == "must" and each.rule in _COMPACT_RULES
    }
