"""
Tuning: how short tool descriptions may get before tools blur into each other.

`tune` counts the compact view exactly at every limit, measures what shortened descriptions still tell apart, and recommends a
limit. Nothing here asks a model: what retrieval cannot tell apart any more, a model may still, and the other way round.
"""

from __future__ import annotations

from workbench.tuning.choosing import FLOOR, retained
from workbench.tuning.panel import Panel
from workbench.tuning.queries import Query, read_queries
from workbench.tuning.result import Tuning
from workbench.tuning.sweep import Sweep
from workbench.tuning.trying import CAP, tune
from workbench.tuning.values import Cap, Measured, Row
from workbench.tuning.views import compared

__all__ = [
    "CAP",
    "FLOOR",
    "Cap",
    "Measured",
    "Panel",
    "Query",
    "Row",
    "Sweep",
    "Tuning",
    "compared",
    "read_queries",
    "retained",
    "tune",
]
