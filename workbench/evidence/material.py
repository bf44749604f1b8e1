"""What evidence is computed from: the text of a catalog as it was received, from wherever it came."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, TypeAlias

from workbench.catalog import Catalog
from workbench.errors import CatalogError, UsageError
from workbench.sources import load
from workbench.values import dumps, equal, read_json

__all__ = ["Kind", "Material", "Source", "from_source", "from_text", "sha256"]

#: What `collect` takes: a SOURCE as on the command line, a path, a JSON value, or a catalog.
Source: TypeAlias = str | os.PathLike[str] | list[Any] | dict[str, Any] | Catalog
Kind: TypeAlias = Literal["file", "standard input", "sample", "mcp", "host", "memory"]

_PREFIXES: Final[tuple[tuple[str, Kind], ...]] = (("sample:", "sample"), ("mcp:", "mcp"))
_UNNAMED: Final = "a catalog in memory"


@dataclass(frozen=True, slots=True)
class Material:
    """One source, read: all that its part of a bundle is computed from."""

    name: str
    kind: Kind
    #: The standard view; its `source` is the name, its `received` the text that stands for it.
    catalog: Catalog
    #: The name of the MCP server that the ids were made with; None where the text says it, or where there is none.
    server: str | None = None


def from_source(source: Source, **connection: Any) -> Material:
    """
    Read a source. Raises as `workbench.load` does, and UsageError for a catalog that is not in the standard view.

    `connection` are the options of `load`.
    """
    catalog = source if isinstance(source, Catalog) else load(source, **connection)
    if catalog.view != "standard":
        raise UsageError(f"evidence is collected from the standard view, and this catalog is in the {catalog.view} one")
    if isinstance(source, list | dict):
        catalog = replace(catalog, received=dumps(source))
    named = str(source) if isinstance(source, str | os.PathLike) else ""
    return _material(catalog, _kind(named or catalog.source, catalog))


def from_text(text: str, *, name: str, kind: Kind, server: str | None) -> Material:
    """
    Read a text that a bundle holds.

    Raises:
        InputError: it is no JSON text, or no catalog.
    """
    value = read_json(text, source=name)
    catalog = Catalog.from_json(value, source=name, server=server)
    if server is not None and Catalog.from_json(value).ids == catalog.ids:
        server = None  # The text says it, or it says nothing to these tools.
    return Material(name, kind, replace(catalog, received=text), server)


def sha256(text: str | bytes) -> str:
    """The SHA-256 of bytes, or of a text in UTF-8, in hexadecimal."""
    return hashlib.sha256(text.encode() if isinstance(text, str) else text).hexdigest()


def _kind(name: str, catalog: Catalog) -> Kind:
    if name == "-":
        return "standard input"
    for prefix, kind in _PREFIXES:
        if name.startswith(prefix):
            return kind
    return "file" if catalog.received and catalog.source != "a value in memory" else "memory"


def _material(catalog: Catalog, kind: Kind) -> Material:
    """The material that the catalog's text gives again; of a catalog without a text that does, its wire text stands for it."""
    name = catalog.source or _UNNAMED
    for server in (None, _server(catalog)) if catalog.received else ():
        try:
            again = from_text(catalog.received, name=name, kind=kind, server=server)
        except CatalogError:  # It was changed since it was read.
            continue
        if equal(again.catalog.to_json(), catalog.to_json()):
            return replace(again, catalog=replace(again.catalog, notes=catalog.notes))
    return from_text(dumps(catalog.to_json()), name=name, kind=kind, server=None)


def _server(catalog: Catalog) -> str | None:
    """The server's name that the ids of MCP tools begin with: `mcp:<server>.<name>`."""
    if catalog.form != "mcp" or not catalog.tools:
        return None
    bare = Catalog.from_json(read_json(catalog.received), server="")
    tail = "." + bare.ids[0].removeprefix("mcp:") if bare.tools else ""
    first = catalog.ids[0].removeprefix("mcp:")
    return first.removesuffix(tail) if tail and first.endswith(tail) else None
