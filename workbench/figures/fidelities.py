"""Figures of fidelity. Every number in them comes from the measurement; nothing is sampled here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import PercentFormatter

from workbench.errors import UsageError
from workbench.fidelities import Fidelity, ToolFidelity
from workbench.figures.drawing import ACCENT, INK, MUTED, PALE, Drawing, drawing, label

__all__ = ["fidelity_by_tool"]

#: Tools that the words beside a figure name.
_NAMED: Final = 3


def fidelity_by_tool(
    measured: Fidelity | Sequence[Fidelity], share: Literal["precision", "tightness"] = "precision"
) -> Drawing:
    """
    How faithful each tool's schema is against the tokens it saves: one panel for each policy, one mark for each tool.

    Filled marks are tools whose schema is kept, hollow ones those whose schema was left out. The lines are the saving of the
    whole catalog and the mean over tools. Tools without a `share` are counted in the heading of their panel, not drawn.

    Raises:
        UsageError: no measurement, or a share that is none of the two.
    """
    panels = [measured] if isinstance(measured, Fidelity) else list(measured)
    if not panels or share not in ("precision", "tightness"):
        raise UsageError("a figure of fidelity shows the precision or the tightness of at least one measurement")
    title = f"{share.capitalize()} against tokens saved, tool by tool"
    subtitle = f"samples {panels[0].samples}, seed {panels[0].seed}, encoding {panels[0].encoding}"
    with drawing(1.3 + 2.1 * len(panels), title, subtitle, panels=len(panels)) as (figure, all_axes):
        for axes, each in zip(all_axes, panels, strict=True):
            _panel(axes, each, share)
        all_axes[-1].set_xlabel("tokens saved")
        all_axes[-1].xaxis.set_major_formatter(PercentFormatter(1, 0))
        figure.alt = f"{title}: " + "; ".join(_told(each, share) for each in panels) + f" ({subtitle})."
    return figure


def _panel(axes: Axes, measured: Fidelity, share: str) -> None:
    kept = [row for row in measured.rows if _share(row, share) is not None and row.schema == "kept"]
    gone = [row for row in measured.rows if _share(row, share) is not None and row.schema != "kept"]
    for rows, face in ((kept, ACCENT), (gone, "none")):
        places = [row.saved_ratio for row in rows], [_share(row, share) or 0.0 for row in rows]
        axes.scatter(
            *places, s=26, facecolors=face, edgecolors=ACCENT, linewidths=0.9, alpha=0.65, clip_on=False, zorder=3
        )
    mean = measured.precision if share == "precision" else measured.tightness
    if mean is not None:
        axes.axhline(mean, color=INK, linewidth=0.8, linestyle=(0, (3, 2)), zorder=2)
        axes.axvline(_saved(measured), color=INK, linewidth=0.8, linestyle=(0, (3, 2)), zorder=2)
    axes.set_title(_heading(measured, share), fontsize=9, color=MUTED, parse_math=False)
    axes.set_ylim(-0.02, 1.02)
    axes.yaxis.set_major_formatter(PercentFormatter(1, 0))
    axes.set_ylabel(share)
    axes.grid(color=PALE, linewidth=0.5, alpha=0.6)
    axes.set_axisbelow(True)
    if gone:
        hollow = Line2D(
            [], [], marker="o", linestyle="", markerfacecolor="none", markeredgecolor=ACCENT, label="left out"
        )
        filled = Line2D([], [], marker="o", linestyle="", color=ACCENT, label="schema kept")
        axes.legend(handles=[filled, hollow], loc="lower left", frameon=False, fontsize=8)


def _share(row: ToolFidelity, share: str) -> float | None:
    return row.precision if share == "precision" else row.tightness


def _saved(measured: Fidelity) -> float:
    before, after = (sum(costs) for costs in zip(*((row.standard, row.compact) for row in measured.rows), strict=True))
    return (before - after) / before if before else 0.0


def _heading(measured: Fidelity, share: str) -> str:
    """The policy, and what it makes of the whole catalog."""
    mean = measured.precision if share == "precision" else measured.tightness
    counts = measured.counts()
    missing = sum(_share(row, share) is None for row in measured.rows)
    parts = [f"{counts['kept']} of {counts['tools']} schemas kept"]
    if mean is not None:
        parts.append(f"{_saved(measured):.0%} of tokens saved, mean {share} {mean:.1%}")
    if missing:
        parts.append(f"{missing} {'tool' if missing == 1 else 'tools'} without a {share}")
    return f"{measured.policy}: {', '.join(parts)}"


def _told(measured: Fidelity, share: str) -> str:
    """A panel in words, with the tools that stand lowest."""
    shares = [(value, label(row.tool_id)) for row in measured.rows if (value := _share(row, share)) is not None]
    lowest = ", ".join(f"{name} {value:.0%}" for value, name in sorted(shares)[:_NAMED] if value < 1)
    return _heading(measured, share) + (f", lowest {lowest}" if lowest else "")
