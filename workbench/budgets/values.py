"""What a budget is made of: pairs of token counts, standard against compact, with what follows from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Cost", "Part", "Share", "Spread", "ToolCost", "quantile"]


@dataclass(frozen=True, slots=True)
class Cost:
    """Tokens in the standard and in the compact view."""

    standard: int
    compact: int

    @property
    def saved(self) -> int:
        """Standard minus compact, in tokens; negative where the compact view is dearer."""
        return self.standard - self.compact

    @property
    def saved_ratio(self) -> float:
        """The saved share of the standard cost; 0 where the standard view costs nothing."""
        return self.saved / self.standard if self.standard else 0.0


@dataclass(frozen=True, slots=True)
class ToolCost(Cost):
    """What one tool costs; tokens that start inside its JSON text."""

    tool_id: str
    #: The tool's part of the standard total, overhead included, from 0 to 1.
    share: float


@dataclass(frozen=True, slots=True)
class Part(Cost):
    """What one field or keyword costs over all tools."""

    key: str


@dataclass(frozen=True, slots=True)
class Share:
    """The part of a context window of `window` tokens that a catalog takes up on every turn; 1 is all of it."""

    window: int
    standard: float
    compact: float


@dataclass(frozen=True, slots=True)
class Spread:
    """A quantile of the tokens per tool, in each view."""

    standard: float
    compact: float


def quantile(counts: Sequence[int], q: float) -> float:
    """
    The `q`-quantile, 0 <= q <= 1, of at least one count, with linear interpolation between neighbours.

    It is the definition that pandas and NumPy use by default, so that a frame gives the same figure.
    """
    ordered = sorted(counts)
    position = q * (len(ordered) - 1)
    below = int(position)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (position - below)
