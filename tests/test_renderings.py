"""Renderings: what is joined is the text, and every piece knows where it stands."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest
from catalog_strategies import catalogs, loose_schemas
from hypothesis import given

from workbench.catalog import Catalog
from workbench.errors import UsageError
from workbench.keywords import KEYWORDS, Shape
from workbench.renderings import RENDERINGS, Kind, Segment, rendering
from workbench.values import join, resolve
from workbench.walk import walk


def segments(*descriptors: dict[str, Any]) -> list[Segment]:
    return list(rendering("wire").segments(Catalog.from_json(list(descriptors))))


def of_kind(kind: Kind, schema: Any) -> list[str]:
    """The texts of one kind in the input schema of a tool."""
    found = segments({"toolId": "t", "inputSchema": schema})
    return [text for text, place in found if place.kind is kind and place.field == "inputSchema"]


class TestLaws:
    @given(catalogs())
    def test_joined_segments_are_the_wire_text(self, catalog: Catalog) -> None:
        expected = json.dumps(catalog.to_json(), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        assert rendering("wire").text(catalog) == expected

    @given(catalogs())
    def test_every_piece_knows_its_tool_and_tools_come_in_order(self, catalog: Catalog) -> None:
        pieces: dict[int | None, str] = {}
        for text, place in rendering("wire").segments(catalog):
            pieces[place.tool] = pieces.get(place.tool, "") + text
        between = pieces.pop(None)
        assert between == '{"tools":[' + "," * (len(catalog) - 1) + "]}"
        assert list(pieces) == list(range(len(catalog)))
        for tool in catalog:
            assert json.loads(pieces[tool.index]) == tool.descriptor

    @given(catalogs())
    def test_every_place_points_into_its_descriptor(self, catalog: Catalog) -> None:
        for _, place in rendering("wire").segments(catalog):
            if place.tool is not None:
                resolve(catalog.tools[place.tool].descriptor, str(place.path))

    @given(loose_schemas())
    def test_a_piece_belongs_to_the_keyword_of_the_nearest_schema_around_it(self, schema: Any) -> None:
        schemas = {str(visit.path) for visit in walk(schema)}
        for _, place in segments({"toolId": "t", "inputSchema": schema}):
            tokens = place.path.tokens()[1:]
            around = [depth for depth in range(len(tokens)) if join("", *tokens[:depth]) in schemas]
            assert place.keyword == (tokens[around[-1]] if around else "")

    @given(loose_schemas().map(lambda schema: {"properties": {"a": schema, "properties": schema}}) | loose_schemas())
    def test_names_are_the_keys_of_maps_of_schemas_and_nothing_else(self, schema: Any) -> None:
        maps = {
            join(str(visit.path), key)
            for visit in walk(schema)
            if isinstance(visit.schema, dict)
            for key in visit.schema
            if key in KEYWORDS and KEYWORDS[key].shape in (Shape.SCHEMA_MAP, Shape.SCHEMA_OR_NAMES_MAP)
        }
        found = segments({"toolId": "t", "inputSchema": schema})
        for (_, place), (after, _), (colon, _) in zip(found, found[1:], found[2:], strict=False):
            if place.field == "inputSchema":
                in_map = str(place.path.parent).removeprefix("/inputSchema") in maps
                assert (place.kind is Kind.NAME) == (after == '"' and colon == ":" and in_map)


class TestSchemaPositions:
    def test_an_argument_named_like_a_keyword_is_a_name(self) -> None:
        schema = {"properties": {"description": {"type": "string"}, "enum": {"enum": ["a"]}, "default": {}}}
        assert of_kind(Kind.NAME, schema) == ["description", "enum", "default"]
        assert of_kind(Kind.DESCRIPTION, schema) == []
        assert of_kind(Kind.ENUM, schema) == ["enum", "a"]

    def test_data_stays_data_however_it_looks(self) -> None:
        schema = {"default": {"properties": {"a": {"description": "d"}}}, "enum": [{"description": "d"}]}
        assert of_kind(Kind.ANNOTATION, schema) == ["default", "properties", "a", "description", "d"]
        assert of_kind(Kind.ENUM, schema) == ["enum", "description", "d"]
        assert of_kind(Kind.DESCRIPTION, schema) == of_kind(Kind.NAME, schema) == []

    @pytest.mark.parametrize(
        ("schema", "names"),
        [
            ({"$defs": {"A": {"properties": {"b": True}}}}, ["A", "b"]),
            ({"patternProperties": {"^x": {}}}, ["^x"]),
            ({"dependencies": {"a": ["b"], "c": {"required": ["d"]}}}, ["a", "c"]),
            ({"items": [{"properties": {"a": {}}}, {"properties": {"b": {}}}]}, ["a", "b"]),
            ({"anyOf": [{"properties": {"a": {}}}, "no schema"]}, ["a"]),
            ({"properties": ["not", "a", "map"]}, []),
            ({"not": {"if": {"properties": {"a": {}}}}}, ["a"]),
        ],
    )
    def test_names_are_found_wherever_schemas_stand(self, schema: Any, names: list[str]) -> None:
        assert of_kind(Kind.NAME, schema) == names

    def test_an_unknown_keyword_annotates(self) -> None:
        assert of_kind(Kind.ANNOTATION, {"x-order": {"type": "string"}}) == ["x-order", "type", "string"]

    @pytest.mark.parametrize("schema", [None, "text", 7, True, [{"description": "d"}]])
    def test_what_is_no_schema_object_is_structure(self, schema: Any) -> None:
        assert of_kind(Kind.DESCRIPTION, schema) == []
        assert of_kind(Kind.STRUCTURE, schema)[0] == "inputSchema"

    def test_quotes_and_commas_belong_to_the_keyword_they_serve(self) -> None:
        found = segments({"toolId": "t", "inputSchema": {"type": "object", "title": "T"}})
        title = "".join(text for text, place in found if place.keyword == "title")
        assert title == ',"title":"T"'

    def test_only_schema_fields_hold_schemas(self) -> None:
        found = segments({"toolId": "t", "auth": {"properties": {"a": {"enum": []}}}})
        assert {place.kind for _, place in found if place.field == "auth"} == {Kind.FIELD, Kind.SYNTAX}


def test_nesting_deeper_than_the_interpreter_recurses() -> None:
    """Regression guard for hostile input: the traversal keeps its own stack."""
    depth = sys.getrecursionlimit() * 20
    schema: dict[str, Any] = {}
    for _ in range(depth):
        schema = {"items": schema}
    text = rendering("wire").text(Catalog.from_json([{"toolId": "t", "inputSchema": schema}]))
    assert text == '{"tools":[{"toolId":"t","inputSchema":' + '{"items":' * depth + "{}" + "}" * depth + "}]}"


def test_an_unknown_rendering_is_refused_with_those_that_exist() -> None:
    with pytest.raises(UsageError, match=r"unknown rendering 'yaml'; there are: anthropic, .*, wire"):
        rendering("yaml")


def test_every_rendering_has_its_name_and_says_what_it_is() -> None:
    assert all(name == row.name and row.summary for name, row in RENDERINGS.items())
    # How sure a count is stands in its words too, since some readers see only those.
    assert all(row.assurance.removeprefix("a ").startswith(row.certainty) for row in RENDERINGS.values())
