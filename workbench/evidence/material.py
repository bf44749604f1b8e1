"""What evidence is computed from: the text of a catalog as it was received, from wherever it came."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, TypeAlias

from workbench.catalog import Catalog, View
from workbench.errors import CatalogError, UsageError
from workbench.evidence.hosts import HostRead, opened, read_host, replayed
from workbench.evidence.hosts import exchanges_of as recorded
from workbench.sources import load
from workbench.values import dumps, equal, read_json

__all__ = [
    "Kind",
    "Material",
    "Source",
    "from_embedded",
    "from_source",
    "from_text",
    "named",
    "one_credential_one_origin",
    "sha256",
]

#: What `collect` takes: a SOURCE as on the command line, a path, a JSON value, or a catalog.
Source: TypeAlias = str | os.PathLike[str] | list[Any] | dict[str, Any] | Catalog
Kind: TypeAlias = Literal["file", "standard input", "sample", "mcp", "host", "memory"]

_PREFIXES: Final[tuple[tuple[str, Kind], ...]] = (("sample:", "sample"), ("mcp:", "mcp"))
_HOST: Final = ("http:", "https:")
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
    #: What else was read of a host.
    host: HostRead | None = None


def from_source(
    source: Source,
    *,
    seed: int,
    server: str | None = None,
    view: View = "standard",
    other_token_env: str | None = None,
    **connection: Any,
) -> Material:
    """
    Read a source; a host is probed with this seed. Raises as `load` does, and UsageError for a catalog not in the standard view.

    `server`, `view` and `connection` are the options of `load`; `other_token_env` names the credential of a second principal of
    a host, whose tools have their ids whatever `server` is.
    """
    view = source.view if isinstance(source, Catalog) else view
    if view != "standard":
        raise UsageError(f"evidence is collected from the standard view, and this catalog is in the {view} one")
    if isinstance(source, str) and source.lower().startswith(_HOST):
        with opened(source, other_token_env=other_token_env, **connection) as client:
            return _of_host(read_host(client, asked=connection.get("major"), seed=seed))
    catalog = source if isinstance(source, Catalog) else load(source, server=server, **connection)
    if isinstance(source, list | dict):
        catalog = replace(catalog, received=dumps(source))
    asked = str(source) if isinstance(source, str | os.PathLike) else ""
    return _material(catalog, _kind(asked or catalog.source, catalog))


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


def from_embedded(part: Mapping[str, Any], *, seed: int) -> Material:
    """
    The material that the part of a bundle holds.

    Raises:
        InputError: it cannot be read, is damaged, or is no catalog.
    """
    held = part["embedded"]
    if "catalog" in held:
        return from_text(held["catalog"], name=part["name"], kind=part["kind"], server=part["server"])
    host = part["host"] or {}
    url = part["name"]
    return named(_of_host(replayed(url, recorded(held), asked=host.get("asked"), seed=seed)), part)


def named(material: Material, part: Mapping[str, Any]) -> Material:
    """The same under the name that a part of a bundle has for it; of a list, as the part says that it is to be read."""
    name, kind = part["name"], part["kind"]
    if material.host is None:
        return from_text(material.catalog.received, name=name, kind=kind, server=part["server"])
    return replace(material, name=name, kind=kind, catalog=replace(material.catalog, source=name))


def sha256(text: str | bytes) -> str:
    """The SHA-256 of bytes, or of a text in UTF-8, in hexadecimal."""
    return hashlib.sha256(text.encode() if isinstance(text, str) else text).hexdigest()


def one_credential_one_origin(sources: Sequence[Source], connection: Mapping[str, Any]) -> None:
    """Raises UsageError where a credential would go to several origins: it was given for one of them."""
    from workbench.sources.addresses import Address

    if not (connection.get("token_env") or connection.get("other_token_env")):
        return
    texts = [each.removeprefix("mcp:") for each in sources if isinstance(each, str)]
    urls = [text for text in texts if text.lower().startswith(_HOST)]
    if len({Address.of(url, allow_insecure=True).origin for url in urls}) > 1:
        raise UsageError("one credential is not sent to several hosts: collect evidence of each on its own")


def _of_host(host: HostRead) -> Material:
    return Material(host.url, "host", host.standard, None, host)


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
