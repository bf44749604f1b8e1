"""The verdict: three sentences that answer what a report is read for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from workbench.evidence import Evidence
from workbench.reporting.reading import Source, main, named, plural, requirements, shown, spread, under

__all__ = ["falls_short", "verdict"]


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
    sources = evidence.sources
    totals = [budget["total"] for source in sources if (budget := main(source))]
    standard, compact = (sum(total[view] for total in totals) for view in ("standard", "compact"))
    what, verb = ("This catalog", "costs") if len(sources) == 1 else (f"These {len(sources)} catalogs", "cost")
    what = f"{what} of {plural(sum(source['tools'] for source in sources), 'tool')}"
    if not standard:
        return f"{what} could not be counted."
    ratios = [total["savedRatio"] for total in totals if total["standard"]]
    each = f" ({spread(ratios)} of each)" if len(ratios) > 1 else ""
    saves = f"{compact:,} in the compact one, which saves {1 - compact / standard:.1%}{each}"
    return f"{what} {verb} {standard:,} tokens on every turn in the standard view and {saves}: {under(evidence)}."


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
        yield f"{breaking} of {plural(len(probed), 'host')} broke what is required ({', '.join(failed)})"
    elif probed:
        yield f"{plural(len(probed), 'host')} kept all that is required"


def _failed(source: Source) -> list[str]:
    """The requirements (must) that a host was seen to break."""
    found: list[dict[str, Any]] = requirements(source)
    return [shown(each["id"]) for each in found if each["status"] == "fail" and each["level"] == "must"]


def _limits(evidence: Evidence) -> str:
    found = [source["tuning"] for source in evidence.sources if source["tuning"]["recommended"]]
    if not found:
        return "No limit on descriptions can be recommended."
    saved = spread([1 - each["recommended"]["tokens"] / max(1, each["compact"]) for each in found])
    limits = f"{spread([each['recommended']['limit'] for each in found], '{:,}')} {found[0]['unit']}"
    # Without task sentences, only whether a tool's own full description still finds it limits the recommendation.
    least = "" if any(each["queries"] for each in found) else " at the very least"
    caps = [each for each in found if each["cap"].get("selfRecall1") is not None]
    kept = sum(each["cap"]["selfRecall1"] >= each["full"]["selfRecall1"] for each in caps)
    return (
        f"Descriptions may be cut to {limits}{least}, which saves a further {saved} of the compact view; a hard cap of 256 "
        f"characters keeps all tools as findable as before in {kept} of {plural(len(caps), 'catalog')}."
    )
