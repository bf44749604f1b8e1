"""Figures of tuning. Every number in them comes from the tuning; nothing is counted or retrieved here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator, PercentFormatter

from workbench.figures.drawing import ACCENT, INK, MUTED, PALE, PARTS, Drawing, drawing
from workbench.tuning import Row, Tuning, retained
from workbench.tuning.views import under

__all__ = ["tuning_curves", "tuning_front"]

#: One for each strategy, far apart in lightness; lines are dashed differently too.
_COLORS: Final = (PARTS[0], PARTS[6], PARTS[3], PARTS[1], PARTS[5])
_DASHES: Final = ("-", (0, (5, 1.5)), (0, (1.5, 1.5)), (0, (6, 2, 1.5, 2)), (0, (3, 3)))
#: The least limit that a figure shows; nothing can be read below it.
_LEAST: Final = 4


def tuning_curves(tuning: Tuning) -> Drawing:
    """
    Limits against what they cost and what they leave: one panel for tokens, one for self-retrieval, one for task sentences.

    Tokens are on the scale of the rule: 0 is the shortest that was tried, 1 is descriptions as they are. The vertical lines are the
    recommended limit (blue) and the cap of 256 characters (dotted).
    """
    least = min((row.tokens for row in tuning.rows), default=0)
    span = max(1, tuning.full.tokens - least)
    panels: list[tuple[str, Callable[[Row], float | None]]] = [
        ("tokens that descriptions cost, of those that they cost as they are", lambda row: (row.tokens - least) / span),
        (
            "tools that their own full description finds first",
            lambda row: row.measured.self_recall[0] if row.measured else None,
        ),
    ]
    if tuning.queries:
        panels.append(("task sentences that find the right tool among five", _task_recall))
    title = "What a limit on descriptions costs and saves"
    with drawing(1.2 + 1.75 * len(panels), title, under(tuning), panels=len(panels)) as (figure, all_axes):
        for axes, (name, value) in zip(all_axes, panels, strict=True):
            _curves(axes, tuning, value)
            axes.set_title(name, fontsize=9, color=MUTED, parse_math=False)
        all_axes[0].legend(loc="upper left", frameon=False, fontsize=8, handlelength=3)
        all_axes[-1].set_xlabel(f"limit in {tuning.unit}")
        figure.alt = f"{title}: {_told(tuning)} ({under(tuning)})."
    return figure


def tuning_front(tuning: Tuning) -> Drawing:
    """
    Tokens against the share of retrieval that is kept: a mark for each measured row, and the front of those no row is better than.

    Retrieval is that of tools by their own full descriptions; with task sentences, the lesser of that and of theirs.
    """
    title = "Tokens against the retrieval that is kept"
    with drawing(3.9, title, under(tuning)) as (figure, (axes,)):
        for place, strategy in enumerate(tuning.strategies):
            rows = [row for row in tuning.of(strategy) if row.measured]
            axes.scatter(
                *_places(tuning, rows), s=14, color=_COLORS[place], alpha=0.6, linewidths=0, label=strategy, zorder=3
            )
        axes.plot(*_places(tuning, tuning.front), color=INK, linewidth=0.9, label="front", zorder=2)
        marked = [("recommended", "o", tuning.recommended), ("cap of 256 characters", "s", tuning.cap)]
        for name, marker, cap in marked:
            if cap:
                axes.scatter(
                    *_places(tuning, [cap.row]),
                    s=90,
                    marker=marker,
                    facecolors="none",
                    edgecolors=ACCENT,
                    linewidths=1.6,
                    label=name,
                    zorder=4,
                )
        axes.set_xlabel("tokens of the compact view")
        axes.set_ylabel("retrieval kept")
        axes.xaxis.set_major_formatter(FuncFormatter(lambda tokens, _: f"{tokens:,.0f}"))
        axes.yaxis.set_major_formatter(PercentFormatter(1, 0))
        axes.grid(color=PALE, linewidth=0.5, alpha=0.6)
        axes.legend(loc="lower right", frameon=False, fontsize=8)
        figure.alt = f"{title}: {_told(tuning)} ({under(tuning)})."
    return figure


def _curves(axes: Axes, tuning: Tuning, value: Callable[[Row], float | None]) -> None:
    for place, strategy in enumerate(tuning.strategies):
        rows = [row for row in tuning.of(strategy) if row.limit >= _LEAST and value(row) is not None]
        places = [row.limit for row in rows], [value(row) or 0.0 for row in rows]
        axes.plot(*places, color=_COLORS[place], linestyle=_DASHES[place], linewidth=1.4, label=strategy)
    for cap, style in ((tuning.recommended, "-"), (tuning.cap, (0, (2, 2)))):
        if cap and cap.unit == tuning.unit:
            axes.axvline(
                cap.row.limit, color=ACCENT if style == "-" else MUTED, linewidth=0.9, linestyle=style, zorder=1
            )
    axes.set_xscale("log", base=2)
    axes.xaxis.set_major_locator(LogLocator(base=2))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda limit, _: f"{limit:,.0f}"))
    axes.set_ylim(-0.03, 1.05)
    axes.yaxis.set_major_formatter(PercentFormatter(1, 0))
    axes.grid(color=PALE, linewidth=0.5, alpha=0.6)
    axes.set_axisbelow(True)


def _task_recall(row: Row) -> float | None:
    return row.measured.task_recall[-1] if row.measured and row.measured.task_recall else None


def _places(tuning: Tuning, rows: Sequence[Row]) -> tuple[list[int], list[float]]:
    return [row.tokens for row in rows], [retained(row, tuning.full) for row in rows]


def _told(tuning: Tuning) -> str:
    """What there is to see: the three ways to have descriptions, in words."""
    told = [f"as they are {tuning.full.tokens:,} tokens"]
    for name, cap in (("recommended", tuning.recommended), ("cap", tuning.cap)):
        if cap and cap.row.measured:
            found = cap.row.measured.self_recall[0]
            told.append(
                f"{name} {cap.row.strategy} {cap.row.limit} {cap.unit} {cap.row.tokens:,} tokens, {found:.0%} find themselves"
            )
    return "; ".join(told)
