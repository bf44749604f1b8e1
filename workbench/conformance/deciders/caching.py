"""What caching of prompts needs: the same ids, the same bytes and a fixed order on every read."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from workbench.conformance.deciders.lists import differing, lists_of, named
from workbench.conformance.reading import Ask, Listing, Reading
from workbench.conformance.verdicts import MOST_EVIDENCE, Evidence, Status, Verdict, decides, failed, passed

if TYPE_CHECKING:
    from workbench.sources.exchanges import Exchange

__all__ = ["sorted_order", "stable_bytes", "stable_ids"]


@decides("stable-ids")
def stable_ids(reading: Reading) -> Verdict:
    """Of the standard list and, where there is one, of the compact one."""
    evidence: list[Evidence] = []
    changed = 0
    for one, other in _twice(reading):
        unlike = sorted(set(one.ids) ^ set(other.ids))
        changed += len(unlike)
        evidence += [
            reading.evidence(other.exchange, each, note="in one of two reads") for each in unlike[:MOST_EVIDENCE]
        ]
    if changed:
        return failed(f"{named(changed, 'id')} came in one of two reads alone", evidence)
    return passed("two reads gave the same ids")


@decides("stable-bytes")
def stable_bytes(reading: Reading) -> Verdict:
    """And how far the beginnings agree where the whole does not."""
    evidence: list[Evidence] = []
    same = []
    for one, other in _twice(reading):
        prefix = _common(one.exchange, other.exchange)
        length = len(one.exchange.body)
        if prefix == length == len(other.exchange.body):
            same.append(f"{length:,}")
            continue
        told = f"the first {prefix:,} of {length:,} bytes ({prefix / max(1, length):.0%}) are the same"
        evidence.append(reading.evidence(other.exchange, note=told))
    if evidence:
        return failed(f"two reads gave other bytes: {evidence[0].excerpt}", evidence)
    return passed(f"two reads gave the same {' and '.join(same)} bytes")


@decides("sorted-order")
def sorted_order(reading: Reading) -> Verdict:
    """By UTF-16 code units, as the official suite compares, or by code points; its finding is a note, never a failure."""
    suite: Status = "pass"
    for found in lists_of(reading):
        ids = [tool.tool_id for tool in found.tools]
        if ids != sorted(ids) and ids != sorted(ids, key=_code_units):
            before, after = next((one, other) for one, other in pairwise(ids) if one > other)
            evidence = reading.evidence(found.exchange, after, note=f"comes after {before}")
            return failed("the list is not sorted by toolId", [evidence], suite=suite)
    return passed("the lists are sorted by toolId", suite=suite)


def _twice(reading: Reading) -> Iterator[tuple[Listing, Listing]]:
    """Each list as it came the first and the second time. Raises Undecided where it was not read twice."""
    standard = reading.listing()
    # Where no view and view=standard do not agree, the list without view is read again, so as to tell why.
    again = reading.listing("standard") if not reading.problem(Ask("list", "standard", reading.me)) else None
    if again is None or differing(standard, again):
        again = reading.listing(turn=2)
    yield standard, again
    if len(lists_of(reading)) > 1:
        yield reading.listing("compact"), reading.listing("compact", turn=2)


def _common(one: Exchange, other: Exchange) -> int:
    pairs = enumerate(zip(one.body, other.body, strict=False))
    return next((place for place, (here, there) in pairs if here != there), min(len(one.body), len(other.body)))


def _code_units(tool_id: str) -> bytes:
    return tool_id.encode("utf-16-be", "surrogatepass")
