"""
Tools of live MCP servers: over standard input and output, or over streamable HTTP.

Nothing is asked of a server but its list of tools, and no tool is called. Its ids are `mcp:<server>.<name>`, with the name that the
server gives itself (`serverInfo.name`, to the letter), or another that the caller gives.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from workbench.catalog import Catalog, View
from workbench.sources.connection import Connection
from workbench.sources.mcp.session import Listing, listing
from workbench.sources.mcp.stdio import child, leaving_on_signals
from workbench.sources.mcp.streamable import Remote

__all__ = ["from_mcp"]

#: What a descriptor is made from. A tool may have other fields, none of which makes it a tool of another form.
_FIELDS: Final = ("name", "title", "description", "inputSchema", "outputSchema", "annotations")


def from_mcp(source: str, *, server: str | None = None, view: View = "standard", connection: Connection) -> Catalog:
    """
    Read the tools of an MCP server: `mcp:COMMAND ARGS...`, which is started, or `mcp:http(s)://...`, which is there.

    `server` wins over the name that the server gives itself. The limits of `connection` hold for each answer (time) and for all
    answers together (bytes); its credential goes to an address only.

    Raises:
        UsageError: the command cannot be read or found, the address is none, or the credential is not there.
        HostError: the server cannot be started or reached, ends, keeps silent, or answers otherwise than the protocol says.
        InputError: an answer is not JSON in the strict sense.
        LimitError: too many bytes or pages, or an answer over a limit of the reader.
        CatalogError: the list holds something that is no tool.
    """
    address = source[len("mcp:") :]
    remote = address.lower().startswith(("http:", "https:"))
    with leaving_on_signals(), Remote(address, connection) if remote else child(address, connection) as transport:
        found = listing(transport, source=transport.source, max_bytes=connection.max_bytes)
    catalog = _catalog(found, transport.source, found.server if server is None else server, view)
    return replace(catalog, notes=(*transport.notes, *catalog.notes))


def _catalog(found: Listing, source: str, server: str, view: View) -> Catalog:
    tools = [_known(tool) for tool in found.tools]
    catalog = Catalog.from_json({"tools": tools}, source=source, server=server, view=view)
    return replace(catalog, form="mcp", received=found.received)


def _known(tool: Any) -> Any:
    return {field: tool[field] for field in tool if field in _FIELDS} if isinstance(tool, dict) else tool
