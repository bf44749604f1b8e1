"""
Shortening descriptions: a limit, the unit it counts, and what to keep within it.

The limit is a limit: the result never has more than that, the ellipsis included. A text within the limit comes back as it is,
white space included, so shortening twice changes nothing. Nothing is ever cut inside a user-perceived character.
"""

from __future__ import annotations

from workbench.descriptions.measures import UNITS, Unit, measure
from workbench.descriptions.shortening import STRATEGIES, Shortener, Strategy, shorten

__all__ = ["STRATEGIES", "UNITS", "Shortener", "Strategy", "Unit", "measure", "shorten"]
