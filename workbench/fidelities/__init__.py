"""
Fidelity: how faithful the compact schemas of a catalog are to the original ones, measured on sampled arguments.

In reading order: `sampler` and `texts` draw instances from a schema, `near_misses` changes them in one place, `judge` says
which schema accepts which, `measuring` counts, `result` shows.
"""

from __future__ import annotations

from workbench.fidelities.measuring import fidelity
from workbench.fidelities.result import Fidelity, ToolFidelity

__all__ = ["Fidelity", "ToolFidelity", "fidelity"]
