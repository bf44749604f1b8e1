"""
JSON formats: how OpenWOP hosts, MCP servers and model providers write a list of tools.

Each function lays a catalog out as the JSON value that is sent. What a format has no place for (a title, say) is not sent, and
what it insists on (MCP and Anthropic: a schema) is sent as small as it may be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final

from workbench.catalog import Catalog, Form, listed
from workbench.errors import UsageError
from workbench.renderings.naming import DOTTED, PLAIN, NameRule, legal_names
from workbench.renderings.segments import Segment
from workbench.renderings.writing import Layout, as_spelled, lexemes, tight, with_spaces
from workbench.values import read_json, split

__all__ = [
    "anthropic",
    "gemini",
    "mcp",
    "openai",
    "openai_responses",
    "received_segments",
    "spaced_segments",
    "tight_segments",
    "wire",
]

#: What stands for an absent schema where a format requires one: any object.
_ANY_OBJECT: Final = MappingProxyType({"type": "object"})
_NAMED: Final[Mapping[str, str | None]] = MappingProxyType(
    {
        "name": "toolId",
        "type": None,
        "parameters": "inputSchema",
        "parametersJsonSchema": "inputSchema",
        "input_schema": "inputSchema",
    }
)


def wire(catalog: Catalog) -> Layout:
    """`{"tools":[descriptors]}`, as an OpenWOP host sends it (RFC 0112, compact list)."""
    return Layout(catalog.to_json(), ("tools",))


def mcp(catalog: Catalog) -> Layout:
    """
    The result of `tools/list` (MCP, server/tools).

    Names are the ids without `mcp:`, and without the server's name where all ids begin with the same one.
    """
    ids = [tool.tool_id.removeprefix("mcp:") for tool in catalog]
    servers = {name.partition(".")[0] for name in ids}
    alike = len(servers) == 1 and all(name.partition(".")[2] for name in ids)
    tools = []
    for tool, name in zip(catalog, ids, strict=True):
        item: dict[str, Any] = {"name": name.partition(".")[2] if alike else name}
        item |= _taken(tool.descriptor, title="title", description="description")
        item["inputSchema"] = tool.descriptor.get("inputSchema", dict(_ANY_OBJECT))
        tools.append(item | _taken(tool.descriptor, outputSchema="outputSchema", annotations="annotations"))
    return Layout({"tools": tools}, ("tools",), MappingProxyType({"name": "toolId"}))


def openai(catalog: Catalog) -> Layout:
    """The `tools` of a request to OpenAI's Chat Completions."""
    tools = ({"type": "function", "function": item} for item in _functions(catalog, PLAIN, "parameters"))
    return Layout(_offered(catalog, "openai", tools), (), _NAMED, "function")


def openai_responses(catalog: Catalog) -> Layout:
    """The `tools` of a request to OpenAI's Responses."""
    tools = ({"type": "function", **item} for item in _functions(catalog, PLAIN, "parameters"))
    return Layout(_offered(catalog, "openai", tools), (), _NAMED)


def anthropic(catalog: Catalog) -> Layout:
    """The `tools` of a request to Anthropic's Messages, which requires a schema."""
    tools = (
        {**item, "input_schema": item.get("input_schema", dict(_ANY_OBJECT))}
        for item in _functions(catalog, PLAIN, "input_schema")
    )
    return Layout(_offered(catalog, "anthropic", tools), (), _NAMED)


def gemini(catalog: Catalog) -> Layout:
    """The `tools` of a request to Gemini's `generateContent`; `parametersJsonSchema` is what takes any JSON Schema."""
    functions = list(_functions(catalog, DOTTED, "parametersJsonSchema"))
    return Layout([{"functionDeclarations": functions}], (0, "functionDeclarations"), _NAMED)


def tight_segments(layout: Callable[[Catalog], Layout]) -> Callable[[Catalog], Iterator[Segment]]:
    """A layout, written without spaces."""
    return lambda catalog: tight(lexemes(layout(catalog)))


def spaced_segments(catalog: Catalog) -> Iterator[Segment]:
    """`wire` with a space after each comma and colon."""
    return with_spaces(lexemes(wire(catalog)))


def received_segments(catalog: Catalog) -> Iterator[Segment]:
    """
    The text that a catalog was read from, whatever its form; for a compact view that was computed, `wire`.

    Raises:
        UsageError: a standard view that was not read from a text, or that holds other tools than its text.
    """
    if not catalog.received and catalog.view == "compact":
        return tight(lexemes(wire(catalog)))
    if not catalog.received:
        raise UsageError("this catalog was made in memory, so nothing was received; choose another rendering")
    value = read_json(catalog.received, source=catalog.source)
    items, pointer, _ = listed(value)
    if len(items) != len(catalog):
        raise UsageError(f"{len(items)} tools were received and {len(catalog)} are here; choose another rendering")
    fields = {} if catalog.form == "openwop" else _NAMED
    layout = Layout(value, tuple(split(pointer)), fields, "function" if catalog.form == "openai" else None)
    return as_spelled(lexemes(layout), catalog.received)


def _functions(catalog: Catalog, rule: NameRule, schema: str) -> Iterator[dict[str, Any]]:
    """Name, description and schema, as all providers take them."""
    for tool, name in zip(catalog, legal_names(catalog, rule), strict=True):
        yield {"name": name} | _taken(tool.descriptor, description="description", inputSchema=schema)


def _offered(catalog: Catalog, form: Form, functions: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Functions, and for tools that are none and were read from this very form: what was read, with the description of now."""
    return [
        {**tool.native, **(_taken(tool.descriptor, description="description") if "description" in tool.native else {})}
        if tool.native is not None and tool.tool_id.startswith(f"{form}:")
        else function
        for tool, function in zip(catalog, functions, strict=True)
    ]


def _taken(descriptor: Mapping[str, Any], **names: str) -> dict[str, Any]:
    """The fields that a descriptor has, under other names."""
    return {name: descriptor[field] for field, name in names.items() if field in descriptor}
