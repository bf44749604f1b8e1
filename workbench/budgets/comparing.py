"""Several budgets beside each other: other catalogs, other policies, other encodings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from workbench.budgets.result import Budget
from workbench.tables import Cell, Column, Table

__all__ = ["compared"]

_COUNTS: Final = tuple(Column(name, "thousands") for name in ("tools", "standard", "compact", "saved"))
_MEDIANS: Final = tuple(Column(name, "thousands", 1) for name in ("median tool, standard", "median tool, compact"))


def compared(budgets: Mapping[str, Budget], what: str = "catalog") -> Table:
    """
    One row for each budget, under its name, with its totals and its median tool; `what` says what the names are of.

    No count of tokens stands without its rendering and encoding, and how sure it is: they are in the title, or where they
    differ in the rows.
    """
    under = {_under(budget) for budget in budgets.values()}
    mixed = len(under) > 1
    heads = (Column(what), *(map(Column, ("rendering", "encoding", "certainty")) if mixed else ()))
    columns = (*heads, *_COUNTS, Column("saved %", "percent"), *_MEDIANS)
    rows = [[name, *(_under(budget) if mixed else ()), *_cells(budget)] for name, budget in budgets.items()]
    common = "".join(f" (rendering {one}, encoding {two}, {sure})" for one, two, sure in under if not mixed)
    return Table(columns, rows, f"Tokens per turn{common}")


def _under(budget: Budget) -> tuple[str, str, str]:
    return budget.rendering, budget.encoding, budget.certainty


def _cells(budget: Budget) -> list[Cell]:
    total, median = budget.total, budget.spread(0.5)
    medians = (median.standard, median.compact) if median else (None, None)
    return [len(budget.rows), total.standard, total.compact, total.saved, total.saved_ratio, *medians]
