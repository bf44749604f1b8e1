"""The compact structural subset: every occurrence with its exact pointer, both verdicts, and nothing that is only a name."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from schema_shapes import ANYTHING, by_hand
from strategies import json_values

from workbench.errors import LimitError
from workbench.keywords import BANNED, LOOPHOLES
from workbench.subset import findings, inside, unknown_required
from workbench.values import join, resolve

CLEAN = {"type": "object", "properties": {}}


def found(schema: Any, rule: str) -> list[str]:
    return [finding.pointer for finding in findings(schema, base="") if finding.rule == rule]


@given(ANYTHING)
def test_it_finds_what_a_plain_recursion_finds(schema: Any) -> None:
    before = copy.deepcopy(schema)
    expected = {
        (join(pointer, name), name, suite)
        for pointer, suite in by_hand(schema)
        for name in BANNED
        if isinstance(resolve(schema, pointer), dict) and name in resolve(schema, pointer)
    }
    listed = [f for f in findings(schema, base="") if f.rule == "compact-keyword"]
    assert {(f.pointer, f.keyword, f.suite) for f in listed} == expected
    assert len(listed) == len(expected)
    assert schema == before


@given(ANYTHING)
def test_inside_means_no_must_finding(schema: Any) -> None:
    for value in (schema, {**CLEAN, "properties": {"a": schema}}):
        assert inside(value) == (not [f for f in findings(value) if f.level == "must"])


@given(ANYTHING)
def test_every_pointer_is_in_the_document(schema: Any) -> None:
    for finding in findings({**CLEAN, "properties": {"a": schema}}, base=""):
        resolve({**CLEAN, "properties": {"a": schema}}, finding.pointer)


@given(json_values())
def test_any_value_has_an_answer(value: Any) -> None:
    assert inside(value) or any(finding.level == "must" for finding in findings(value))


NESTED: dict[str, Any] = {
    "type": "object",
    "properties": {
        "map": {"additionalProperties": {"$ref": "#/$defs/V"}},
        "list": {
            "items": {"items": {"anyOf": [{"type": "string"}, {"not": {"type": "null"}}]}},
            "contains": {"not": {"const": 0}},
        },
        "keys": {"propertyNames": {"allOf": [{}]}, "patternProperties": {"^z": {"oneOf": [{}]}}},
        "when": {"if": {"not": {}}, "then": {"properties": {"q": {"anyOf": []}}}, "else": {"allOf": [{}]}},
        "pair": {"items": [{}, {"oneOf": [True, {"not": {}}]}], "additionalItems": {"not": {}}},
        "prefix": {"prefixItems": [{"items": {"$ref": "#"}}]},
        "a/b~c": {"dependencies": {"x": {"oneOf": []}, "y": ["z"]}},
    },
    "unevaluatedProperties": {"dependentSchemas": {"q": {"not": {}}}},
    "$defs": {"V": {"contentSchema": {"allOf": 3}}},
}


def test_every_occurrence_with_its_pointer_in_document_order() -> None:
    assert [(f.pointer, f.suite) for f in findings(NESTED, base="") if f.rule == "compact-keyword"] == [
        ("/properties/map/additionalProperties/$ref", True),
        ("/properties/list/items/items/anyOf", True),
        ("/properties/list/items/items/anyOf/1/not", False),
        ("/properties/list/contains/not", True),
        ("/properties/keys/propertyNames/allOf", True),
        ("/properties/keys/patternProperties", True),
        ("/properties/keys/patternProperties/^z/oneOf", False),
        ("/properties/when/if/not", False),
        ("/properties/when/then/properties/q/anyOf", False),
        ("/properties/when/else/allOf", False),
        ("/properties/pair/items/1/oneOf", False),
        ("/properties/pair/items/1/oneOf/1/not", False),
        ("/properties/pair/additionalItems/not", False),
        ("/properties/prefix/prefixItems/0/items/$ref", True),
        ("/properties/a~1b~0c/dependencies/x/oneOf", False),
        ("/unevaluatedProperties/dependentSchemas", False),
        ("/unevaluatedProperties/dependentSchemas/q/not", False),
        ("/$defs/V/contentSchema/allOf", False),
    ]


def test_a_finding_counts_from_the_descriptor() -> None:
    (finding,) = findings({**CLEAN, "not": {}}, tool_id="mcp:a")
    assert finding.to_json() == {
        "rule": "compact-keyword",
        "level": "must",
        "toolId": "mcp:a",
        "pointer": "/inputSchema/not",
        "keyword": "not",
        "suite": True,
        "message": "not is banned at any depth of a compact inputSchema",
    }


@pytest.mark.parametrize("name", [*BANNED, *LOOPHOLES])
def test_names_and_data_are_no_keywords(name: str) -> None:
    schema = {
        "type": "object",
        "properties": {name: {"type": "string", "enum": [name], "default": {name: []}}},
        "required": [name],
        "dependentRequired": {name: [name]},
        "x-vendor": {name: {}},
    }
    assert findings(schema) == []


@pytest.mark.parametrize("value", [[], {}, None, 0, "", True])
@pytest.mark.parametrize("name", BANNED)
def test_a_banned_keyword_counts_whatever_its_value(name: str, value: Any) -> None:
    assert found({**CLEAN, name: value}, "compact-keyword") == [join("", name)]


@pytest.mark.parametrize(
    ("schema", "pointers"),
    [
        (CLEAN, []),
        ({**CLEAN, "required": [], "$schema": "x", "title": "t"}, []),
        ({"properties": {}}, [""]),
        ({"type": "object"}, [""]),
        ({}, ["", ""]),
        ({"type": ["object"], "properties": {}}, ["/type"]),
        ({"type": "array", "properties": []}, ["/type", "/properties"]),
        ({"type": "object", "properties": True}, ["/properties"]),
        (True, [""]),
        (False, [""]),
        (None, [""]),
        ([], [""]),
        ("object", [""]),
        (7, [""]),
    ],
)
def test_the_floor_of_the_root(schema: Any, pointers: list[str]) -> None:
    assert found(schema, "compact-root") == pointers
    assert inside(schema) == (not pointers)


def test_what_is_no_object_is_named() -> None:
    assert "is null" in findings(None)[0].message
    assert "is a list" in findings([])[0].message
    assert "is true" in findings(True)[0].message


@pytest.mark.parametrize("name", LOOPHOLES)
def test_a_loophole_is_advice_at_any_depth(name: str) -> None:
    schema = {**CLEAN, "properties": {"a": {"items": [{name: {}}]}}}
    (finding,) = findings(schema, base="")
    assert (finding.rule, finding.level, finding.suite) == ("loophole", "advice", False)
    assert finding.pointer == join("/properties/a/items/0", name)
    assert inside(schema)


LOST = {"properties": {"q": {}}, "required": ["q", "title"]}


@pytest.mark.parametrize(
    ("schema", "pointers"),
    [
        (LOST, ["/required/1"]),
        ({"properties": {}, "required": ["default", "title"]}, ["/required/0", "/required/1"]),
        ({"properties": {"a": {"items": LOST}}}, ["/properties/a/items/required/1"]),
        ({"additionalProperties": LOST}, ["/additionalProperties/required/1"]),
        ({**LOST, "additionalProperties": False}, ["/required/1"]),
        ({**LOST, "additionalProperties": {}}, ["/required/1"]),
        ({**LOST, "not": {}}, ["/required/1"]),
        ({"properties": {"title": {}}, "required": ["title"]}, []),
        ({"required": ["title"]}, []),
        ({"properties": [], "required": ["title"]}, []),
        ({"properties": {}, "required": True}, []),
        ({"properties": {}, "required": [3, None, ["a"]]}, []),
        ({**LOST, "additionalProperties": {"type": "string"}}, []),
        ({**LOST, "patternProperties": {"^t": {}}}, []),
        ({**LOST, "allOf": [{"properties": {"title": {}}}]}, []),
        ({**LOST, "$ref": "#/$defs/x"}, []),
        ({"properties": {"title": {}}, "anyOf": [LOST]}, []),
        ({"$defs": {"part": LOST}, "properties": {}}, []),
        ({"properties": {"required": {"type": "string"}, "properties": {}}}, []),
    ],
)
def test_required_names_that_nothing_describes(schema: Any, pointers: list[str]) -> None:
    assert [f.pointer for f in unknown_required(schema, base="")] == pointers
    assert found(schema, "required-unknown") == pointers


def test_three_thousand_levels_are_walked_like_three() -> None:
    schema: Any = {"oneOf": []}
    for _ in range(3_000):
        schema = {"type": "object", "properties": {"n": schema}}
    (finding,) = findings(schema, base="")
    assert finding.pointer == "/properties/n" * 3_000 + "/oneOf"
    assert not inside(schema)


def test_a_clean_schema_of_a_hundred_thousand_levels_is_inside() -> None:
    schema: Any = {}
    for _ in range(100_000):
        schema = {"type": "object", "properties": {"n": schema}}
    assert inside(schema)
    assert findings(schema) == []


def test_pointers_are_bounded_in_sum() -> None:
    # A finding on each of 100,000 levels: the pointers alone would take tens of gigabytes.
    schema: Any = {}
    for _ in range(100_000):
        schema = {"not": schema}
    assert not inside(schema)
    with pytest.raises(LimitError, match="20,000,000 characters"):
        findings(schema)


def test_pointers_are_bounded_when_a_name_is_long() -> None:
    schema = {**CLEAN, "properties": {"n" * 1_000_000: {"anyOf": [{"not": {}}] * 50}}}
    with pytest.raises(LimitError):
        findings(schema)
