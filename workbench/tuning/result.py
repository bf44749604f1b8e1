"""What tuning gives back: rows, a recommendation, and the answer to the open question of the RFC."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from workbench.descriptions import Strategy, Unit
from workbench.tables import Table
from workbench.tuning.choosing import knee
from workbench.tuning.values import Cap, Row
from workbench.tuning.views import answer_table, rows_table, strategies_table

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Tuning"]


@dataclass(frozen=True, slots=True, repr=False)
class Tuning:
    """
    A catalog at many limits of its tool descriptions, under one rendering and one encoding.

    Tokens are those of the whole compact view. What is lost is measured at `measured_limits`, without any call of a model.
    """

    encoding: str
    rendering: str
    #: What limits count.
    unit: Unit
    #: Tools in the catalog.
    tools: int
    #: Task sentences that were tried.
    queries: int
    #: Tokens of the standard view.
    standard: int
    #: The compact view with descriptions as they are; its limit is one in characters that touches none.
    full: Row
    #: By strategy in the order asked for, then by limit.
    rows: tuple[Row, ...]
    #: The measured rows that no other one is better than in tokens and retrieval, cheapest first.
    front: tuple[Row, ...]
    #: The knee of the front (the rule is in `workbench.tuning.choosing`); None where there is nothing to shorten.
    recommended: Cap | None
    #: What a hard cap of 256 characters would do (RFC 0112, Unresolved questions, 1).
    cap: Cap

    @property
    def strategies(self) -> tuple[Strategy, ...]:
        """The strategies that were tried, in order."""
        return tuple(dict.fromkeys(row.strategy for row in self.rows))

    @property
    def measured_limits(self) -> tuple[int, ...]:
        """The limits at which more than tokens is known."""
        return tuple(dict.fromkeys(row.limit for row in self.rows if row.measured))

    def of(self, strategy: Strategy) -> tuple[Row, ...]:
        """The rows of one strategy, by limit; none where it was not tried."""
        return tuple(row for row in self.rows if row.strategy == strategy)

    def best(self, strategy: Strategy) -> Row | None:
        """What the rule recommends when only one strategy is on offer."""
        return knee(self.of(strategy), self.full)

    def table(self, strategy: Strategy | None = None) -> Table:
        """The measured rows, of one strategy or of all."""
        return rows_table(self, self.strategies if strategy is None else (strategy,))

    def answer(self) -> Table:
        """Descriptions as they are, as recommended, and under a hard cap of 256 characters."""
        return answer_table(self)

    def by_strategy(self) -> Table:
        """What the rule recommends for each strategy alone."""
        return strategies_table(self)

    def frame(self) -> pd.DataFrame:
        """One row for each strategy and limit, with the columns of the JSON; measures are empty where nothing was measured."""
        rows = [row.to_json() for row in self.rows]
        return Table(tuple(rows[0]), [tuple(row.values()) for row in rows]).frame()

    def to_json(self) -> dict[str, Any]:
        """The JSON object that `workbench tune` prints; tokens are whole numbers, all shares go from 0 to 1."""
        return {
            "encoding": self.encoding,
            "rendering": self.rendering,
            "unit": self.unit,
            "queries": self.queries,
            "standard": self.standard,
            "compact": self.full.tokens,
            "rows": [row.to_json() for row in self.rows],
            "recommended": self.recommended.to_json() if self.recommended else None,
            "front": [{"strategy": row.strategy, "limit": row.limit, "tokens": row.tokens} for row in self.front],
            "full": self.full.to_json(),
            "cap": self.cap.to_json(),
        }

    def __repr__(self) -> str:
        chosen = self.recommended
        told = f"{chosen.row.strategy} {chosen.row.limit} {chosen.unit}" if chosen else "nothing"
        return f"<Tuning of {self.tools} tools: {len(self.rows):,} rows, recommends {told}; {self.rendering}, {self.encoding}>"

    def _repr_html_(self) -> str:
        return f"{self.answer().html()}\n{self.by_strategy().html()}"
