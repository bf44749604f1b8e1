"""Dialects: what each draft knows, what older ones spell otherwise, and what is freed because it means nothing."""

from __future__ import annotations

from typing import Any

import pytest

from lowering.strategies import URIS
from workbench.keywords import ALL_DRAFTS, KEYWORDS, Draft
from workbench.lowering import lower
from workbench.lowering.dialects import is_well_formed

D4, D6, D7, D2019, D2020 = (URIS[draft] for draft in ALL_DRAFTS)


def value_of(value: Any, uri: str | None = None) -> Any:
    schema = {"type": "object", "properties": {"v": value}}
    return lower(schema if uri is None else {"$schema": uri, **schema}).schema["properties"]["v"]


@pytest.mark.parametrize(
    ("uri", "written", "expected"),
    [
        (D4, {"minimum": 0, "exclusiveMinimum": True}, {"exclusiveMinimum": 0}),
        (D4, {"minimum": 0, "exclusiveMinimum": False}, {"minimum": 0}),
        (D4, {"maximum": 9, "exclusiveMaximum": True, "minimum": 1}, {"exclusiveMaximum": 9, "minimum": 1}),
        (D4, {"exclusiveMinimum": True}, {}),
        (D4, {"exclusiveMinimum": 3}, {}),
        (D6, {"minimum": 0, "exclusiveMinimum": True}, {"minimum": 0}),
        (D6, {"exclusiveMinimum": 0}, {"exclusiveMinimum": 0}),
        (D4, {"const": 1}, {}),
        (D6, {"const": 1}, {"const": 1}),
        (D4, {"contains": {"const": 1}, "propertyNames": False}, {}),
        (D6, {"contains": {"const": 1}, "minContains": 2, "maxContains": 3}, {"contains": {"const": 1}}),
        (D6, {"if": True, "then": False}, {}),
        (D7, {"if": True, "then": {"type": "null"}}, {"type": "null"}),
        (D7, {"items": [{"type": "string"}]}, {"prefixItems": [{"type": "string"}]}),
        # Whether `contains` evaluates items before 2020-12 is read both ways; the looser reading is sound under either.
        (D2019, {"contains": {"const": 1}, "unevaluatedItems": {"minimum": 2}}, {"contains": {"const": 1}}),
        (D2020, {"contains": {"const": 1}, "unevaluatedItems": {"minimum": 2}}, {"contains": {"const": 1}}),
        (
            D7,
            {"items": [{"type": "string"}], "additionalItems": {"type": "null"}},
            {"prefixItems": [{"type": "string"}], "items": {"type": "null"}},
        ),
        (D7, {"items": {"type": "string"}, "additionalItems": False}, {"items": {"type": "string"}}),
        (D7, {"additionalItems": False}, {}),
        (D7, {"items": [], "additionalItems": {"type": "null"}}, {"items": {"type": "null"}}),
        (D2019, {"items": [{"type": "string"}], "additionalItems": False}, {"prefixItems": [{"type": "string"}], "items": False}),
        (D2019, {"prefixItems": [False]}, {}),
        (D2020, {"prefixItems": [{"type": "string"}]}, {"prefixItems": [{"type": "string"}]}),
        (D2020, {"items": [{"type": "string"}], "additionalItems": False}, {}),
        (D7, {"dependencies": {"a": ["b"]}}, {"dependentRequired": {"a": ["b"]}}),
        (D7, {"dependencies": {"a": {"required": ["b"]}}}, {"dependentRequired": {"a": ["b"]}}),
        (D7, {"dependentRequired": {"a": ["b"]}, "dependentSchemas": {"a": False}}, {}),
        (D2019, {"dependentRequired": {"a": ["b"]}}, {"dependentRequired": {"a": ["b"]}}),
        (D2019, {"dependencies": {"a": ["b"]}}, {}),
        (D7, {"unevaluatedProperties": False}, {}),
        (D2019, {"unevaluatedProperties": False}, {"additionalProperties": False}),
    ],
)  # fmt: skip
def test_spelling(uri: str, written: dict[str, Any], expected: dict[str, Any]) -> None:
    assert value_of(written, uri) == expected


@pytest.mark.parametrize(
    ("uri", "draft"),
    [
        ("http://json-schema.org/draft-04/schema#", 4),
        ("http://json-schema.org/draft-04/schema", 4),
        ("http://json-schema.org/draft-06/schema#", 6),
        ("https://json-schema.org/draft-07/schema#", 7),
        ("https://json-schema.org/draft/2019-09/schema", 2019),
        ("https://json-schema.org/draft/2020-12/schema", 2020),
        ("http://json-schema.org/schema#", 2020),
        (None, 2020),
    ],
)
def test_the_schema_keyword_decides(uri: str | None, draft: Draft) -> None:
    told_by = {
        "minimum": 1,
        "exclusiveMinimum": 0,
        "if": {"minimum": 2},
        "then": {"maximum": 5},
        "dependentRequired": {"a": ["b"]},
        "prefixItems": [{"type": "string"}],
    }
    lowered = value_of(told_by, uri)
    assert ("exclusiveMinimum" in lowered or lowered.get("minimum") == 1) and "if" not in lowered
    assert ("dependentRequired" in lowered) == (draft >= 2019)
    assert ("prefixItems" in lowered) == (draft >= 2020)


def test_draft_3_is_read_as_far_as_draft_4_has_it() -> None:
    """Soundly, not tightly: what draft 4 brought asserts nothing yet, what it dropped is freed."""
    schema = {
        "$schema": "http://json-schema.org/draft-03/schema#",
        "properties": {
            "a": {"type": "string", "required": True, "not": {}},
            "b": {"type": ["integer", {"type": "null"}], "divisibleBy": 2},
            "c": {"type": "any", "anyOf": [False]},
            "d": {"dependencies": {"x": "y"}, "items": [{"type": "string"}], "additionalItems": False},
        },
        "extends": {"properties": {"a": {"maxLength": 3}}},
    }
    result = lower(schema)
    assert result.schema["properties"] == {
        "a": {"type": "string"},
        "b": {},
        "c": {},
        "d": {"prefixItems": [{"type": "string"}], "items": False},
    }
    assert {"/extends", "/properties/a/required", "/properties/b/divisibleBy", "/properties/d/dependencies/x"} <= {
        loss.pointer for loss in result.losses if not loss.exact
    }


def test_an_unknown_schema_further_down_keeps_the_rules_of_the_draft_around_it() -> None:
    inner = {"$schema": "https://schemas.example/own", "$ref": "#/definitions/a", "properties": {"b": False}}
    assert value_of_with(inner, D7) == {}
    assert value_of_with(inner, D2020) == {"properties": {"b": False}}


def value_of_with(value: Any, uri: str) -> Any:
    schema = {"$schema": uri, "properties": {"v": value}, "definitions": {"a": {}}}
    return lower(schema).schema["properties"]["v"]


def test_an_embedded_resource_has_its_own_dialect() -> None:
    schema = {
        "properties": {"v": {"$ref": "old.json"}},
        "$defs": {
            "o": {"$id": "old.json", "$schema": D7, "items": [{"type": "string"}], "dependentRequired": {"a": ["b"]}}
        },
    }
    assert lower(schema).schema["properties"]["v"] == {"prefixItems": [{"type": "string"}]}


def test_under_an_unknown_schema_structure_stays_and_assertions_go() -> None:
    uri = "https://schemas.example/own-dialect"
    schema = {
        "$schema": uri,
        "type": "object",
        "properties": {"v": {"properties": {"w": {"type": "string"}}}, "n": False},
    }
    result = lower(schema)
    assert result.schema["properties"] == {"v": {"properties": {"w": {}}}, "n": False}
    assert {(loss.pointer, loss.exact) for loss in result.losses if loss.keyword == "type"} == {
        ("/type", False),
        ("/properties/v/properties/w/type", False),
    }


@pytest.mark.parametrize(
    "written",
    [
        {"type": "strng"}, {"type": 5}, {"type": []}, {"type": ["string", "strng"]}, {"required": True}, {"required": {}},
        {"required": [1]}, {"properties": []}, {"properties": "a"}, {"enum": "a"}, {"minLength": "2"}, {"minLength": -1},
        {"maxItems": 1.5}, {"minimum": "0"}, {"multipleOf": 0}, {"multipleOf": -2}, {"pattern": 5}, {"pattern": "("},
        {"pattern": "(?P<a"}, {"pattern": "*"}, {"uniqueItems": "yes"}, {"items": 5}, {"prefixItems": {}}, {"allOf": {}},
        {"anyOf": []}, {"not": 5}, {"not": "a"}, {"if": 1, "then": False}, {"dependentRequired": {"a": "b"}},
        {"dependentSchemas": []}, {"patternProperties": 1}, {"additionalProperties": 0}, {"$ref": 5}, {"format": 1},
        {"contains": None}, {"propertyNames": "a"}, {"unevaluatedProperties": 5}, {"const": float("nan")},
        {"minimum": float("inf")}, {"minimum": True}, {"maximum": 10**5000}, {"enum": [10**5000]},
    ],
    ids=lambda written: next(iter(written)),
)  # fmt: skip
def test_malformed_is_freed_and_recorded(written: dict[str, Any]) -> None:
    keyword = next(iter(written))
    result = lower({"type": "object", "properties": {"v": written}})
    assert result.schema["properties"]["v"] == {}
    assert f"/properties/v/{keyword}" in {loss.pointer for loss in result.losses if not loss.exact}


@pytest.mark.parametrize(
    "inner",
    [
        {"additionalProperties": 0}, {"properties": {"a": 5}, "required": ["a"]}, {"allOf": [5]}, {"items": "x"},
        {"type": "strng"}, {"anyOf": [7, {"type": "string"}]}, {"contains": 5}, {"patternProperties": {"^a": None}},
        {"pattern": "("}, {"required": "a"},
    ],
    ids=repr,
)  # fmt: skip
def test_malformed_under_not_frees_the_not(inner: dict[str, Any]) -> None:
    """Left out where it stands, it would make the `not` around it stricter than anybody asked."""
    schema = {"properties": {"v": {"not": inner}}}
    lowered = lower(schema).schema["properties"]["v"]
    assert not lower(schema).exact
    assert lowered in ({}, {"type": "object", "properties": {"a": {}}, "required": ["a"]}) or "not" not in repr(lowered)
    assert lowered is not False


@pytest.mark.parametrize(
    ("written", "expected", "exact"),
    [
        ({"type": "string", "nullable": True}, {"type": ["string", "null"]}, False),
        ({"type": ["string", "null"], "nullable": True}, {"type": ["string", "null"]}, True),
        ({"enum": ["a"], "nullable": True}, {"enum": ["a", None]}, False),
        ({"type": "string", "enum": ["a"], "nullable": True}, {"type": ["string", "null"], "enum": ["a", None]}, False),
        ({"type": "string", "nullable": False}, {"type": "string"}, True),
        ({"nullable": True}, {}, True),
    ],
)
def test_nullable_lets_null_in(written: dict[str, Any], expected: dict[str, Any], exact: bool) -> None:
    result = lower({"type": "object", "properties": {"v": written}})
    assert result.schema["properties"]["v"] == expected and result.exact is exact


def test_draft_4_integers_say_that_they_let_whole_floats_in() -> None:
    assert not lower({"$schema": D4, "properties": {"v": {"type": "integer"}}}).exact
    assert lower({"$schema": D6, "properties": {"v": {"type": "integer"}}}).exact
    excluding = {"$schema": D4, "properties": {"v": {"enum": [1.0, 3], "not": {"type": "integer", "enum": [1]}}}}
    assert 1.0 in lower(excluding).schema["properties"]["v"]["enum"]


@pytest.mark.parametrize("name", KEYWORDS)
def test_no_odd_value_of_any_keyword_stops_anything(name: str) -> None:
    odd: list[Any] = [None, True, False, 0, -1, 1.5, 10**400, "", "a", [], [None], [[]], {}, {"": None}, {"a": []}]
    for draft in ALL_DRAFTS:
        for value in odd:
            is_well_formed(name, value, draft)
            for schema in ({name: value}, {"properties": {"v": {name: value}}}, {"not": {name: value}}):
                lower({"$schema": URIS[draft], **schema})
