"""
Where descriptions stand in a written text, and what it costs with other descriptions there.

A writing is looked at once, with marks in the place of descriptions. Between two of them lie places where the tokeniser surely
splits (`workbench.pieces`); what lies between such places costs the same whatever the descriptions are, so only the
descriptions and the few characters around them are counted again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from json.encoder import encode_basestring, encode_basestring_ascii
from typing import Final, TypeAlias

from workbench.pieces import StartCounts, borders
from workbench.tokens import Encoding

__all__ = ["Gap", "Layout", "Writing", "layout_of"]

#: Makes the whole text with these descriptions, one for each that it has, in order.
Writing: TypeAlias = Callable[[Sequence[str]], str]

#: How a writing may put a text into another: as a JSON string, without and with characters outside ASCII escaped, or as it is.
_ESCAPES: Final[tuple[Callable[[str], str], ...]] = (
    lambda text: encode_basestring(text)[1:-1],
    lambda text: encode_basestring_ascii(text)[1:-1],
    str,
)


class Gap:
    """The place of one description, with what lies between it and the nearest sure borders."""

    __slots__ = ("_counts", "_encoding", "_escape", "_last", "edges")

    def __init__(self, left: str, right: str, text: str, escape: Callable[[str], str], encoding: Encoding) -> None:
        self.edges = (left, right)
        self._escape = escape
        self._encoding = encoding
        self._counts = StartCounts(left + escape(text), encoding)
        self._last: tuple[str | None, int] = (None, 0)

    def count(self, text: str) -> int:
        """Tokens of a text at this place, edges included."""
        last, tokens = self._last
        if text is last:
            return tokens
        left, right = self.edges
        start = left + self._escape(text)
        if self._counts.text.startswith(start):
            tokens = self._counts.count(len(start), right)
        else:
            tokens = self._encoding.count(start + right)
        self._last = (text, tokens)
        return tokens


@dataclass(frozen=True, slots=True)
class Layout:
    """A writing taken apart: with texts `t`, it costs `fixed` plus the sum of `gaps[i].count(t[i])`, exactly."""

    fixed: int
    gaps: tuple[Gap, ...]


def layout_of(write: Writing, texts: Sequence[str], encoding: Encoding) -> Layout | None:
    """
    The layout of a writing whose descriptions are `texts`, or starts and parts of them.

    None where it cannot be taken apart: it does more to descriptions than to escape them, or the encoding's pattern is unknown.
    """
    parts = _parts(write, len(texts))
    if parts is None:
        return None
    edges = _edges(parts, encoding)
    escape = _escape(write, texts, parts)
    if edges is None or escape is None:
        return None
    fixed = sum(encoding.count(part[start:end]) for part, (start, end) in zip(parts, edges, strict=True))
    gaps = [
        Gap(before[left:], after[:right], text, escape, encoding)
        for text, (before, after), ((_, left), (right, _)) in zip(texts, pairwise(parts), pairwise(edges), strict=True)
    ]
    return Layout(fixed, tuple(gaps))


def _parts(write: Writing, gaps: int) -> list[str] | None:
    """What stands before, between and after the descriptions; None where one of them is not there exactly once, in order."""
    bare = write([""] * gaps)
    salt = "gap"
    while salt in bare:
        salt += "x"
    rest, parts = write([f"{salt}{place:09}" for place in range(gaps)]), []
    for place in range(gaps):
        part, mark, rest = rest.partition(f"{salt}{place:09}")
        if not mark:
            return None
        parts.append(part)
    parts.append(rest)
    return None if any(salt in part for part in parts) else parts


def _edges(parts: Sequence[str], encoding: Encoding) -> list[tuple[int, int]] | None:
    """The first and the last sure border of each part; the text's own two ends are borders."""
    edges = []
    for place, part in enumerate(parts):
        inside = borders(part, encoding)
        if place == 0:
            inside.insert(0, 0)
        if place == len(parts) - 1:
            inside.append(len(part))
        if not inside:
            return None
        edges.append((inside[0], inside[-1]))
    return edges


def _escape(write: Writing, texts: Sequence[str], parts: Sequence[str]) -> Callable[[str], str] | None:
    """How texts are put in; tried on the whole texts, on halves of them, and on nothing."""
    trials = [list(texts), [text[: len(text) // 2] for text in texts], [""] * len(texts)]
    written = [write(trial) for trial in trials]
    for escape in _ESCAPES:
        guesses = (_filled(parts, [escape(text) for text in trial]) for trial in trials)
        if all(guess == truth for guess, truth in zip(guesses, written, strict=True)):
            return escape
    return None


def _filled(parts: Sequence[str], texts: Sequence[str]) -> str:
    return parts[0] + "".join(text + part for text, part in zip(texts, parts[1:], strict=True))
