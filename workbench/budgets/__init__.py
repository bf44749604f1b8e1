"""
Budgets: what a catalog costs on every turn, standard against compact, and where the tokens go.

`budget` measures; a `Budget` holds the figures. Rows and overhead, and each split into parts, add up to the total exactly.
"""

from __future__ import annotations

from workbench.budgets.attribution import places
from workbench.budgets.claiming import Claim, Claims, claims
from workbench.budgets.comparing import compared
from workbench.budgets.differing import Change, Difference, difference
from workbench.budgets.limits import Excess, Limits, load_limits
from workbench.budgets.measure import WINDOWS, budget
from workbench.budgets.parts import By
from workbench.budgets.result import Budget
from workbench.budgets.savings import Saving, Savings, savings
from workbench.budgets.sessions import Bill, Prefix, Prices, load_prices, stable_prefix
from workbench.budgets.values import Cost, Part, Share, Spread, ToolCost, quantile

__all__ = [
    "WINDOWS",
    "Bill",
    "Budget",
    "By",
    "Change",
    "Claim",
    "Claims",
    "Cost",
    "Difference",
    "Excess",
    "Limits",
    "Part",
    "Prefix",
    "Prices",
    "Saving",
    "Savings",
    "Share",
    "Spread",
    "ToolCost",
    "budget",
    "claims",
    "compared",
    "difference",
    "load_limits",
    "load_prices",
    "places",
    "quantile",
    "savings",
    "stable_prefix",
]
