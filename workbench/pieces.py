"""
Counting the tokens of many starts of one text without encoding each from its beginning.

A tokeniser first splits text into pieces with a regular expression and then encodes each piece apart. Where a border of pieces
lies whatever stands further left or right, the tokens of the two sides add up; so of a start of a text, only what comes after
its last such border has to be encoded. Counts are equal to those of the whole, never estimates.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import lru_cache

from workbench.borders import BORDER
from workbench.tokens import Encoding

__all__ = ["StartCounts", "borders"]

#: Characters. Words come again and again; what is longer is counted each time, so that the cache stays small.
_SHORT = 48


def borders(text: str, encoding: Encoding) -> list[int]:
    """The indexes inside a text at which it can be encoded apart, in order; none where the encoding's pattern is not known."""
    return [match.start() for match in BORDER.finditer(text)] if encoding.splits_words else []


class StartCounts:
    """The tokens of the starts of one text, each with another text after it."""

    __slots__ = ("_borders", "_encoding", "_sums", "text")

    def __init__(self, text: str, encoding: Encoding) -> None:
        self.text = text
        self._encoding = encoding
        self._borders = [0, *borders(text, encoding)]
        #: Tokens before each of the first borders; more are counted when they are asked for.
        self._sums = [0]

    def count(self, end: int, after: str = "") -> int:
        """
        Tokens of `text[:end] + after`.

        Raises InputError and LimitError as `Encoding.count` does.
        """
        last = max(0, bisect_left(self._borders, end) - 1)
        return self._before(last) + _count(self._encoding, self.text[self._borders[last] : end] + after)

    def _before(self, place: int) -> int:
        while len(self._sums) <= place:
            start, end = self._borders[len(self._sums) - 1 : len(self._sums) + 1]
            self._sums.append(self._sums[-1] + _count(self._encoding, self.text[start:end]))
        return self._sums[place]


def _count(encoding: Encoding, text: str) -> int:
    return _cached(encoding, text) if len(text) <= _SHORT else encoding.count(text)


@lru_cache(maxsize=1 << 16)
def _cached(encoding: Encoding, text: str) -> int:
    return encoding.count(text)
