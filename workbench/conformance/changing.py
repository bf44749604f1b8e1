"""
Whether the catalog changed while it was read, as it does while a new version is rolled out.

What compares answers that came one after the other would take that for a breach. So before a host is accused of one, the lists
that it rests on are read once more; where they are no longer the same, it cannot be told.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Final

from workbench.conformance.deciders.lists import differing
from workbench.conformance.reading import Ask, Listing, Reading
from workbench.conformance.verdicts import DECIDERS

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["changed", "doubted", "rests_on_two_reads"]

#: The turn of a list that is read for this alone.
_LAST: Final = 9
_OF_TWO: Final = frozenset({"principal-scoped", "non-disclosure"})
_OF_ONE: Final = frozenset({"same-tool-ids", "by-id-standard", "by-id-compact", "default-view", "unknown-view"})


def rests_on_two_reads(requirement_id: str) -> bool:
    """Whether a requirement is decided by comparing answers that a change of the catalog makes differ."""
    return requirement_id in _OF_ONE | _OF_TWO


def doubted(reading: Reading) -> Iterator[Ask]:
    """The lists to read again: those of the principals whose answers would accuse the host of something."""
    if any(_fails(each, reading) for each in sorted(_OF_TWO)):
        yield Ask("list", None, "second", turn=_LAST)
        yield Ask("list", None, reading.me, turn=_LAST)
    elif any(_fails(each, reading) for each in sorted(_OF_ONE)):
        yield Ask("list", None, reading.me, turn=_LAST)


def changed(reading: Reading) -> str:
    """Why answers cannot be compared; nothing where the catalog is still what it was, or was not read again."""
    for ask in reading.answers:
        if ask.what != "list" or ask.turn == 1:
            continue
        if reading.problem(ask):
            if ask.turn == _LAST:
                return f"the list could not be read again, so as to see whether it changed: {reading.problem(ask)}"
            continue
        before = ask._replace(turn=1)
        if not reading.problem(before) and differing(_listing(reading, before), _listing(reading, ask)):
            return "the catalog changed while it was read"
    return ""


def _listing(reading: Reading, ask: Ask) -> Listing:
    return reading.listing(ask.view, ask.principal, source=ask.source, turn=ask.turn)


def _fails(requirement_id: str, reading: Reading) -> bool:
    # Whatever it is that goes wrong, it is told when this is decided.
    with suppress(Exception):
        return DECIDERS[requirement_id](reading).status == "fail"
    return False
