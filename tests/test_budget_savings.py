"""Savings not yet taken: each is what is really saved, and the catalog stays as it was."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest
from catalog_strategies import catalogs
from hypothesis import given, settings

from workbench.budgets import budget, savings
from workbench.catalog import Catalog
from workbench.projection import project
from workbench.resources import sample_names
from workbench.sources import load

TOOL: dict[str, Any] = {
    "toolId": "t",
    "title": "T",
    "description": "Finds e.g. cats. Only call it once.",
    "inputSchema": {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "a": {"type": "string", "description": "One. Two.", "maxLength": 3, "enum": ["x"], "default": "x"},
            "b": {"type": "object", "description": "One. Two.", "properties": {"c": {"format": "date"}}},
            "d": {"$ref": "#/$defs/Used"},
        },
        "$defs": {"Used": {"$ref": "#/$defs/Deep"}, "Deep": {"const": 1}, "Unused": {"type": "null"}},
    },
}


def found(*tools: dict[str, Any], rendering: str = "wire") -> dict[str, Any]:
    return {row.what: row for row in savings(Catalog.from_json(list(tools)), rendering=rendering).rows}


def cost(tool: dict[str, Any]) -> int:
    return budget(Catalog.from_json([tool])).total.standard


class TestLaws:
    @settings(max_examples=20)
    @given(catalogs())
    def test_the_catalog_is_not_changed(self, tools: Catalog) -> None:
        before = deepcopy(tools.to_json())
        savings(tools)
        assert tools.to_json() == before

    @pytest.mark.parametrize("name", sample_names())
    def test_what_goes_whole_saves_what_attribution_says_or_nearly(self, name: str) -> None:
        """Attribution shares tokens out at borders; a title that goes takes its own tokens and at most one at either end."""
        result = budget(load(f"sample:{name}"))
        titles = next(part.compact for part in result.parts("field") if part.key == "title")
        row = next(row for row in result.savings().rows if row.what == "titles of tools")
        assert abs(row.tokens - titles) <= 7 * row.places

    def test_rows_are_ranked_and_shares_are_of_the_total(self) -> None:
        result = savings(load("sample:twenty"))
        assert [row.tokens for row in result.rows] == sorted((row.tokens for row in result.rows), reverse=True)
        assert all(row.ratio == row.tokens / result.total for row in result.rows)


class TestKinds:
    @pytest.mark.parametrize(
        ("what", "change", "places"),
        [
            ("tool descriptions", lambda tool: tool.pop("description"), 1),
            ("titles of tools", lambda tool: tool.pop("title"), 1),
            (
                "tool descriptions after their first sentence",
                lambda tool: tool.update(description="Finds e.g. cats."),
                1,
            ),
            (
                "descriptions in schemas that repeat another of the tool",
                lambda tool: tool["inputSchema"]["properties"]["b"].pop("description"),
                1,
            ),
            ("enum and const", lambda tool: [
                tool["inputSchema"]["properties"]["a"].pop("enum"),
                tool["inputSchema"]["$defs"]["Deep"].pop("const"),
            ], 2),
            ("bounds and patterns", lambda tool: tool["inputSchema"]["properties"]["a"].pop("maxLength"), 1),
            ("formats", lambda tool: tool["inputSchema"]["properties"]["b"]["properties"]["c"].pop("format"), 1),
            ("additionalProperties: false", lambda tool: tool["inputSchema"].pop("additionalProperties"), 1),
            ("definitions that nothing refers to", lambda tool: tool["inputSchema"]["$defs"].pop("Unused"), 1),
            ("everything nested in arguments", lambda tool: tool["inputSchema"]["properties"]["b"].pop("properties"), 1),
            ("other annotations in schemas", lambda tool: tool["inputSchema"]["properties"]["a"].pop("default"), 1),
            ("$schema and other identifiers", lambda tool: tool["inputSchema"].pop("$schema"), 1),
        ],
    )  # fmt: skip
    def test_saves_what_taking_it_out_by_hand_saves(self, what: str, change: Any, places: int) -> None:
        by_hand = deepcopy(TOOL)
        change(by_hand)
        row = found(TOOL)[what]
        assert (row.tokens, row.places, row.tools) == (cost(TOOL) - cost(by_hand), places, 1)

    def test_an_argument_named_like_a_keyword_stays(self) -> None:
        tool = {"toolId": "t", "inputSchema": {"properties": {"title": {}, "enum": {}, "default": {"default": 1}}}}
        assert list(found(tool)) == ["other annotations in schemas"]

    @pytest.mark.parametrize("reference", ["other.json#/$defs/A", "#anchor", "#/properties/a"])
    def test_with_references_of_other_kinds_every_definition_counts_as_used(self, reference: str) -> None:
        schema = {"$defs": {"A": {}}, "properties": {"a": {}, "b": {"$ref": reference}}}
        assert "definitions that nothing refers to" not in found({"toolId": "t", "inputSchema": schema})

    def test_definitions_that_only_refer_to_each_other_are_unused(self) -> None:
        schema = {"$defs": {"A": {"$ref": "#/$defs/B"}, "B": {"$ref": "#/$defs/A"}}}
        assert found({"toolId": "t", "inputSchema": schema})["definitions that nothing refers to"].places == 2


class TestShown:
    def test_what_a_rendering_does_not_show_saves_nothing_there(self) -> None:
        rows = found(TOOL, rendering="harmony")
        assert rows["titles of tools"].tokens == rows["bounds and patterns"].tokens == 0
        assert rows["tool descriptions"].tokens > 0

    def test_the_compact_view_has_nothing_left_of_what_it_drops(self) -> None:
        rows = {row.what for row in savings(project(Catalog.from_json([TOOL])).catalog).rows}
        assert not rows & {"other annotations in schemas", "definitions that nothing refers to", "output schemas"}

    def test_no_number_without_rendering_and_encoding(self) -> None:
        result = budget(load("sample:small"), encoding="cl100k_base").savings()
        assert "rendering wire, encoding cl100k_base" in result.table().title
        assert [row["what"] for row in result.to_json()] == [row.what for row in result.rows]

    def test_no_tools(self) -> None:
        assert savings(Catalog.from_json([])).rows == ()
