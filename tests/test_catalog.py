"""Catalogs in all their forms: what is read, what is refused, and where a refusal points."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.catalog import Catalog
from workbench.errors import CatalogError, UsageError, WorkbenchError

SCHEMA = {"type": "object", "properties": {"q": {"type": "string"}}}
OPENWOP = {"toolId": "connector:weather.now", "source": "connector", "safetyTier": "read", "inputSchema": SCHEMA}
MCP = {"name": "search", "description": "Searches.", "inputSchema": SCHEMA}
OPENAI_CHAT = {"type": "function", "function": {"name": "search", "description": "Searches.", "parameters": SCHEMA}}
OPENAI_FLAT = {"type": "function", "name": "search", "description": "Searches.", "parameters": SCHEMA, "strict": False}
ANTHROPIC = {"name": "search", "description": "Searches.", "input_schema": SCHEMA}
READ = {"description": "Searches.", "inputSchema": SCHEMA}
PROVIDER = {"source": "host-extension", "safetyTier": "write"} | READ


@pytest.mark.parametrize(
    ("tool", "form", "descriptor"),
    [
        pytest.param(OPENWOP, "openwop", OPENWOP, id="openwop"),
        pytest.param(MCP, "mcp", {"toolId": "mcp:search", "source": "mcp", "safetyTier": "write"} | READ, id="mcp"),
        pytest.param(OPENAI_CHAT, "openai", {"toolId": "openai:search"} | PROVIDER, id="chat completions"),
        pytest.param(OPENAI_FLAT, "openai", {"toolId": "openai:search"} | PROVIDER, id="responses"),
        pytest.param(
            {"name": "search", "description": "Searches.", "parameters": SCHEMA},
            "openai",
            {"toolId": "openai:search"} | PROVIDER,
            id="the older functions list",
        ),
        pytest.param(ANTHROPIC, "anthropic", {"toolId": "anthropic:search"} | PROVIDER, id="anthropic"),
    ],
)
@pytest.mark.parametrize("around", ["list", "tools", "items", "reply"])
def test_each_form_is_read_in_each_envelope(tool: Any, form: str, descriptor: Any, around: str) -> None:
    value: Any = {
        "list": [tool],
        "tools": {"tools": [tool], "package": "pypi:x"},
        "items": {"items": [tool]},
        "reply": {"jsonrpc": "2.0", "id": 1, "result": {"tools": [tool]}},
    }[around]
    before = copy.deepcopy(value)
    catalog = Catalog.from_json(value)
    assert (catalog.form, catalog.view, catalog.ids) == (form, "standard", (descriptor["toolId"],))
    assert catalog.to_json() == {"tools": [descriptor]}
    assert value == before


@pytest.mark.parametrize(
    ("tool", "title"),
    [
        ({"title": "Search", "annotations": {"title": "Other"}}, "Search"),
        ({"annotations": {"title": "Search"}}, "Search"),
        ({"title": None, "annotations": {"title": "Search"}}, "Search"),
        ({"annotations": {"readOnlyHint": True}}, None),
        ({"annotations": None}, None),
        ({}, None),
    ],
)
def test_the_title_of_an_mcp_tool(tool: dict[str, Any], title: str | None) -> None:
    descriptor = Catalog.from_json([MCP | tool]).tools[0].descriptor
    assert descriptor.get("title") == title
    assert ("title" in descriptor) == (title is not None)


def test_nothing_of_an_mcp_tool_is_made_up_or_believed() -> None:
    tool = {
        "name": "rm",
        "annotations": {"readOnlyHint": True, "title": "Remove"},
        "outputSchema": {"type": "object"},
        "inputSchema": None,
        "_meta": {"x": 1},
        "execution": {},
    }
    assert Catalog.from_json([tool]).tools[0].descriptor == {
        "toolId": "mcp:rm",
        "source": "mcp",
        "safetyTier": "write",
        "title": "Remove",
        "inputSchema": None,
        "outputSchema": {"type": "object"},
    }


@pytest.mark.parametrize(
    ("envelope", "server", "tool_id"),
    [
        ({"server": "files"}, None, "mcp:files.search"),
        ({"server": "files"}, "mine", "mcp:mine.search"),
        ({"server": "files"}, "", "mcp:search"),
        ({"server": ""}, None, "mcp:search"),
        ({"server": None}, None, "mcp:search"),
        ({}, "mine", "mcp:mine.search"),
    ],
)
def test_the_server_is_part_of_an_mcp_id(envelope: dict[str, Any], server: str | None, tool_id: str) -> None:
    assert Catalog.from_json({"tools": [MCP]} | envelope, server=server).ids == (tool_id,)


def test_the_server_is_no_part_of_other_ids() -> None:
    assert Catalog.from_json({"server": "files", "tools": [OPENWOP]}).ids == ("connector:weather.now",)


@pytest.mark.parametrize("schema", [None, [], "x", 3, True, False])
def test_a_malformed_input_schema_is_kept_for_the_checks(schema: Any) -> None:
    for tool in (
        OPENWOP | {"inputSchema": schema},
        MCP | {"inputSchema": schema},
        ANTHROPIC | {"input_schema": schema},
    ):
        assert Catalog.from_json([tool]).tools[0].descriptor["inputSchema"] is schema


def test_null_parameters_are_none_to_openai() -> None:
    descriptor = Catalog.from_json([OPENAI_FLAT | {"parameters": None, "description": None}]).tools[0].descriptor
    assert descriptor == {"toolId": "openai:search", "source": "host-extension", "safetyTier": "write"}


def test_ids_that_occur_twice_are_kept() -> None:
    catalog = Catalog.from_json([MCP, MCP | {"description": "Other."}])
    assert catalog.ids == ("mcp:search", "mcp:search")
    assert [tool.index for tool in catalog] == [0, 1]


@pytest.mark.parametrize("value", [[], {"tools": []}, {"items": []}, {"server": "x", "tools": []}])
def test_an_empty_catalog_is_one(value: Any) -> None:
    assert len(Catalog.from_json(value)) == 0


def test_one_page_is_noted() -> None:
    assert Catalog.from_json({"tools": [MCP], "nextCursor": None}).notes == ()
    (note,) = Catalog.from_json({"tools": [MCP], "nextCursor": "abc"}).notes
    assert "one page" in note


def test_the_view_is_the_callers_word() -> None:
    assert Catalog.from_json([OPENWOP], view="compact").view == "compact"
    with pytest.raises(UsageError, match="standard, compact"):
        Catalog.from_json([OPENWOP], view="brief")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("value", "pointer", "words"),
    [
        (None, "", "no tools"),
        ("tools", "", "no tools"),
        (3, "", "no tools"),
        ({}, "", "no tools"),
        ({"tools": None}, "/tools", "not a list"),
        ({"tools": {"a": MCP}}, "/tools", "not a list"),
        ({"items": {}}, "", "no tools"),
        (OPENWOP, "", "one tool"),
        (MCP, "", "one tool"),
        ({"jsonrpc": "2.0", "id": 1, "error": {"code": -32601}}, "/error", "reports an error"),
        ({"jsonrpc": "2.0", "id": 1, "result": {}}, "/result", "no list of tools"),
        ({"jsonrpc": "2.0", "method": "tools/list"}, "/result", "no list of tools"),
        ({"tools": [MCP, None]}, "/tools/1", "is an object"),
        ([MCP, "search"], "/1", "is an object"),
        ([{"description": "?"}], "/0", "neither"),
        ([{}], "/0", "neither"),
        ([{"name": ""}], "/0/name", "not empty"),
        ([{"name": 3}], "/0/name", "string"),
        ([{"toolId": None}], "/0/toolId", "not a string"),
        ([{"type": "function"}], "/0", "string"),
        ([{"type": "function", "function": {}}], "/0/function", "string"),
        ([{"type": "function", "function": None}], "/0/function", "an object"),
        ([MCP | ANTHROPIC], "/0", "inputSchema and input_schema"),
        ({"tools": [MCP], "server": {"name": "x"}}, "/server", "a string"),
        ({"jsonrpc": "2.0", "result": {"tools": [MCP, {}]}}, "/result/tools/1", "neither"),
    ],
)
def test_what_is_no_catalog_is_refused_with_its_place(value: Any, pointer: str, words: str) -> None:
    with pytest.raises(CatalogError, match=words) as caught:
        Catalog.from_json(value, source="tools.json")
    assert (caught.value.pointer, caught.value.source) == (pointer, "tools.json")
    assert str(caught.value).startswith("tools.json: ")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("others", [[OPENAI_CHAT], [ANTHROPIC], [OPENWOP], [MCP | {"name": "other"}, ANTHROPIC]])
def test_a_mix_of_forms_names_the_tool(others: list[Any]) -> None:
    with pytest.raises(CatalogError, match=r"mix forms: 'connector:weather\.now'|mix forms: 'search'") as caught:
        Catalog.from_json({"tools": [MCP | {"name": "first"}, *others]})
    assert caught.value.pointer == f"/tools/{len(others)}"
    assert "'first' is an MCP tool" in caught.value.message


def test_a_notebook_shows_the_tools_as_data() -> None:
    tools = [
        OPENWOP | {"title": "<b>Weather</b>", "description": None},
        {"toolId": "x", "inputSchema": [], "source": 3},
    ]
    catalog = Catalog.from_json(tools)
    assert "<b>" not in catalog._repr_html_()
    assert "&lt;b&gt;Weather" in catalog._repr_html_()
    frame = catalog.frame()
    assert frame["toolId"].tolist() == ["connector:weather.now", "x"]
    assert frame["characters"].tolist() == [0, 0]
    assert frame["arguments"][0] == 1


KEYS = st.sampled_from(
    ["tools", "items", "toolId", "name", "type", "function", "inputSchema", "input_schema", "parameters", "server",
     "jsonrpc", "result", "title", "annotations", "nextCursor"]
)  # fmt: skip
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(0, 1) | st.sampled_from(["", "function", "a"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=5),
    max_leaves=20,
)


@given(VALUES | st.lists(st.dictionaries(KEYS, VALUES, max_size=4), max_size=3))
def test_any_value_is_a_catalog_or_an_error_that_says_so(value: Any) -> None:
    try:
        catalog = Catalog.from_json(value)
    except WorkbenchError as error:
        assert isinstance(error, CatalogError)
        return
    assert all(tool.descriptor["toolId"] == tool.tool_id for tool in catalog)
    assert Catalog.from_json(catalog.to_json()).tools == catalog.tools
