"""What a report says about itself: how to get it again, with what it was made, and of which bytes."""

from __future__ import annotations

import shlex

from workbench.evidence import Evidence
from workbench.reporting.reading import clipped, named, shown
from workbench.tables import Cell, Column, Table

__all__ = ["commands", "environment", "examined", "options"]


def commands(evidence: Evidence) -> list[str]:
    """What to type to get the report again, and to have every number of it recomputed."""
    names = " ".join(shlex.quote(shown(source["name"], 400)) for source in evidence.sources)
    return [f"workbench report {names} --out report", f"workbench verify report/evidence.json {names}"]


def examined(evidence: Evidence) -> Table:
    """What was examined: the sources as they were named, and the bytes that came, by size and SHA-256."""
    rows: list[tuple[Cell, ...]] = []
    for name, source in named(evidence).items():
        texts = {"received": source["received"], **source["views"]}
        rows += [
            (name, source["name"], source["kind"], what, text["bytes"], text["sha256"]) for what, text in texts.items()
        ]
    columns = ("source", "as named", "kind", "text", Column("bytes", "thousands"), Column("SHA-256", "code"))
    return clipped(columns, rows, "What was examined")


def environment(evidence: Evidence) -> Table:
    """With what: versions, and the hashes of the vocabularies that tokens were counted with."""
    found = evidence.document["environment"]
    rows = [("evidence, seal", evidence.seal), ("made at", evidence.document["generated"]["at"])]
    rows += [(name, str(value)) for name, value in found.items() if isinstance(value, str)]
    rows += sorted(found["packages"].items())
    rows += [(f"vocabulary {name}, SHA-256", each["checked"]) for name, each in found["vocabularies"].items()]
    return clipped(("what", Column("version", "code")), rows, "Versions")


def options(evidence: Evidence) -> Table:
    """Under which options."""
    rows = [(name, _said(value)) for name, value in evidence.document["options"].items()]
    return clipped(("option", "value"), rows, "Options")


def _said(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else "every one" if value is None else str(value)
