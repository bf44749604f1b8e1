"""Hosts that tell a principal other things than the public (RFC 0011): requirements are decided by what it was told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx
import pytest

from conformance.many_hosts import ALICE, failed
from workbench.conformance import ProbeResult, probe

SAME = {"supported": True, "mode": "same-endpoint"}
ELSEWHERE = {"supported": True, "mode": "extension-endpoint", "endpointPath": "/v1/capabilities"}
WELL_KNOWN = "/.well-known/openwop"
TOOL = {"toolId": "mcp:a", "source": "mcp", "safetyTier": "read", "title": "A", "costHint": "low"}
COMPACT = {name: value for name, value in TOOL.items() if name != "costHint"}


def _document(scoped: Any, **members: Any) -> dict[str, Any]:
    return {
        "protocolVersion": "1.4",
        "supportedEnvelopes": [],
        "schemaVersions": {},
        "limits": {"clarificationRounds": 3, "schemaRounds": 2, "envelopesPerTurn": 5},
        "toolCatalog": {"supported": True, **members},
        **({"discovery": {"authScoped": scoped}} if scoped else {}),
    }


def _catalog(request: httpx.Request, has_compact: bool) -> tuple[int, Any]:
    compact = has_compact and request.url.params.get("view") == "compact"
    tools = [COMPACT if compact else TOOL]
    if "source" in request.url.params:
        tools = [tool for tool in tools if tool["source"] == request.url.params["source"]]
    if "authorization" not in request.headers:
        return 401, {"error": "unauthenticated", "message": "A key is needed."}
    if request.url.path.endswith("/tools"):
        return 200, {"tools": tools} if compact else tools
    if request.url.path.endswith("/mcp:a"):
        return 200, tools[0]
    return 404, {"error": "not_found", "message": "No."}


class _Host:
    """A host with one document for the public and one for whoever has a key."""

    def __init__(self, public: Any, own: Any, *, has_compact: bool, path: str = WELL_KNOWN) -> None:
        self.public, self.own, self.path, self.has_compact = public, own, path, has_compact
        self.keyed: list[str] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        has_key = "authorization" in request.headers
        path = request.url.path
        if has_key and "tools" not in path:
            self.keyed.append(path)
        if has_key and path == self.path:
            return self._document(request, self.own)
        if path == WELL_KNOWN:
            return self._document(request, self.public)
        status, value = _catalog(request, self.has_compact)
        return httpx.Response(status, json=value)

    def _document(self, request: httpx.Request, document: Any) -> httpx.Response:
        if document is None:
            return httpx.Response(401, json={"error": "unauthenticated", "message": "A key is needed."})
        status = 304 if request.headers.get("if-none-match") == '"1"' else 200
        return httpx.Response(status, json=document, headers={"etag": '"1"'})


def _probe(host: Callable[[httpx.Request], httpx.Response], credential: str | None = ALICE) -> ProbeResult:
    transport = httpx.MockTransport(host)
    return probe("http://127.0.0.1:9", credential=credential, transport=transport, retries=0)


@pytest.mark.parametrize(("scoped", "path"), [(SAME, WELL_KNOWN), (ELSEWHERE, "/v1/capabilities")])
def test_a_view_that_is_advertised_to_a_principal_alone_is_asked_of_the_host(scoped: Any, path: str) -> None:
    public, own = _document(scoped, compactView=False), _document(scoped, compactView=True)
    result = _probe(_Host(public, own, has_compact=True, path=path))
    assert failed(result) == set()
    assert (result["compact-honoured"].status, result["compact-unadvertised"].status) == ("pass", "skip")
    assert "compactView true where it is false for all" in result["discovery-document"].summary
    # The official suite reads the public document.
    assert (result["compact-root"].suite, result["catalog-served"].suite) == ("skip", "pass")
    assert result.requests == result.needed
    broken = _probe(_Host(public, own, has_compact=False, path=path))
    assert failed(broken) == {"compact-honoured"}


@pytest.mark.parametrize(("scoped", "path"), [(SAME, WELL_KNOWN), (ELSEWHERE, "/v1/capabilities")])
def test_a_view_that_is_not_advertised_to_the_principal_is_not_asked_of_the_host(scoped: Any, path: str) -> None:
    public, own = _document(scoped, compactView=True), _document(scoped)
    result = _probe(_Host(public, own, has_compact=False, path=path))
    assert failed(result) == set()
    assert (result["compact-honoured"].status, result["compact-unadvertised"].status) == ("skip", "pass")
    assert result["compact-honoured"].summary == "the host does not advertise compactView to the first principal"
    broken = _probe(_Host(public, own, has_compact=True, path=path))
    assert failed(broken) == {"compact-unadvertised"}
    assert "not advertised to the first principal, and changes 1 tool" in broken["compact-unadvertised"].summary


def test_a_principal_to_whom_no_catalog_is_advertised_is_asked_nothing_more() -> None:
    own = _document(SAME, supported=False)
    result = _probe(_Host(_document(SAME, compactView=True), own, has_compact=True))
    assert result["catalog-served"].summary == "the host advertises no tool catalog to the first principal"
    assert result.requests == 3


def test_what_is_kept_from_the_public_is_read_all_the_same_and_the_host_fails_for_it() -> None:
    result = _probe(_Host(None, _document(None, compactView=True), has_compact=True))
    assert failed(result) == {"discovery-document"}
    assert result["compact-honoured"].status == "pass"
    assert result["discovery-document"].evidence[0].status == 401


def test_a_document_of_a_principal_that_cannot_be_read_leaves_the_public_one() -> None:
    result = _probe(_Host(_document(SAME, compactView=True), None, has_compact=True))
    assert failed(result) == set()
    assert result["compact-honoured"].status == "pass"


@pytest.mark.parametrize("scoped", [None, {"supported": False}])
def test_no_key_is_sent_where_nothing_depends_on_it(scoped: Any) -> None:
    host = _Host(_document(scoped), _document(scoped, compactView=True), has_compact=False)
    assert failed(_probe(host)) == set()
    assert host.keyed == []


def test_without_a_key_what_the_public_is_told_decides() -> None:
    host = _Host(_document(SAME, compactView=False), _document(SAME, compactView=True), has_compact=True)
    assert _probe(host, None)["compact-honoured"].status == "skip"
