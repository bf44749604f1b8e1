"""What a report says of tokens: by rendering, by field, by tool."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate
from typing import Any, Final

from workbench.evidence import Evidence
from workbench.reporting.reading import budgets, main, named, plural, shown, spread, tabled, under
from workbench.tables import Cell, Column, Table

__all__ = ["by_field", "by_field_said", "by_rendering", "by_rendering_said", "dearest", "dearest_said", "totals"]

_VIEWS: Final = (Column("standard", "thousands"), Column("compact", "thousands"))
_SAVED: Final = (Column("saved", "thousands"), Column("saved %", "percent"))
_NOTHING: Final = {"standard": 0, "compact": 0}
#: Tools of each source that are shown.
_DEAREST: Final = 10


def totals(evidence: Evidence) -> Table | None:
    """Tokens on every turn in both views, one row for each source; and their sum, where they have no tool in common."""
    found = {name: budget for name, source in named(evidence).items() if (budget := main(source))}
    rows: list[tuple[Cell, ...]] = [
        (name, *_counts(budget["total"]["standard"], budget["total"]["compact"])) for name, budget in found.items()
    ]
    if len(found) > 1 and _differ(list(found.values())):
        sums = (sum(budget["total"][view] for budget in found.values()) for view in _NOTHING)
        rows.append(("(all, sent together)", *_counts(*sums)))
    return tabled(evidence, ("source", *_VIEWS, *_SAVED), rows, f"Tokens per turn ({under(evidence)})")


def _differ(found: list[dict[str, Any]]) -> bool:
    """Whether no tool is in two catalogs: versions of one catalog are never sent together."""
    ids = [tool["toolId"] for budget in found for tool in budget["tools"]]
    return len(ids) == len(set(ids))


def _counts(standard: int, compact: int) -> tuple[Cell, ...]:
    return standard, compact, standard - compact, (standard - compact) / standard if standard else None


def by_rendering(evidence: Evidence) -> Table | None:
    """Tokens on every turn in both views: one row for each source and rendering; one that cannot be made says why."""
    rows: list[tuple[Cell, ...]] = []
    for name, source in named(evidence).items():
        for each in source["budgets"]:
            total = each.get("total")
            counts = [total[key] for key in ("standard", "compact", "saved", "savedRatio")] if total else [None] * 4
            rows.append(
                (
                    name,
                    each["rendering"],
                    *counts,
                    each["encoding"],
                    each.get("certainty") or f"not possible: {each['refused']}",
                )
            )
    columns = ("source", "rendering", *_VIEWS, *_SAVED, "encoding", "certainty")
    return tabled(evidence, columns, rows, "Tokens per turn")


def by_rendering_said(evidence: Evidence) -> str:
    """Where the compact view saves most and least, over all sources and renderings."""
    found = [
        (total["savedRatio"], f"{name} as {rendering}", total)
        for name, source in named(evidence).items()
        for rendering, budget in budgets(source).items()
        if (total := budget["total"])["standard"]
    ]
    if not found:
        return "Nothing could be counted."
    most, least = (choose(found, key=lambda item: item[0]) for choose in (max, min))
    told = (
        f"{what} ({total['standard']:,} to {total['compact']:,} tokens, {spread([ratio])})"
        for ratio, what, total in (most, least)
    )
    return "Saved most: {}. Saved least: {}.".format(*told) if len(found) > 1 else f"Saved: {next(told)}."


def by_field(evidence: Evidence) -> Table | None:
    """Tokens per turn by field of a descriptor, both views of all sources beside each other; the rows add up to the total."""
    found = {name: budget for name, source in named(evidence).items() if (budget := main(source))}
    parts = {name: {part["key"]: part for part in budget["fields"]} for name, budget in found.items()}
    weights: dict[str, int] = {}
    for each in parts.values():
        for key, part in each.items():
            weights[key] = weights.get(key, 0) + part["standard"]
    ranked = sorted(weights, key=lambda key: -weights[key])
    rows: list[list[Cell]] = [
        [key, *((each.get(key) or _NOTHING)[view] for each in parts.values() for view in _NOTHING)] for key in ranked
    ]
    rows.append(["total", *(budget["total"][view] for budget in found.values() for view in _NOTHING)])
    columns = [
        Column(f"{name}, {view}" if len(found) > 1 else view, "thousands") for name in found for view in _NOTHING
    ]
    return tabled(evidence, ("field", *columns), rows, f"Tokens per turn and field ({under(evidence)})")


def by_field_said(evidence: Evidence) -> str:
    """The dearest field of each source, and the one that the compact view saves most on."""
    return "\n".join(
        _told(name, budget["fields"]) for name, source in named(evidence).items() if (budget := main(source))
    )


def _told(name: str, parts: list[dict[str, int]]) -> str:
    if not parts:
        return f"{name}: no tool, no field."
    first = max(parts, key=lambda part: part["standard"])
    saved = max(parts, key=lambda part: part["standard"] - part["compact"])
    least = f"{saved['key']} ({saved['standard']:,} to {saved['compact']:,})"
    return f"{name}: most goes to {first['key']} ({first['standard']:,} tokens), most is saved on {least}."


def dearest(evidence: Evidence) -> Table | None:
    """The dearest tools of each source."""
    rows = [
        row
        for name, source in named(evidence).items()
        if (budget := main(source))
        for row in _tools(name, budget["tools"])
    ]
    title = f"The {_DEAREST} dearest tools of each source, tokens per turn ({under(evidence)})"
    return tabled(evidence, ("source", "tool", *_VIEWS, *_SAVED), rows, title)


def dearest_said(evidence: Evidence) -> str:
    """How few tools of each source take half of the room."""
    return "\n".join(
        f"{name}: {_half([tool['standard'] for tool in budget['tools']])}"
        for name, source in named(evidence).items()
        if (budget := main(source))
    )


def _half(tokens: list[int]) -> str:
    if not sum(tokens):
        return "no tool, no token."
    sums = accumulate(sorted(tokens, reverse=True))
    dear = next(place for place, so_far in enumerate(sums, 1) if 2 * so_far >= sum(tokens))
    return f"{dear:,} of {plural(len(tokens), 'tool')} {'takes' if dear == 1 else 'take'} half of the tokens of all."


def _tools(name: str, tools: list[dict[str, int]]) -> Iterator[tuple[Cell, ...]]:
    for tool in sorted(tools, key=lambda tool: -tool["standard"])[:_DEAREST]:
        ratio = tool["saved"] / tool["standard"] if tool["standard"] else 0.0
        yield name, shown(str(tool["toolId"])), tool["standard"], tool["compact"], tool["saved"], ratio
