"""
Choosing a limit: the Pareto front of tokens against retrieval, and the knee in it.

The rule. What a row retains is the share of self-retrieval (recall at 1) that full descriptions have and it still has; with task
sentences, the lesser of that and the same share of their recall at 5. A row is on the front when no other one costs no more and
retains more, or costs less and retains as much. Of the rows on the front that retain at least `FLOOR`, the knee is recommended: the
one with the largest difference between what is retained and what is paid, tokens being on a scale from 0, where descriptions are
as short as tried, to 1, where they are as they are (Satopää et al. 2011, "Finding a Kneedle in a Haystack").
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from workbench.tuning.values import Measured, Row

__all__ = ["FLOOR", "front", "knee", "retained"]

#: The share of the retrieval with full descriptions that a recommended limit has to keep.
FLOOR: Final = 0.95


def retained(row: Row, full: Row) -> float:
    """The share of the retrieval with full descriptions that a row still has, at most 1; 0 where nothing was measured."""
    if row.measured is None or full.measured is None:
        return 0.0
    pairs = zip(_recalls(row.measured), _recalls(full.measured), strict=True)
    return min(1.0, *(now / was if was else 1.0 for now, was in pairs))


def front(rows: Sequence[Row], full: Row) -> list[Row]:
    """The measured rows that no other one is better than, cheapest first; of equals the one given first."""
    best: list[Row] = []
    measured = [row for row in rows if row.measured]
    for row in sorted(measured, key=lambda row: (row.tokens, -retained(row, full))):
        if not best or retained(row, full) > retained(best[-1], full):
            best.append(row)
    return best


def knee(rows: Sequence[Row], full: Row) -> Row | None:
    """The row to recommend; None where descriptions tell no tools apart to begin with, or no row retains enough."""
    enough = [row for row in front(rows, full) if retained(row, full) >= FLOOR]
    if not enough or full.measured is None or not full.measured.self_recall[0]:
        return None
    least = min(row.tokens for row in rows)
    span = max(1, full.tokens - least)
    return max(enough, key=lambda row: retained(row, full) - (row.tokens - least) / span)


def _recalls(measured: Measured) -> list[float]:
    return [measured.self_recall[0], *(measured.task_recall or ())[-1:]]
