"""The parts of a Markdown text that make no sense in halves: code, links, strong text, addresses."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from dataclasses import dataclass

__all__ = ["Spans", "spans"]

_FENCE = re.compile(r"`+|~{3,}")
#: Bounded repeats that cannot overlap, so that no text makes the search quadratic.
_WHOLE = re.compile(
    r"!?\[[^\[\]\n]{0,300}\](?:\((?:[^()\n]|\([^()\n]{0,200}\)){0,2000}\)|\[[^\[\]\n]{0,300}\])"
    r"|<?https?://[^\s<>\"'`]{1,2000}>?|\*\*[^*\n]{1,300}\*\*|__[^_\n]{1,300}__"
)


@dataclass(frozen=True, slots=True)
class Spans:
    """Disjoint stretches of a text, in order."""

    starts: tuple[int, ...]
    ends: tuple[int, ...]

    def holds(self, index: int) -> bool:
        """Say whether a cut at this index would go through a stretch."""
        return self.start_of(index) != index

    def start_of(self, index: int) -> int:
        """The start of the stretch that a cut at this index would go through; the index itself where there is none."""
        before = bisect_left(self.starts, index) - 1
        return self.starts[before] if before >= 0 and index < self.ends[before] else index


def spans(text: str) -> Spans:
    """The stretches of a text that a cut should leave whole; an opening mark without its closing one starts none."""
    found = sorted([*_code(text), *(match.span() for match in _WHOLE.finditer(text))])
    starts: list[int] = []
    ends: list[int] = []
    for start, end in found:
        if ends and start < ends[-1]:
            ends[-1] = max(ends[-1], end)
        else:
            starts.append(start)
            ends.append(end)
    return Spans(tuple(starts), tuple(ends))


def _code(text: str) -> list[tuple[int, int]]:
    """Code spans and fences: a run of marks up to the next run of the same marks (CommonMark 6.1)."""
    runs = [match.span() for match in _FENCE.finditer(text)]
    places: defaultdict[str, list[int]] = defaultdict(list)
    for number, (start, end) in enumerate(runs):
        places[text[start:end]].append(number)
    found: list[tuple[int, int]] = []
    number = 0
    while number < len(runs):
        start, end = runs[number]
        same = places[text[start:end]]
        after = bisect_left(same, number + 1)
        if after < len(same):
            number = same[after]
            found.append((start, runs[number][1]))
        number += 1
    return found
