"""References: pointers and their escapes, anchors, ids, dynamic scopes, what stands beside them, and where they may not lead."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest

from lowering.oracle import accepts, lowered
from lowering.strategies import URIS
from workbench.keywords import Draft
from workbench.lowering import lower

WORD = {"type": "string", "maxLength": 3}


def tool(reference: str, **rest: Any) -> dict[str, Any]:
    return {"type": "object", "properties": {"v": {"$ref": reference}}, **rest}


def value_of(schema: Any, name: str = "v") -> Any:
    return lower(schema).schema["properties"][name]


@pytest.mark.parametrize(
    ("reference", "store"),
    [
        ("#/$defs/word", {"$defs": {"word": WORD}}),
        ("#/definitions/word", {"definitions": {"word": WORD}}),
        ("#/$defs/a~1b", {"$defs": {"a/b": WORD, "a": {"b": {"type": "null"}}}}),
        ("#/$defs/a%2Fb", {"$defs": {"a": {"b": WORD}, "a/b": {"type": "null"}}}),
        ("#/$defs/a~01", {"$defs": {"a~1": WORD, "a/": {"type": "null"}}}),
        ("#/$defs/50%25", {"$defs": {"50%": WORD, "50%25": {"type": "null"}}}),
        ("#/$defs/two%20words", {"$defs": {"two words": WORD}}),
        ("#/$defs/%C3%A9", {"$defs": {"é": WORD}}),
        ("#/$defs/", {"$defs": {"": WORD}}),
        ("#/$defs/list/prefixItems/1", {"$defs": {"list": {"prefixItems": [True, WORD]}}}),
        ("#/$defs/outer/$defs/inner", {"$defs": {"outer": {"$defs": {"inner": WORD}}}}),
        ("#/components/schemas/Word", {"components": {"schemas": {"Word": WORD}}}),
        ("#/x-types/0/schema", {"x-types": [{"schema": WORD}]}),
        ("#word", {"$defs": {"w": {"$anchor": "word", **WORD}}}),
        ("#word", {"$defs": {"w": {"$dynamicAnchor": "word", **WORD}}}),
        ("other.json", {"$id": "http://schemas.test/tool.json", "$defs": {"w": {"$id": "other.json", **WORD}}}),
        ("urn:example:word", {"$defs": {"w": {"$id": "urn:example:word", **WORD}}}),
        ("tool.json#/$defs/w", {"$id": "http://schemas.test/tool.json", "$defs": {"w": WORD}}),
        ("a/b.json#short", {
            "$id": "http://schemas.test/tool.json",
            "$defs": {"w": {"$id": "a/b.json", "$defs": {"s": {"$anchor": "short", **WORD}}}},
        }),
    ],
)  # fmt: skip
def test_leads_to_the_definition(reference: str, store: dict[str, Any]) -> None:
    assert value_of(tool(reference, **store)) == WORD


@pytest.mark.parametrize(
    ("draft", "keyword", "reference"),
    [(4, "id", "#word"), (6, "$id", "#word"), (7, "$id", "#word"), (4, "id", "w.json"), (7, "$id", "w.json")],
)
def test_ids_of_older_drafts(draft: Draft, keyword: str, reference: str) -> None:
    schema = tool(reference, definitions={"w": {keyword: reference, **WORD}}, **{"$schema": URIS[draft]})
    assert value_of({keyword: "http://schemas.test/tool.json", **schema}) == WORD


@pytest.mark.parametrize(
    "reference",
    [
        "#/$defs/missing", "#nowhere", "https://elsewhere.test/schema.json", "other.json", "#/$defs/list/prefixItems/7",
        "#/$defs/list/prefixItems/01", "http://[bad", "#/$defs/~2", "file:///etc/passwd",
    ],
)  # fmt: skip
def test_what_leads_nowhere_frees_its_place_and_says_so(reference: str) -> None:
    result = lower(tool(reference, **{"$defs": {"list": {"prefixItems": [WORD]}}}))
    assert result.schema["properties"]["v"] == {}
    (loss,) = [loss for loss in result.losses if not loss.exact]
    assert (loss.pointer, loss.keyword) == ("/properties/v/$ref", "$ref") and reference in loss.detail


@pytest.mark.parametrize("target", [5, None, "text", ["a"]])
def test_what_leads_to_no_schema_frees_its_place(target: Any) -> None:
    result = lower(tool("#/x-kept", **{"x-kept": target}))
    assert result.schema["properties"]["v"] == {} and not result.exact


def test_a_malformed_target_outside_of_keywords_is_read_as_one_inside() -> None:
    target = {"type": "object", "properties": {"a": 5, "b": WORD}, "required": "b", "items": [1, True]}
    result = lower(tool("#/x-kept", **{"x-kept": target}))
    assert result.schema["properties"]["v"] == {"type": "object", "properties": {"a": {}, "b": WORD}}
    assert {loss.pointer for loss in result.losses if not loss.exact} == {
        "/x-kept/properties/a",
        "/x-kept/required",
        "/x-kept/items",
    }


@pytest.mark.parametrize(("draft", "beside"), [(4, False), (6, False), (7, False), (2019, True), (2020, True)])
def test_siblings_count_from_2019_on(draft: Draft, beside: bool) -> None:
    store = "$defs" if draft >= 2019 else "definitions"
    schema: dict[str, Any] = tool(f"#/{store}/w", **{store: {"w": {"type": "string"}}, "$schema": URIS[draft]})
    schema["properties"]["v"]["maxLength"] = 2
    assert value_of(schema) == ({"type": "string", "maxLength": 2} if beside else {"type": "string"})
    assert any(loss.keyword == "maxLength" and loss.exact for loss in lower(schema).losses) != beside


def test_a_description_beside_a_reference_is_the_one_that_is_read() -> None:
    store = {"$defs": {"w": {**WORD, "description": "any word"}}}
    schema: dict[str, Any] = tool("#/$defs/w", **store)
    schema["properties"]["v"]["description"] = "this word"
    assert value_of(schema) == {"description": "this word", **WORD}


class TestRecursion:
    def test_is_unrolled_and_then_free_also_where_objects_are_closed(self) -> None:
        node = {"type": "object", "properties": {"n": {"$ref": "#/$defs/N"}}, "additionalProperties": False}
        judge = lowered(lower(tool("#/$defs/N", **{"$defs": {"N": node}})).schema)
        deep: dict[str, Any] = {}
        for _ in range(30):
            deep = {"n": deep}
        assert accepts(judge, {"v": deep})
        assert not accepts(judge, {"v": {"n": {"n": {"x": 1}}}}) and not accepts(judge, {"v": {"n": {"n": 1}}})

    def test_of_two_definitions_into_each_other(self) -> None:
        a = {"type": "object", "properties": {"b": {"$ref": "#/$defs/B"}}}
        b = {"type": "array", "items": {"$ref": "#/$defs/A"}}
        judge = lowered(lower(tool("#/$defs/A", **{"$defs": {"A": a, "B": b}})).schema)
        assert accepts(judge, {"v": {"b": [{"b": []}]}})
        assert not accepts(judge, {"v": {"b": [{"b": {}}]}}) and not accepts(judge, {"v": {"b": [[]]}})

    @pytest.mark.parametrize(
        "definitions",
        [
            {"A": {"$ref": "#/$defs/A"}},
            {"A": {"$ref": "#/$defs/B"}, "B": {"$ref": "#/$defs/A"}},
            {"A": {"allOf": [{"$ref": "#/$defs/A"}]}},
            {"A": {"anyOf": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/A"}]}},
            {"A": {"not": {"$ref": "#/$defs/A"}}},
            {"A": {"not": {"$ref": "#/$defs/B"}}, "B": {"not": {"$ref": "#/$defs/A"}}},
            {"A": {"if": {"$ref": "#/$defs/A"}, "then": {"$ref": "#/$defs/A"}, "else": {"$ref": "#/$defs/A"}}},
            {"A": {"dependentSchemas": {"a": {"$ref": "#/$defs/A"}}}},
        ],
    )
    def test_that_never_goes_down_asks_nothing(self, definitions: dict[str, Any]) -> None:
        result = lower(tool("#/$defs/A", **{"$defs": definitions}))
        judge = lowered(result.schema)
        assert not result.exact
        assert all(accepts(judge, {"v": value}) for value in (None, 1, "a", [], {}, {"a": 1}))

    def test_what_stands_beside_the_circle_is_kept(self) -> None:
        a = {"allOf": [{"$ref": "#/$defs/A"}, {"type": "string"}], "maxLength": 3}
        assert value_of(tool("#/$defs/A", **{"$defs": {"A": a}})) == WORD


class TestDynamicScope:
    LIST: ClassVar[dict[str, Any]] = {
        "$id": "http://schemas.test/list",
        "$dynamicAnchor": "item",
        "type": "object",
        "properties": {"items": {"type": "array", "items": {"$dynamicRef": "#item"}}},
    }

    def test_the_outermost_anchor_is_meant(self) -> None:
        schema = {
            "$id": "http://schemas.test/strict",
            "$dynamicAnchor": "item",
            "$ref": "list",
            "required": ["items"],
            "$defs": {"list": self.LIST},
        }
        judge = lowered(lower(schema).schema)
        assert accepts(judge, {"items": [{"items": []}]}) and not accepts(judge, {"items": [{}]})

    def test_by_itself_the_inner_one(self) -> None:
        judge = lowered(lower(tool("list", **{"$id": "http://schemas.test/x", "$defs": {"l": self.LIST}})).schema)
        assert accepts(judge, {"v": {"items": [{}]}}) and not accepts(judge, {"v": {"items": [3]}})

    def test_one_place_in_two_scopes(self) -> None:
        """The same definition means one thing under one resource and another under the next."""
        schema = {
            "$id": "http://schemas.test/root",
            "properties": {"strings": {"$ref": "strings"}, "numbers": {"$ref": "numbers"}},
            "$defs": {
                "generic": {
                    "$id": "generic",
                    "type": "array",
                    "items": {"$dynamicRef": "#T"},
                    "$defs": {"any": {"$dynamicAnchor": "T"}},
                },
                "strings": {
                    "$id": "strings",
                    "$ref": "generic",
                    "$defs": {"t": {"$dynamicAnchor": "T", "type": "string"}},
                },
                "numbers": {
                    "$id": "numbers",
                    "$ref": "generic",
                    "$defs": {"t": {"$dynamicAnchor": "T", "type": "number"}},
                },
            },
        }
        assert lower(schema).schema["properties"] == {
            "strings": {"type": "array", "items": {"type": "string"}},
            "numbers": {"type": "array", "items": {"type": "number"}},
        }

    def test_recursive_anchors_of_2019(self) -> None:
        base = {"$id": "base", "$recursiveAnchor": True, "properties": {"next": {"$recursiveRef": "#"}}}
        schema = {
            "$schema": URIS[2019],
            "$id": "http://schemas.test/root",
            "$recursiveAnchor": True,
            "$ref": "base",
            "required": ["id"],
            "$defs": {"base": base},
        }
        judge = lowered(lower(schema).schema)
        assert accepts(judge, {"id": 1, "next": {"id": 2}}) and not accepts(judge, {"id": 1, "next": {}})
