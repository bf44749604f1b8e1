"""
Catalogs: lists of tools as they came, and the forms in which they come.

A host may send anything, and evidence must show what it sent, so a descriptor stays the plain `dict` that was read. Only a tool
without a name is refused: nothing could be said about it. Whatever else is wrong with a tool is for the checks to find.

Forms, recognised for each tool: OpenWOP descriptors (RFC 0078 and RFC 0112), MCP tools (`tools/list`), OpenAI tools (Chat
Completions and Responses), Anthropic tools. The last three are described the way an OpenWOP host has to describe what it has not
classified: `safetyTier` is `write`, and hints of the server are not believed (RFC 0204). Tools that a provider defines, and that
may have a type for their only name (`{"type": "web_search"}`), are kept as they came beside their descriptor.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from workbench.errors import CatalogError, UsageError
from workbench.tables import Cell, Column, Table
from workbench.values import join

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["VIEWS", "Catalog", "Form", "Tool", "View", "listed"]

Form: TypeAlias = Literal["openwop", "mcp", "openai", "anthropic"]
View: TypeAlias = Literal["standard", "compact"]
#: The views that a catalog can be in (RFC 0112, `view`).
VIEWS: tuple[View, ...] = ("standard", "compact")

_LABELS: dict[Form, str] = {
    "openwop": "an OpenWOP descriptor",
    "mcp": "an MCP tool",
    "openai": "an OpenAI tool",
    "anthropic": "an Anthropic tool",
}
_COLUMNS = ("toolId", "source", "safetyTier", "title", "arguments", Column("characters", "thousands"), "description")
#: Where the forms have their schema.
_SCHEMAS = frozenset({"inputSchema", "input_schema", "parameters"})
#: The members of a tool that its descriptor has, under their own name or another.
_CARRIED: dict[Form, tuple[str, ...]] = {
    "mcp": ("name", "title", "description", "inputSchema", "outputSchema"),
    "openai": ("name", "description", "parameters"),
    "anthropic": ("name", "description", "input_schema"),
}
#: The type of a tool that a provider defines; the types of JSON Schema stand in lists that are no tools.
_TYPE = re.compile(r"(?!(?:array|boolean|integer|null|number|object|string)\Z)[a-z][a-z0-9_]*")
_NEITHER = "a tool has a toolId or a name, and this one has neither"
#: Tools that a note names.
_NAMED = 5
_EXPECTED = 'a catalog is a list of tools, or an object that has one as "tools"'


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool: its id, its descriptor as plain JSON, and its place in the list it came in (from 0)."""

    tool_id: str
    descriptor: dict[str, Any]
    index: int
    #: The tool as its provider takes it, where that is more than a function: the provider defines it, or it takes free text.
    native: dict[str, Any] | None = dataclasses.field(default=None, compare=False)
    #: What else the tool came with: the members that its descriptor does not carry, where they stood.
    rest: dict[str, Any] = dataclasses.field(default_factory=dict, compare=False)


@dataclass(frozen=True, slots=True, repr=False)
class Catalog:
    """The tools of one list, in the order received; an id may occur twice (that is a finding, not an error)."""

    tools: tuple[Tool, ...]
    view: View = "standard"
    #: Where it came from, for messages.
    source: str = ""
    #: The form in which the tools were written.
    form: Form = "openwop"
    #: What a reader should know about the list as a whole, such as that it is one page of a longer one.
    notes: tuple[str, ...] = ()
    #: The JSON text that it was read from, whole; "" where there was none. Two catalogs may be equal and differ in this.
    received: str = dataclasses.field(default="", compare=False)
    #: The major of the protocol that its host was read under; None where it came from no host.
    major: Literal[1, 2] | None = dataclasses.field(default=None, compare=False)

    def __iter__(self) -> Iterator[Tool]:
        return iter(self.tools)

    def __len__(self) -> int:
        return len(self.tools)

    def __repr__(self) -> str:
        return f"<Catalog of {len(self.tools)} tools, {self.view} view, form {self.form}, from {self.source!r}>"

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the tools, in order."""
        return tuple(tool.tool_id for tool in self.tools)

    @classmethod
    def from_json(cls, value: Any, *, source: str = "", server: str | None = None, view: View = "standard") -> Catalog:
        """
        Read a catalog of any form from a JSON value: `{"tools": [...]}`, a bare list, or the JSON-RPC reply to `tools/list`.

        `server` names the MCP server, and wins over a `server` beside the tools: the ids are then `mcp:<server>.<name>`, and
        `mcp:<name>` without one. The value is not copied. The view is not guessed, since a standard list can look compact.

        Raises:
            CatalogError: no list of tools, a tool that is no object or has no name, or two forms in one list.
            UsageError: an unknown view.
        """
        if view not in VIEWS:
            raise UsageError(f"unknown view {view!r}; views are {', '.join(VIEWS)}")
        try:
            items, pointer, envelope = listed(value)
            form = _common_form(items, pointer)
            server = _server(envelope, server) if form == "mcp" else ""
            tools = tuple(_tool(item, form, server, index, join(pointer, index)) for index, item in enumerate(items))
        except CatalogError as error:
            error.source = source
            raise
        return cls(tools, view, source, form, tuple(_notes(envelope, tools)))

    def to_json(self) -> dict[str, Any]:
        """The list as `{"tools": [descriptors]}`; the descriptors themselves, not copies."""
        return {"tools": [tool.descriptor for tool in self.tools]}

    def table(self) -> Table:
        """The tools as a table: who they are, and how much there is of their description and their arguments."""
        rows = [_row(tool) for tool in self.tools]
        return Table(_COLUMNS, rows, f"{len(self.tools)} tools, {self.view} view")

    def frame(self) -> pd.DataFrame:
        """The same as a pandas frame, one row for each tool."""
        return self.table().frame()

    def _repr_html_(self) -> str:
        return self.table().html()


def _row(tool: Tool) -> list[Cell]:
    texts = [tool.descriptor.get(field) for field in ("source", "safetyTier", "title", "description")]
    source, tier, title, description = (text if isinstance(text, str) else None for text in texts)
    schema = tool.descriptor.get("inputSchema")
    properties = schema.get("properties") if isinstance(schema, dict) else None
    arguments = len(properties) if isinstance(properties, dict) else None
    return [tool.tool_id, source, tier, title, arguments, len(description or ""), description]


def listed(value: Any) -> tuple[list[Any], str, dict[str, Any]]:
    """The list of tools in a value, its pointer, and the object around it. Raises CatalogError where there is none."""
    if isinstance(value, list):
        return value, "", {}
    if not isinstance(value, dict):
        raise CatalogError(f"no tools: {_EXPECTED}", pointer="")
    if "jsonrpc" in value and "tools" not in value:
        return _replied(value)
    for name in ("tools", "items"):
        if isinstance(value.get(name), list):
            return value[name], f"/{name}", value
    if "tools" in value:
        raise CatalogError('"tools" is not a list', pointer="/tools")
    if isinstance(value.get("toolId"), str) or isinstance(value.get("name"), str):
        raise CatalogError('this is one tool; write {"tools": [...]} around it', pointer="")
    raise CatalogError(f"no tools: {_EXPECTED}", pointer="")


def _replied(reply: dict[str, Any]) -> tuple[list[Any], str, dict[str, Any]]:
    """The list of tools in a JSON-RPC reply, which is what a terminal shows of `tools/list`."""
    result = reply.get("result")
    if isinstance(result, dict) and isinstance(result.get("tools"), list):
        return result["tools"], "/result/tools", result
    what = "it reports an error" if "error" in reply else "its result has no list of tools"
    raise CatalogError(
        f"no tools in this JSON-RPC message: {what}", pointer="/error" if "error" in reply else "/result"
    )


def _server(envelope: dict[str, Any], named: str | None) -> str:
    if named is not None:
        return named
    server = envelope.get("server")
    if server is not None and not isinstance(server, str):
        raise CatalogError('"server" is the name of the MCP server, a string', pointer="/server")
    return server or ""


def _notes(envelope: dict[str, Any], tools: tuple[Tool, ...]) -> Iterator[str]:
    if envelope.get("nextCursor"):
        yield "nextCursor is set: these tools are one page of a longer list"
    if native := [tool.tool_id for tool in tools if tool.native is not None]:
        named = ", ".join(native[:_NAMED]) + (f" and {len(native) - _NAMED} more" if len(native) > _NAMED else "")
        yield (
            f"no functions, but defined by their provider or for free text: {named}; counted as they came in its renderings, "
            "elsewhere as functions without arguments, and nowhere with what it adds for them"
        )


def _common_form(items: list[Any], pointer: str) -> Form:
    """The form that all tools share; that of an empty list is `openwop`. Tools that have but a type are of any provider's."""
    first: tuple[Form, dict[str, Any]] | None = None
    nameless: int | None = None
    for index, item in enumerate(items):
        form = _form(item, join(pointer, index))
        if form is None:
            nameless = index if nameless is None else nameless
        elif first is None:
            first = form, item
        elif form != first[0]:
            raise CatalogError(
                f"the tools mix forms: {_named(item)} is {_LABELS[form]}, {_named(first[1])} is {_LABELS[first[0]]}; "
                "give each form a file of its own",
                pointer=join(pointer, index),
            )
    form = first[0] if first else "openwop" if nameless is None else "openai"
    if nameless is not None and form in ("openwop", "mcp"):
        raise CatalogError(_NEITHER, pointer=join(pointer, nameless))
    return form


def _form(item: Any, pointer: str) -> Form | None:
    if not isinstance(item, dict):
        raise CatalogError("a tool is an object", pointer=pointer)
    if "toolId" in item:
        return "openwop"
    if _wrapper(item) or item.get("type") == "function":
        return "openai"
    if "name" not in item and _TYPE.fullmatch(str(item.get("type"))):
        return None
    if "name" not in item:
        raise CatalogError(_NEITHER, pointer=pointer)
    schemas = [key for key in item if key in _SCHEMAS]
    if len(schemas) > 1:
        raise CatalogError(f"{_named(item)} has {' and '.join(schemas)}; which form is meant?", pointer=pointer)
    if schemas == ["parameters"]:
        return "openai"
    if _is_native(item):
        return "openai" if item["type"] == "custom" else "anthropic"
    return "anthropic" if schemas == ["input_schema"] else "mcp"


def _wrapper(item: dict[str, Any]) -> str | None:
    """The member that holds a tool of OpenAI's Chat Completions."""
    kinds = ("function", "custom") if item.get("type") == "custom" else ("function",)
    return next((kind for kind in kinds if isinstance(item.get(kind), dict)), None)


def _is_native(item: dict[str, Any]) -> bool:
    """Whether a provider defines the tool by its type, or it takes free text; an MCP tool has no type, a function a schema."""
    return isinstance(item.get("type"), str) and item["type"] != "function" and not _SCHEMAS & item.keys()


def _native_name(item: dict[str, Any]) -> str:
    """The type of a tool that has no other name, and the server's label, by which its tools are told apart."""
    labels = [item[key] for key in ("server_label", "mcp_server_name") if isinstance(item.get(key), str)]
    return ".".join([item["type"], *labels])


def _named(item: dict[str, Any]) -> str:
    """How a tool calls itself, for messages."""
    inner = item.get(_wrapper(item) or "")
    name = item.get("toolId", item.get("name", inner.get("name") if isinstance(inner, dict) else None))
    return repr(name[:80]) if isinstance(name, str) else "a tool without a name"


def _tool(item: dict[str, Any], form: Form, server: str, index: int, pointer: str) -> Tool:
    if form == "openwop":
        if not isinstance(item["toolId"], str):
            raise CatalogError("toolId is not a string", pointer=f"{pointer}/toolId")
        return Tool(item["toolId"], item, index)
    wrapper = _wrapper(item) or "function"
    inner = item.get(wrapper, item) if form == "openai" else item
    place = pointer if inner is item else f"{pointer}/{wrapper}"
    if not isinstance(inner, dict):
        raise CatalogError("the function of a tool is an object", pointer=place)
    native = item if form != "mcp" and _is_native(item) else None
    name = _native_name(item) if native and inner is item and "name" not in item else inner.get("name")
    if not isinstance(name, str) or not name:
        place += "/name" if "name" in inner else ""
        raise CatalogError("the name of a tool is a string that is not empty", pointer=place)
    if form == "mcp":
        name = f"{server}.{name}" if server else name
        return Tool(f"mcp:{name}", _from_mcp(inner, name), index, rest=_rest(item, _CARRIED[form]))
    rest = _rest(inner, _CARRIED[form])
    rest = rest if inner is item else _rest(item, {wrapper}) | {wrapper: rest}
    return Tool(f"{form}:{name}", _from_provider(inner, form, name), index, native, rest)


def _rest(item: dict[str, Any], carried: Collection[str]) -> dict[str, Any]:
    return {key: value for key, value in item.items() if key not in carried}


def _from_mcp(item: dict[str, Any], name: str) -> dict[str, Any]:
    """An MCP tool as a descriptor. Its annotations are untrusted (MCP, tools), so they decide no field but the title."""
    descriptor: dict[str, Any] = {"toolId": f"mcp:{name}", "source": "mcp", "safetyTier": "write"}
    title = item.get("title")
    annotations = item.get("annotations")
    if title is None and isinstance(annotations, dict):
        title = annotations.get("title")
    if title is not None:
        descriptor["title"] = title
    descriptor |= {key: item[key] for key in ("description", "inputSchema", "outputSchema") if key in item}
    return descriptor


def _from_provider(item: dict[str, Any], form: Form, name: str) -> dict[str, Any]:
    """A tool as a model provider takes it. For OpenAI, `null` stands for an absent description and for absent parameters."""
    descriptor: dict[str, Any] = {"toolId": f"{form}:{name}", "source": "host-extension", "safetyTier": "write"}
    schema = "parameters" if form == "openai" else "input_schema"
    for key, field in (("description", "description"), (schema, "inputSchema")):
        if key in item and not (form == "openai" and item[key] is None):
            descriptor[field] = item[key]
    return descriptor
