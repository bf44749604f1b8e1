"""
Tools of live MCP servers: over standard input and output, or over streamable HTTP.

Nothing is asked of a server but its list of tools, and no tool is called. Its ids are `mcp:<server>.<name>`, with the name that the
server gives itself (`serverInfo.name`, to the letter), or another that the caller gives.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from workbench.catalog import Catalog, View
from workbench.errors import UsageError
from workbench.sources.credentials import Credential
from workbench.sources.mcp.session import Listing, listing
from workbench.sources.mcp.stdio import Child
from workbench.sources.mcp.streamable import Remote
from workbench.values import MAX_BYTES

__all__ = ["from_mcp"]

TIMEOUT: Final = 60.0
"""Seconds that a server has for each answer; the first may have to wait for a download."""

#: What a descriptor is made from. A tool may have other fields, none of which makes it a tool of another form.
_FIELDS: Final = ("name", "title", "description", "inputSchema", "outputSchema", "annotations")


def from_mcp(
    address: str,
    *,
    server: str | None = None,
    view: View = "standard",
    credential: Credential | None = None,
    timeout: float = TIMEOUT,
    max_bytes: int = MAX_BYTES,
    allow_insecure: bool = False,
) -> Catalog:
    """
    Read the tools of an MCP server: of a command that is started, or behind an `http(s)://` address.

    Raises:
        UsageError: the command cannot be read or found, the address is none, or an option does not fit.
        HostError: the server cannot be started or reached, ends, keeps silent, or answers otherwise than the protocol says.
        InputError: an answer is not JSON in the strict sense.
        LimitError: all that it sends is over `max_bytes`, or over the limits of the reader.
        CatalogError: the list holds something that is no tool.
    """
    transport: Child | Remote
    if address.lower().startswith(("http:", "https:")):
        transport = Remote(
            address, credential=credential, timeout=timeout, max_bytes=max_bytes, allow_insecure=allow_insecure
        )
    elif credential is not None:
        raise UsageError("a credential is for an address; a command finds its own in the environment")
    else:
        transport = Child(address, timeout=timeout, max_bytes=max_bytes)
    with transport:
        found = listing(transport, source=transport.source, max_bytes=max_bytes)
    return _catalog(found, transport.source, found.server if server is None else server, view)


def _catalog(found: Listing, source: str, server: str, view: View) -> Catalog:
    tools = [_known(tool) for tool in found.tools]
    catalog = Catalog.from_json({"tools": tools}, source=source, server=server, view=view)
    return replace(catalog, form="mcp", received=found.received)


def _known(tool: Any) -> Any:
    return {field: tool[field] for field in tool if field in _FIELDS} if isinstance(tool, dict) else tool
