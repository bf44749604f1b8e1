"""
Figures: pictures of results that have been computed before.

Each function takes a result and gives a matplotlib figure that shows itself in a notebook; `figure_alt` says in words what it
shows, `to_svg` and `to_png` give the bytes of a file. Only this package loads matplotlib, and nothing in the core loads it.
"""

from __future__ import annotations

from workbench.figures.budgets import (
    budget_by_field,
    budget_by_tool,
    budget_over_turns,
    budget_per_tool,
    price_over_turns,
)
from workbench.figures.drawing import Drawing, figure_alt, to_png, to_svg
from workbench.figures.fidelities import fidelity_by_tool
from workbench.figures.places import budget_by_keyword, budget_treemap
from workbench.figures.tuning import tuning_curves, tuning_front

__all__ = [
    "Drawing",
    "budget_by_field",
    "budget_by_keyword",
    "budget_by_tool",
    "budget_over_turns",
    "budget_per_tool",
    "budget_treemap",
    "fidelity_by_tool",
    "figure_alt",
    "price_over_turns",
    "to_png",
    "to_svg",
    "tuning_curves",
    "tuning_front",
]
