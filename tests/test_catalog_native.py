"""Tools that a provider defines, or that take free text: read with the functions around them, sent as they came."""

from __future__ import annotations

import json
from typing import Any

import pytest

from workbench.budgets import budget, savings
from workbench.catalog import Catalog
from workbench.checks import check
from workbench.errors import CatalogError
from workbench.projection import project
from workbench.renderings import RENDERINGS
from workbench.values import dumps

SCHEMA = {"type": "object", "properties": {"a": {"type": "string"}}}
FUNCTION = {"type": "function", "name": "book", "description": "Books.", "parameters": SCHEMA}
OPENAI: list[dict[str, Any]] = [
    {"type": "web_search", "search_context_size": "low"},
    {"type": "code_interpreter", "container": {"type": "auto"}},
    {"type": "file_search", "vector_store_ids": ["vs_1"]},
    {"type": "mcp", "server_label": "deep", "server_url": "https://mcp.example.test"},
    {"type": "mcp", "server_label": "wide", "server_url": "https://other.example.test"},
    {"type": "custom", "name": "run", "description": "Runs code.", "format": {"type": "grammar", "syntax": "lark"}},
]
OPENAI_IDS = (
    *("openai:web_search", "openai:code_interpreter", "openai:file_search"),
    *("openai:mcp.deep", "openai:mcp.wide", "openai:run"),
)
ANTHROPIC: list[dict[str, Any]] = [
    {"type": "web_search_20250305", "name": "web_search", "max_uses": 5},
    {"type": "mcp_toolset", "mcp_server_name": "files"},
    {"type": "bash_20250124", "name": "bash"},
]
CHAT = [
    {"type": "custom", "custom": {"name": "run", "description": "Runs code."}},
    {"type": "function", "function": {"name": "book", "parameters": SCHEMA}},
]


def text(catalog: Catalog, rendering: str) -> Any:
    return json.loads(RENDERINGS[rendering].text(catalog))


@pytest.mark.parametrize("place", [0, 3, 6])
def test_every_tool_of_a_request_to_openai_is_read(place: int) -> None:
    tools = [*OPENAI[:place], FUNCTION, *OPENAI[place:]]
    catalog = Catalog.from_json({"model": "gpt-5", "tools": tools})
    assert catalog.form == "openai"
    assert catalog.ids == (*OPENAI_IDS[:place], "openai:book", *OPENAI_IDS[place:])
    assert catalog.tools[place].native is None
    (note,) = catalog.notes
    assert "openai:web_search" in note and "1 more" in note and "openai:book" not in note


def test_every_tool_of_a_request_to_anthropic_is_read() -> None:
    catalog = Catalog.from_json([*ANTHROPIC, {"name": "book", "input_schema": SCHEMA}])
    assert catalog.form == "anthropic"
    assert catalog.ids == (
        *("anthropic:web_search", "anthropic:mcp_toolset.files", "anthropic:bash"),
        "anthropic:book",
    )
    assert [tool.native for tool in catalog] == [*ANTHROPIC, None]


def test_a_wrapped_tool_for_free_text_is_read_by_its_name() -> None:
    catalog = Catalog.from_json(CHAT)
    assert catalog.ids == ("openai:run", "openai:book")
    assert catalog.tools[0].descriptor["description"] == "Runs code."
    assert text(catalog, "openai")[0] == CHAT[0]


def test_nothing_but_such_tools_is_a_catalog_too() -> None:
    assert Catalog.from_json(OPENAI[:1]).ids == ("openai:web_search",)


def test_a_descriptor_makes_nothing_up() -> None:
    descriptor = Catalog.from_json(OPENAI).tools[0].descriptor
    assert descriptor == {"toolId": "openai:web_search", "source": "host-extension", "safetyTier": "write"}


@pytest.mark.parametrize(
    ("tools", "own", "others"),
    [(OPENAI, ["openai", "openai-responses"], ["anthropic"]), (ANTHROPIC, ["anthropic"], ["openai-responses"])],
    ids=["openai", "anthropic"],
)
def test_they_are_sent_as_they_came_and_elsewhere_as_functions(
    tools: list[Any], own: list[str], others: list[str]
) -> None:
    catalog = Catalog.from_json(tools)
    for view in (catalog, project(catalog).catalog):
        assert all(text(view, name) == tools for name in own)
        assert all(len(text(view, name)) == len(tools) and text(view, name) != tools for name in others)


@pytest.mark.parametrize("rendering", sorted(RENDERINGS))
@pytest.mark.parametrize("tools", [[*OPENAI, FUNCTION], ANTHROPIC, CHAT], ids=["openai", "anthropic", "chat"])
def test_every_tool_is_counted_where_it_stands(tools: list[Any], rendering: str) -> None:
    received = dumps({"tools": tools})
    catalog = Catalog.from_json(json.loads(received))
    object.__setattr__(catalog, "received", received)
    counted = budget(catalog, rendering=rendering)
    assert [row.tool_id for row in counted.rows] == list(catalog.ids)
    assert all(row.standard > 0 and row.compact > 0 for row in counted.rows)
    if rendering != "received":
        assert savings(catalog, rendering=rendering).total == counted.total.standard


def test_a_shortened_description_is_the_one_that_is_sent() -> None:
    compact = project(Catalog.from_json(OPENAI), max_description=4).catalog
    assert text(compact, "openai-responses")[-1] == OPENAI[-1] | {"description": "Runs"}


@pytest.mark.parametrize(
    "tools",
    [
        [{"type": "web_search"}, {"name": "search", "inputSchema": SCHEMA}],
        [{"toolId": "x", "source": "mcp"}, {"type": "web_search"}],
        [{"type": "object", "properties": {}}],
        [{"type": "string"}],
        [{"type": "Feature", "geometry": None}],
        [{"type": ""}],
        [{"type": 3}],
    ],
    ids=dumps,
)
def test_a_type_is_a_name_only_where_a_provider_knows_it(tools: list[Any]) -> None:
    with pytest.raises(CatalogError, match="neither"):
        Catalog.from_json(tools)


KEY = "sk-proj-" + "a1B2c3D4e5F6g7H8i9J0k1L2"


@pytest.mark.parametrize(
    ("tools", "pointer"),
    [
        ([OPENAI[3] | {"headers": {"Authorization": f"Bearer {KEY}"}}, FUNCTION], "/headers/Authorization"),
        ([OPENAI[3] | {"authorization": "a1b2c3d4e5"}], "/authorization"),
        ([{"type": "function", "function": {"name": "book", "x": KEY}}], "/function/x"),
        ([ANTHROPIC[0] | {"x": [KEY]}], "/x/0"),
        ([{"name": "book", "inputSchema": SCHEMA, "_meta": {"key": KEY}}], "/_meta/key"),
        ([{"name": "book", "annotations": {KEY: True}}], "/annotations"),
    ],
)
def test_a_key_that_its_descriptor_leaves_out_is_found_in_the_tool_as_it_came(tools: list[Any], pointer: str) -> None:
    catalog = Catalog.from_json(tools)
    (finding,) = [each for each in check(catalog).findings if each.rule == "secret"]
    assert (finding.tool_id, finding.pointer, finding.level) == (catalog.ids[0], pointer, "must")
    assert "as it came" in finding.message and KEY not in finding.message
    assert check(project(catalog).catalog, view="compact").ok


@pytest.mark.parametrize("tools", [OPENAI, ANTHROPIC, CHAT, [{"name": "book", "_meta": {"token": "<token>"}}]])
def test_no_key_is_found_where_there_is_none(tools: list[Any]) -> None:
    assert not [each for each in check(Catalog.from_json(tools)).findings if each.rule == "secret"]
