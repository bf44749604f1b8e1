"""What a report says of conformance: the scorecard, and every breach with its place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

from workbench.evidence import Evidence
from workbench.reporting.reading import (
    Source,
    clipped,
    honoured,
    main,
    named,
    part,
    plural,
    requirements,
    shown,
    tabled,
)
from workbench.tables import Cell, Column, Table

__all__ = ["breaches", "breaches_said", "failures", "hosts", "hosts_said", "places", "scorecard", "scorecard_said"]

_LEVELS: Final = ("must", "should", "advice")
#: Places of each rule, source and view that are shown.
_SHOWN: Final = 5


def scorecard(evidence: Evidence) -> Table | None:
    """One row for each source and view: what its tools breach, by level; of the compact view, what became of the schemas too."""
    rows: list[tuple[Cell, ...]] = []
    for name, source in named(evidence).items():
        measured = source["fidelity"]
        for view, checked in _checks(source).items():
            counts = measured["counts"]
            kept = f"{counts['kept']:,} of {counts['kept'] + counts['omitted']:,}" if view == "compact" else ""
            shares = [measured[key] if view == "compact" else None for key in ("soundness", "precision", "tightness")]
            rows.append((name, view, checked["tools"], *(checked["counts"][level] for level in _LEVELS), kept, *shares))
    columns: list[Column | str] = ["source", "view", Column("tools", "thousands")]
    columns += [*(Column(level, "thousands") for level in _LEVELS), "schemas kept"]
    columns += [Column(share, "percent") for share in ("soundness", "precision", "tightness")]
    return tabled(evidence, columns, rows, "Findings by level; the compact view is the one that the workbench projects")


def scorecard_said(evidence: Evidence) -> str:
    """Whether the projected views conform, and whether they refuse a valid call."""
    sources = evidence.sources
    broken = sum(source["checks"]["compact"]["counts"]["must"] > 0 for source in sources)
    sound = sum(source["fidelity"]["soundness"] in (None, 1) for source in sources)
    samples = sum(tool["samples"]["valid"] for source in sources for tool in source["fidelity"]["tools"])
    conform = (
        "All compact views that the workbench projects conform."
        if not broken
        else f"{broken} of {plural(len(sources), 'projected compact view')} do not conform."
    )
    if not samples:
        return f"{conform} No valid call could be sampled."
    calls = plural(samples, "valid sample call")
    if sound == len(sources):
        return f"{conform} Of {calls}, none is refused."
    return f"{conform} Of {calls}, some are refused in {part(len(sources) - sound, len(sources), 'catalog')}."


def hosts(evidence: Evidence) -> Table | None:
    """One row for each requirement and one column for each host that was probed, failures first; None where none was."""
    probed = {name: found for name, source in named(evidence).items() if (found := requirements(source))}
    if not probed:
        return None
    outcomes = {name: {each["id"]: each for each in found} for name, found in probed.items()}
    rows: list[list[Cell]] = []
    for identifier in dict.fromkeys(identifier for found in outcomes.values() for identifier in found):
        each_host = [found.get(identifier) for found in outcomes.values()]
        said = [f"{each['status']}: {each['summary']}" if each else "" for each in each_host]
        rows.append([identifier, next(each["level"] for each in each_host if each), *said])
    rows.sort(key=lambda row: not any(str(cell).startswith("fail") for cell in row[2:]))
    return clipped(("requirement", "level", *outcomes), rows, "Requirements, as the hosts were seen to keep them")


def hosts_said(evidence: Evidence) -> str:
    """How each host came out, and what its own compact view costs beside the one that the workbench projects; no host, no word."""
    probed = {name: source for name, source in named(evidence).items() if requirements(source)}
    return "\n".join(f"{name}: {_host_said(source)}" for name, source in probed.items())


def _host_said(source: Source) -> str:
    counts = Counter(each["status"] for each in requirements(source))
    said = ", ".join(f"{counts[status]} {status}" for status in ("pass", "fail", "undecided", "skip"))
    offered = (source.get("host") or {}).get("offered") or {}
    if "tokens" not in offered:
        return f"{said}; it offers no compact view that could be read."
    if not honoured(source):
        return f"{said}; it says that it has a compact view, and sends none when asked for it."
    budget = main(source)
    ours = f", the one that the workbench projects {budget['total']['compact']:,}" if budget else ""
    return f"{said}; its own compact view costs {offered['tokens']:,} tokens{ours}."


def failures(evidence: Evidence) -> Table | None:
    """What shows that a host fails a requirement: the request, the tool and the place; None where no host fails any."""
    rows = [
        (name, each["id"], shown(seen["request"]), shown(str(seen["toolId"] or "")), seen["pointer"], seen["excerpt"])
        for name, source in named(evidence).items()
        for each in requirements(source)
        if each["status"] == "fail"
        for seen in each["evidence"][:_SHOWN]
    ]
    columns = ("host", "requirement", "request", "tool", "pointer", "excerpt")
    return (
        clipped(columns, rows, f"What shows it, the first {_SHOWN} places of each requirement that fails")
        if rows
        else None
    )


def breaches(evidence: Evidence) -> Table | None:
    """The rules that are broken: one row for each source, view and rule, with how often and in how many tools."""
    rows = [
        (name, rule, len(found), len({each["toolId"] for each in found}), found[0]["level"], view)
        for name, view, rule, found in _grouped(evidence)
    ]
    columns = ("source", "rule", Column("findings", "thousands"), Column("tools", "thousands"), "level", "view")
    return tabled(evidence, columns, rows, "What is broken, or not as recommended")


def breaches_said(evidence: Evidence) -> str:
    """How many findings of each level there are, and how many of the `must` ones the official suite would not see."""
    found = [each for *_, group in _grouped(evidence) for each in group]
    counts = ", ".join(f"{sum(each['level'] == level for each in found):,} {level}" for level in _LEVELS)
    unseen = sum(each["rule"] == "compact-keyword" and not each["suite"] for each in found)
    missed = f" The official suite does not look where {unseen:,} of them stand." if unseen else ""
    return f"Findings: {counts}.{missed}"


def places(evidence: Evidence) -> Table | None:
    """Where: the first places of each rule, with their JSON Pointers."""
    rows = [
        (name, view, rule, shown(str(each["toolId"])), each["pointer"], each["message"])
        for name, view, rule, found in _grouped(evidence)
        for each in found[:_SHOWN]
    ]
    return tabled(
        evidence,
        ("source", "view", "rule", "tool", "pointer", "finding"),
        rows,
        f"The first {_SHOWN} places of each rule",
    )


def _checks(source: Source) -> dict[str, dict[str, Any]]:
    """What was checked: the standard view, the compact view that is projected from it, and the one that a host offers itself."""
    offered = (source.get("host") or {}).get("offered") or {}
    checks: dict[str, dict[str, Any]] = dict(source["checks"])
    if "check" in offered:
        checks["compact, by the host" if honoured(source) else "sent for view=compact"] = offered["check"]
    return checks


def _grouped(evidence: Evidence) -> Iterator[tuple[str, str, str, list[dict[str, Any]]]]:
    """The findings by source, view and rule; what is worst comes first."""
    for name, source in named(evidence).items():
        for view, checked in _checks(source).items():
            groups: dict[str, list[dict[str, Any]]] = {}
            for each in checked["findings"]:
                groups.setdefault(each["rule"], []).append(each)
            for rule, found in sorted(groups.items(), key=lambda group: _LEVELS.index(group[1][0]["level"])):
                yield name, view, rule, found
