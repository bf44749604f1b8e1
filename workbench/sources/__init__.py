"""
Where catalogs come from: `load` takes a SOURCE and gives a catalog.

| SOURCE | what it is |
|---|---|
| a path | a JSON file |
| `-` | JSON on standard input |
| `sample:NAME` | a bundled sample catalog |
| `http://...`, `https://...`, `mcp:...` | a host or an MCP server; this version does not read those |

A value that is already JSON in memory (a list or dict) is taken too. To teach it a kind of source, add a row to `_READERS`.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final, TypeAlias

from workbench.catalog import Catalog, View
from workbench.errors import UsageError
from workbench.sources.files import from_file, from_sample, from_standard_input
from workbench.values import read_json

__all__ = ["load", "read_bytes"]

#: Takes a SOURCE without its prefix, gives the bytes of a JSON text and the name under which messages speak of them.
_Reader: TypeAlias = Callable[[str], tuple[bytes, str]]


def load(
    source: str | os.PathLike[str] | list[Any] | dict[str, Any], *, server: str | None = None, view: View = "standard"
) -> Catalog:
    """
    Read a catalog from a SOURCE: a path, `-`, or `sample:NAME`; or take it from a JSON value.

    `server` names the MCP server where the catalog does not, `view` says which view the descriptors are meant to be.

    Raises:
        InputError: there is no such file or sample, it cannot be read, or it is not JSON.
        LimitError: it has more than 100 MiB, or is nested deeper than 500 levels.
        CatalogError: it is JSON and no catalog.
        UsageError: a kind of source that this version does not read.
    """
    if isinstance(source, list | dict):
        return Catalog.from_json(source, source="a value in memory", server=server, view=view)
    data, name = read_bytes(source)
    catalog = Catalog.from_json(read_json(data, source=name), source=name, server=server, view=view)
    return replace(catalog, received=data.decode())


def read_bytes(source: str | os.PathLike[str]) -> tuple[bytes, str]:
    """The bytes behind a SOURCE, and the name under which messages speak of it. Raises as `load` does for its source."""
    if not isinstance(source, str):
        return from_file(os.fspath(source))
    for prefix, reader in _READERS:
        if source == prefix or (prefix.endswith(":") and source.startswith(prefix)):
            return reader(source.removeprefix(prefix))
    return from_file(source)


def _not_yet(kind: str) -> _Reader:
    def refuse(_rest: str) -> tuple[bytes, str]:
        raise UsageError(f"this version reads files, standard input (-) and samples (sample:NAME), and not yet {kind}")

    return refuse


#: By prefix, which ends in a colon; or by the whole SOURCE.
_READERS: Final[tuple[tuple[str, _Reader], ...]] = (
    ("-", from_standard_input),
    ("sample:", from_sample),
    ("http:", _not_yet("OpenWOP hosts")),
    ("https:", _not_yet("OpenWOP hosts")),
    ("mcp:", _not_yet("MCP servers")),
)
