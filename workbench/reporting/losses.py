"""What a report says of the projection: what it gave up, where, and what that does to calls."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from workbench.evidence import Evidence
from workbench.reporting.reading import named, plural, shown, tabled
from workbench.tables import Cell, Column, Table
from workbench.values import dumps

__all__ = ["losses", "losses_said", "misjudged", "places_lost"]

#: Places of each kind of loss and source, and misjudged calls of each source, that are shown.
_SHOWN: Final = 3


def losses(evidence: Evidence) -> Table | None:
    """What was given up: one row for each source and kind of loss; exact ones lose nothing that a call could notice."""
    rows = [
        (name, action, len(found), len({each["toolId"] for each in found}), exact, kind)
        for name, (kind, action, exact), found in _grouped(evidence)
    ]
    columns = ("source", "what was done", Column("places", "thousands"), Column("tools", "thousands"), "exact", "kind")
    return tabled(evidence, columns, rows, "What the projection gave up")


def losses_said(evidence: Evidence) -> str:
    """How much of it is exact; in how many tools more calls may be accepted, and in how many samples of them were."""
    found = [each for source in evidence.sources for each in source["projection"]["losses"]]
    if not found:
        return "Nothing was given up."
    exact = sum(bool(each.get("exact")) for each in found)
    said = f"{plural(len(found), 'place')} given up, {exact:,} of them exactly"
    looser = sum(len(source["projection"]["looser"]) for source in evidence.sources)
    if not looser:
        return f"{said}; no tool accepts a call that the standard view refuses."
    seen = sum(
        each["wronglyAdmitted"] is not None for source in evidence.sources for each in source["fidelity"]["tools"]
    )
    tools = plural(sum(source["tools"] for source in evidence.sources), "tool")
    shown_by = f"sample calls show it for {seen:,}" if seen else "no sample call shows it"
    return f"{said}; {looser:,} of {tools} may accept calls that the standard view refuses, and {shown_by}."


def places_lost(evidence: Evidence) -> Table | None:
    """Where: the first places of each kind of loss that is not exact, with their JSON Pointers in the standard view."""
    rows = [
        (name, action, shown(str(each["toolId"])), each["pointer"], each["detail"])
        for name, (_, action, exact), found in _grouped(evidence)
        if exact == "no"
        for each in found[:_SHOWN]
    ]
    return tabled(
        evidence,
        ("source", "what was done", "tool", "pointer", "detail"),
        rows,
        f"The first {_SHOWN} places of each loss that is not exact",
    )


def misjudged(evidence: Evidence) -> Table | None:
    """Sample calls that the two views judge differently; one that is wrongly refused would break the promise of the projection."""
    rows: list[tuple[Cell, ...]] = []
    for name, source in named(evidence).items():
        for verdict, key in (("wrongly refused", "wronglyRefused"), ("wrongly admitted", "wronglyAdmitted")):
            found = [each for each in source["fidelity"]["tools"] if each[key] is not None]
            rows += [(name, verdict, shown(str(each["toolId"])), dumps(each[key])) for each in found[:_SHOWN]]
    return tabled(
        evidence,
        ("source", "the compact view", "tool", Column("call", "code")),
        rows,
        f"Calls that are misjudged, the first {_SHOWN} of each source",
    )


def _grouped(evidence: Evidence) -> Iterator[tuple[str, tuple[str, str, str], list[dict[str, Any]]]]:
    for name, source in named(evidence).items():
        groups: dict[tuple[str, str, str], list[dict[str, Any]]] = {}
        for each in source["projection"]["losses"]:
            exact = {True: "yes", False: "no"}.get(each.get("exact"), "")
            groups.setdefault((each["kind"], each["action"], exact), []).append(each)
        for group, found in sorted(groups.items(), key=lambda item: (item[0][2] != "no", -len(item[1]), item[0])):
            yield name, group, found
