"""The two lists: whether they come, in which shape, with which ids and in which order."""

from __future__ import annotations

from collections import Counter
from typing import Final

from workbench.conformance.quoting import shown
from workbench.conformance.reading import NOT_SERVED, Ask, Listing, Reading
from workbench.conformance.verdicts import (
    MOST_EVIDENCE,
    Evidence,
    NotApplicable,
    Status,
    Undecided,
    Verdict,
    decides,
    failed,
    passed,
)
from workbench.values import equal, freeze

__all__ = [
    "catalog_served",
    "compact_envelope",
    "compact_honoured",
    "compact_unadvertised",
    "differing",
    "lacks",
    "lists_of",
    "missing",
    "named",
    "part",
    "same_tool_ids",
    "standard_list_shape",
    "suite_of",
    "unique_tool_ids",
]

_D1: Final = (
    "D1: the pages of the specification say {tools}, both OpenAPI files and the suite a bare array; both are accepted"
)
_D2: Final = (
    "D2: the list has to be {tools}; the official suite takes any other shape for a host without the view and passes"
)
_D4: Final = "D4: RFC 0112 has the standard view returned, client libraries expect 404 or 501; read as the RFC says"
#: Statuses that refuse the parameter, or the view, where the list itself is served.
_REFUSED: Final = (400, 406, 422, *NOT_SERVED)


@decides("catalog-served")
def catalog_served(reading: Reading) -> Verdict:
    """Both lists; a compact one that is refused while the standard one is served is for `compact-honoured`."""
    reading.need_catalog()
    views: list[str | None] = [None, "compact"] if reading.has_compact else [None]
    for view in views:
        ask = Ask("list", view, reading.me)
        problem = reading.problem(ask)
        exchange = reading.answers.get(ask)
        if exchange is None and reading.stopped:
            raise Undecided(reading.stopped)
        if not problem or exchange is None or (view and exchange.status in _REFUSED):
            continue
        if exchange.status in (401, 403):
            given = (
                "the credential is refused"
                if "first" in reading.credentials
                else "no credential was given (--token-env)"
            )
            raise Undecided(f"{given}: the list is answered {exchange.status}")
        if exchange.status == 429:
            raise Undecided("the host answers 429: it was asked too often")
        suite: Status = "skip" if exchange.status in NOT_SERVED else "fail"
        return failed(f"the list cannot be read: {shown(problem)}", [reading.evidence(exchange)], suite=suite)
    found = reading.listing()
    # The suite goes through the body itself, so an object is none of its lists.
    return passed(
        f"the list is served: {named(len(found.entries), 'tool')}", suite="pass" if found.shape == "array" else "fail"
    )


@decides("standard-list-shape")
def standard_list_shape(reading: Reading) -> Verdict:
    """Which of the two shapes it is."""
    found = reading.listing()
    if found.shape == "items":
        return failed(
            "the standard list is called items", [reading.evidence(found.exchange)], suite="fail", disagreement=_D1
        )
    if found.shape == "array":
        return passed("the standard list is a bare array", suite="pass", disagreement=_D1)
    return passed("the standard list is an object with tools", suite="fail", disagreement=_D1)


@decides("compact-honoured")
def compact_honoured(reading: Reading) -> Verdict:
    """Decided on the list; by id, `compact-one` decides."""
    reading.need_compact()
    reading.listing()
    exchange = reading.answer(Ask("list", "compact", reading.me))
    if exchange.status in _REFUSED:
        suite: Status = "skip" if exchange.status in NOT_SERVED else "fail"
        return failed(f"view=compact is answered {exchange.status}", [reading.evidence(exchange)], suite=suite)
    standard, compact = reading.listing(), reading.listing("compact")
    if reading.answers_standard:
        evidence = reading.evidence(exchange)
        suite = "skip" if compact.shape != "tools" else "fail"
        return failed("view=compact is advertised, and answered with the standard view", [evidence], suite=suite)
    if reading.answers_standard is None and compact.shape == standard.shape:
        raise Undecided("no tool has what the compact view leaves out, so that the views cannot be told apart")
    return passed("view=compact is answered with the compact view", suite=suite_of(compact, "pass"))


@decides("compact-unadvertised")
def compact_unadvertised(reading: Reading) -> Verdict:
    """The list, and one tool by its id."""
    reading.need_catalog()
    if reading.discovery is None:
        raise Undecided("the discovery document could not be read, so whether compactView is advertised is not known")
    if reading.has_compact:
        raise NotApplicable("the host advertises compactView")
    standard = reading.listing()
    exchange = reading.answer(Ask("list", "compact", reading.me))
    problem = reading.problem(Ask("list", "compact", reading.me))
    if problem:
        summary = f"view=compact is not advertised{reading.to_whom}, and not ignored either: {shown(problem)}"
        return failed(summary, [reading.evidence(exchange)], disagreement=_D4)
    changed = differing(standard, reading.listing("compact"))
    if changed:
        evidence = [reading.evidence(exchange, tool_id) for tool_id in changed[:MOST_EVIDENCE]]
        return failed(
            f"view=compact is not advertised{reading.to_whom}, and changes {named(len(changed), 'tool')}", evidence
        )
    for tool_id in standard.ids[:1]:
        one = reading.answer(Ask("one", "compact", reading.me, tool_id))
        plain = reading.answer(Ask("one", None, reading.me, tool_id))
        if one.status != plain.status or not equal(reading.value(one), reading.value(plain)):
            summary = f"view=compact is not advertised{reading.to_whom}, and changes a tool read by its id"
            return failed(summary, [reading.evidence(one, tool_id)])
    return passed(f"view=compact is not advertised{reading.to_whom}, and ignored")


@decides("compact-envelope")
def compact_envelope(reading: Reading) -> Verdict:
    """The shape of the compact list."""
    found = reading.compact_listing()
    if found.shape == "tools":
        return passed("the compact list is an object with tools", suite="pass")
    what = "a bare array" if found.shape == "array" else "an object with items"
    return failed(f"the compact list is {what}", [reading.evidence(found.exchange)], suite="skip", disagreement=_D2)


@decides("same-tool-ids")
def same_tool_ids(reading: Reading) -> Verdict:
    """The ids of both views as sets."""
    compact, standard = reading.compact_listing(), reading.listing()
    without, beyond = missing(standard, compact), missing(compact, standard)
    if not without and not beyond:
        return passed(f"both views list the same {named(len(standard.ids), 'id')}", suite=suite_of(compact, "pass"))
    evidence = [
        *(
            reading.evidence(compact.exchange, tool_id, note="not in the compact list")
            for tool_id in without[:MOST_EVIDENCE]
        ),
        *(
            reading.evidence(compact.exchange, tool_id, note="not in the standard list")
            for tool_id in beyond[:MOST_EVIDENCE]
        ),
    ]
    return failed(f"the compact list {lacks(without, beyond)}", evidence, suite=suite_of(compact, "fail"))


@decides("unique-tool-ids")
def unique_tool_ids(reading: Reading) -> Verdict:
    """In both lists; the official suite compares sets, so it does not see it."""
    evidence: list[Evidence] = []
    count = 0
    for found in lists_of(reading):
        twice = {tool_id: len(each) for tool_id, each in found.by_id.items() if len(each) > 1}
        count += len(twice)
        most = list(twice.items())[:MOST_EVIDENCE]
        evidence += [reading.evidence(found.exchange, each, note=f"{times:,} times") for each, times in most]
    if evidence:
        return failed(f"{named(count, 'id')} {'occurs' if count == 1 else 'occur'} more than once in a list", evidence)
    return passed("no id occurs twice in a list")


def lists_of(reading: Reading) -> list[Listing]:
    """The standard list, and the compact one where it is advertised and can be told to be one."""
    found = [reading.listing()]
    if reading.has_compact and not reading.problem(Ask("list", "compact", reading.me)) and not reading.answers_standard:
        found.append(reading.listing("compact"))
    return found


def suite_of(compact: Listing, verdict: Status) -> Status:
    """What the official suite says of a compact list: nothing, unless it is an object with tools."""
    return verdict if compact.shape == "tools" else "skip"


def missing(all_of: Listing, others: Listing) -> list[str]:
    """The ids of one list that another does not have, in order."""
    known = set(others.ids)
    return [tool_id for tool_id in all_of.ids if tool_id not in known]


def lacks(without: list[str], beyond: list[str]) -> str:
    """What a compact list has too few and too many, in words."""
    parts = [f"lacks {named(len(without), 'tool')}"] if without else []
    return " and ".join(
        [*parts, *([f"has {named(len(beyond), 'tool')} that the standard one has not"] if beyond else [])]
    )


def differing(one: Listing, other: Listing) -> list[str]:
    """The ids whose descriptors are not the same in two lists, in the order of the first and then of the second."""
    first, second = one.by_id, other.by_id
    return [
        tool_id
        for tool_id in dict.fromkeys([*first, *second])
        if not _same(first.get(tool_id, []), second.get(tool_id, []))
    ]


def _same(some: list[dict[str, object]], others: list[dict[str, object]]) -> bool:
    if len(some) == len(others) == 1:
        return equal(some[0], others[0])
    return Counter(map(freeze, some)) == Counter(map(freeze, others))


def named(count: int, noun: str) -> str:
    """A number and its noun."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def part(count: int, total: int, noun: str) -> str:
    """How many of all, and the verb that goes with it."""
    return f"{count:,} of {named(total, noun)} {'is' if count == 1 else 'are'}"
