"""What a tuning is made of: one row for each limit and strategy, and what was measured there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from workbench.descriptions import Strategy, Unit

__all__ = ["DEPTHS", "Cap", "Measured", "Row"]

#: Recall is given at these ranks.
DEPTHS = (1, 3, 5)


def _rounded(share: float | None) -> float | None:
    return None if share is None else round(share, 4)


@dataclass(frozen=True, slots=True)
class Measured:
    """What shortened descriptions still tell apart; shares go from 0 to 1."""

    #: Tools whose description became that of another tool.
    identical: int
    #: The same, where the names of their arguments do not tell them apart either.
    identical_with_parameters: int
    #: How like the most similar other one a description is on average, by the cosine of TF-IDF vectors; None for one tool alone.
    nearest: float | None
    #: The share of tools that their full description finds among the first 1, 3 and 5, of all the shortened ones (BM25).
    self_recall: tuple[float, float, float]
    #: The share of task sentences that find the right tool so; None without task sentences.
    task_recall: tuple[float, float, float] | None
    #: Ids of the tools that their full description found first among the full ones, and no longer finds first.
    confused: tuple[str, ...]

    @property
    def distinctness(self) -> float | None:
        """How unlike the most similar other tool a description is on average; 1 is nothing in common."""
        return None if self.nearest is None else 1 - self.nearest

    def to_json(self) -> dict[str, Any]:
        """The measures under the names that a row has them under, to four decimals."""
        task = self.task_recall or (None,) * len(DEPTHS)
        return {
            "identical": self.identical,
            "identicalWithParameters": self.identical_with_parameters,
            "distinctness": _rounded(self.distinctness),
            **{f"selfRecall{depth}": _rounded(share) for depth, share in zip(DEPTHS, self.self_recall, strict=True)},
            **{f"taskRecall{depth}": _rounded(share) for depth, share in zip(DEPTHS, task, strict=True)},
            "confused": len(self.confused),
        }


#: The same names where nothing was measured.
_UNMEASURED = dict.fromkeys(Measured(0, 0, None, (0, 0, 0), None, ()).to_json())


@dataclass(frozen=True, slots=True)
class Row:
    """A catalog at one limit of its tool descriptions, in the unit of the tuning."""

    limit: int
    strategy: Strategy
    #: Of the whole compact view.
    tokens: int
    #: The part of the standard view's tokens that the compact view saves at this limit.
    saved_ratio: float
    #: Tools whose description is shortened.
    shortened: int
    #: The part of the characters of all descriptions that is left.
    kept: float
    #: None where nothing was measured; tokens are exact at every limit.
    measured: Measured | None = None

    def to_json(self) -> dict[str, Any]:
        """The row as a JSON object; measures are null where nothing was measured."""
        return {
            "limit": self.limit,
            "strategy": self.strategy,
            "tokens": self.tokens,
            "savedRatio": self.saved_ratio,
            "shortened": self.shortened,
            "kept": _rounded(self.kept),
            **(self.measured.to_json() if self.measured else _UNMEASURED),
        }


@dataclass(frozen=True, slots=True)
class Cap:
    """What a cap on descriptions does to a catalog, against descriptions as they are."""

    row: Row
    unit: Unit
    #: Tokens of the compact view that it saves.
    saved: int

    def to_json(self) -> dict[str, Any]:
        """The row, its unit, what it saves, and the ids of the tools that it confuses."""
        measured = self.row.measured
        confused = {"confusedTools": list(measured.confused)} if measured else {}
        return {"unit": self.unit, **self.row.to_json(), "saved": self.saved, **confused}
