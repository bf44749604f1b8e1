"""Every requirement is decided, and each can fail: for those that no fault breaks, answers of the perfect host are bent."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from conformance.many_hosts import SMALL, failed
from conformance.replaying import Bend, Recordings, is_compact, is_list, with_header, with_json, with_tools
from workbench.conformance import REQUIREMENTS
from workbench.conformance.verdicts import DECIDERS
from workbench.sample_host import FAULTS
from workbench.sources.exchanges import Exchange

LAST = max(SMALL.ids)
WEATHER = "connector:weather.forecast"
FLOOR = {"type": "object", "properties": {}}


def _where(matches: Callable[[Exchange], bool], bend: Bend) -> Bend:
    return lambda exchange: bend(exchange) if matches(exchange) else exchange


def _is_discovery(exchange: Exchange) -> bool:
    return exchange.target.endswith("/.well-known/openwop")


def _is_version_probe(exchange: Exchange) -> bool:
    return exchange.status in (400, 406)


def _capability(**members: Any) -> Bend:
    def bend(exchange: Exchange) -> Exchange:
        return with_json(exchange, lambda value: {**value, "toolCatalog": {**value["toolCatalog"], **members}})

    return _where(lambda each: _is_discovery(each) and each.status == 200, bend)


def _compact_tools(change: Callable[[dict[str, Any]], Any]) -> Bend:
    return with_tools(change, is_compact)


def _without_a_tool(value: Any) -> Any:
    return value[1:] if isinstance(value, list) else {"tools": value["tools"][1:]}


def _in_schema(members: dict[str, Any]) -> Callable[[dict[str, Any]], dict[str, Any]]:
    def change(tool: dict[str, Any]) -> dict[str, Any]:
        schema = tool["inputSchema"]
        extra = {**schema["properties"], "extra": members}
        return {**tool, "inputSchema": {**schema, "properties": extra}}

    return change


def _only_second_reads() -> Bend:
    """Changes the second answer to `view=compact` alone."""
    seen: list[str] = []

    def bend(exchange: Exchange) -> Exchange:
        if exchange.principal != "first" or not exchange.target.endswith("/tools?view=compact"):
            return exchange
        seen.append(exchange.target)
        return with_json(exchange, _without_a_tool) if len(seen) == 2 else exchange

    return bend


def _with_whole_description(tool: dict[str, Any]) -> dict[str, Any]:
    whole = next(each.descriptor for each in SMALL if each.tool_id == tool["toolId"])
    return {**tool, "description": whole["description"]}


#: By requirement: how answers are bent, and what fails then.
BREACHES: dict[str, tuple[Bend, set[str]]] = {
    "discovery-document": (
        _where(_is_discovery, lambda each: replace(each, status=200, body=b"[]")),
        {"discovery-document"},
    ),
    "discovery-caching": (
        _where(_is_discovery, lambda each: with_header(each, "etag", None)),
        {"discovery-caching"},
    ),
    "capability-shape": (_capability(views=["compact"]), {"capability-shape"}),
    "json-media-type": (
        _where(is_list, lambda each: with_header(each, "content-type", "text/plain")),
        {"json-media-type"},
    ),
    "standard-list-shape": (
        _where(
            is_list, lambda each: with_json(each, lambda value: {"items": value} if isinstance(value, list) else value)
        ),
        {"standard-list-shape"},
    ),
    "standard-descriptor": (
        with_tools(lambda tool: {**tool, "egress": "everywhere"} if "egress" in tool else tool),
        {"standard-descriptor"},
    ),
    "by-id-standard": (
        _where(
            lambda each: each.principal == "first" and each.target.endswith(LAST),
            lambda each: with_json(each, lambda tool: {**tool, "title": "Another"}),
        ),
        {"by-id-standard"},
    ),
    "error-envelope": (
        _where(
            lambda each: each.status in (401, 404),
            lambda each: with_json(each, lambda value: {**value, "hint": "none"}),
        ),
        {"error-envelope"},
    ),
    "default-view": (
        _where(
            lambda each: each.target.endswith("/tools?view=standard"),
            lambda each: with_json(each, _without_a_tool),
        ),
        {"default-view"},
    ),
    "principal-scoped": (
        _where(
            lambda each: each.principal == "second" and is_list(each) and is_compact(each),
            lambda each: with_json(each, _without_a_tool),
        ),
        {"principal-scoped"},
    ),
    "stable-ids": (_only_second_reads(), {"stable-ids", "stable-bytes"}),
    "fields-agree": (_compact_tools(lambda tool: {**tool, "safetyTier": "write"}), {"fields-agree"}),
    "texts-agree": (_compact_tools(lambda tool: {**tool, "title": "Another"}), {"texts-agree"}),
    "description-shortened": (_compact_tools(_with_whole_description), {"description-shortened"}),
    "no-loopholes": (_compact_tools(_in_schema({"if": {}})), {"no-loopholes"}),
    "no-hidden-text": (with_tools(lambda tool: {**tool, "title": f"{tool['title']}\u200b"}), {"no-hidden-text"}),
    "version-unsupported": (
        _where(_is_version_probe, lambda each: replace(each, status=200, body=b"[]")),
        {"version-unsupported"},
    ),
    "catalog-caching": (
        lambda each: with_header(with_header(each, "cache-control", "public, max-age=60"), "vary", None),
        {"catalog-caching"},
    ),
    "read-only": (
        _where(lambda each: each.method == "OPTIONS", lambda each: with_header(each, "allow", "GET, POST, DELETE")),
        {"read-only"},
    ),
}


def test_every_requirement_has_a_decider_and_every_decider_a_requirement() -> None:
    assert DECIDERS.keys() == REQUIREMENTS.keys()


def test_every_requirement_can_fail() -> None:
    broken = set().union(*(fault.breaks for fault in FAULTS.values())) | BREACHES.keys()
    # Which tools a model calls is not told, so this one never fails.
    assert broken == REQUIREMENTS.keys() - {"tier-1"}


def test_a_fault_breaks_nothing_that_is_not_asked_of_its_major() -> None:
    for fault in FAULTS.values():
        for major in fault.majors:
            assert all(major in REQUIREMENTS[each].majors for each in fault.breaks)


@pytest.mark.parametrize("requirement_id", REQUIREMENTS)
def test_a_requirement_says_what_it_asks_and_where_that_stands(requirement_id: str) -> None:
    requirement = REQUIREMENTS[requirement_id]
    assert requirement.id == requirement_id
    assert requirement.text.endswith(".")
    assert requirement.source
    assert set(requirement.majors) <= {1, 2}


@pytest.mark.parametrize("requirement_id", BREACHES)
@pytest.mark.parametrize("major", [1, 2])
def test_a_bent_answer_fails_its_requirement_and_no_other(
    recordings: Recordings, requirement_id: str, major: int
) -> None:
    bend, breaks = BREACHES[requirement_id]
    if requirement_id == "stable-ids":
        bend = _only_second_reads()
    result = recordings.bent(bend, major)
    assert failed(result) == breaks
    assert result[requirement_id].evidence


def test_nothing_bent_fails_nothing(recordings: Recordings) -> None:
    for major in (1, 2):
        assert failed(recordings.bent(lambda exchange: exchange, major)) == set()


def _lists(change: Callable[[list[Any]], Any]) -> Bend:
    """Changes the entries of every list."""

    def changed(value: Any) -> Any:
        return change(value) if isinstance(value, list) else {"tools": change(value["tools"])}

    return _where(is_list, lambda each: with_json(each, changed) if each.status == 200 else each)


def _status(matches: Callable[[Exchange], bool], status: int | None) -> Bend:
    return _where(matches, lambda each: replace(each, status=status, failure="" if status else "it is gone"))


def _without(name: str) -> Callable[[dict[str, Any]], dict[str, Any]]:
    return lambda tool: {key: value for key, value in tool.items() if key != name}


def _is_compact_list(exchange: Exchange) -> bool:
    return is_list(exchange) and is_compact(exchange)


def _is_missing(exchange: Exchange) -> bool:
    return exchange.status == 404


def _is_foreign(exchange: Exchange) -> bool:
    return exchange.status == 404 and "units.convert" in exchange.target


def _of_scope(exchange: Exchange) -> Exchange:
    return with_json(replace(exchange, status=403), lambda value: {**value, "scopeRequired": "runs:read"})


#: A name, how answers are bent, and how a requirement then stands.
DECISIONS: list[tuple[str, Bend, str, str]] = [
    ("a summary", _compact_tools(lambda tool: {**tool, "description": "Does it."}), "texts-agree", "undecided"),
    ("and no breach", _compact_tools(lambda tool: {**tool, "description": "Does it."}), "fields-agree", "pass"),
    ("emptied schemas", _compact_tools(lambda tool: {**tool, "inputSchema": FLOOR}), "schemas-kept", "fail"),
    ("and sound ones", _compact_tools(lambda tool: {**tool, "inputSchema": FLOOR}), "sound-projection", "pass"),
    ("a longer text", _compact_tools(lambda tool: {**tool, "description": "x" * 5_000}), "texts-agree", "fail"),
    ("no text", _compact_tools(_without("description")), "texts-agree", "pass"),
    ("a made-up title", with_tools(_without("title"), lambda each: not is_compact(each)), "texts-agree", "fail"),
    ("inside Tier-1", with_tools(_without("inputSchema")), "tier-1", "pass"),
    ("a flag that is no boolean", _capability(compactView="yes"), "capability-shape", "fail"),
    ("and so none", _capability(compactView="yes"), "compact-envelope", "skip"),
    ("no catalog", _capability(supported=False), "catalog-served", "skip"),
    ("nor anything of it", _capability(supported=False), "no-secrets", "skip"),
    (
        "no Allow",
        _where(lambda each: each.method == "OPTIONS", lambda each: with_header(each, "allow", None)),
        "read-only",
        "undecided",
    ),
    ("no answer", _status(lambda each: "no-such" in each.target, None), "unknown-id", "undecided"),
    ("a busy host", _status(lambda each: each.target.endswith(LAST), 429), "by-id-standard", "undecided"),
    ("busy lists", _status(is_list, 429), "catalog-served", "undecided"),
    ("a refused key", _status(is_list, 401), "catalog-served", "undecided"),
    ("no such thing", _status(is_list, 501), "catalog-served", "fail"),
    ("compact refused", _status(_is_compact_list, 404), "compact-honoured", "fail"),
    ("compact alone", _status(_is_compact_list, 404), "catalog-served", "pass"),
    ("entries that are no tools", _lists(lambda tools: [*tools, 7, {"toolId": 7}]), "standard-descriptor", "fail"),
    ("entries without an id", _lists(lambda tools: [*tools, {}]), "compact-closed-fields", "fail"),
    ("nothing in it", _lists(lambda _: []), "by-id-standard", "undecided"),
    ("nothing in both", _lists(lambda _: []), "same-tool-ids", "pass"),
    ("which scope it wants", _where(_is_missing, _of_scope), "error-envelope", "pass"),
    (
        "a request's name",
        _where(_is_missing, lambda each: with_header(each, "x-request-id", each.target)),
        "non-disclosure",
        "pass",
    ),
    (
        "another header",
        _where(_is_foreign, lambda each: with_header(each, "x-owner", "alice")),
        "non-disclosure",
        "fail",
    ),
    (
        "another message",
        _where(_is_foreign, lambda each: with_json(each, lambda value: {**value, "message": "Not yours."})),
        "non-disclosure",
        "fail",
    ),
]


@pytest.mark.parametrize(("_name", "bend", "requirement_id", "status"), DECISIONS, ids=[each[0] for each in DECISIONS])
def test_a_bent_answer_is_decided_so(
    recordings: Recordings, _name: str, bend: Bend, requirement_id: str, status: str
) -> None:
    outcome = recordings.bent(bend)[requirement_id]
    assert (outcome.status, bool(outcome.summary)) == (status, True)


def test_a_host_that_names_the_id_in_its_errors_discloses_nothing(recordings: Recordings) -> None:
    def naming(exchange: Exchange) -> Exchange:
        tool_id = exchange.target.rpartition("/")[2].partition("?")[0]
        return with_json(exchange, lambda value: {**value, "message": f"There is no tool {tool_id}."})

    result = recordings.bent(_where(lambda each: each.status == 404, naming))
    assert result["non-disclosure"].status == "pass"


def test_what_the_2x_schema_alone_refuses_is_let_pass_and_named(recordings: Recordings) -> None:
    bend = _compact_tools(lambda tool: {**tool, "inputSchema": {**tool["inputSchema"], "required": []}})
    outcome = recordings.bent(bend, 2)["compact-closed-fields"]
    assert (outcome.status, outcome.suite) == ("pass", "fail")
    assert outcome.disagreement.startswith("D7")


def test_the_legacy_layout_is_read_all_the_same(recordings: Recordings) -> None:
    def legacy(exchange: Exchange) -> Exchange:
        return with_json(exchange, lambda value: {"capabilities": {"toolCatalog": value.pop("toolCatalog")}, **value})

    result = recordings.bent(_where(lambda each: _is_discovery(each) and each.status == 200, legacy))
    assert failed(result) == {"capability-root"}
    assert result["compact-keyword"].suite == "skip"


def test_levels_are_those_of_the_major(recordings: Recordings) -> None:
    levels = [
        (result["discovery-caching"].level, result["sorted-order"].level) for result in map(recordings.of, (1, 2))
    ]
    assert levels == [("should", "advice"), ("must", "should")]


def test_the_counterexample_of_an_unsound_schema_is_shown(recordings: Recordings) -> None:
    def closed(tool: dict[str, Any]) -> dict[str, Any]:
        if tool["toolId"] != WEATHER:
            return tool
        return {**tool, "inputSchema": {**tool["inputSchema"], "properties": {"place": {"type": "string"}}}}

    outcome = recordings.bent(_compact_tools(closed))["sound-projection"]
    assert outcome.status == "fail"
    [evidence] = outcome.evidence
    assert (evidence.tool_id, evidence.pointer) == (WEATHER, "/inputSchema")
    assert "place" in evidence.excerpt


def test_json_is_what_the_contract_says(recordings: Recordings) -> None:
    value = json.loads(json.dumps(recordings.of(1).to_json()))
    assert list(value)[:4] == ["host", "major", "requirements", "counts"]
    assert [each["id"] for each in value["requirements"]] == list(REQUIREMENTS)
    for each in value["requirements"]:
        assert list(each)[:5] == ["id", "level", "status", "summary", "evidence"]
        assert each["status"] in ("pass", "fail", "skip", "undecided")
    assert sum(value["counts"].values()) == len(REQUIREMENTS)


@pytest.mark.parametrize("page", ["README.md", "CHANGELOG.md"])
def test_pages_say_how_many_there_are(page: str) -> None:
    path = Path(__file__).resolve().parents[2] / page
    if not path.exists():
        pytest.skip("it needs a checkout")
    assert f"{len(REQUIREMENTS)} requirements" in path.read_text("utf-8")
