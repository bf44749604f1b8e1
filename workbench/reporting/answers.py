"""What a report says of the limit on descriptions, of the RFC's open questions and of its claims."""

from __future__ import annotations

from typing import Any

from workbench.evidence import Evidence
from workbench.reporting.reading import (
    CAP,
    clipped,
    honoured,
    length,
    named,
    part,
    plural,
    recommended,
    requirements,
    spread,
    tabled,
    why_none,
)
from workbench.tables import Cell, Column, Table

__all__ = ["claims", "claims_said", "limits", "limits_said", "questions"]


def limits(evidence: Evidence) -> Table | None:
    """Descriptions as they are, as recommended, and capped at 256 characters: what that costs, and what it still tells apart."""
    rows: list[tuple[Cell, ...]] = []
    for name, source in named(evidence).items():
        tuning = source["tuning"]
        for what, row in (
            ("as they are", tuning["full"]),
            ("recommended", recommended(source)),
            ("cap", tuning["cap"]),
        ):
            if row is None:
                continue
            policy = (
                what
                if what == "as they are"
                else f"{what}: {row['strategy']}, {length([row['limit']], _unit(what, tuning))}"
            )
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
    return tabled(evidence, columns, [row[: len(columns)] for row in rows], title)


def _unit(what: str, tuning: dict[str, Any]) -> str:
    return "chars" if what == "cap" else str(tuning["unit"])


def limits_said(evidence: Evidence) -> str:
    """The recommendation for each source, what it would save, and on what it rests."""
    return "\n".join(f"{name}: {_recommended(source)}" for name, source in named(evidence).items())


def _recommended(source: dict[str, Any]) -> str:
    tuning, chosen = source["tuning"], recommended(source)
    if chosen is None:
        return f"no limit is recommended, since {why_none([source])}."
    least = "" if tuning["queries"] else " No task sentences were given, so a model may need longer ones."
    saved = f"{tuning['compact'] - chosen['tokens']:,} of {tuning['compact']:,} tokens"
    return f"{length([chosen['limit']], tuning['unit'])} ({chosen['strategy']}) save {saved}.{least}"


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


def claims(evidence: Evidence) -> Table | None:
    """What the RFC claims about cost: the sources on which it holds, and those on which it does not, with what was measured."""
    found: dict[str, tuple[list[str], list[str]]] = {}
    for name, source in named(evidence).items():
        for row in source["claims"]:
            found.setdefault(row["claim"].replace(" %", "%"), ([], []))[not row["holds"]].append(
                f"{name}: {_measured(row['measured'])}"
            )
    rows = [(claim, "; ".join(holds), "; ".join(fails)) for claim, (holds, fails) in found.items()]
    return tabled(
        evidence,
        ("claim", "evidence for", "evidence against"),
        rows,
        f"Claims (rendering wire, encoding {_encoding(evidence)})",
    )


def claims_said(evidence: Evidence) -> str:
    """How many of the claims hold, claim by claim and source by source."""
    rows = [row for source in evidence.sources for row in source["claims"]]
    if not rows:
        return "No claim could be measured: there are no tools."
    each = ", counted for each source" if len(evidence.sources) > 1 else ""
    return f"{sum(row['holds'] for row in rows)} of {plural(len(rows), 'claim')} hold{each}."


def _measured(value: float) -> str:
    return f"{value:.1%}" if abs(value) <= 1 else f"{value:,.0f} tokens"


def _encoding(evidence: Evidence) -> str:
    encodings: list[str] = evidence.document["options"]["encodings"]
    return encodings[0]


def _cut(evidence: Evidence) -> list[dict[str, Any]]:
    """The tunings of those catalogs in which a cap shortens any description: only they show what it does."""
    return [source["tuning"] for source in evidence.sources if source["tuning"]["cap"]["shortened"]]


def _for_the_cap(evidence: Evidence) -> str:
    found = _cut(evidence)
    if not found:
        return f"nothing here shows it: no description is over {CAP} characters"
    saved = spread([1 - each["cap"]["tokens"] / max(1, each["compact"]) for each in found])
    text = f"a hard cap saves {saved} of the compact view in {part(len(found), len(evidence.sources), 'catalog')}"
    kept = sum(_recall(each["cap"]) >= _recall(each["full"]) for each in found)
    return f"{text}; {_found_as_before(kept, len(found))}" if kept else text


def _found_as_before(kept: int, cut: int) -> str:
    where = "" if kept == cut else f" in {kept} of these {cut}"
    return f"all tools are found as before{where}"


def _against_the_cap(evidence: Evidence) -> str:
    found = _cut(evidence)
    lost = sum(_recall(each["cap"]) < _recall(each["full"]) for each in found)
    chosen = [(source["tuning"]["unit"], row["limit"]) for source in evidence.sources if (row := recommended(source))]
    limits = [limit for _, limit in chosen]
    parts = []
    if lost:
        where = part(lost, len(evidence.sources), "catalog")
        parts.append(f"in {where} some tool is no longer found by its own description")
    if len(set(limits)) > 1:
        parts.append(f"no one number fits: the recommended limits are {length(limits, chosen[0][0])}")
    if tighter := sum(limit < CAP for unit, limit in chosen if unit == "chars"):
        parts.append(f"a tighter limit would do in {part(tighter, len(evidence.sources), 'catalog')}")
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
    """Whether hosts send breaches that the official suite's walk does not see; our own views have none, which shows nothing."""
    checks = [source["host"]["offered"]["check"] for source in evidence.sources if honoured(source)]
    found = [each for check in checks for each in check["findings"] if each["rule"] == "compact-keyword"]
    if not found:
        nothing = "nothing here shows it: no host's compact view was examined"
        return ("no compact view of a host has a banned keyword anywhere" if checks else nothing), "none was found"
    seen = sum(bool(each["suite"]) for each in found)
    unseen = f"it does not look where {len(found) - seen:,} stand" if seen < len(found) else "none was found"
    return f"the suite's walk sees {seen:,} of {plural(len(found), 'banned keyword')}", unseen
