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

__all__ = [
    "CAP",
    "Source",
    "budgets",
    "clipped",
    "honoured",
    "introduced",
    "length",
    "main",
    "named",
    "notes",
    "part",
    "plural",
    "recommended",
    "requirements",
    "shown",
    "spread",
    "tabled",
    "under",
    "why_none",
]

#: The cap of the RFC's first open question, in characters.
CAP: Final = 256

#: One source as it stands in a bundle.
Source = Mapping[str, Any]

#: Tools that no limit is recommended for: whoever looks at five finds them all.
_FEW_TOOLS: Final = 5
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


def honoured(source: Source) -> bool:
    """Whether what a host sends when asked for the compact view is one: some advertise it, and send the standard view."""
    offered = (source.get("host") or {}).get("offered") or {}
    failed = any(each["id"] == "compact-honoured" and each["status"] == "fail" for each in requirements(source))
    return "tokens" in offered and not failed


def introduced(evidence: Evidence) -> list[str]:
    """The sources with their numbers of tools, and what a reader has to know about each, line by line."""
    tools = [f"{name}: {plural(source['tools'], 'tool')}" for name, source in named(evidence).items()]
    return [*tools, *notes(evidence)]


def notes(evidence: Evidence) -> list[str]:
    """What a reader has to know about the sources, such as tools that are no functions."""
    return [
        f"note on {name}: {shown(each, 400)}" for name, source in named(evidence).items() for each in source["notes"]
    ]


def under(evidence: Evidence) -> str:
    """What the numbers of a report hold for, and how sure they are."""
    found = next((budget for source in evidence.sources if (budget := main(source))), None)
    if found is None:
        return "nothing was counted"
    return f"rendering {found['rendering']}, encoding {found['encoding']}, {found['certainty']}"


def plural(count: int, noun: str) -> str:
    """A number and its noun: 1 tool, 20 tools."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def part(count: int, whole: int, noun: str) -> str:
    """Some of several: the host, all 3 hosts, 1 of 3 hosts."""
    if whole == 1:
        return f"{'the' if count else 'no'} {noun}"
    return f"all {plural(whole, noun)}" if count == whole else f"{count:,} of {plural(whole, noun)}"


def length(limits: Sequence[int], unit: str) -> str:
    """A limit in words: 1 character, 20 to 30 tokens."""
    noun = "character" if unit == "chars" else unit.removesuffix("s")
    return f"{spread(limits, '{:,}')} {noun}{'' if set(limits) == {1} else 's'}"


def recommended(source: Source) -> Mapping[str, Any] | None:
    """The limit that can be recommended; None where it saves nothing, or where so few tools could not be confused anyway."""
    row: Mapping[str, Any] | None = source["tuning"]["recommended"]
    saves = row is not None and row["tokens"] < source["tuning"]["compact"]
    return row if saves and source["tools"] > _FEW_TOOLS else None


def why_none(sources: Sequence[Source]) -> str:
    """Why no limit on descriptions is recommended for any of these."""
    if all(source["tools"] <= _FEW_TOOLS for source in sources):
        return f"{_FEW_TOOLS} tools or fewer cannot be confused"
    return "none saves a token and leaves tools as easy to find"


def spread(numbers: Sequence[float], form: str = "{:z.1%}") -> str:
    """One number, or the least and the greatest of several."""
    least, most = (form.format(number).replace("-", "\u2212") for number in (min(numbers), max(numbers)))
    return least if least == most else f"{least} to {most}"


def clipped(columns: Iterable[Column | str], rows: Iterable[Sequence[Cell]], title: str = "") -> Table:
    """A table of a report: so many rows, and so much of each text, as can be read. The title says what is left out."""
    found = list(rows)
    left = len(found) - _ROWS
    told = f"{title}; {plural(left, 'row')} more in evidence.json" if left > 0 else title
    return Table(columns, [[_clip(cell) for cell in row] for row in found[:_ROWS]], told)


def tabled(
    evidence: Evidence, columns: Iterable[Column | str], rows: Iterable[Sequence[Cell]], title: str
) -> Table | None:
    """
    A table of what was found in the sources, without the columns that say the same in each row; None without rows.

    Of those, the title tells all but the only source, of which everything is.
    """
    found, heads = list(rows), [Column(each) if isinstance(each, str) else each for each in columns]
    if not found:
        return None
    names = [head.name for head in heads]
    same: set[str] = {
        name
        for name in ("encoding", "certainty")
        if name in names and len({row[names.index(name)] for row in found}) == 1
    }
    told = [f"{name} {found[0][names.index(name)]}" for name in names if name in same]
    if len(evidence.sources) == 1:
        same.add("source")
    kept = [place for place, name in enumerate(names) if name not in same]
    title = f"{title} ({', '.join(told)})" if told else title
    return clipped([heads[place] for place in kept], [[row[place] for place in kept] for row in found], title)


def _clip(cell: Cell) -> Cell:
    if not isinstance(cell, str) or len(cell) <= _CELL:
        return cell
    return f"{cell[:_CELL]}\u2026 ({len(cell):,} characters)"
