"""
Where catalogs come from: `load` takes a SOURCE and gives a catalog.

| SOURCE | what it is |
|---|---|
| a path | a JSON file |
| `-` | JSON on standard input |
| `sample:NAME` | a bundled sample catalog |
| `http://...`, `https://...` | an OpenWOP host, by its base URL |
| `mcp:COMMAND ARGS...`, `mcp:http(s)://...` | a live MCP server: a command that is started, or an address |

A value that is already JSON in memory (a list or dict) is taken too. To teach it a kind of source, add a row to `_READERS`, or to
`_REACHED` where there is more to it than bytes.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import replace
from importlib import import_module
from typing import Any, Final, TypeAlias
from urllib.parse import urlsplit

from workbench.catalog import Catalog, View
from workbench.errors import UsageError
from workbench.sources.connection import Connection
from workbench.sources.files import from_file, from_sample, from_standard_input
from workbench.values import read_json, refuse_foreign

__all__ = ["Connection", "load", "read_bytes", "refuse_two_origins"]

#: Takes a SOURCE without its prefix, gives the bytes of a JSON text and the name under which messages speak of them.
_Reader: TypeAlias = Callable[[str], tuple[bytes, str]]


def load(
    source: str | os.PathLike[str] | list[Any] | dict[str, Any],
    *,
    server: str | None = None,
    view: View = "standard",
    **connection: Any,
) -> Catalog:
    """
    Read a catalog from a SOURCE: a path, `-`, `sample:NAME` or the base URL of a host; or take it from a JSON value.

    `server` names the MCP server where the catalog does not, `view` says which view the descriptors are meant to be; of a host it
    is the view that is asked for. `connection` is for hosts: see `Connection`; a credential is in the environment variable that
    `token_env` names.

    Raises:
        InputError: there is no such file or sample, it cannot be read, or it is not JSON; a value holds what JSON has not.
        LimitError: it has more than 100 MiB, or is nested deeper than 500 levels.
        CatalogError: it is JSON and no catalog.
        HostError: the host is out of reach, refuses, or answers otherwise than was asked.
        UsageError: a kind of source that this version does not read, or an option that does not fit.
    """
    options = Connection.of(connection)
    if isinstance(source, list | dict):
        refuse_foreign(source, source="a value in memory")
        return Catalog.from_json(source, source="a value in memory", server=server, view=view)
    if isinstance(source, str):
        for prefix, (module, name) in _REACHED:
            if source[: len(prefix)].lower() == prefix:
                reach = getattr(import_module(module), name)
                return reach(source, server=server, view=view, connection=options)  # type: ignore[no-any-return]
    data, name = read_bytes(source)
    catalog = Catalog.from_json(read_json(data, source=name), source=name, server=server, view=view)
    return replace(catalog, received=data.decode())


def refuse_two_origins(sources: Iterable[str], token_env: str | None) -> None:
    """Raise UsageError where one credential would go to two origins: it was given for one."""
    origins = {origin for origin in map(_origin, sources) if origin}
    if token_env is not None and len(origins) > 1:
        raise UsageError(
            "these sources have two origins, and a credential goes to one: save one of them to a file first"
        )


def _origin(source: str) -> tuple[str, str, int | None] | None:
    address = source.removeprefix("mcp:")
    if not address.lower().startswith(("http:", "https:")):
        return None
    try:
        parts = urlsplit(address)
        return parts.scheme, parts.hostname or "", parts.port or {"http": 80, "https": 443}[parts.scheme]
    except ValueError:
        return "", address, None


def read_bytes(source: str | os.PathLike[str]) -> tuple[bytes, str]:
    """The bytes behind a SOURCE, and the name under which messages speak of it. Raises as `load` does for its source."""
    if not isinstance(source, str):
        return from_file(os.fspath(source))
    if not source:
        raise UsageError("a SOURCE is empty; it is a file, - for standard input, or sample:NAME")
    for prefix, reader in _READERS:
        if source == prefix or (prefix.endswith(":") and source.startswith(prefix)):
            return reader(source.removeprefix(prefix))
    return from_file(source)


def _not_yet(kind: str) -> _Reader:
    def refuse(_rest: str) -> tuple[bytes, str]:
        raise UsageError(f"bytes are read of files, standard input (-) and samples (sample:NAME), and not of {kind}")

    return refuse


#: By prefix: the module and its function that gives a catalog. Loaded on use, since what they need is heavy.
_REACHED: Final[tuple[tuple[str, tuple[str, str]], ...]] = (
    ("http:", ("workbench.sources.hosts", "from_host")),
    ("https:", ("workbench.sources.hosts", "from_host")),
    ("mcp:", ("workbench.sources.mcp", "from_mcp")),
)

#: By prefix, which ends in a colon; or by the whole SOURCE.
_READERS: Final[tuple[tuple[str, _Reader], ...]] = (
    ("-", from_standard_input),
    ("sample:", from_sample),
    ("http:", _not_yet("hosts")),
    ("https:", _not_yet("hosts")),
    ("mcp:", _not_yet("MCP servers")),
)
