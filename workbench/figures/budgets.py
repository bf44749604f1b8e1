"""Figures of a budget. Every number in them comes from the budget; nothing is counted here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import cycle
from typing import Any, Final

from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.patches import Patch
from matplotlib.ticker import FuncFormatter, MaxNLocator

from workbench.budgets import Budget, Cost, Part, Prices, quantile
from workbench.figures.drawing import ACCENT, BOX, INK, MUTED, PALE, PARTS, Drawing, drawing, label

__all__ = [
    "COLORS",
    "OTHERS",
    "alt",
    "budget_by_field",
    "budget_by_tool",
    "budget_over_turns",
    "budget_per_tool",
    "paired_bars",
    "price_over_turns",
    "under",
]

#: The fields that have a colour of their own, the same in every figure; the others share one.
_COLORED: Final = (
    "description",
    "inputSchema.structure",
    "inputSchema.names",
    "inputSchema.descriptions",
    "inputSchema.enums",
    "inputSchema.annotations",
    "outputSchema",
    "punctuation",
)
OTHERS: Final = "all other fields"
COLORS: Final = dict(zip((*_COLORED, OTHERS), PARTS, strict=True))
_BINS: Final = 30
#: Points of type: the height of a panel of lines, and of a label.
_TALL, _LINE = 165.0, 12.0
_QUANTILES: Final = ((0.5, "median"), (0.9, "90th percentile"))


def budget_by_tool(budget: Budget, top: int = 20) -> Drawing:
    """Tokens per tool, dearest first, the compact view's inside the standard view's; tools beyond `top` are summed up."""
    bars, rest = _dearest(budget, top)
    lines = bars if rest is None else [*bars, rest]
    subtitle = f"tokens, standard (grey) and compact (blue); {under(budget)}"
    with drawing(1.2 + 0.27 * len(lines), "What each tool costs on every turn", subtitle) as (figure, (axes,)):
        paired_bars(axes, lines, len(bars))
        figure.alt = alt("Tokens per tool and turn, standard to compact, dearest first", lines, budget)
    return figure


def budget_by_field(budget: Budget) -> Drawing:
    """Where the tokens go: one bar for each view, stacked by descriptor field; the minor fields are drawn as one."""
    parts = _main_parts(budget)
    totals = (budget.total.standard, budget.total.compact)
    with drawing(3.1, "Where the tokens go", f"tokens per turn by field; {under(budget)}") as (figure, (axes,)):
        _stack(axes, 0, [(part.key, part.standard) for part in parts], max(totals))
        _stack(axes, 1, [(part.key, part.compact) for part in parts], max(totals))
        for place, total in enumerate(totals):
            axes.text(total, place, f"  {total:,}", va="center", fontweight="bold")
        axes.set_yticks([0, 1], ["standard", "compact"])
        axes.set_ylim(1.5, -0.5)
        axes.set_xlim(0, max(totals) * 1.02)
        axes.xaxis.set_visible(False)
        axes.spines["bottom"].set_visible(False)
        handles = [Patch(color=COLORS[part.key], label=part.key) for part in parts]
        axes.legend(handles=handles, ncols=3, loc="upper left", bbox_to_anchor=(0, 0), frameon=False, fontsize=8)
        costs = [(part.key, part) for part in parts]
        figure.alt = alt("Tokens per turn by field, standard to compact", costs, budget)
    return figure


def budget_over_turns(budget: Budget, turns: int | None = None, others: Mapping[str, Budget] | None = None) -> Drawing:
    """
    Tokens added up over a session, the catalog being sent on every turn; over `budget.turns` unless told.

    `others` are budgets of the same catalog under other policies: the compact total of each is one more line, under its name.
    """
    last = max(turns or budget.turns, 1)
    costs = {"standard": budget.total.standard, "compact": budget.total.compact}
    costs |= {name: other.total.compact for name, other in (others or {}).items()}
    series = {name: [tokens * turn for turn in range(last + 1)] for name, tokens in costs.items()}
    subtitle = f"tokens, the whole catalog sent on each turn; {under(budget)}"
    return _cumulative(f"What {_turns(last)} add up to", subtitle, series, "tokens", "{:,.0f}")


def price_over_turns(
    budget: Budget, prices: Prices, turns: int | None = None, others: Mapping[str, Budget] | None = None
) -> Drawing:
    """The same in money: with prompt caching where the prices have it, the catalog being sent anew on every turn where not."""
    last = max(turns or budget.turns, 1)
    costs = {"standard": budget.total.standard, "compact": budget.total.compact}
    costs |= {name: other.total.compact for name, other in (others or {}).items()}
    series = {}
    for name, tokens in costs.items():
        paid = [prices.cached(tokens, turn) for turn in range(1, last + 1)]
        anew = [prices.uncached(tokens, turn) for turn in range(1, last + 1)]
        series[name] = [0.0, *(one if two is None else two for one, two in zip(anew, paid, strict=True))]
    how = "sent anew on every turn" if prices.cache_read is None else "cached after the first turn"
    unit = prices.currency or "price"
    subtitle = f"{unit}, the catalog {how}; {under(budget)}"
    return _cumulative(f"What {_turns(last)} cost", subtitle, series, unit, "{:,.4f}")


def _cumulative(title: str, subtitle: str, series: Mapping[str, Sequence[float]], unit: str, form: str) -> Drawing:
    """Lines over turns, the standard view grey, the compact one blue, others in the colours of parts."""
    colors = {"standard": MUTED, "compact": ACCENT}
    colors |= dict(zip((name for name in series if name not in colors), cycle(PARTS[2:]), strict=False))
    ends = {name: counts[-1] for name, counts in series.items()}
    last = len(next(iter(series.values()))) - 1
    with drawing(3.3, title, subtitle) as (figure, (axes,)):
        turns = range(last + 1)
        axes.fill_between(turns, series["standard"], series["compact"], color=PALE, alpha=0.35, linewidth=0)
        for name, counts in series.items():
            axes.plot(turns, counts, color=colors[name], linewidth=2, clip_on=False)
        for name, up in _apart(ends).items():
            style = {"va": "center", "color": colors[name], "fontweight": "bold"}
            _note(axes, f"{label(name)} {form.format(ends[name])}", (last, ends[name]), (6, up), **style)
        axes.set_xlabel("turns")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set_xlim(0, last)
        axes.set_ylim(bottom=0)
        _tokens_along(axes.yaxis)
        if unit != "tokens":
            axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.4g}"))
            axes.yaxis.set_label_text(parse_math=False, label=unit)
        listed = "; ".join(f"{name} {form.format(end)}" for name, end in ends.items())
        figure.alt = f"{title}: {listed} ({subtitle})."
    return figure


def _apart(ends: Mapping[str, float]) -> dict[str, float]:
    """By how many points of type each label moves up, so that those of lines that end close together can all be read."""
    scale = _TALL / max(*ends.values(), 1e-9)
    found: dict[str, float] = {}
    floor = -1e9
    for name, end in sorted(ends.items(), key=lambda item: item[1]):
        at = max(end * scale, floor + _LINE)
        found[name] = at - end * scale
        floor = at
    # Half of the push goes down again, so that a pair of labels stays around its two ends.
    push = max(found.values()) / 2
    return {name: up - push if any(found.values()) else up for name, up in found.items()}


def budget_per_tool(budget: Budget) -> Drawing:
    """How tokens spread over tools: one histogram for each view on the same scales, with median and 90th percentile."""
    views = (
        ("standard", PALE, [row.standard for row in budget.rows]),
        ("compact", ACCENT, [row.compact for row in budget.rows]),
    )
    highest = max((count for _, _, counts in views for count in counts), default=1)
    edges = [highest * step / _BINS for step in range(_BINS + 1)]
    subtitle = f"number of tools by their tokens per turn; {under(budget)}"
    with drawing(4.2, "How the cost spreads over tools", subtitle, panels=2) as (figure, panels):
        for axes, (name, color, counts) in zip(panels, views, strict=True):
            axes.hist(counts, bins=edges, color=color, edgecolor="white", linewidth=0.6)
            axes.set_ylabel(name, color=INK)
            axes.yaxis.set_major_locator(MaxNLocator(integer=True, nbins=4))
            for q, quantile_name in _QUANTILES:
                _mark(axes, counts, q, quantile_name)
        panels[0].set_xlim(0, highest * 1.02)
        panels[0].margins(y=0.3)
        _tokens_along(panels[1].xaxis)
        figure.alt = _alt_per_tool(budget)
    return figure


def _dearest(budget: Budget, top: int) -> tuple[list[tuple[str, Cost]], tuple[str, Cost] | None]:
    """
    The bars to draw, by label, and what the tools beyond them cost together.

    The rest gets no bar: the sum of many small tools would dwarf them all. Labels that come out alike, as those of names that
    the font cannot draw do, are told apart by the tool's place in the catalog.
    """
    ranked = sorted(enumerate(budget.rows, 1), key=lambda row: -row[1].standard)
    shown = ranked if len(ranked) <= top + 1 else ranked[:top]
    labels = Counter(label(row.tool_id) for _, row in shown)
    bars: list[tuple[str, Cost]] = []
    for number, row in shown:
        name = label(row.tool_id)
        bars.append((name if labels[name] == 1 and BOX not in name else f"{name} (tool {number})", row))
    rest = [row for _, row in ranked[len(shown) :]]
    if not rest:
        return bars, None
    together = Cost(sum(row.standard for row in rest), sum(row.compact for row in rest))
    return bars, (f"{len(rest)} more tools together", together)


def _main_parts(budget: Budget) -> list[Part]:
    """The fields that have a colour, in the order of their colours, and the rest as one; none that costs nothing."""
    costs = {part.key: part for part in budget.parts("field")}
    rest = [part for key, part in costs.items() if key not in _COLORED]
    parts = [costs[key] for key in _COLORED if key in costs]
    return [*parts, Part(sum(part.standard for part in rest), sum(part.compact for part in rest), OTHERS)]


def _stack(axes: Axes, place: int, counts: Sequence[tuple[str, int]], scale: int) -> None:
    left = 0
    for key, count in counts:
        color = COLORS[key]
        axes.barh(place, count, left=left, color=color, height=0.62, edgecolor="white", linewidth=0.8)
        if count > 0.055 * scale:
            ink = "white" if _is_dark(color) else INK
            axes.text(left + count / 2, place, f"{count:,}", ha="center", va="center", color=ink, fontsize=8)
        left += count


def paired_bars(axes: Axes, lines: Sequence[tuple[str, Cost]], bars: int) -> None:
    """One line for each cost, the first `bars` of them with a bar: the compact view's inside the standard view's."""
    drawn = [cost for _, cost in lines[:bars]]
    axes.barh(range(bars), [cost.standard for cost in drawn], color=PALE, height=0.72)
    axes.barh(range(bars), [cost.compact for cost in drawn], color=ACCENT, height=0.4)
    axes.set_yticks(range(len(lines)), [name for name, _ in lines], parse_math=False)
    for place, (_, cost) in enumerate(lines):
        end = max(cost.standard, cost.compact) if place < bars else 0
        axes.text(end, place, f"  {_change(cost)}", va="center", color=MUTED, fontsize=8)
    axes.set_ylim(len(lines) - 0.4, -0.6)
    axes.set_xlim(left=0)
    _tokens_along(axes.xaxis)


def _is_dark(color: str) -> bool:
    red, green, blue = (int(color[place : place + 2], 16) for place in (1, 3, 5))
    return 0.299 * red + 0.587 * green + 0.114 * blue < 140


def _mark(axes: Axes, counts: Sequence[int], q: float, name: str) -> None:
    if not counts:
        return
    at = quantile(counts, q)
    # The median's label stands to the left of its line and the percentile's to the right, so that they never meet.
    side, gap = ("right", -4) if q <= 0.5 else ("left", 4)
    axes.axvline(at, color=INK, linewidth=0.8, linestyle=(0, (3, 2)))
    text = f"{name} {_rounded(at)}"
    style = {"va": "top", "color": MUTED, "fontsize": 8}
    _note(axes, text, (at, 0.97), (gap, 0), xycoords=("data", "axes fraction"), ha=side, **style)


def _note(axes: Axes, text: str, at: tuple[float, float], shift: tuple[float, float], **style: Any) -> None:
    """A label at a point of the data, shifted by some points of type."""
    axes.annotate(text, at, shift, textcoords="offset points", annotation_clip=False, parse_math=False, **style)


def _tokens_along(axis: Axis) -> None:
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    axis.set_label_text("tokens")
    axis.grid(color=PALE, linewidth=0.5, alpha=0.6)
    axis.axes.set_axisbelow(True)


def _change(cost: Cost) -> str:
    change = f" ({-cost.saved_ratio:+.0%})".replace("-", "\u2212") if round(cost.saved_ratio, 2) else ""
    return f"{cost.standard:,} \u2192 {cost.compact:,} {change}"


def _rounded(tokens: float) -> str:
    return f"{tokens:,.1f}".removesuffix(".0")


def _turns(count: int) -> str:
    return "1 turn" if count == 1 else f"{count:,} turns"


def under(budget: Budget) -> str:
    """What a count holds for, and how sure it is."""
    return f"rendering {budget.rendering}, encoding {budget.encoding}, {budget.certainty}"


def alt(what: str, costs: Sequence[tuple[str, Cost]], budget: Budget) -> str:
    """A figure in words."""
    listed = "; ".join(f"{name} {cost.standard:,} to {cost.compact:,}" for name, cost in costs)
    return f"{what}: {listed or 'no tools'} ({under(budget)})."


def _alt_per_tool(budget: Budget) -> str:
    spreads = [(name, budget.spread(q)) for q, name in _QUANTILES]
    listed = "; ".join(f"{name} {_rounded(at.standard)} to {_rounded(at.compact)}" for name, at in spreads if at)
    return f"Tokens per tool, standard to compact: {listed or 'no tools'} ({under(budget)})."
