"""Several budgets beside each other: other catalogs, other policies, other encodings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from workbench.budgets.result import Budget
from workbench.tables import Cell, Column, Table

__all__ = ["compared"]

_COUNTS: Final = tuple(Column(name, "thousands") for name in ("tools", "standard", "compact", "saved"))
#: What a count holds for, and the word before it in a title.
_UNDER: Final = {"rendering": "rendering ", "encoding": "encoding ", "certainty": ""}
_MEDIANS: Final = tuple(Column(name, "thousands", 1) for name in ("median tool, standard", "median tool, compact"))


def compared(budgets: Mapping[str, Budget], what: str = "catalog") -> Table:
    """
    One row for each budget, under its name, with its totals and its median tool; `what` says what the names are of.

    No count of tokens stands without its rendering and encoding, and how sure it is: they are in the title, or where they
    differ in the rows.
    """
    under = {name: _under(budget) for name, budget in budgets.items()}
    values = {key: [each[key] for each in under.values()] for key in _UNDER}
    # What they have in common is said once, and what the names say already not again.
    heads = [key for key, found in values.items() if len(set(found)) > 1 and found != list(budgets)]
    common = [f"{word}{values[key][0]}" for key, word in _UNDER.items() if len(set(values[key])) == 1]
    columns = (*map(Column, (what, *heads)), *_COUNTS, Column("saved %", "percent"), *_MEDIANS)
    rows = [[name, *(under[name][key] for key in heads), *_cells(budget)] for name, budget in budgets.items()]
    return Table(columns, rows, f"Tokens per turn ({', '.join(common)})" if common else "Tokens per turn")


def _under(budget: Budget) -> dict[str, str]:
    return {"rendering": budget.rendering, "encoding": budget.encoding, "certainty": budget.certainty}


def _cells(budget: Budget) -> list[Cell]:
    total, median = budget.total, budget.spread(0.5)
    medians = (median.standard, median.compact) if median else (None, None)
    return [len(budget.rows), total.standard, total.compact, total.saved, total.saved_ratio, *medians]
