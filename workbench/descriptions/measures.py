"""How long a text and each of its starts is, in user-perceived characters or in tokens."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import cached_property
from typing import TYPE_CHECKING, Final, Literal, Protocol, TypeAlias, get_args

import regex

from workbench.errors import UsageError
from workbench.pieces import StartCounts

if TYPE_CHECKING:
    from workbench.tokens import Encoding

__all__ = ["UNITS", "Sizes", "Unit", "measure", "sizes_of"]

Unit: TypeAlias = Literal["chars", "tokens"]
"""`chars` are extended grapheme clusters (UAX 29): what a reader counts as one character. `tokens` are those of an encoding."""

UNITS: Final[tuple[Unit, ...]] = get_args(Unit)

#: A cluster; the halves of a surrogate pair, which Python may hold apart, stay together.
_CLUSTER = regex.compile(r"[\ud800-\udbff][\udc00-\udfff]|\X")
#: Clusters after the cut that are tried as well: a longer text can have fewer tokens than a shorter one that splits a word.
_FURTHER = 32


class Sizes(Protocol):
    """The sizes of one text and of its starts in one unit; what does not depend on a limit is found once."""

    @property
    def whole(self) -> int:
        """The size of the whole text."""

    def of(self, text: str) -> int:
        """The size of any text."""

    def of_start(self, end: int, mark: str = "") -> int:
        """The size of the start that ends at an index, with a mark after it."""

    def reach(self, limit: int) -> int:
        """The length in code points of the longest start that has at most that size and splits no character."""


def measure(text: str, unit: Unit = "chars", *, encoding: Encoding | None = None) -> int:
    """The size of a text in a unit. Raises UsageError for an unknown unit, or for tokens without an encoding."""
    return sizes_of("", unit, encoding).of(text)


def sizes_of(text: str, unit: Unit, encoding: Encoding | None) -> Sizes:
    """The sizes of a text and its starts. Raises UsageError as `measure` does."""
    if unit == "chars":
        return _Clusters(text)
    if unit != "tokens":
        raise UsageError(f"unknown unit {unit!r}; units are {', '.join(UNITS)}")
    if encoding is None:
        raise UsageError("to count tokens, an encoding is needed")
    return _Tokens(text, encoding)


def _ends(text: str) -> list[int]:
    return [match.end() for match in _CLUSTER.finditer(text)]


class _Clusters:
    def __init__(self, text: str) -> None:
        self.text = text
        self._ends = _ends(text)

    @property
    def whole(self) -> int:
        return len(self._ends)

    def of(self, text: str) -> int:
        return len(_ends(text))

    def of_start(self, end: int, mark: str = "") -> int:
        # A mark may join the last character; without one, clusters depend on nothing that comes after them.
        return self.of(self.text[:end] + mark) if mark else bisect_left(self._ends, end) + (end > 0)

    def reach(self, limit: int) -> int:
        return self._ends[min(limit, len(self._ends)) - 1] if limit > 0 and self._ends else 0


class _Tokens:
    def __init__(self, text: str, encoding: Encoding) -> None:
        self.text = text
        self.of = encoding.count
        self._encoding = encoding
        self._counts = StartCounts(text, encoding)
        self.of_start = self._counts.count

    @cached_property
    def whole(self) -> int:
        return self._counts.count(len(self.text))

    @cached_property
    def _starts(self) -> list[int]:
        return self._encoding.starts(self.text)

    @cached_property
    def _ends(self) -> list[int]:
        return [0, *_ends(self.text)]

    def reach(self, limit: int) -> int:
        """
        Where token `limit` of the whole text ends, moved to the nearest place that fits.

        Cut off, a text is split anew near its end, so the count is taken of each start itself. The longest start that fits is
        looked for a few characters further on; before that place, ever larger steps back find one that fits.
        """
        if limit < 0:
            return 0
        if len(self._starts) <= limit:
            return len(self.text)
        ends = self._ends
        at = bisect_right(ends, self._starts[limit]) - 1
        for further in reversed(ends[at : at + 1 + _FURTHER]):
            if self.of_start(further) <= limit:
                return further
        step = 1
        while at > 0:
            at = max(0, at - step)
            if self.of_start(ends[at]) <= limit:
                break
            step *= 2
        return ends[at]
