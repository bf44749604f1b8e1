"""`malformed-keyword`: what a metaschema refuses is found once, at its place, and nothing else is."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lowering.strategies import documents
from schema_shapes import ANYTHING

from workbench.catalog import Catalog
from workbench.checks import check
from workbench.resources import sample_names
from workbench.sources import load
from workbench.values import dumps, resolve

DRAFT_4 = {"$schema": "http://json-schema.org/draft-04/schema#"}
DRAFT_7 = {"$schema": "http://json-schema.org/draft-07/schema#"}
#: A document whose every schema is read under 2020-12.
SCHEMAS = (documents() | ANYTHING).filter(lambda value: "$schema" not in dumps(value))


def found(schema: Any, view: Any = "standard") -> dict[str, str]:
    """The messages by pointer below the schema."""
    tool = {"toolId": "a", "source": "mcp", "safetyTier": "read", "inputSchema": schema}
    findings = [each for each in check(Catalog.from_json([tool]), view).findings if each.rule == "malformed-keyword"]
    assert all(each.level == "advice" and not each.suite for each in findings)
    assert all(resolve(tool, each.pointer) is not None or each.keyword for each in findings)
    return {each.pointer.removeprefix("/inputSchema"): each.message for each in findings}


@pytest.mark.parametrize(
    ("schema", "pointer", "words"),
    [
        ({"required": {}}, "/required", "required is an object, not a list"),
        ({"required": "a"}, "/required", "required is a string, not a list"),
        ({"required": ["a", "a"]}, "/required", "lists something twice"),
        ({"type": "strng"}, "/type", "'strng', which is no type"),
        ({"type": ["string", "strng"]}, "/type/1", "'strng', which is no type"),
        ({"type": None}, "/type", "null"),
        ({"properties": []}, "/properties", "properties is a list, not an object"),
        ({"properties": {"a/b": 3}}, "/properties/a~1b", "this is a number, not a schema"),
        ({"minimum": "3"}, "/minimum", "minimum is a string, not a number"),
        ({"minLength": -1}, "/minLength", "less than 0"),
        ({"minItems": 1.5}, "/minItems", "not a whole number"),
        ({"multipleOf": 0}, "/multipleOf", "not more than 0"),
        ({"enum": {}}, "/enum", "enum is an object, not a list"),
        ({"pattern": "["}, "/pattern", "no regular expression"),
        ({"patternProperties": {"(": {}}}, "/patternProperties", "a name that is no regular expression"),
        ({"anyOf": []}, "/anyOf", "empty"),
        ({"anyOf": [1]}, "/anyOf/0", "not a schema"),
        ({"additionalProperties": "no"}, "/additionalProperties", "not a schema"),
        ({"items": [{}]}, "/items", "items is a list, not a schema (JSON Schema 2020-12)"),
        ({"exclusiveMinimum": True}, "/exclusiveMinimum", "true, not a number"),
        ({"title": 3}, "/title", "not a string"),
        ({"$defs": {"d": {"items": {"not": {"type": 3}}}}}, "/$defs/d/items/not/type", "number"),
        ({"dependentRequired": {"a": ["b", 1]}}, "/dependentRequired/a/1", "not a string"),
        (DRAFT_7 | {"dependencies": {"a": ["b", 1]}}, "/dependencies/a/1", "not a string (JSON Schema draft 7)"),
        (DRAFT_7 | {"items": [{"maxItems": "x"}]}, "/items/0/maxItems", "draft 7"),
        (DRAFT_4 | {"exclusiveMinimum": 3, "minimum": 3}, "/exclusiveMinimum", "draft 4"),
        (DRAFT_4 | {"enum": [{"a": [1]}, {"a": [1.0]}]}, "/enum", "twice"),
        (DRAFT_4 | {"properties": {"a": True}}, "/properties/a", "true, not an object"),
        ({"properties": {"a": DRAFT_7 | {"items": [{}]}, "b": {"items": []}}}, "/properties/b/items", "2020-12"),
    ],
    ids=dumps,
)
def test_each_breach_once_at_its_place(schema: dict[str, Any], pointer: str, words: str) -> None:
    (place,), (message,) = found(schema).keys(), found(schema).values()
    assert place == pointer
    assert words in message


@pytest.mark.parametrize(
    "schema",
    [
        True,
        {"pattern": r"^\p{Lu}\u{1F600}(?<name>x)\cA$"},
        {"default": {"type": 3}, "const": {"required": 3}, "enum": [{"minimum": "x"}, []], "examples": [{"type": 3}]},
        {"properties": {"type": {}, "required": {"type": "string"}, "enum": True}},
        {"x-origin": 3, "definitions": {"type": {}}, "nullable": "yes"},
        {"$schema": "https://example.test/own", "type": "money", "properties": {"a": {"minimum": "low"}}},
        {"$schema": "http://json-schema.org/draft-03/schema#", "required": True},
        DRAFT_4 | {"const": 3, "prefixItems": 3, "if": 3},
    ],
    ids=dumps,
)
def test_what_is_no_breach(schema: Any) -> None:
    assert found(schema) == {}


@given(SCHEMAS)
def test_nothing_is_found_where_the_metaschema_finds_nothing_and_something_where_it_does(schema: Any) -> None:
    if isinstance(schema, dict):
        plain = jsonschema.Draft202012Validator
        refused = not plain(plain.META_SCHEMA, format_checker=None).is_valid(schema)
        patterns = [place for place, message in found(schema).items() if "regular" in message]
        assert bool(len(found(schema)) - len(patterns)) == refused


@pytest.mark.parametrize("name", sample_names())
def test_the_samples_have_none(name: str) -> None:
    assert "malformed-keyword" not in {finding.rule for finding in check(load(f"sample:{name}")).findings}


def test_what_another_rule_says_of_a_place_is_not_repeated() -> None:
    assert found({"type": "object", "properties": []}, "compact") == {}
    assert found({"type": "object", "properties": []}, "standard") != {}


def test_output_schemas_are_looked_at_too() -> None:
    tool = {"toolId": "a", "source": "mcp", "safetyTier": "read", "outputSchema": {"items": {"type": "x"}}}
    (finding,) = check(Catalog.from_json([tool])).findings
    assert (finding.rule, finding.pointer) == ("malformed-keyword", "/outputSchema/items/type")


def test_neither_nesting_nor_size_is_a_problem() -> None:
    schema: dict[str, Any] = {}
    here = schema
    for _ in range(230):
        here["properties"] = {"a": {"minimum": "x"}}
        here = here["properties"]["a"]
    assert len(found(schema)) == 230
    deep: list[Any] = []
    for _ in range(400):
        deep = [deep]
    assert found(DRAFT_4 | {"enum": [deep, deep], "default": deep}).keys() == {"/enum"}
    assert len(found({"required": [3] * 50_000, "enum": [{"a": i} for i in range(50_000)]})) == 1_001


@given(st.text(max_size=8))
def test_no_text_breaks_the_look_at_patterns(pattern: str) -> None:
    found({"pattern": pattern})
