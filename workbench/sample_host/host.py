"""
What a host answers that does all that the specification asks, apart from HTTP: one small method for each decision.

Discovery is public (RFC 0073). A catalog is read by principals, each with a key, scopes and a catalog of its own, and no other
catalog is ever consulted: a tool of somebody else is as unknown as one that does not exist (RFC 0074). The compact view is our
projection (RFC 0112), with descriptions shortened at sentences.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Collection, Mapping
from dataclasses import dataclass, field
from secrets import compare_digest
from typing import Any, Final, Literal, NoReturn, TypeAlias

from workbench.catalog import Catalog, Tool, View
from workbench.projection import project
from workbench.values import dumps

__all__ = ["RUNS_READ", "SOURCES", "VERSIONS", "Answer", "Host", "Major", "Read", "Refusal"]

Major: TypeAlias = Literal[1, 2]

#: The protocol versions that are served, by major. While there are two, a 1.x is preferred.
VERSIONS: Final[Mapping[Major, str]] = {1: "1.4", 2: "2.0"}
#: The scope that both catalog reads ask for (RFC 0049).
RUNS_READ: Final = "runs:read"
#: Where tools can come from (RFC 0078).
SOURCES: Final = ("node-pack", "workflow", "mcp", "connector", "host-extension")
#: The cap on descriptions that RFC 0112 leaves open, in characters.
_MAX_DESCRIPTION: Final = 256

_PUBLIC: Final = {"Cache-Control": "public, max-age=300", "Vary": "OpenWOP-Version"}
_PRIVATE: Final = {"Cache-Control": "private, no-cache", "Vary": "Authorization, OpenWOP-Version"}
_VERSION: Final = re.compile(r"(0|[1-9][0-9]*)(\.(0|[1-9][0-9]*))?")


@dataclass(frozen=True, slots=True)
class Read:
    """What a request asks for, once it is known who asks and that they may."""

    principal: str
    major: Major
    view: View
    source: str | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """A status, headers and a body; the body is a JSON text unless the headers say otherwise."""

    body: bytes | AsyncIterator[bytes]
    headers: Mapping[str, str] = field(default_factory=dict)
    status: int = 200


class Refusal(Exception):
    """An error that a caller is told of: `{error, message, details?}`, a closed envelope in both majors."""

    def __init__(
        self, status: int, code: str, message: str, *, challenge: str = "", details: dict[str, Any] | None = None
    ) -> None:
        super().__init__(message)
        self.status = status
        self.envelope = {"error": code, "message": message} | ({"details": details} if details else {})
        self.headers = {"WWW-Authenticate": challenge} if challenge else {}


class Host:
    """
    Serves each principal's catalog in both majors and both views.

    `keys` and `scopes` are by principal. Views are computed when they are first asked for, and once.
    """

    def __init__(
        self, catalogs: Mapping[str, Catalog], keys: Mapping[str, str], scopes: Mapping[str, Collection[str]]
    ) -> None:
        self.catalogs = catalogs
        self.keys = keys
        self.scopes = scopes
        self._views: dict[tuple[str, Major, View], list[dict[str, Any]]] = {}
        self._compact: dict[tuple[str, Major], dict[str, Any]] = {}

    # Discovery: `GET /.well-known/openwop`.

    def discover(self, version: str | None) -> Answer:
        """The document of the major that the header asks for; without a header, that of the preferred version."""
        major: Major = 1
        if version is not None:
            named = _major(version)
            if named not in VERSIONS:
                _refuse_version()
            major = 2 if named == 2 else 1
        headers = {"OpenWOP-Version": VERSIONS[major], **_PUBLIC}
        return Answer(dumps(self.document(major)).encode(), headers)

    def document(self, major: Major) -> dict[str, Any]:
        """What is offered. A v2 record is a claim by being there; v1 says `supported`."""
        versions = {"protocolVersions": list(VERSIONS.values()), "preferredVersion": VERSIONS[1]}
        catalog = {"sources": list(SOURCES), "compactView": True}
        if major == 2:
            record = {"status": "stable", "since": "2.0", "witness": "witnessable-gated", **catalog}
            return {**versions, "toolCatalog": record}
        return {
            "protocolVersion": VERSIONS[1],
            **versions,
            "supportedEnvelopes": [],
            "schemaVersions": {},
            "limits": {"clarificationRounds": 3, "schemaRounds": 2, "envelopesPerTurn": 5},
            "toolCatalog": {"supported": True, **catalog},
        }

    # Who asks, and for what.

    def read(
        self, major: Major, version: str | None, authorization: str | None, view: str | None, source: str | None
    ) -> Read:
        """A request for the catalog, understood and allowed. Raises Refusal otherwise."""
        self.agree(major, version)
        return Read(self.principal(authorization), major, self.view(view), source)

    def agree(self, major: Major, version: str | None) -> None:
        """The path and the version header, where there is one, name the same major."""
        named = major if version is None else _major(version)
        if named == major:
            return
        if major == 1 or named in VERSIONS:
            raise Refusal(
                400, "protocol_version_mismatch", "This path is not one of the version that the header names."
            )
        _refuse_version()

    def principal(self, authorization: str | None) -> str:
        """Whose key this is. Every key is compared, each in constant time, and all that are not known get one answer."""
        scheme, _, key = (authorization or "").partition(" ")
        known = [name for name, own in self.keys.items() if compare_digest(own.encode(), key.strip().encode())]
        if scheme.lower() != "bearer" or not known:
            raise Refusal(
                401, "unauthenticated", "A valid key is needed: Authorization: Bearer KEY.", challenge="Bearer"
            )
        if RUNS_READ not in self.scopes[known[0]]:
            challenge = f'Bearer error="insufficient_scope", scope="{RUNS_READ}"'
            raise Refusal(403, "forbidden", f"This key lacks the scope {RUNS_READ}.", challenge=challenge)
        return known[0]

    def view(self, text: str | None) -> View:
        """Only `compact` asks for the compact view; any other value is the standard view."""
        return "compact" if text == "compact" else "standard"

    # The catalog: `listTools` and `getTool`.

    def list_tools(self, read: Read) -> Answer:
        """The answer to `GET /tools`, the same bytes every time."""
        return self.answer(self.envelope(self.listed(read), read), read)

    def get_tool(self, read: Read, tool_id: str) -> Answer:
        """The answer to `GET /tools/{toolId}`: in either view a bare object, the same as in the list."""
        return self.answer(self.found(read, tool_id), read)

    def answer(self, value: Any, read: Read) -> Answer:
        """A JSON value with the headers of a catalog read."""
        return Answer(dumps(value).encode(), {"OpenWOP-Version": VERSIONS[read.major], **_PRIVATE})

    def envelope(self, tools: list[dict[str, Any]], read: Read) -> Any:
        """The standard list is a bare array, the compact one has an envelope (RFC 0112)."""
        return {"tools": tools} if read.view == "compact" else tools

    def listed(self, read: Read) -> list[dict[str, Any]]:
        """The tools of a list; `source` filters either view."""
        tools = self.tools(read.principal, read.major, read.view)
        return [tool for tool in tools if read.source in (None, tool.get("source"))]

    def found(self, read: Read, tool_id: str) -> dict[str, Any]:
        """One tool. Raises Refusal with one and the same 404 for whatever this principal has not."""
        for tool in self.tools(read.principal, read.major, read.view):
            if tool["toolId"] == tool_id:
                return tool
        raise Refusal(404, "not_found", "There is no such tool.")

    def tools(self, principal: str, major: Major, view: View) -> list[dict[str, Any]]:
        """All tools of a principal in one view, computed once."""
        key = (principal, major, view)
        if key not in self._views:
            self._views[key] = (self.compact if view == "compact" else self.standard)(principal, major)
        return self._views[key]

    def standard(self, principal: str, major: Major) -> list[dict[str, Any]]:
        """The descriptors of a principal, by `toolId` in the order of UTF-16 code units; v1 knows no `annotations`."""
        tools = [tool.descriptor for tool in sorted(self.catalogs[principal], key=_code_units)]
        if major == 1:
            return [{name: value for name, value in tool.items() if name != "annotations"} for tool in tools]
        return tools

    def compact(self, principal: str, major: Major) -> list[dict[str, Any]]:
        """The same tools as in the standard view, in the same order, each projected."""
        return [self._projected(tool, major) for tool in self.tools(principal, major, "standard")]

    def _projected(self, descriptor: dict[str, Any], major: Major) -> dict[str, Any]:
        """Principals share tools, so each is projected once for all of them."""
        key = (dumps(descriptor), major)
        if key not in self._compact:
            catalog = Catalog((Tool(descriptor["toolId"], descriptor, 0),))
            compact = project(
                catalog,
                max_description=_MAX_DESCRIPTION,
                strategy="sentence",
                profile="v2" if major == 2 else "v1",
            )
            self._compact[key] = compact.catalog.tools[0].descriptor
        return self._compact[key]


def _code_units(tool: Tool) -> bytes:
    return tool.tool_id.encode("utf-16-be", "surrogatepass")


def _major(version: str) -> int | None:
    """The major in `2` or `2.0`; None where it is neither."""
    match = _VERSION.fullmatch(version.strip())
    return int(match[1]) if match else None


def _refuse_version() -> NoReturn:
    raise Refusal(
        406,
        "protocol_version_unsupported",
        "This version of the protocol is not served.",
        details={"protocolVersions": list(VERSIONS.values())},
    )
