"""How long a text is, in user-perceived characters or in tokens, and how much of it has a given length."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, get_args

import regex

from workbench.errors import UsageError

if TYPE_CHECKING:
    from workbench.tokens import Encoding

__all__ = ["UNITS", "Measure", "Unit", "measure", "measure_in"]

Unit: TypeAlias = Literal["chars", "tokens"]
"""`chars` are extended grapheme clusters (UAX 29): what a reader counts as one character. `tokens` are those of an encoding."""

UNITS: Final[tuple[Unit, ...]] = get_args(Unit)

#: A cluster; the halves of a surrogate pair, which Python may hold apart, stay together.
_CLUSTER = regex.compile(r"[\ud800-\udbff][\udc00-\udfff]|\X")
#: Clusters after the cut that are tried as well: a longer text can have fewer tokens than a shorter one that splits a word.
_FURTHER = 32


@dataclass(frozen=True, slots=True)
class Measure:
    """A unit at work."""

    #: The size of a text.
    size: Callable[[str], int]
    #: The length in code points of the longest start of a text that has at most that size and splits no character.
    reach: Callable[[str, int], int]


def measure(text: str, unit: Unit = "chars", *, encoding: Encoding | None = None) -> int:
    """The size of a text in a unit. Raises UsageError for an unknown unit, or for tokens without an encoding."""
    return measure_in(unit, encoding).size(text)


def measure_in(unit: Unit, encoding: Encoding | None) -> Measure:
    """The measure of a unit. Raises UsageError as `measure` does."""
    if unit == "chars":
        return _CHARS
    if unit != "tokens":
        raise UsageError(f"unknown unit {unit!r}; units are {', '.join(UNITS)}")
    if encoding is None:
        raise UsageError("to count tokens, an encoding is needed")
    return Measure(encoding.count, lambda text, limit: _reach_in_tokens(encoding, text, limit))


def _clusters(text: str) -> int:
    return sum(1 for _ in _CLUSTER.finditer(text))


def _reach_in_clusters(text: str, limit: int) -> int:
    return max((match.end() for match in islice(_CLUSTER.finditer(text), limit)), default=0)


_CHARS = Measure(_clusters, _reach_in_clusters)


def _reach_in_tokens(encoding: Encoding, text: str, limit: int) -> int:
    """
    Where token `limit` of the whole text ends, moved to the nearest place that fits.

    Cut off, a text is split anew near its end, so the count is taken of each start itself. The longest start that fits is
    looked for a few characters further on; before that place, ever larger steps back find one that fits.
    """
    starts = encoding.starts(text)
    if len(starts) <= limit:
        return len(text)
    ends = [0, *(match.end() for match in _CLUSTER.finditer(text))]
    at = _last_at_most(ends, starts[limit])
    for further in reversed(ends[at : at + 1 + _FURTHER]):
        if encoding.count(text[:further]) <= limit:
            return further
    step = 1
    while at > 0:
        at = max(0, at - step)
        if encoding.count(text[: ends[at]]) <= limit:
            break
        step *= 2
    return ends[at]


def _last_at_most(ends: list[int], bound: int) -> int:
    return bisect_right(ends, bound) - 1
