"""The descriptors of both lists, by the rules of `workbench.checks`; each breach counts under one requirement."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from workbench.conformance.deciders.lists import lists_of, named, part, suite_of
from workbench.conformance.reading import Listing, Reading
from workbench.conformance.verdicts import Evidence, Status, Undecided, Verdict, decides, failed, passed
from workbench.errors import InputError
from workbench.findings import Finding
from workbench.values import resolve

__all__ = [
    "compact_closed_fields",
    "compact_keyword",
    "compact_root",
    "exec_source",
    "no_hidden_text",
    "no_loopholes",
    "no_secrets",
    "required_known",
    "standard_descriptor",
    "tier_1",
]

_D7: Final = "D7: the 2.x schema admits only type and properties in inputSchema, RFC 0112 admits more; let pass"
_D8: Final = "D8: banned at any depth, while the official suite's walk leaves out some places; every place counts"
_D10: Final = "D10: neither subset contains the other; they are two checks"


@decides("standard-descriptor")
def standard_descriptor(reading: Reading) -> Verdict:
    """Breaches of the schema that no other requirement is about, and entries that are no tools."""
    found = reading.listing()
    breaches = reading.findings("standard", "descriptor-schema")
    return _of_schema(reading, found, breaches, "fits the schema of ToolDescriptor", lambda verdict: verdict)


@decides("compact-closed-fields")
def compact_closed_fields(reading: Reading) -> Verdict:
    """Fields beyond the six, required ones that are missing, wrong types and words."""
    found = reading.compact_listing()
    all_breaches = reading.findings("compact", "compact-field", "descriptor-schema")
    breaches = [finding for finding in all_breaches if finding.level == "must"]
    verdict = _of_schema(reading, found, breaches, "is a closed compact descriptor", lambda each: suite_of(found, each))
    if len(breaches) < len(all_breaches):
        return Verdict(verdict.status, verdict.summary, verdict.evidence, "fail", _D7)
    return verdict


@decides("exec-source")
def exec_source(reading: Reading) -> Verdict:
    """In both views."""
    return _of_both(reading, "exec-source", "no tool of the tier exec has another source than host-extension")


@decides("compact-root")
def compact_root(reading: Reading) -> Verdict:
    """The floor of the subset."""
    return _of_compact(reading, "compact-root", "every inputSchema has the root that the subset asks for")


@decides("compact-keyword")
def compact_keyword(reading: Reading) -> Verdict:
    """Strict: every schema position. The suite sees some of them."""
    found = reading.compact_listing()
    breaches = reading.findings("compact", "compact-keyword")
    if not breaches:
        return passed("no inputSchema has a banned keyword at any depth", suite=suite_of(found, "pass"))
    seen = [finding for finding in breaches if finding.suite]
    summary = f"{named(len(breaches), 'banned keyword')} in {_tools(breaches)}"
    if len(seen) < len(breaches):
        summary += f", {len(breaches) - len(seen)} of them where the official suite does not look"
    return failed(
        summary,
        reading.of_findings(found, breaches),
        suite=suite_of(found, "fail" if seen else "pass"),
        disagreement=_D8 if len(seen) < len(breaches) else "",
    )


@decides("no-loopholes")
def no_loopholes(reading: Reading) -> Verdict:
    """What the letter of the subset lets through."""
    return _of_compact(reading, "loophole", "no inputSchema goes around the subset", looks=False)


@decides("no-secrets")
def no_secrets(reading: Reading) -> Verdict:
    """In both views; and no answer sends the caller's own credential back. Nothing of what was found is repeated."""
    evidence: list[Evidence] = []
    breaches: list[Finding] = []
    for found, findings in _both(reading, "secret"):
        breaches += findings
        evidence += reading.of_findings(found, findings, quote=False)
    echoes = [exchange for exchange in [*reading.discovered, *reading.answers.values()] if exchange.echoed]
    evidence += [reading.evidence(exchange, note="the caller's own credential") for exchange in echoes]
    if breaches:
        suite: Status = "fail" if any(finding.suite for finding in breaches) else "pass"
        return failed(f"credential material in {_tools(breaches)}", evidence, suite=suite)
    if echoes:
        return failed(f"{named(len(echoes), 'answer')} sent the caller's own credential back", evidence, suite="pass")
    return passed("no credential material was found", suite="pass")


@decides("no-hidden-text")
def no_hidden_text(reading: Reading) -> Verdict:
    """In both views."""
    return _of_both(reading, "hidden-text", "every character shows")


@decides("tier-1")
def tier_1(reading: Reading) -> Verdict:
    """Never broken: which tools a model calls is for the host to know."""
    found = reading.listing()
    outside = {finding.tool_id for finding in reading.findings("standard", "tier-1")}
    if outside:
        raise Undecided(
            f"{part(len(outside), len(found.ids), 'tool')} outside the Tier-1 subset; which a model calls is not told"
        )
    return passed("every inputSchema is inside the Tier-1 subset", disagreement=_D10 if found.ids else "")


@decides("required-known")
def required_known(reading: Reading) -> Verdict:
    """Names that `required` lists and `properties` does not, unless the standard view has that already."""
    found = reading.compact_listing()
    standard = reading.listing().by_id
    before = {(each.tool_id, _name(standard, each)) for each in reading.findings("standard", "required-unknown")}
    after = found.by_id
    lost = [
        finding
        for finding in reading.findings("compact", "required-unknown")
        if (finding.tool_id, _name(after, finding)) not in before
    ]
    if lost:
        summary = (
            f"required names {named(len(lost), 'lost property').replace('propertys', 'properties')} in {_tools(lost)}"
        )
        return failed(summary, reading.of_findings(found, lost))
    return passed("required names no lost property")


def _of_schema(
    reading: Reading, found: Listing, breaches: list[Finding], what: str, suite: Callable[[Status], Status]
) -> Verdict:
    odd = found.odd
    evidence = [reading.evidence(found.exchange, "", f"/{index}", note=why) for index, why in odd[:5]]
    evidence += reading.of_findings(found, breaches)
    if not evidence:
        return passed(f"each of {named(len(found.entries), 'tool')} {what}", suite=suite("pass"))
    parts = [f"{named(len(odd), 'entry').replace('entrys', 'entries')} that have no id"] if odd else []
    parts += (
        [f"{named(len(breaches), 'breach').replace('breachs', 'breaches')} in {_tools(breaches)}"] if breaches else []
    )
    return failed(" and ".join(parts), evidence, suite=suite("fail"))


def _of_compact(reading: Reading, rule: str, holds: str, *, looks: bool = True) -> Verdict:
    found = reading.compact_listing()
    breaches = reading.findings("compact", rule)
    if breaches:
        summary = f"{named(len(breaches), 'place')} in {_tools(breaches)}"
        return failed(summary, reading.of_findings(found, breaches), suite=suite_of(found, "fail") if looks else None)
    return passed(holds, suite=suite_of(found, "pass") if looks else None)


def _of_both(reading: Reading, rule: str, holds: str) -> Verdict:
    evidence: list[Evidence] = []
    breaches: list[Finding] = []
    for found, findings in _both(reading, rule):
        breaches += findings
        evidence += reading.of_findings(found, findings)
    if breaches:
        suite: Status | None = "fail" if rule == "exec-source" else None
        return failed(f"{named(len(breaches), 'place')} in {_tools(breaches)}", evidence, suite=suite)
    return passed(holds, suite="pass" if rule == "exec-source" else None)


def _both(reading: Reading, rule: str) -> Iterator[tuple[Listing, list[Finding]]]:
    lists = lists_of(reading)
    yield lists[0], reading.findings("standard", rule)
    if len(lists) > 1:
        yield lists[1], reading.findings("compact", rule)


def _tools(findings: list[Finding]) -> str:
    return named(len({finding.tool_id for finding in findings}), "tool")


def _name(descriptors: dict[str, list[dict[str, Any]]], finding: Finding) -> Any:
    """The name at a finding's pointer."""
    for descriptor in descriptors[finding.tool_id]:
        try:
            return resolve(descriptor, finding.pointer)
        except InputError:
            continue
    return None
