"""
Figures that put the sources of an evidence bundle beside each other.

Each takes the sources by name, in the form that they have in a bundle, and the bundle's numbers as they are. Names are drawn as
`label` writes them; more sources than `MOST` are not drawn but counted in the words beside the figure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from matplotlib.axes import Axes
from matplotlib.patches import Patch
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator, PercentFormatter

from workbench.budgets import Cost
from workbench.figures.budgets import COLORS, OTHERS, paired_bars
from workbench.figures.drawing import ACCENT, INK, MUTED, PALE, PARTS, Drawing, drawing, label

__all__ = ["MOST", "costs_by_rendering", "costs_by_source", "fields_by_source", "limits_by_source"]

#: Sources that one figure has room for.
MOST: Final = 8
_Sources = Mapping[str, Mapping[str, Any]]
#: Characters of a name: beside it there has to be room for the bars.
_LONGEST: Final = 28
#: The cap of the RFC's first open question, and the least limit that a figure shows.
_CAP, _LEAST = 256, 8
_COLORS: Final = (PARTS[0], PARTS[6], PARTS[3], PARTS[1], PARTS[5], PARTS[7], PARTS[2], PARTS[4])
_DASHES: Final = ("-", (0, (5, 1.5)), (0, (1.5, 1.5)), (0, (6, 2, 1.5, 2)))


def costs_by_source(sources: _Sources) -> Drawing:
    """What each source costs on every turn under the first rendering: the compact view's bar inside the standard view's."""
    lines = [(_name(name), _cost(budget["total"])) for name, source in _first(sources) if (budget := _main(source))]
    title = "What the catalogs cost on every turn"
    subtitle = f"tokens, standard (grey) and compact (blue); {_under(sources)}"
    with drawing(1.3 + 0.34 * max(1, len(lines)), title, subtitle) as (figure, (axes,)):
        paired_bars(axes, lines, len(lines))
        figure.alt = _alt("Tokens per turn, standard to compact", map(_told, lines), sources)
    return figure


def costs_by_rendering(sources: _Sources) -> Drawing:
    """The same for every rendering that all sources can be written in: one panel for each source, at a scale of its own."""
    drawn = _first(sources)
    common = _common([source for _, source in drawn])
    title = "The same tools, written otherwise"
    subtitle = f"tokens per turn, standard (grey) and compact (blue); encoding {_encoding(sources)}"
    height = 1.0 + (0.45 + 0.24 * max(1, len(common))) * max(1, len(drawn))
    with drawing(height, title, subtitle, panels=max(1, len(drawn))) as (figure, panels):
        told = []
        for axes, (name, source) in zip(panels, drawn, strict=False):
            lines = [(each, _cost(_rendered(source)[each]["total"])) for each in common]
            _scaled_bars(axes, lines)
            axes.set_title(_name(name), fontsize=9, color=MUTED, parse_math=False)
            told.append(f"{_name(name)}: {_extremes(lines)}")
        panels[-1].set_xlabel(f"of the standard view's tokens as {common[0]}" if common else "")
        figure.alt = _alt("Tokens per turn by rendering, standard to compact", told, sources)
    return figure


def _scaled_bars(axes: Axes, lines: Sequence[tuple[str, Cost]]) -> None:
    """Bars as shares of the first standard cost, so that panels of small and of large catalogs can both be read."""
    whole = max(1, lines[0][1].standard) if lines else 1
    for place, (_, cost) in enumerate(lines):
        axes.barh(place, cost.standard / whole, color=PALE, height=0.72)
        axes.barh(place, cost.compact / whole, color=ACCENT, height=0.4)
        end = max(cost.standard, cost.compact) / whole
        axes.text(end, place, f"  {_change(cost)}", va="center", color=MUTED, fontsize=8)
    axes.set_yticks(range(len(lines)), [name for name, _ in lines], parse_math=False)
    axes.set_ylim(len(lines) - 0.4, -0.6)
    axes.set_xlim(left=0)
    axes.xaxis.set_major_formatter(PercentFormatter(1, 0))
    axes.grid(axis="x", color=PALE, linewidth=0.5, alpha=0.6)
    axes.set_axisbelow(True)


def _extremes(lines: Sequence[tuple[str, Cost]]) -> str:
    """The first rendering, and those that save most and least."""
    if not lines:
        return "no rendering is possible for all"
    most, least = (choose(lines, key=lambda line: line[1].saved_ratio) for choose in (max, min))
    return f"{_told(lines[0])}, most saved as {_told(most)}, least as {_told(least)}"


def fields_by_source(sources: _Sources) -> Drawing:
    """Where the tokens go: two stacked bars for each source, as shares of its standard view, so that all sizes compare."""
    drawn = [(name, budget) for name, source in _first(sources) if (budget := _main(source))]
    title, subtitle = "Where the tokens go", f"share of the standard view's tokens, by field; {_under(sources)}"
    with drawing(1.6 + 0.62 * max(1, len(drawn)), title, subtitle) as (figure, (axes,)):
        told = []
        for place, (name, budget) in enumerate(drawn):
            grouped = _grouped(budget["fields"])
            whole = max(1, budget["total"]["standard"])
            for view, at in (("standard", place - 0.2), ("compact", place + 0.2)):
                _stack(axes, at, {key: part[view] / whole for key, part in grouped.items()})
                total = budget["total"][view]
                axes.text(total / whole, at, f"  {view} {total:,}", va="center", fontsize=8, color=INK)
            told.append(f"{_name(name)}: {_largest(grouped, whole)}")
        axes.set_yticks(range(len(drawn)), [_name(name) for name, _ in drawn], parse_math=False)
        axes.set_ylim(len(drawn) - 0.45, -0.55)
        axes.set_xlim(0, 1.22)
        axes.set_xticks([0, 0.25, 0.5, 0.75, 1])
        axes.xaxis.set_major_formatter(PercentFormatter(1, 0))
        handles = [Patch(color=color, label=key) for key, color in COLORS.items()]
        axes.legend(handles=handles, ncols=3, loc="upper left", bbox_to_anchor=(0, -0.12), frameon=False, fontsize=8)
        figure.alt = _alt("Shares of the standard view's tokens by field, standard to compact", told, sources)
    return figure


def limits_by_source(sources: _Sources) -> Drawing:
    """What a limit on descriptions leaves of each compact view: a line for each source, a ring at the limit that is recommended."""
    title = "What a limit on descriptions saves"
    units = {source["tuning"]["unit"] for source in sources.values()}
    in_words = "tokens" if units == {"tokens"} else "characters"
    subtitle = f"tokens of the compact view that are left, by limit in {in_words}; {_under(sources)}"
    rows = -(-min(MOST, len(sources)) // 2)
    with drawing(3.5 + 0.2 * rows, title, subtitle) as (figure, (axes,)):
        told = [_curve(axes, place, name, source["tuning"]) for place, (name, source) in enumerate(_first(sources))]
        if in_words == "characters":
            axes.axvline(_CAP, color=MUTED, linewidth=0.9, linestyle=(0, (2, 2)), zorder=1)
        axes.set_xscale("log", base=2)
        axes.xaxis.set_major_locator(LogLocator(base=2))
        axes.xaxis.set_minor_locator(NullLocator())
        axes.xaxis.set_major_formatter(FuncFormatter(lambda limit, _: f"{limit:,.0f}"))
        axes.yaxis.set_major_formatter(PercentFormatter(1, None))  # As many decimals as tell the ticks apart.
        dotted = ", the dotted line a cap of 256 characters" if in_words == "characters" else ""
        axes.set_xlabel(f"limit; the ring is the recommended one{dotted}")
        axes.grid(color=PALE, linewidth=0.5, alpha=0.6)
        axes.set_axisbelow(True)
        if told:
            # Below the axes, where no line crosses it.
            axes.legend(ncols=2, loc="upper left", bbox_to_anchor=(0, -0.19), frameon=False, fontsize=8, handlelength=3)
        figure.alt = _alt(title, told, sources)
    return figure


def _curve(axes: Axes, place: int, name: str, tuning: Mapping[str, Any]) -> str:
    """Draw one source's line and ring, and say what it shows."""
    chosen, whole = tuning["recommended"], max(1, tuning["compact"])
    strategy = chosen["strategy"] if chosen else "hard"
    curve: list[int] = next((each["tokens"] for each in tuning["curves"] if each["strategy"] == strategy), [])
    points = [
        (limit, tokens / whole) for limit, tokens in zip(tuning["limits"], curve, strict=False) if limit >= _LEAST
    ]
    style: dict[str, Any] = {"color": _COLORS[place], "linestyle": _DASHES[place % len(_DASHES)], "linewidth": 1.6}
    axes.plot([at for at, _ in points], [left for _, left in points], label=_name(name), **style)
    if not chosen:
        return f"{_name(name)}: no limit is recommended"
    left = chosen["tokens"] / whole
    axes.plot(
        chosen["limit"], left, marker="o", markersize=8, fillstyle="none", markeredgewidth=1.6, color=_COLORS[place]
    )
    return f"{_name(name)}: {chosen['limit']:,} {tuning['unit']} ({strategy}) leave {left:.0%} of {tuning['compact']:,} tokens"


def _stack(axes: Axes, at: float, shares: Mapping[str, float]) -> None:
    left = 0.0
    for key, share in shares.items():
        axes.barh(at, share, left=left, color=COLORS[key], height=0.34, edgecolor="white", linewidth=0.6)
        left += share


def _grouped(fields: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, int]]:
    """The fields that have a colour, in its order, and all others as one."""
    found = {key: {"standard": 0, "compact": 0} for key in COLORS}
    for part in fields:
        group = found[part["key"] if part["key"] in COLORS else OTHERS]
        for view in group:
            group[view] += part[view]
    return found


def _largest(grouped: Mapping[str, Mapping[str, int]], whole: int) -> str:
    ranked = sorted(grouped.items(), key=lambda item: -item[1]["standard"])[:4]
    return ", ".join(f"{key} {part['standard'] / whole:.0%} to {part['compact'] / whole:.0%}" for key, part in ranked)


def _name(name: str) -> str:
    return label(name, _LONGEST)


def _first(sources: _Sources) -> list[tuple[str, Mapping[str, Any]]]:
    return list(sources.items())[:MOST]


def _rendered(source: Mapping[str, Any]) -> dict[str, Any]:
    """The budgets under the first encoding by rendering; those that could be made."""
    encoding = source["budgets"][0]["encoding"]
    return {each["rendering"]: each for each in source["budgets"] if "total" in each and each["encoding"] == encoding}


def _main(source: Mapping[str, Any]) -> Mapping[str, Any] | None:
    return next(iter(_rendered(source).values()), None)


def _common(sources: Sequence[Mapping[str, Any]]) -> list[str]:
    names = [list(_rendered(source)) for source in sources]
    return [name for name in (names[0] if names else []) if all(name in other for other in names)]


def _cost(total: Mapping[str, int]) -> Cost:
    return Cost(total["standard"], total["compact"])


def _encoding(sources: _Sources) -> str:
    return next((source["budgets"][0]["encoding"] for source in sources.values()), "")


def _under(sources: _Sources) -> str:
    found = next((budget for source in sources.values() if (budget := _main(source))), None)
    if found is None:
        return "nothing was counted"
    return f"rendering {found['rendering']}, encoding {found['encoding']}, {found['certainty']}"


def _told(line: tuple[str, Cost]) -> str:
    name, cost = line
    return f"{name} {_change(cost)}"


def _change(cost: Cost) -> str:
    change = f"{-cost.saved_ratio:+.1%}".replace("-", "\u2212") if round(cost.saved_ratio, 3) else "0%"
    return f"{cost.standard:,} \u2192 {cost.compact:,} ({change})"


def _alt(what: str, told: Any, sources: _Sources) -> str:
    """A figure in words, and how many sources it leaves out."""
    rest = len(sources) - MOST
    more = f"; {rest} more sources are not drawn" if rest > 0 else ""
    return f"{what}: {'; '.join(told) or 'no sources'}{more} ({_under(sources)})."
