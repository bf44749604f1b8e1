"""
Budgets: what a catalog costs on every turn, standard against compact, and where the tokens go.

`budget` measures; a `Budget` holds the figures. Rows and overhead, and each split into parts, add up to the total exactly.
"""

from __future__ import annotations

from workbench.budgets.comparing import compared
from workbench.budgets.measure import WINDOWS, budget
from workbench.budgets.parts import By
from workbench.budgets.result import Budget
from workbench.budgets.values import Cost, Part, Share, Spread, ToolCost, quantile

__all__ = ["WINDOWS", "Budget", "By", "Cost", "Part", "Share", "Spread", "ToolCost", "budget", "compared", "quantile"]
