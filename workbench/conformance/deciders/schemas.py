"""What the host makes of the standard inputSchema in the compact view."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any, Final, Literal, TypeAlias

from workbench.conformance.deciders.lists import named
from workbench.conformance.reading import Reading
from workbench.conformance.verdicts import MOST_EVIDENCE, Undecided, Verdict, decides, failed, passed
from workbench.fidelities.judge import Judge
from workbench.fidelities.judge import Undecided as NoVerdict
from workbench.fidelities.sampler import NoSample, Sampler
from workbench.lowering import lower
from workbench.subset import inside
from workbench.values import equal

__all__ = ["schemas_kept", "sound_projection"]

#: Objects drawn for one tool, and for all tools together; each costs about a millisecond.
_MOST_SAMPLES: Final = 40
_LEAST_SAMPLES: Final = 4
_ALL_SAMPLES: Final = 2_500
#: In a longer list, lowering every schema takes longer than sampling does.
_MOST_LOWERED: Final = 100

_Fate: TypeAlias = Literal["kept", "changed", "omitted", "emptied", "outside the subset", "without a schema"]


@decides("schemas-kept")
def schemas_kept(reading: Reading) -> Verdict:
    """What is not there breaks it, and what lost all properties; what is outside the subset is for other requirements."""
    fates = {tool_id: _fate(standard, compact) for tool_id, standard, compact in _pairs(reading)}
    counts = Counter(fates.values())
    told = ", ".join(f"{count:,} {fate}" for fate in _FATES if (count := counts[fate]))
    gone = {"omitted": "not there", "emptied": "no property is left"}
    lost = [(tool_id, gone[fate]) for tool_id, fate in fates.items() if fate in gone]
    if not lost:
        return passed(f"schemas: {told}" if told else "the catalog is empty")
    exchange = reading.compact_listing().exchange
    evidence = [
        reading.evidence(exchange, tool_id, "/inputSchema", note=what) for tool_id, what in lost[:MOST_EVIDENCE]
    ]
    return failed(f"schemas: {told}", evidence)


@decides("sound-projection")
def sound_projection(reading: Reading) -> Verdict:
    """
    Sampled objects of the standard schema, asked of the compact one; the first that is refused is the counterexample.

    A schema that did not change, or that is what our own lowering makes of it, refuses none by construction.
    """
    pairs = [(tool_id, *schemas) for tool_id, *schemas in _pairs(reading)]
    changed = [each for each in pairs if _may_refuse(each[1], each[2])]
    if len(changed) <= _MOST_LOWERED:
        changed = [each for each in changed if not _is_lowered(each[1], each[2], reading.major)]
    samples = max(_LEAST_SAMPLES, min(_MOST_SAMPLES, _ALL_SAMPLES // max(1, len(changed))))
    exchange = reading.compact_listing().exchange
    refused: dict[str, Any] = {}
    unknown: dict[str, str] = {}
    tried = 0
    for tool_id, standard, compact in changed:
        reading.tick()
        try:
            count, counterexample = _counterexample(tool_id, standard, compact, samples, reading.seed)
        except (NoVerdict, NoSample) as failure:
            unknown[tool_id] = failure.reason
            continue
        tried += count
        if counterexample is not None:
            refused[tool_id] = counterexample
    if refused:
        evidence = [
            reading.evidence(exchange, tool_id, "/inputSchema", call)
            for tool_id, call in list(refused.items())[:MOST_EVIDENCE]
        ]
        return failed(
            f"the compact schemas of {named(len(refused), 'tool')} refuse calls that the standard ones accept", evidence
        )
    if changed and not tried:
        raise Undecided(
            f"no valid call could be made up for any of {named(len(changed), 'tool')}: {next(iter(unknown.values()), '')}"
        )
    note = f"; {named(len(unknown), 'tool')} could not be tried ({next(iter(unknown.values()))})" if unknown else ""
    if not changed:
        return passed("every schema is the standard one, or is known to accept all that it accepts")
    return passed(
        f"none of {named(tried, 'sampled call')} is refused, of {named(len(changed), 'tool')} with another schema{note}"
    )


_FATES: Final[tuple[_Fate, ...]] = ("kept", "changed", "omitted", "emptied", "outside the subset", "without a schema")


def _pairs(reading: Reading) -> list[tuple[str, Any, Any]]:
    """For each tool of both views its id, its standard schema and its compact one; the text is None where there is none."""
    compact, standard = reading.compact_listing().by_id, reading.listing().by_id
    return [
        (tool_id, entries[0].get("inputSchema"), compact[tool_id][0].get("inputSchema"))
        for tool_id, entries in standard.items()
        if tool_id in compact
    ]


def _fate(standard: Any, compact: Any) -> _Fate:
    if compact is None:
        # What is no schema, or only says that arguments are an object, may be left out: that says as much.
        says = isinstance(standard, dict) and bool(standard.keys() - {"type", "$schema", "description", "title"})
        return "omitted" if says else "without a schema"
    if not inside(compact):
        return "outside the subset"
    if _names_properties(standard) and not _names_properties(compact):
        return "emptied"
    return "kept" if equal(standard, compact) else "changed"


def _names_properties(schema: Any) -> bool:
    return isinstance(schema, dict) and isinstance(schema.get("properties"), dict) and bool(schema["properties"])


def _may_refuse(standard: Any, compact: Any) -> bool:
    return compact is not None and not equal(standard, compact)


def _is_lowered(standard: Any, compact: Any, major: int) -> bool:
    return isinstance(standard, dict) and equal(lower(standard, profile="v2" if major == 2 else "v1").schema, compact)


def _counterexample(
    tool_id: str, standard: Any, compact: Any, samples: int, seed: int
) -> tuple[int, dict[str, Any] | None]:
    """How many valid calls were tried, and the first that the compact schema refuses. Raises NoVerdict or NoSample."""
    original = Judge({"type": "object"} if standard is None else standard)
    judge = Judge(compact)
    random = Random(f"{seed}\0{tool_id}".encode("utf-8", "surrogatepass"))  # noqa: S311 - no secret
    sampler = Sampler({"type": "object"} if standard is None else standard, random)
    tried, reason = 0, ""
    for _ in range(samples):
        try:
            call = sampler.draw()
            if not original.accepts(call):
                continue
            tried += 1
            if not judge.accepts(call):
                return tried, call
        except (NoVerdict, NoSample) as failure:
            reason = failure.reason
    if not tried:
        raise NoSample(reason or "no sampled call is valid")
    return tried, None
