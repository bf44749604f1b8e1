"""Discovery: what a host says of itself at its well-known address (RFC 0073), and what of it concerns the tool catalog."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from workbench.errors import HostError, InputError
from workbench.sources.exchanges import Exchange, Principal
from workbench.sources.refusals import refusal

if TYPE_CHECKING:
    from workbench.sources.hosts import HostClient

__all__ = ["WELL_KNOWN", "Discovery", "Layout", "Major", "Validated", "discover"]

WELL_KNOWN = "/.well-known/openwop"
VERSION = "OpenWOP-Version"

Major: TypeAlias = Literal[1, 2]
Layout: TypeAlias = Literal["root", "legacy", "record", "absent"]
#: The last document with an ETag, by its address, the version asked for and on whose behalf.
Validated: TypeAlias = dict[tuple[str, str | None, Principal], Exchange]

#: Characters of a list of versions that a message repeats.
_QUOTED: Final = 100
#: A path, and perhaps a query, below an origin; two slashes would begin another one.
_PATH: Final = re.compile(r"/(?!/)[!$-\[\]-~]*")


@dataclass(frozen=True, slots=True)
class Discovery:
    """
    What discovery says of the tool catalog.

    `layout` says where: at the `root` of a v1 document, under its `legacy` object `capabilities`, as the `record` of a v2
    document, or `absent`.
    """

    document: dict[str, Any]
    #: The answer that held the document; one that was revalidated (304) is the earlier answer.
    exchange: Exchange
    major: Major
    compact_view: bool
    supported: bool
    layout: Layout
    #: None where it does not say: all that the host implements.
    sources: tuple[str, ...] | None

    @property
    def serves_2x(self) -> bool:
        """Whether it names a version of 2.x, beside others or alone."""
        return 2 in _majors(self.document)

    @property
    def is_scoped(self) -> bool:
        """Whether it says that a principal is told other things than the public is (RFC 0011)."""
        return _scoped(self.document).get("supported") is True


def discover(client: HostClient, wanted: Major | None, principal: Principal, validated: Validated) -> Discovery:
    """
    Read the discovery document of a major, or of the one that the host prefers, which is what it sends unasked.

    A principal's is the one at the address that the host has for what depends on who asks, where it names one (RFC 0011).

    Raises:
        HostError: it cannot be read, is no JSON object, or the host does not speak the major wanted, or neither 1 nor 2.
    """
    asked = "2.0" if wanted == 2 else None
    document, exchange = _document(client, asked, principal, validated)
    major = 2 if wanted == 2 else _chosen(client, document, exchange, wanted)
    if wanted != 2 and major != _stated(document):
        asked = next((version for version in _versions(document) if _major(version) == major), f"{major}.0")
        document, exchange = _document(client, asked, principal, validated)
    if major not in _majors(document):
        message = f"the host does not speak major {major}: it speaks {_spoken(document)}"
        raise HostError(message, source=client.url + WELL_KNOWN, status=exchange.status)
    if principal != "none" and (path := _own_path(document)):
        document, exchange = _document(client, asked, principal, validated, path)
    return _read(document, exchange, major)


def _chosen(client: HostClient, document: dict[str, Any], exchange: Exchange, wanted: Major | None) -> Major:
    """The major to read: as wanted, as the document has it, or the highest that is known here. Raises HostError."""
    stated = _stated(document)
    major = wanted or stated
    if major not in (1, 2):
        major = max({_major(version) for version in _versions(document)} & {1, 2}, default=0)
    if major not in (1, 2):
        message = f"the host speaks major {stated}; 1 and 2 are read here"
        raise HostError(message, source=client.url + WELL_KNOWN, status=exchange.status)
    return 2 if major == 2 else 1


def _scoped(document: dict[str, Any]) -> dict[str, Any]:
    found = document.get("discovery")
    found = found.get("authScoped") if isinstance(found, dict) else None
    return found if isinstance(found, dict) else {}


def _own_path(document: dict[str, Any]) -> str:
    """Where the document of a principal is, if not where the public one is; a path of this origin, and nothing else."""
    scoped = _scoped(document)
    path = scoped.get("endpointPath")
    wanted = scoped.get("supported") is True and scoped.get("mode") == "extension-endpoint"
    return path if wanted and isinstance(path, str) and _PATH.fullmatch(path) else ""


def _document(
    client: HostClient, version: str | None, principal: Principal, validated: Validated, path: str = WELL_KNOWN
) -> tuple[dict[str, Any], Exchange]:
    """The document for a version header (or none), revalidated by its ETag where it was read before."""
    known = validated.get((path, version, principal))
    etag = known.header("etag") if known else None
    exchange = client.exchange(
        client.prefix + path, principal=principal, headers=[(VERSION, version), ("If-None-Match", etag)]
    )
    source = f"{client.url}{path}"
    if exchange.status == 304 and known is not None:
        exchange = known
    elif exchange.failure:
        raise HostError(exchange.failure, source=source)
    elif exchange.status == 404:
        message = "there is no OpenWOP discovery document (status 404); is this the base URL of a host?"
        raise HostError(message, source=source, status=404)
    elif exchange.status in (401, 403):
        message = f"status {exchange.status}: this document is public, and the host wants a credential for it"
        raise HostError(f"{message}; with --major it is not needed", source=source, status=exchange.status)
    elif exchange.status != 200:
        raise HostError(refusal(exchange), source=source, status=exchange.status)
    try:
        document = exchange.json()
    except InputError as error:
        error.source = source
        raise
    if not isinstance(document, dict):
        raise HostError("the discovery document is no JSON object", source=source, status=exchange.status)
    if exchange.header("etag"):
        validated[path, version, principal] = exchange
    return document, exchange


def _major(version: Any) -> int:
    """The major of `<major>.<minor>`; 0 for what is none."""
    head = version.partition(".")[0] if isinstance(version, str) else ""
    return int(head) if head.isascii() and head.isdigit() and len(head) < 9 else 0


def _majors(document: dict[str, Any]) -> set[int]:
    """The majors that a document names; or that of its layout, where it names none."""
    return {_stated(document), *map(_major, _versions(document)), *([2] if _is_record(document) else [])}


def _spoken(document: dict[str, Any]) -> str:
    """The versions that a document names, for people."""
    names = _versions(document) or [str(document.get(name)) for name in ("preferredVersion", "protocolVersion")]
    return ", ".join(dict.fromkeys(name for name in names if _major(name)))[:_QUOTED] or f"{_stated(document)}.x"


def _is_record(document: dict[str, Any]) -> bool:
    """Whether toolCatalog stands there as 2.x has it."""
    record = document.get("toolCatalog")
    return isinstance(record, dict) and "status" in record and "supported" not in record


def _versions(document: dict[str, Any]) -> list[str]:
    versions = document.get("protocolVersions")
    return [version for version in versions if isinstance(version, str)] if isinstance(versions, list) else []


def _stated(document: dict[str, Any]) -> int:
    """The major of a document that was asked for without a version: that of its `preferredVersion`."""
    preferred = _major(document.get("preferredVersion"))
    if preferred:
        return preferred
    if _is_record(document):
        return 2
    return _major(document.get("protocolVersion")) or 1


def _read(document: dict[str, Any], exchange: Exchange, major: Major) -> Discovery:
    family, layout = _family(document, major)
    supported = layout != "absent" and (family.get("supported") is True or major == 2)
    sources = family.get("sources")
    return Discovery(
        document,
        exchange,
        major,
        supported and family.get("compactView") is True,
        supported,
        layout,
        tuple(name for name in sources if isinstance(name, str)) if isinstance(sources, list) else None,
    )


def _family(document: dict[str, Any], major: Major) -> tuple[dict[str, Any], Layout]:
    family = document.get("toolCatalog")
    if isinstance(family, dict):
        return family, "record" if major == 2 else "root"
    legacy = document.get("capabilities")
    family = legacy.get("toolCatalog") if isinstance(legacy, dict) and major == 1 else None
    return (family, "legacy") if isinstance(family, dict) else ({}, "absent")
