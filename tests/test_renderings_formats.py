"""Renderings of providers and the text as received: what is sent, under which names, and where each piece comes from."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from catalog_strategies import catalogs
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import json_values

from workbench.catalog import Catalog
from workbench.errors import CatalogError, UsageError
from workbench.projection import project
from workbench.renderings import RENDERINGS, Kind, rendering
from workbench.renderings.naming import DOTTED, PLAIN, legal_names
from workbench.resources import sample_names
from workbench.sources import load
from workbench.values import resolve

#: Those that write a descriptor's own fields, so that every place is one of the descriptor's.
COMPUTED = sorted(RENDERINGS.keys() - {"received"})
TOOL = {
    "toolId": "mcp:git.log",
    "title": "Log",
    "description": "Shows the log.",
    "inputSchema": {"type": "object", "properties": {"max": {"type": "integer", "description": "How many"}}},
}


def catalog(*tools: dict[str, Any]) -> Catalog:
    return Catalog.from_json(list(tools))


def sent(name: str, *tools: dict[str, Any]) -> Any:
    return json.loads(rendering(name).text(catalog(*tools)))


def read(text: str) -> Catalog:
    """A catalog as `load` reads it from bytes."""
    from dataclasses import replace

    return replace(Catalog.from_json(json.loads(text.removeprefix("\ufeff"))), received=text)


class TestLaws:
    @given(catalogs())
    def test_spaced_is_what_python_writes_unless_told(self, tools: Catalog) -> None:
        assert rendering("spaced").text(tools) == json.dumps(tools.to_json(), ensure_ascii=False)

    @given(catalogs(), st.sampled_from([None, 2, "\t"]), st.booleans(), st.booleans())
    def test_received_is_the_text_to_the_letter(self, tools: Catalog, indent: Any, escaped: bool, marked: bool) -> None:
        text = json.dumps(tools.to_json(), ensure_ascii=escaped, indent=indent)
        text = ("\ufeff" if marked else "\n ") + text + "\r\n"
        assert rendering("received").text(read(text)) == text

    @given(json_values(6), json_values(6))
    def test_received_keeps_what_stands_around_the_tools(self, before: Any, after: Any) -> None:
        text = json.dumps({"a": before, "tools": [{"toolId": "t"}], "z": after}, indent=1)
        pieces = list(rendering("received").segments(read(text)))
        assert "".join(piece.text for piece in pieces) == text
        inside = "".join(piece.text for piece in pieces if piece.place.tool == 0)
        assert json.loads(inside) == {"toolId": "t"}

    @settings(max_examples=30)
    @given(catalogs(), st.sampled_from(COMPUTED))
    def test_every_place_points_into_its_descriptor(self, tools: Catalog, name: str) -> None:
        try:
            found = list(rendering(name).segments(tools))
        except CatalogError:
            return  # Two tools with one name.
        for _, place in found:
            if place.tool is None or (name in ("mcp", "anthropic") and place.field == "inputSchema"):
                continue  # Those two insist on a schema, even where there is none.
            resolve(tools.tools[place.tool].descriptor, str(place.path))


@pytest.mark.parametrize("name", sample_names())
def test_samples_are_received_as_they_lie_there(name: str) -> None:
    tools = load(f"sample:{name}")
    assert rendering("received").text(tools) == tools.received
    inside = {place.tool for _, place in rendering("received").segments(tools)} - {None}
    assert inside == set(range(len(tools)))


class TestReceived:
    @pytest.mark.parametrize(
        ("tools", "fields"),
        [
            ({"result": {"tools": [{"name": "a", "annotations": {}}]}, "jsonrpc": "2.0"}, {"toolId", "annotations"}),
            ([{"type": "function", "function": {"name": "a", "parameters": {}}}], {"toolId", "inputSchema"}),
            ([{"type": "function", "name": "a", "parameters": {}}], {"toolId", "inputSchema"}),
            ([{"name": "a", "input_schema": {}}], {"toolId", "inputSchema"}),
        ],
    )
    def test_members_of_other_forms_count_as_the_fields_they_become(self, tools: Any, fields: set[str]) -> None:
        found = rendering("received").segments(read(json.dumps(tools)))
        assert {place.field for _, place in found if place.field} == fields

    def test_what_was_computed_has_no_text(self) -> None:
        with pytest.raises(UsageError, match="nothing was received"):
            rendering("received").text(catalog(TOOL))

    def test_a_computed_compact_view_is_written_as_wire_and_says_so(self) -> None:
        compact = project(load("sample:small")).catalog
        assert rendering("received").text(compact) == rendering("wire").text(compact)
        assert any("counted as `wire`" in remark for remark in rendering("received").remarks(compact, "o200k_base"))

    def test_other_tools_than_those_received_are_refused(self) -> None:
        from dataclasses import replace

        tools = load("sample:small")
        with pytest.raises(UsageError, match="5 tools were received and 1 are here"):
            rendering("received").text(replace(tools, tools=tools.tools[:1]))


class TestFormats:
    def test_mcp(self) -> None:
        schema, bare = TOOL["inputSchema"], {"toolId": "mcp:git.add", "outputSchema": {}}
        log = {"name": "log", "title": "Log", "description": "Shows the log.", "inputSchema": schema}
        add = {"name": "add", "inputSchema": {"type": "object"}, "outputSchema": {}}
        assert sent("mcp", TOOL, bare) == {"tools": [log, add]}

    @pytest.mark.parametrize(
        ("ids", "names"),
        [
            (["mcp:a.x", "mcp:b.x"], ["a.x", "b.x"]),
            (["mcp:a.x", "mcp:a.y.z"], ["x", "y.z"]),
            (["mcp:a.x", "mcp:a"], ["a.x", "a"]),
            (["mcp:x", "host:y"], ["x", "host:y"]),
        ],
    )
    def test_mcp_drops_a_server_that_all_share(self, ids: list[str], names: list[str]) -> None:
        found = sent("mcp", *({"toolId": tool_id} for tool_id in ids))
        assert [tool["name"] for tool in found["tools"]] == names

    def test_providers(self) -> None:
        schema = TOOL["inputSchema"]
        log = {"name": "mcp_git_log", "description": "Shows the log."}
        assert sent("openai", TOOL) == [{"type": "function", "function": log | {"parameters": schema}}]
        assert sent("openai-responses", TOOL) == [{"type": "function"} | log | {"parameters": schema}]
        assert sent("anthropic", TOOL) == [log | {"input_schema": schema}]
        dotted = {"name": "mcp:git.log", "description": "Shows the log.", "parametersJsonSchema": schema}
        assert sent("gemini", TOOL) == [{"functionDeclarations": [dotted]}]

    def test_a_required_schema_is_made_up_and_an_optional_one_is_not(self) -> None:
        assert sent("anthropic", {"toolId": "t"}) == [{"name": "t", "input_schema": {"type": "object"}}]
        assert sent("openai-responses", {"toolId": "t"}) == [{"type": "function", "name": "t"}]

    def test_what_a_provider_calls_otherwise_counts_as_the_descriptor_s_field(self) -> None:
        for name in ("openai", "openai-responses", "anthropic", "gemini"):
            found = list(rendering(name).segments(catalog(TOOL)))
            by_field = {place.field for text, place in found if place.kind is not Kind.SYNTAX}
            assert by_field == {None, "toolId", "description", "inputSchema"}, name
            assert {str(place.path) for text, place in found if text == "max"} == {"/inputSchema/properties/max"}


class TestNames:
    @given(st.lists(st.text(min_size=1, max_size=90), max_size=5, unique=True))
    def test_names_are_legal_and_stand_for_one_id_each(self, ids: list[str]) -> None:
        tools = catalog(*({"toolId": tool_id} for tool_id in ids))
        for rule, pattern in ((PLAIN, r"[a-zA-Z0-9_-]{1,64}"), (DOTTED, r"[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}")):
            try:
                names = legal_names(tools, rule)
            except CatalogError:
                assert len({rule.legal(tool_id) for tool_id in ids}) < len(ids)
                continue
            assert len(set(names)) == len(ids)
            assert all(re.fullmatch(pattern, name) for name in names)

    @pytest.mark.parametrize(
        ("tool_id", "name"),
        [
            ("mcp:git.log", "mcp_git_log"),
            ("openai:get_weather", "get_weather"),
            ("anthropic:get-weather", "get-weather"),
            ("openai:", "openai_"),
            ("wetter:größe", "wetter_gr__e"),
        ],
    )
    def test_the_rule(self, tool_id: str, name: str) -> None:
        assert PLAIN.legal(tool_id) == name

    def test_a_long_name_keeps_its_beginning_and_stays_apart(self) -> None:
        one, two = PLAIN.legal("x" * 70 + "1"), PLAIN.legal("x" * 70 + "2")
        assert len(one) == len(two) == 64
        assert one[:55] == two[:55] == "x" * 55 and one != two

    @pytest.mark.parametrize("name", ["openai", "openai-responses", "anthropic", "harmony"])
    def test_a_collision_names_both_tools(self, name: str) -> None:
        with pytest.raises(CatalogError, match=r"'a\.b' and 'a:b' would both be called 'a_b'") as caught:
            rendering(name).text(catalog({"toolId": "a.b"}, {"toolId": "a:b"}))
        assert caught.value.pointer == "/tools/1"
