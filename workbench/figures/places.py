"""Figures of where the tokens of a budget go: a treemap of tools and their fields, and bars by keyword."""

from __future__ import annotations

from collections.abc import Sequence
from os.path import commonprefix
from typing import Final

import squarify
from matplotlib.axes import Axes
from matplotlib.patches import Patch, Rectangle

from workbench.budgets import Budget, Part
from workbench.catalog import View
from workbench.figures.budgets import COLORS, OTHERS, alt, paired_bars, under
from workbench.figures.drawing import INK, Drawing, drawing, label

__all__ = ["budget_by_keyword", "budget_treemap"]

#: Points of type: the map's size, a letter's width and a line's height at the size of its labels, the frame around a tool.
_WIDTH, _HEIGHT = 560.0, 300.0
_LETTER, _LINE = 4.6, 9.0
_FRAME: Final = 1.4

#: Left, bottom, width and height, in points of the map.
_Box = tuple[float, float, float, float]
_MAP: Final[_Box] = (0.0, 0.0, _WIDTH, _HEIGHT)


def budget_treemap(budget: Budget, view: View = "standard") -> Drawing:
    """Where every token of a view goes: the area of a tool is what it costs, and inside it the area of each field."""
    tools = sorted(
        (
            (row.tool_id, getattr(row, view), fields)
            for row, fields in zip(budget.rows, budget.tool_fields, strict=True)
        ),
        key=lambda tool: -tool[1],
    )
    shown = [tool for tool in tools if tool[1]]
    scope = _scope([tool_id for tool_id, _, _ in shown])
    total = getattr(budget.total, view)
    subtitle = f"{total:,} tokens per turn, {view} view, by tool and field; {under(budget)}"
    with drawing(5.4, "Where every token goes", subtitle) as (figure, (axes,)):
        for (tool_id, _, fields), box in zip(shown, _boxes([count for _, count, _ in shown], _MAP), strict=True):
            _tool(axes, tool_id[scope:], [(part.key, getattr(part, view)) for part in fields], box)
        axes.set_xlim(0, _WIDTH)
        axes.set_ylim(0, _HEIGHT)
        axes.set_axis_off()
        there = {_colored(part.key) for _, _, fields in shown for part in fields if getattr(part, view)}
        handles = [Patch(color=color, label=key) for key, color in COLORS.items() if key in there]
        axes.legend(handles=handles, ncols=3, loc="upper left", bbox_to_anchor=(0, 0), frameon=False, fontsize=8)
        listed = "; ".join(f"{label(tool_id)} {count:,}" for tool_id, count, _ in shown[:10])
        figure.alt = f"Tokens per tool, {view} view, dearest first: {listed or 'no tools'} ({under(budget)})."
    return figure


def budget_by_keyword(budget: Budget, top: int = 15) -> Drawing:
    """What each schema keyword costs, dearest first, the compact view's inside the standard view's; the rest is one bar."""
    ranked = sorted(budget.parts("keyword"), key=lambda part: (-part.standard, -part.compact))
    rest = ranked[top:]
    parts = ranked[:top]
    if rest:
        parts.append(Part(sum(part.standard for part in rest), sum(part.compact for part in rest), "all others"))
    subtitle = f"tokens per turn, standard (grey) and compact (blue); {under(budget)}"
    lines = [(label(part.key), part) for part in parts]
    with drawing(1.2 + 0.27 * max(len(parts), 1), "What each keyword costs", subtitle) as (figure, (axes,)):
        paired_bars(axes, lines, len(lines))
        figure.alt = alt("Tokens per keyword, standard to compact", lines, budget)
    return figure


def _colored(field: str) -> str:
    return field if field in COLORS else OTHERS


def _scope(ids: Sequence[str]) -> int:
    """How many characters all ids have in common, up to the end of a scope (`mcp:server.`); none for a single tool."""
    common = commonprefix(list(ids)) if len(ids) > 1 else ""  # noqa: RUF071 - ids are no paths
    return max(common.rfind(":"), common.rfind(".")) + 1


def _boxes(counts: Sequence[int], inside: _Box) -> list[_Box]:
    """Boxes whose areas are as the counts, which are positive and in descending order."""
    left, bottom, width, height = inside
    if not counts or width <= 0 or height <= 0:
        return [(left, bottom, 0.0, 0.0)] * len(counts)
    sizes = squarify.normalize_sizes(counts, width, height)
    return [(box["x"], box["y"], box["dx"], box["dy"]) for box in squarify.squarify(sizes, left, bottom, width, height)]


def _tool(axes: Axes, tool_id: str, fields: Sequence[tuple[str, int]], box: _Box) -> None:
    """The box of a tool: its fields as boxes within it, and its name where there is room."""
    left, bottom, width, height = box
    grouped: dict[str, int] = {}
    for key, count in fields:
        grouped[_colored(key)] = grouped.get(_colored(key), 0) + count
    ranked = sorted(((key, count) for key, count in grouped.items() if count), key=lambda field: -field[1])
    frame = min(_FRAME, width / 4, height / 4)
    inner = (left + frame, bottom + frame, width - 2 * frame, height - 2 * frame)
    places = _boxes([count for _, count in ranked], inner)
    for (key, _), (x, y, dx, dy) in zip(ranked, places, strict=True):
        axes.add_patch(Rectangle((x, y), dx, dy, facecolor=COLORS[key], edgecolor="white", linewidth=0.3))
    letters = int((width - 2 * frame) / _LETTER)
    if letters < 6 or height < _LINE + 2 * frame:
        return
    name = label(tool_id, letters)
    x, y = left + frame + 1.5, bottom + height - frame - 1
    behind = {"facecolor": "white", "alpha": 0.82, "edgecolor": "none", "pad": 0.8}
    axes.text(x, y, name, va="top", color=INK, fontsize=7, clip_on=True, bbox=behind, parse_math=False)
