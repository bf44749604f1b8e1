"""What a report says of the limit on descriptions, of the RFC's open questions and of its claims."""

from __future__ import annotations

from typing import Any, Final

from workbench.evidence import Evidence
from workbench.reporting.reading import clipped, named, plural, requirements, spread
from workbench.tables import Cell, Column, Table

__all__ = ["claims", "claims_said", "limits", "limits_said", "questions"]

_CAP: Final = 256


def limits(evidence: Evidence) -> Table:
    """Descriptions as they are, as recommended, and capped at 256 characters: what that costs, and what it still tells apart."""
    rows: list[tuple[Cell, ...]] = []
    for name, source in named(evidence).items():
        tuning = source["tuning"]
        for what, row in (
            ("as they are", tuning["full"]),
            ("recommended", tuning["recommended"]),
            ("cap", tuning["cap"]),
        ):
            if row is None:
                continue
            policy = what if what == "as they are" else f"{what}: {row['strategy']}, {row['limit']:,} {tuning['unit']}"
            shares = (row["savedRatio"], row["shortened"], row["kept"], row.get("selfRecall1"), row.get("taskRecall5"))
            rows.append((name, policy, row["tokens"], *shares))
    columns: list[Column | str] = [
        "source",
        "descriptions",
        Column("tokens", "thousands"),
        Column("saved %", "percent"),
    ]
    columns += [
        Column("shortened", "thousands"),
        Column("text kept", "percent", 0),
        Column("finds itself", "percent", 0),
    ]
    if any(row[-1] is not None for row in rows):
        columns.append(Column("tasks in 5", "percent", 0))
    title = f"Descriptions (rendering wire, encoding {_encoding(evidence)}, exact)"
    return clipped(columns, [row[: len(columns)] for row in rows], title)


def limits_said(evidence: Evidence) -> str:
    """The recommendation for each source, what it would save, and on what it rests."""
    return "\n".join(f"{name}: {_recommended(source['tuning'])}" for name, source in named(evidence).items())


def _recommended(tuning: dict[str, Any]) -> str:
    chosen = tuning["recommended"]
    if chosen is None:
        return "no limit can be recommended."
    least = "" if tuning["queries"] else " Without task sentences, that is how short they may be at the very least."
    saved = f"{tuning['compact'] - chosen['tokens']:,} of {tuning['compact']:,} tokens"
    return f"{chosen['limit']:,} {tuning['unit']} ({chosen['strategy']}) save {saved}.{least}"


def questions(evidence: Evidence) -> Table:
    """The RFC's unresolved questions, each with what speaks for and against."""
    return clipped(
        ("question of RFC 0112", "evidence for", "evidence against"),
        [
            (
                "1. Should descriptions be capped, say at 256 characters?",
                _for_the_cap(evidence),
                _against_the_cap(evidence),
            ),
            ("2. Should view=compact compose with source=?", *_composing(evidence)),
            ("3. Is the published schema validator enough? (resolved: schema and a walk)", *_walking(evidence)),
        ],
        "Open questions",
    )


def claims(evidence: Evidence) -> Table:
    """What the RFC claims about cost: the sources on which it holds, and those on which it does not, with what was measured."""
    found: dict[str, tuple[list[str], list[str]]] = {}
    for name, source in named(evidence).items():
        for row in source["claims"]:
            found.setdefault(row["claim"], ([], []))[not row["holds"]].append(f"{name}: {_measured(row['measured'])}")
    rows = [(claim, "; ".join(holds), "; ".join(fails)) for claim, (holds, fails) in found.items()]
    return clipped(
        ("claim", "evidence for", "evidence against"), rows, f"Claims (rendering wire, encoding {_encoding(evidence)})"
    )


def claims_said(evidence: Evidence) -> str:
    """How many of the claims hold, claim by claim and source by source."""
    rows = [row for source in evidence.sources for row in source["claims"]]
    return f"{sum(row['holds'] for row in rows)} of {plural(len(rows), 'claim')} hold, counted for each source."


def _measured(value: float) -> str:
    return f"{value:.1%}" if abs(value) <= 1 else f"{value:,.0f} tokens"


def _encoding(evidence: Evidence) -> str:
    encodings: list[str] = evidence.document["options"]["encodings"]
    return encodings[0]


def _tunings(evidence: Evidence) -> list[dict[str, Any]]:
    return [source["tuning"] for source in evidence.sources if source["tuning"]["cap"].get("selfRecall1") is not None]


def _for_the_cap(evidence: Evidence) -> str:
    found = _tunings(evidence)
    if not found:
        return "no catalog with descriptions was measured"
    saved = spread([1 - each["cap"]["tokens"] / max(1, each["compact"]) for each in found])
    kept = f"{sum(_recall(each['cap']) >= _recall(each['full']) for each in found)} of {plural(len(found), 'catalog')}"
    return f"a hard cap saves {saved} of the compact view; in {kept} all tools are found as before"


def _against_the_cap(evidence: Evidence) -> str:
    found = _tunings(evidence)
    lost = sum(_recall(each["cap"]) < _recall(each["full"]) for each in found)
    limits = [each["recommended"]["limit"] for each in found if each["recommended"]]
    parts = []
    if lost:
        parts.append(
            f"in {lost} of {plural(len(found), 'catalog')} some tool is no longer found by its own description"
        )
    if limits:
        tighter = f"tighter than the cap in {sum(limit < _CAP for limit in limits)} of {len(limits)}"
        parts.append(f"no one number fits: the measured limits are {spread(limits, '{:,}')}, {tighter}")
    return "; ".join(parts) or "none was found"


def _recall(row: dict[str, float]) -> float:
    return row["selfRecall1"]


def _composing(evidence: Evidence) -> tuple[str, str]:
    """What hosts do with both parameters at once."""
    said: dict[str, list[str]] = {"pass": [], "fail": []}
    for name, source in named(evidence).items():
        for each in requirements(source):
            if each["id"] == "source-composes" and each["status"] in said:
                said[each["status"]].append(f"{name}: {each['summary']}")
    nothing = "no host that was asked shows it"
    return "; ".join(said["pass"]) or nothing, "; ".join(said["fail"]) or nothing


def _walking(evidence: Evidence) -> tuple[str, str]:
    """Whether there are breaches that the published schema, or the official suite's walk, does not see."""
    found = [
        each
        for source in evidence.sources
        for each in source["checks"]["compact"]["findings"]
        if each["rule"] == "compact-keyword"
    ]
    unseen = sum(not each["suite"] for each in found)
    if not found:
        return "no compact view that was examined has a banned keyword anywhere", "none was found"
    return (
        f"the suite's walk sees {len(found) - unseen:,} of {len(found):,}",
        f"it does not look where {unseen:,} stand",
    )
