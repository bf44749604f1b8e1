"""The result of a budget: typed figures, the JSON that other programs rely on, and tables to look at."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, get_args

from workbench.budgets.parts import By
from workbench.budgets.savings import Savings, savings
from workbench.budgets.sessions import Bill, Prices
from workbench.budgets.values import Cost, Part, Share, Spread, ToolCost, quantile
from workbench.budgets.views import parts_table, summary_table, tools_table
from workbench.catalog import Catalog, View
from workbench.errors import UsageError
from workbench.renderings import Certainty
from workbench.tables import Table

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Budget"]

#: Tools that a notebook shows one by one; the rest is one row, so that the table still adds up.
_SHOWN = 25


@dataclass(frozen=True, slots=True, repr=False)
class Budget:
    """
    The tokens of a catalog, standard against compact, under one rendering and one encoding.

    `rows` and `overhead` add up to `total` exactly, and so do `fields`, `keywords` and `depths`. Every token is counted once,
    where its first character stands.
    """

    encoding: str
    rendering: str
    #: One per tool, in catalog order.
    rows: tuple[ToolCost, ...]
    #: Tokens that start between the tools.
    overhead: Cost
    #: The whole text, sent once per turn.
    total: Cost
    fields: tuple[Part, ...]
    keywords: tuple[Part, ...]
    #: By the number of schemas that a text stands in.
    depths: tuple[Part, ...]
    #: The fields of each tool, in catalog order; they add up to its row.
    tool_fields: tuple[tuple[Part, ...], ...]
    #: How sure the counts are for a model that is sent this rendering, and the same in words.
    certainty: Certainty
    assurance: str
    #: What a reader should know about these catalogs in this rendering.
    notes: tuple[str, ...]
    #: The standard and the compact view that were measured.
    views: tuple[Catalog, Catalog] = field(compare=False)
    #: Turns of one session, which `over_turns` covers.
    turns: int = 1
    #: Sizes of context windows, in tokens, that `shares` compares with.
    windows: tuple[int, ...] = ()

    def parts(self, by: By = "field") -> tuple[Part, ...]:
        """
        The split by descriptor field, schema keyword, schema depth or tool; each adds up to `total`.

        Parts that cost nothing in either view are left out.

        Raises:
            UsageError: `by` is something else.
        """
        if by == "tool":
            tools = (Part(row.standard, row.compact, row.tool_id) for row in self.rows)
            return (*tools, Part(self.overhead.standard, self.overhead.compact, "overhead"))
        if by not in get_args(By):
            raise UsageError(f"tokens cannot be split by {by!r}; there are: {', '.join(get_args(By))}")
        split = {"field": self.fields, "keyword": self.keywords, "depth": self.depths}[by]
        return tuple(part for part in split if part.standard or part.compact)

    @property
    def over_turns(self) -> Cost:
        """Tokens over all `turns`, the whole catalog being sent on each; no provider's cache is taken into account."""
        return Cost(self.total.standard * self.turns, self.total.compact * self.turns)

    @property
    def shares(self) -> tuple[Share, ...]:
        """The part of each context window that the catalog takes up."""
        return tuple(Share(size, self.total.standard / size, self.total.compact / size) for size in self.windows)

    def spread(self, q: float) -> Spread | None:
        """The `q`-quantile of tokens per tool in each view, interpolated as pandas does; None where there is no tool."""
        if not self.rows:
            return None
        return Spread(quantile([row.standard for row in self.rows], q), quantile([row.compact for row in self.rows], q))

    def bill(self, prices: Prices, sessions: int = 1) -> Bill:
        """What `sessions` of `turns` turns each cost at these prices, with and without prompt caching."""
        return Bill(self.total, prices, self.turns, sessions)

    def savings(self, view: View = "compact") -> Savings:
        """What could still be saved in a view, kind by kind, each measured by encoding the changed catalog anew."""
        return savings(self.views[view == "compact"], rendering=self.rendering, encoding=self.encoding)

    def table(self, limit: int | None = None) -> Table:
        """Tools dearest first, with the total; those beyond `limit` share one row, so that the table adds up."""
        return tools_table(self, limit)

    def parts_table(self, by: By = "field") -> Table:
        """The parts dearest first, with the total. Raises UsageError as `parts` does."""
        return parts_table(self, by)

    def summary(self) -> Table:
        """What the total means over turns, in context windows, and for a typical tool."""
        return summary_table(self)

    def frame(self) -> pd.DataFrame:
        """One row per tool, in catalog order; `overhead` is what is missing to `total`."""
        columns = ("toolId", "standard", "compact", "saved", "savedRatio", "share")
        rows = [(row.tool_id, row.standard, row.compact, row.saved, row.saved_ratio, row.share) for row in self.rows]
        return Table(columns, rows).frame()

    def parts_frame(self, by: By = "field") -> pd.DataFrame:
        """One row per part; the columns add up to `total`. Raises UsageError as `parts` does."""
        rows = [(part.key, part.standard, part.compact, part.saved) for part in self.parts(by)]
        return Table(("key", "standard", "compact", "saved"), rows).frame()

    def __repr__(self) -> str:
        return (
            f"<Budget of {len(self.rows)} tools: standard {self.total.standard:,}, compact {self.total.compact:,} tokens; "
            f"rendering {self.rendering}, encoding {self.encoding}>"
        )

    def _repr_html_(self) -> str:
        notes = Table(("how sure these counts are",), [[note] for note in (self.assurance, *self.notes)])
        shown = [notes] if self.notes or self.certainty != "exact" else []
        return "\n".join(table.html() for table in (self.summary(), self.table(_SHOWN), *shown))

    def to_json(self, by: By = "tool") -> dict[str, Any]:
        """
        The JSON object that `workbench budget` prints; with `by` other than `tool` it holds `parts` too.

        All figures are tokens, but for `savedRatio` and those under `context`, which are shares: 1 is the whole.
        """
        parts = {} if by == "tool" else {"parts": [_pair(part, key=part.key) for part in self.parts(by)]}
        return {
            "encoding": self.encoding,
            "rendering": self.rendering,
            "certainty": self.certainty,
            "notes": [self.assurance, *self.notes],
            "tools": [_pair(row, toolId=row.tool_id) | {"saved": row.saved} for row in self.rows],
            "overhead": _pair(self.overhead),
            "total": _pair(self.total) | _savings(self.total),
            **parts,
            "turns": {"count": self.turns} | _pair(self.over_turns) | {"saved": self.over_turns.saved},
            "context": [_pair(share, window=share.window) for share in self.shares],
            "perTool": {"median": _pair(self.spread(0.5)), "p90": _pair(self.spread(0.9))},
        }


def _pair(cost: Cost | Share | Spread | None, **before: Any) -> dict[str, Any]:
    return {**before, "standard": cost.standard if cost else None, "compact": cost.compact if cost else None}


def _savings(cost: Cost) -> dict[str, Any]:
    return {"saved": cost.saved, "savedRatio": cost.saved_ratio}
