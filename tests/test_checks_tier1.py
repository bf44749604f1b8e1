"""The Tier-1 subset: each row of its table, and one finding per object for what an object leaves open."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from schema_shapes import ANYTHING

from workbench.checks.tier1 import outside_tier_1
from workbench.values import resolve

CLOSED = {"additionalProperties": False}


def closed(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties), **CLOSED}


def found(schema: Any) -> list[str]:
    return [finding.pointer for finding in outside_tier_1(schema, "a", base="")]


@pytest.mark.parametrize(
    "schema",
    [
        closed(),
        closed(a={"type": "string"}, b={"type": ["integer", "null"]}),
        closed(a={"anyOf": [closed(kind={"const": "x"}), {"type": "null"}]}),
        closed(a={"enum": ["x", 1, None, True]}),
        closed(a={"type": "array", "items": closed(b={"type": "string"})}),
        closed(a={"$ref": "#/$defs/a~1b"}) | {"$defs": {"a/b": closed()}},
        closed(a={"title": "A", "description": "D", "default": 1, "examples": [1], "$comment": "c"})
        | {"$schema": "x", "$id": "y", "propertyOrdering": ["a"]},
        closed(oneOf={"type": "string"}, pattern={"type": "string"}),
        None,
        [],
        True,
    ],
)
def test_inside(schema: Any) -> None:
    assert found(schema) == []


@pytest.mark.parametrize(
    "keyword",
    ["oneOf", "allOf", "not", "if", "then", "else", "dependencies", "dependentSchemas", "dependentRequired", "prefixItems",
     "minLength", "maxLength", "pattern", "format", "minimum", "maximum", "exclusiveMinimum", "multipleOf", "minItems",
     "maxItems", "uniqueItems", "propertyNames", "patternProperties", "contains", "$dynamicRef", "unevaluatedProperties"],
)  # fmt: skip
def test_a_keyword_outside(keyword: str) -> None:
    assert found(closed(a={keyword: "x"})) == [f"/properties/a/{keyword}"]


@pytest.mark.parametrize(
    ("schema", "pointers"),
    [
        (closed() | {"anyOf": []}, ["/anyOf"]),
        (closed(a={"items": [{}]}), ["/properties/a/items"]),
        (closed(a={"enum": [1, {}]}), ["/properties/a/enum"]),
        (closed(a={"$ref": "#"}), ["/properties/a/$ref"]),
        (closed(a={"$ref": "https://example.org/a"}), ["/properties/a/$ref"]),
        (closed(a={"$ref": "#/definitions/a"}) | {"definitions": {}}, ["/properties/a/$ref"]),
        ({}, [""]),
        ({"properties": {}}, ["", ""]),
        ({"type": "string"}, [""]),
    ],
)
def test_places_outside(schema: Any, pointers: list[str]) -> None:
    assert found(schema) == pointers


def test_recursion_is_found_where_it_closes() -> None:
    schema = closed(top={"$ref": "#/$defs/tree"}) | {
        "$defs": {
            "tree": closed(left={"$ref": "#/$defs/tree"}, leaf={"$ref": "#/$defs/leaf"}),
            "even": {"items": {"$ref": "#/$defs/odd"}},
            "odd": {"items": {"$ref": "#/$defs/even"}},
            "leaf": {"type": "string"},
        }
    }
    assert found(schema) == ["/$defs/tree/properties/left/$ref", "/$defs/even/items/$ref", "/$defs/odd/items/$ref"]


@pytest.mark.parametrize(
    ("change", "keyword", "words"),
    [
        ({"additionalProperties": True}, "additionalProperties", "does not say additionalProperties: false"),
        ({"additionalProperties": {}}, "additionalProperties", "does not say additionalProperties: false"),
        ({"required": ["a"]}, "required", "does not require 1 of its 2 properties"),
        ({"required": 3}, "required", "does not require 2 of its 2 properties"),
        ({"additionalProperties": {}, "required": []}, "additionalProperties", "false and does not require 2 of"),
    ],
)
def test_what_an_object_leaves_open_is_one_finding(change: Any, keyword: str, words: str) -> None:
    (finding,) = outside_tier_1(closed(o=closed(a={}, b={}) | change), "x")
    assert (finding.rule, finding.level, finding.pointer, finding.keyword) == (
        "tier-1",
        "should",
        "/inputSchema/properties/o",
        keyword,
    )
    assert words in finding.message


def test_the_sixth_level_is_one_too_many() -> None:
    schema = closed(n={"type": "string"})
    for _ in range(4):
        schema = closed(n=schema, m={"type": "array", "items": {"type": "string"}})
    assert found(schema) == []
    assert found(closed(n=schema)) == ["/properties/n" * 5 + "/properties"]
    assert len(found(closed(n=schema, m=schema))) == 1


def test_a_hundred_properties_are_the_most() -> None:
    schema = closed(**{f"p{number}": {"type": "string"} for number in range(99)})
    assert found(closed(o=schema)) == []
    assert found(closed(o=schema, q={"type": "string"})) == [""]


def test_a_chain_of_ten_thousand_definitions_is_no_recursion() -> None:
    definitions = {f"d{number}": {"items": {"$ref": f"#/$defs/d{number + 1}"}} for number in range(10_000)}
    assert found(closed() | {"$defs": definitions | {"d10000": {}}}) == []


@given(ANYTHING)
def test_any_schema_has_an_answer_that_points_into_it(schema: Any) -> None:
    for pointer in found(schema):
        resolve(schema, pointer)
