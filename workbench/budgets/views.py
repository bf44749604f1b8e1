"""A budget as tables; each says under which rendering and encoding its numbers hold."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from workbench.budgets.parts import By
from workbench.budgets.values import Cost
from workbench.tables import Cell, Column, Table

if TYPE_CHECKING:
    from workbench.budgets.result import Budget

__all__ = ["caption", "parts_table", "summary_table", "tools_table"]

_COUNTS: Final = tuple(Column(name, "thousands") for name in ("standard", "compact", "saved"))
_TAIL: Final = (Column("saved %", "percent"), Column("share", "percent"))
_NOUNS: Final = {"tool": "tool", "field": "field", "keyword": "schema keyword", "depth": "schema depth"}


def caption(budget: Budget, what: str) -> str:
    """A title that names the rendering, the encoding and how sure counts are, without which a count of tokens says little."""
    return f"{what} (rendering {budget.rendering}, encoding {budget.encoding}, {budget.certainty})"


def tools_table(budget: Budget, limit: int | None = None) -> Table:
    """The tools, dearest first, then what lies between them, then the total; beyond `limit` they share one row."""
    ranked = sorted(budget.rows, key=lambda row: -row.standard)
    shown = ranked if limit is None or len(ranked) <= limit + 1 else ranked[:limit]
    rows = [_cells(budget, row.tool_id, row) for row in shown]
    if rest := ranked[len(shown) :]:
        rows.append(_cells(budget, f"({len(rest)} more tools)", _sum(rest)))
    rows.append(_cells(budget, "(between the tools)", budget.overhead))
    rows.append(_cells(budget, "total", budget.total))
    return Table((Column("tool"), *_COUNTS, *_TAIL), rows, caption(budget, "Tokens per turn and tool"))


def parts_table(budget: Budget, by: By) -> Table:
    """The parts, dearest first (depths from the outside in), and the total."""
    ranked = list(budget.parts(by))
    if by != "depth":
        ranked.sort(key=lambda part: (-part.standard, -part.compact))
    rows = [_cells(budget, part.key, part) for part in ranked]
    rows.append(_cells(budget, "total", budget.total))
    return Table((Column(_NOUNS[by]), *_COUNTS, *_TAIL), rows, caption(budget, f"Tokens per turn and {_NOUNS[by]}"))


def summary_table(budget: Budget) -> Table:
    """What the total means: over turns, in a context window, and for a typical tool."""
    rows: list[list[Cell]] = [_plain("one turn", budget.total)]
    if budget.turns != 1:
        rows.append(_plain(f"{budget.turns:,} turns", budget.over_turns))
    for name, q in (("median tool", 0.5), ("90th percentile tool", 0.9)):
        spread = budget.spread(q)
        if spread:
            rows.append([name, _rounded(spread.standard), _rounded(spread.compact)])
    rows += [
        [f"of a window of {_size(share.window)}", f"{share.standard:.1%}", f"{share.compact:.1%}"]
        for share in budget.shares
    ]
    columns = (Column(""), Column("standard", "thousands"), Column("compact", "thousands"))
    return Table(columns, rows, caption(budget, "Tokens"))


def _cells(budget: Budget, name: str, cost: Cost) -> list[Cell]:
    share = cost.standard / budget.total.standard if budget.total.standard else 0.0
    return [name, cost.standard, cost.compact, cost.saved, cost.saved_ratio, share]


def _plain(name: str, cost: Cost) -> list[Cell]:
    return [name, cost.standard, cost.compact]


def _sum(costs: Iterable[Cost]) -> Cost:
    listed = list(costs)
    return Cost(sum(cost.standard for cost in listed), sum(cost.compact for cost in listed))


def _rounded(tokens: float) -> str:
    return f"{tokens:,.1f}".removesuffix(".0")


def _size(tokens: int) -> str:
    """A window as people name it: 128k, 1M, or the plain number."""
    if tokens % 1_000_000 == 0:
        return f"{tokens // 1_000_000}M"
    return f"{tokens // 1_000}k" if tokens % 1_000 == 0 else f"{tokens:,}"
