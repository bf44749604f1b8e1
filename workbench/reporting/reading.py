"""
How the parts of a report read a bundle: sources by short names, the budget that stands for each, and how many rows are shown.

Names and ids in sentences are data: `shown` puts them on one line at a bounded length, with nothing hidden.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePath
from typing import Any, Final

from workbench.evidence import Evidence
from workbench.tables import Cell, Column, Table
from workbench.visible import visible

__all__ = ["Source", "budgets", "clipped", "main", "named", "plural", "requirements", "shown", "spread", "under"]

#: One source as it stands in a bundle.
Source = Mapping[str, Any]

_NAME: Final = 40
#: Characters of a cell, and rows of a table, that a report shows; the bundle has all of them.
_CELL, _ROWS = 2_000, 200


def named(evidence: Evidence) -> dict[str, dict[str, Any]]:
    """The sources by names that tell them apart: files without their folders, all of them on one line and short."""
    found: dict[str, dict[str, Any]] = {}
    for source in evidence.sources:
        name = source["name"]
        if source["kind"] == "file":
            name = PurePath(name).name.removesuffix(".json")
        short = shown(name, _NAME) or "(no name)"
        number = 1
        while (unique := short if number == 1 else f"{short} ({number})") in found:
            number += 1
        found[unique] = source
    return found


def shown(text: str, longest: int = 80) -> str:
    """A text of a catalog in a sentence: one line, nothing hidden, its middle left out where it is too long."""
    line = visible(" ".join(text[: 10 * longest].split()))
    if len(line) <= longest and len(text) <= 10 * longest:
        return line
    head = longest * 2 // 3
    return f"{line[:head]}\u2026{line[head + 1 - longest :]}"


def budgets(source: Source) -> dict[str, dict[str, Any]]:
    """The budgets that could be made, by rendering, under the first encoding."""
    encoding = source["budgets"][0]["encoding"]
    return {each["rendering"]: each for each in source["budgets"] if "total" in each and each["encoding"] == encoding}


def main(source: Source) -> dict[str, Any] | None:
    """The budget that stands for a source: of the first rendering that it can be written in (`wire`, unless told otherwise)."""
    return next(iter(budgets(source).values()), None)


def requirements(source: Source) -> list[dict[str, Any]]:
    """What a probe decided of a host, requirement by requirement; nothing for a source that is no host."""
    probe: dict[str, Any] = source.get("probe") or {}
    return probe.get("requirements") or []


def under(evidence: Evidence) -> str:
    """What the numbers of a report hold for, and how sure they are."""
    found = next((budget for source in evidence.sources if (budget := main(source))), None)
    if found is None:
        return "nothing was counted"
    return f"rendering {found['rendering']}, encoding {found['encoding']}, {found['certainty']}"


def plural(count: int, noun: str) -> str:
    """A number and its noun: 1 tool, 20 tools."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def spread(numbers: Sequence[float], form: str = "{:.1%}") -> str:
    """One number, or the least and the greatest of several."""
    least, most = form.format(min(numbers)), form.format(max(numbers))
    return least if least == most else f"{least} to {most}"


def clipped(columns: Iterable[Column | str], rows: Iterable[Sequence[Cell]], title: str = "") -> Table:
    """A table of a report: so many rows, and so much of each text, as can be read. The title says what is left out."""
    found = list(rows)
    left = len(found) - _ROWS
    told = f"{title}; {plural(left, 'row')} more in evidence.json" if left > 0 else title
    return Table(columns, [[_clip(cell) for cell in row] for row in found[:_ROWS]], told)


def _clip(cell: Cell) -> Cell:
    if not isinstance(cell, str) or len(cell) <= _CELL:
        return cell
    return f"{cell[:_CELL]}\u2026 ({len(cell):,} characters)"
