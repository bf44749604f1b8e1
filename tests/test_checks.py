"""The check of a catalog: each rule at its level with its pointer, each breach once, in order, and no secret repeated."""

from __future__ import annotations

import copy
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from catalog_strategies import catalogs
from hypothesis import given

from workbench.catalog import Catalog
from workbench.checks import CheckResult, check
from workbench.errors import InputError, LimitError, UsageError, WorkbenchError
from workbench.places import places
from workbench.resources import sample, sample_names
from workbench.sources import load
from workbench.values import read_json, resolve

BROKEN = json.loads((Path(__file__).parent.parent / "sample_catalogs/broken/expected.json").read_text("utf-8"))["files"]
TOOL: dict[str, Any] = {"toolId": "connector:a", "source": "connector", "safetyTier": "read"}
CLEAN = {"type": "object", "properties": {}}
COMPACT = TOOL | {"inputSchema": CLEAN}


def checked(tool: dict[str, Any], view: Any = "standard", major: Any = 1) -> list[tuple[str, str, str]]:
    result = check(Catalog.from_json([tool]), view, major)
    return [(finding.rule, finding.level, finding.pointer) for finding in result.findings]


@pytest.mark.parametrize("name", [name for name, entry in BROKEN.items() if "findings" in entry])
def test_a_broken_sample_has_exactly_the_findings_of_its_table(name: str) -> None:
    entry = BROKEN[name]
    catalog = Catalog.from_json(read_json(sample(f"broken/{name.removesuffix('.json')}")))
    found = [finding.to_json() for finding in check(catalog, entry["view"], entry["major"]).findings]
    found = [finding for finding in found if finding["rule"] not in entry["besides"]]
    expected = entry["findings"]
    assert [{key: got[key] for key in want} for got, want in zip(found, expected, strict=True)] == expected


@pytest.mark.parametrize("name", [name for name, entry in BROKEN.items() if "error" in entry])
def test_a_sample_that_does_not_load_says_so(name: str) -> None:
    with pytest.raises(InputError) as caught:
        Catalog.from_json(read_json(sample(f"broken/{name.removesuffix('.json')}")))
    assert type(caught.value).__name__ == BROKEN[name]["error"]
    assert caught.value.pointer == BROKEN[name].get("pointer", caught.value.pointer)


@pytest.mark.parametrize("name", sample_names())
def test_the_samples_conform_to_the_standard_view(name: str) -> None:
    result = check(Catalog.from_json(read_json(sample(name))))
    assert result.ok
    assert {finding.rule for finding in result.findings} <= {"tier-1"}


@given(catalogs())
def test_laws_of_the_check(catalog: Catalog) -> None:
    before = copy.deepcopy(catalog.to_json())
    for view in ("standard", "compact"):
        for major in (1, 2):
            result = check(catalog, view, major)  # type: ignore[arg-type]
            assert check(catalog, view, major) == result  # type: ignore[arg-type]
            assert len({(f.rule, f.tool_id, f.pointer, f.keyword, f.message) for f in result.findings}) == len(
                result.findings
            ) or (len(set(catalog.ids)) < len(catalog))
            for finding in result.findings:
                tools = [tool for tool in catalog if tool.tool_id == finding.tool_id]
                assert any(_is_there(tool.descriptor, finding.pointer) for tool in tools)
    assert catalog.to_json() == before


def _is_there(document: Any, pointer: str) -> bool:
    try:
        resolve(document, pointer)
    except WorkbenchError:
        return False
    return True


@given(catalogs(max_size=1))
def test_findings_stand_in_document_order(catalog: Catalog) -> None:
    for tool in catalog:
        place = places(tool.descriptor)
        pointers = [place(finding.pointer) for finding in check(catalog, "compact").findings]
        assert pointers == sorted(pointers)


def test_findings_stand_in_catalog_order() -> None:
    bad = {"inputSchema": {"type": "object", "properties": {}, "oneOf": []}}
    tools = [COMPACT | {"toolId": tool_id} | bad for tool_id in ("c", "a", "b")]
    assert [f.tool_id for f in check(Catalog.from_json(tools), "compact").findings] == ["c", "a", "b"]


def test_what_a_rule_of_its_own_names_is_said_once() -> None:
    tool = {
        "toolId": "x",
        "source": "mcp",
        "safetyTier": "exec",
        "apiKey": "k",
        "outputSchema": {},
        "inputSchema": {"type": "array", "properties": [], "$ref": "#", "not": {}},
    }
    assert checked(tool, "compact") == [
        ("exec-source", "must", "/source"),
        ("secret", "must", "/apiKey"),
        ("compact-field", "must", "/outputSchema"),
        ("compact-root", "must", "/inputSchema/type"),
        ("compact-root", "must", "/inputSchema/properties"),
        ("compact-keyword", "must", "/inputSchema/$ref"),
        ("compact-keyword", "must", "/inputSchema/not"),
    ]


@pytest.mark.parametrize("view", ["standard", "compact"])
@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({}, []),
        ({"title": "T", "description": "D"}, []),
        ({"title": 5}, [("/title", "type")]),
        ({"description": None}, [("/description", "type")]),
        ({"source": "plugin"}, [("/source", "enum")]),
        ({"source": "plugin", "safetyTier": "exec"}, [("/source", "enum")]),
        ({"safetyTier": "safe"}, [("/safetyTier", "enum")]),
        ({"toolId": ""}, [("/toolId", "minLength")]),
    ],
)
def test_the_schema_of_both_views(view: Any, change: Any, found: Any) -> None:
    result = check(Catalog.from_json([TOOL | change]), view)
    listed = [(f.pointer, f.keyword) for f in result.findings if f.rule == "descriptor-schema"]
    assert listed == found
    assert result.ok == (not found)


def test_missing_fields_are_one_finding_that_names_them() -> None:
    (finding,) = check(Catalog.from_json([{"toolId": "a"}])).findings
    assert (finding.pointer, finding.keyword, finding.message) == ("", "required", "missing: source, safetyTier")


@pytest.mark.parametrize(
    ("change", "pointers"),
    [
        ({"colour": 1, "shape": 2}, ["/colour", "/shape"]),
        ({"a/b": 1}, ["/a~1b"]),
        ({"auth": {"scopes": [1], "owner": "x"}}, ["/auth/scopes/0", "/auth/owner"]),
        ({"egress": "wide", "approval": 1, "costHint": None}, ["/egress", "/approval", "/costHint"]),
        ({"outputSchema": True}, ["/outputSchema"]),
        ({"annotations": {}}, ["/annotations"]),
    ],
)
def test_the_schema_of_the_standard_view(change: Any, pointers: list[str]) -> None:
    assert checked(TOOL | change) == [("descriptor-schema", "must", pointer) for pointer in pointers]


@pytest.mark.parametrize("schema", [None, [], "x", 3, True, False])
def test_an_input_schema_that_is_no_object(schema: Any) -> None:
    tool = TOOL | {"inputSchema": schema}
    assert checked(tool) == [("descriptor-schema", "must", "/inputSchema")]
    assert checked(tool, "compact") == [("compact-root", "must", "/inputSchema")]


HINTS = {"readOnlyHint": True, "destructiveHint": False, "idempotentHint": False, "openWorldHint": True}


@pytest.mark.parametrize(
    ("hints", "pointers"),
    [
        (HINTS, []),
        (HINTS | {"readOnlyHint": False}, ["/annotations/readOnlyHint"]),
        (HINTS | {"idempotentHint": "no"}, ["/annotations/idempotentHint"]),
        ({}, ["/annotations"]),
    ],
)
def test_the_hints_of_2x_follow_from_the_descriptor(hints: Any, pointers: list[str]) -> None:
    found = checked(TOOL | {"annotations": hints}, major=2)
    assert found == [("descriptor-schema", "must", pointer) for pointer in pointers]


def test_what_only_the_stored_2x_schema_refuses_is_advice() -> None:
    schema = CLEAN | {"required": [], "additionalProperties": False, "$defs": {}, "not": {}}
    tool = TOOL | {"inputSchema": schema}
    assert checked(tool, "compact", 2) == [
        ("descriptor-schema", "advice", "/inputSchema/required"),
        ("descriptor-schema", "advice", "/inputSchema/additionalProperties"),
        ("loophole", "advice", "/inputSchema/$defs"),
        ("compact-keyword", "must", "/inputSchema/not"),
    ]
    assert [rule for rule, _, _ in checked(tool, "compact", 1)] == ["loophole", "compact-keyword"]


def test_the_second_tool_of_an_id_is_the_finding() -> None:
    result = check(Catalog.from_json([TOOL, TOOL | {"toolId": "b"}, TOOL, TOOL]))
    assert [(f.rule, f.pointer, f.message[:6]) for f in result.findings] == [
        ("duplicate-tool-id", "/toolId", "tool 1")
    ] * 2


def test_the_subset_is_asked_of_the_compact_view_alone() -> None:
    tool = TOOL | {"inputSchema": {"$ref": "#/$defs/a", "$defs": {"a": CLEAN}}}
    assert {rule for rule, _, _ in checked(tool)} == {"tier-1"}
    assert {rule for rule, _, _ in checked(tool, "compact")} == {"compact-root", "compact-keyword", "loophole"}


def test_a_lost_argument_shows_in_both_views() -> None:
    tool = TOOL | {"inputSchema": CLEAN | {"required": ["title"]}}
    for view in ("standard", "compact"):
        assert ("required-unknown", "advice", "/inputSchema/required/0") in checked(tool, view)


@pytest.mark.parametrize(
    ("change", "pointers"),
    [
        ({"description": "Opens\u202e it."}, ["/description"]),
        ({"title": "\u200bOpen"}, ["/title"]),
        ({"toolId": "a\x07"}, ["/toolId"]),
        ({"description": "Lines\n\tand tabs\r\n, emoji 👩‍🔧, שלום"}, []),
        ({"inputSchema": CLEAN | {"properties": {"pa\u2066th": {}}}}, ["/inputSchema/properties/pa\u2066th"]),
        ({"inputSchema": {"properties": {"a": {"enum": ["x", "y\U000e0041"]}}}}, ["/inputSchema/properties/a/enum/1"]),
        ({"outputSchema": {"title": "\x1b[31m"}}, ["/outputSchema/title"]),
    ],
)
def test_text_that_does_not_show(change: Any, pointers: list[str]) -> None:
    findings = [f for f in check(Catalog.from_json([TOOL | change])).findings if f.rule == "hidden-text"]
    assert [finding.pointer for finding in findings] == pointers
    assert all(finding.level == "advice" and finding.message.isprintable() for finding in findings)


def test_an_empty_catalog_is_clean() -> None:
    result = check(Catalog.from_json([]))
    assert result == CheckResult("standard", 0, (), 1)
    assert result.ok


def test_the_json_is_that_of_the_contract() -> None:
    result = check(Catalog.from_json([TOOL | {"outputSchema": {}, "inputSchema": CLEAN | {"if": {}}}]), "compact")
    assert result.to_json() == {
        "view": "compact",
        "tools": 1,
        "findings": [finding.to_json() for finding in result.findings],
        "counts": {"must": 1, "should": 0, "advice": 1},
    }
    assert not result.ok


def test_a_notebook_shows_text_as_data() -> None:
    tools = [TOOL | {"toolId": "<script>alert(1)</script>", "<img src=x>": 1}]
    result = check(Catalog.from_json(tools))
    shown = result._repr_html_()
    assert "<script" not in shown
    assert "<img" not in shown
    assert "&lt;script&gt;" in shown
    assert result.frame()["toolId"].tolist() == ["<script>alert(1)</script>"]


def test_a_notebook_shows_the_first_findings_of_many_and_the_frame_all() -> None:
    result = check(Catalog.from_json([TOOL | {f"field{number}": 1 for number in range(150)}]))
    assert result._repr_html_().count("<tr>") == 101
    assert "the first 100 findings" in result._repr_html_()
    assert len(result.frame()) == 150


@pytest.mark.parametrize("name", sample_names())
def test_the_summaries_add_up_to_the_findings(name: str) -> None:
    result = check(load(f"sample:{name}"), "compact")
    places = {rule: found for rule, _, found, *_ in result.summary().rows}
    assert places == Counter(finding.rule for finding in result.findings)
    *keywords, total = result.banned().rows
    banned = [finding for finding in result.findings if finding.rule == "compact-keyword"]
    seen = [finding for finding in banned if finding.suite]
    tools = [len({finding.tool_id for finding in found}) for found in (banned, seen)]
    assert total == ("total", len(banned), tools[0], len(seen), tools[1])
    assert [sum(int(row[column] or 0) for row in keywords) for column in (1, 3)] == [len(banned), len(seen)]


def test_a_summary_tells_what_the_suite_sees_from_what_it_does_not() -> None:
    schema = {
        "type": "object",
        "properties": {"a": {"anyOf": [{"$ref": "#/$defs/b"}]}},
        "$defs": {"b": {"not": {}}},
    }
    result = check(Catalog.from_json([TOOL | {"inputSchema": schema}]), "compact")
    rows = [("$ref", 1, 1, 0, 0), ("anyOf", 1, 1, 1, 1), ("not", 1, 1, 0, 0), ("total", 3, 1, 1, 1)]
    assert list(result.banned().rows) == rows
    assert list(result.summary().rows) == [("compact-keyword", "must", 3, 1, 1, 1), ("loophole", "advice", 1, 1, 0, 0)]


def test_the_suite_has_no_say_in_the_summary_of_the_standard_view() -> None:
    result = check(load("sample:small"))
    assert list(result.summary().rows) == [("tier-1", "should", len(result.findings), 5)]


def test_options_that_do_not_fit() -> None:
    with pytest.raises(UsageError, match="standard, compact"):
        check(Catalog.from_json([]), "brief")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="1 and 2"):
        check(Catalog.from_json([]), "compact", 3)  # type: ignore[arg-type]


@pytest.mark.parametrize("field", ["inputSchema", "outputSchema", "title", "auth"])
def test_nesting_without_end_is_an_error_that_names_the_tool(field: str) -> None:
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(LimitError) as caught:
        check(Catalog.from_json([TOOL, TOOL | {"toolId": "b", field: deep}], source="tools.json"))
    assert caught.value.pointer == "/tools/1"
    assert caught.value.source == "tools.json"


def test_many_findings_in_a_large_schema_are_found() -> None:
    schema = CLEAN | {"properties": {f"p{number}": {"oneOf": [{"not": {}}]} for number in range(5_000)}}
    result = check(Catalog.from_json([TOOL | {"inputSchema": schema}]), "compact")
    assert result.counts["must"] == 10_000
