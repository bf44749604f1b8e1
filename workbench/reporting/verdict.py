"""The verdict: three sentences that answer what a report is read for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from workbench.evidence import Evidence
from workbench.reporting.reading import (
    CAP,
    Source,
    length,
    main,
    named,
    part,
    plural,
    recommended,
    requirements,
    shown,
    spread,
    under,
    why_none,
)

__all__ = ["cap_said", "falls_short", "verdict"]


def verdict(evidence: Evidence) -> tuple[str, str, str]:
    """What the catalogs cost and the compact view saves; whether it conforms and stays true; how short descriptions may get."""
    return _cost(evidence), _conformance(evidence.sources), _limits(evidence)


def falls_short(evidence: Evidence) -> list[str]:
    """What is required and broken, one phrase for each source and view; empty when everything holds."""
    found = []
    for name, source in named(evidence).items():
        for view, checked in source["checks"].items():
            if must := checked["counts"]["must"]:
                found.append(f"{name}: requirements are broken in {plural(must, 'place')} of the {view} view")
        if failed := _failed(source):
            found.append(f"{name}: the host fails {', '.join(failed)}")
    return found


def _cost(evidence: Evidence) -> str:
    """What each costs. Catalogs beside each other are often versions of one, so nothing is added up here."""
    sources = evidence.sources
    totals = [budget["total"] for source in sources if (budget := main(source))]
    counts = [source["tools"] for source in sources]
    what = f"This catalog of {plural(counts[0], 'tool')} costs"
    if len(sources) > 1:
        tools = f"{spread(counts, '{:,}')} tool{'' if set(counts) == {1} else 's'}"
        what = f"These {len(sources)} catalogs of {tools} each cost"
    if not any(total["standard"] for total in totals):
        return f"{what} what could not be counted."
    standard, compact = (spread([total[view] for total in totals], "{:,}") for view in ("standard", "compact"))
    ratios = [total["savedRatio"] for total in totals if total["standard"]]
    saves = f"{compact} in the compact one, which {_saves(ratios)}"
    return f"{what} {standard} tokens on every turn in the standard view and {saves}: {under(evidence)}."


def _saves(ratios: Sequence[float]) -> str:
    if max(ratios) < 0:
        return f"costs {spread([-ratio for ratio in ratios])} more"
    return f"saves {spread(ratios)}" if any(round(ratio, 3) for ratio in ratios) else "saves nothing"


def _conformance(sources: Sequence[Source]) -> str:
    """What was found wrong with hosts, with the catalogs, and with our compact view of them."""
    parts = [*_hosts(sources), f"the standard view {_broken(sources, 'standard')}"]
    said = [f"the compact view that the workbench makes of it {_broken(sources, 'compact')}"]
    if shares := _shares(sources, "soundness"):
        said.append(f"accepts {spread(shares, '{:.0%}')} of the valid sample calls")
    if shares := _shares(sources, "precision"):
        said.append(f"and of the calls that it accepts {spread(shares, '{:.0%}')} are valid")
    text = "; ".join([*parts, ", ".join(said)])
    return f"{text[0].upper()}{text[1:]}."


def _broken(sources: Sequence[Source], view: str) -> str:
    must = sum(source["checks"][view]["counts"]["must"] for source in sources)
    return f"breaches requirements in {plural(must, 'place')}" if must else "breaches no requirement"


def _shares(sources: Sequence[Source], name: str) -> list[float]:
    return [source["fidelity"][name] for source in sources if source["fidelity"][name] is not None]


def _hosts(sources: Sequence[Source]) -> Iterator[str]:
    probed = [source for source in sources if requirements(source)]
    failed = sorted({name for source in probed for name in _failed(source)})
    if failed:
        breaking = sum(bool(_failed(source)) for source in probed)
        yield f"{part(breaking, len(probed), 'host')} broke what is required ({', '.join(failed)})"
    elif probed:
        yield f"{part(len(probed), len(probed), 'host')} kept all that is required"


def _failed(source: Source) -> list[str]:
    """The requirements (must) that a host was seen to break."""
    found: list[dict[str, Any]] = requirements(source)
    return [shown(each["id"]) for each in found if each["status"] == "fail" and each["level"] == "must"]


def _limits(evidence: Evidence) -> str:
    rows = [(source, row) for source in evidence.sources if (row := recommended(source))]
    cap = cap_said(evidence)
    if not rows:
        return f"No limit on descriptions is recommended, since {why_none(evidence.sources)}; {cap}."
    saved = spread([1 - row["tokens"] / source["tuning"]["compact"] for source, row in rows])
    limits = length([row["limit"] for _, row in rows], rows[0][0]["tuning"]["unit"])
    where = "" if len(rows) == len(evidence.sources) else f"in {part(len(rows), len(evidence.sources), 'catalog')}, "
    text = f"{where}descriptions can be cut to {limits}, which saves a further {saved} of the compact view; tools are still found"
    return f"{text[0].upper()}{text[1:]} by their full descriptions{_tried([source for source, _ in rows])}; {cap}."


def _tried(sources: Sequence[Source]) -> str:
    """What else they are still found by."""
    tried = sum(source["tuning"]["queries"] > 0 for source in sources)
    if tried == len(sources):
        return " and by task sentences"
    if not tried:
        return ", but no task sentences were given, so a model may need longer ones"
    return f"; task sentences were given for {tried} of {plural(len(sources), 'catalog')} only"


def cap_said(evidence: Evidence) -> str:
    """What a hard cap of 256 characters does to how easily tools are found."""
    cut = [source["tuning"] for source in evidence.sources if source["tuning"]["cap"]["shortened"]]
    if not cut:
        return f"no description is over {CAP} characters"
    kept = sum(each["cap"]["selfRecall1"] >= each["full"]["selfRecall1"] for each in cut)
    if len(evidence.sources) == 1:
        return f"cut at {CAP} characters, {'all' if kept else 'not all'} tools are as easy to find as before"
    those = f"{kept} of the {len(cut)} catalogs that have" if len(cut) > 1 else "the one catalog that has"
    whole = "all" if kept or len(cut) > 1 else "not all"
    return f"cut at {CAP} characters, {whole} tools are as easy to find as before in {those} longer ones"
