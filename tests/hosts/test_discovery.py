"""Discovery: where the tool catalog is described, which major is spoken, and that a document is not sent twice."""

from __future__ import annotations

from typing import Any

import pytest

from hosts.raw_host import V1, V2, Request, by_request, raw_host, reply
from workbench.errors import HostError
from workbench.sources.discovery import WELL_KNOWN, Discovery
from workbench.sources.hosts import HostClient


def discovered(document: Any, **options: Any) -> Discovery:
    with raw_host({WELL_KNOWN: reply(200, document)}) as host, HostClient(host.url, **options) as client:
        return client.discover()


def versions(host: Any) -> list[str | None]:
    return [request.headers.get("openwop-version") for request in host.requests]


@pytest.mark.parametrize(
    ("document", "layout", "supported", "compact", "sources"),
    [
        (V1, "root", True, True, None),
        ({"toolCatalog": {"supported": True}}, "root", True, False, None),
        ({"toolCatalog": {"supported": True, "compactView": "true"}}, "root", True, False, None),
        ({"toolCatalog": {"supported": True, "compactView": 1}}, "root", True, False, None),
        ({"toolCatalog": {"supported": False, "compactView": True}}, "root", False, False, None),
        ({"toolCatalog": {"compactView": True}}, "root", False, False, None),
        ({"toolCatalog": {"supported": True, "sources": ["mcp", 1]}}, "root", True, False, ("mcp",)),
        ({"capabilities": V1}, "legacy", True, True, None),
        ({"toolCatalog": {"supported": False}, "capabilities": V1}, "root", False, False, None),
        ({"toolCatalog": [], "capabilities": []}, "absent", False, False, None),
        ({}, "absent", False, False, None),
        ({"preferredVersion": "2.0", "capabilities": V1}, "absent", False, False, None),
        (V2, "record", True, True, ("mcp",)),
    ],
)
def test_what_a_document_says(document: Any, layout: str, supported: bool, compact: bool, sources: Any) -> None:
    found = discovered(document)
    assert (found.layout, found.supported, found.compact_view, found.sources) == (layout, supported, compact, sources)
    assert found.document == document
    assert found.exchange.status == 200


@pytest.mark.parametrize(
    ("document", "major"),
    [
        (V1, 1),
        (V2, 2),
        ({}, 1),
        ({"preferredVersion": "1.4", "protocolVersions": ["1.4", "2.0"]}, 1),
        ({"preferredVersion": 2}, 1),
        ({"preferredVersion": "x", "protocolVersion": "1.0"}, 1),
        ({"toolCatalog": {"status": "stable", "since": "2.0"}}, 2),
        ({"preferredVersion": "3.0", "protocolVersions": ["1.4", "2.1", "3.0"]}, 2),
        ({"preferredVersion": "3.0", "protocolVersions": ["1.4", None, "3.0"]}, 1),
    ],
)
def test_the_major_is_what_the_host_prefers(document: Any, major: int) -> None:
    assert discovered(document).major == major


@pytest.mark.parametrize("document", [{"preferredVersion": "3.0"}, {"protocolVersion": "4"}])
def test_a_major_that_is_not_read_here_is_named(document: Any) -> None:
    with pytest.raises(HostError, match=r"major [34]"):
        discovered(document)


def both(request: Request) -> bytes:
    return reply(200, {**V2, "preferredVersion": "1.4"} if request.headers.get("openwop-version") == "2.0" else V1)


def test_a_major_is_asked_for_by_its_header() -> None:
    with raw_host({WELL_KNOWN: by_request(both)}) as host:
        assert HostClient(host.url).discover().layout == "root"
        assert HostClient(host.url, major=1).discover().layout == "root"
        assert HostClient(host.url, major=2).discover().layout == "record"
        assert versions(host) == [None, None, "2.0"]


def test_major_1_is_asked_for_where_the_host_prefers_2() -> None:
    document = {**V1, "preferredVersion": "2.0", "protocolVersions": ["2.0", "1.4"]}
    with raw_host({WELL_KNOWN: reply(200, document)}) as host:
        assert HostClient(host.url, major=1).discover().major == 1
        assert versions(host) == [None, "1.4"]


@pytest.mark.parametrize(
    ("document", "wanted", "spoken"),
    [
        ({**V1, "protocolVersion": "1.4"}, 2, "1.4"),
        ({**V1, "protocolVersions": ["1.3", "1.4"], "preferredVersion": "1.4"}, 2, "1.3, 1.4"),
        ({}, 2, "1.x"),
        ({**V2, "protocolVersions": ["2.0"]}, 1, "2.0"),
    ],
)
def test_a_major_that_the_host_does_not_speak_is_refused(document: Any, wanted: int, spoken: str) -> None:
    with pytest.raises(HostError, match=rf"does not speak major {wanted}: it speaks {spoken}$"):
        discovered(document, major=wanted)


SCOPED = {"supported": True, "mode": "extension-endpoint", "endpointPath": "/v1/capabilities"}


def test_a_principal_reads_the_document_that_the_host_has_for_principals() -> None:
    public = {"discovery": {"authScoped": SCOPED}}
    routes = {WELL_KNOWN: reply(200, public), "/v1/capabilities": reply(200, V1)}
    with raw_host(routes) as host, HostClient(host.url, credential="k1") as client:
        assert client.discover().layout == "absent"
        assert client.discover(principal="first").layout == "root"
        assert client.discover().is_scoped


@pytest.mark.parametrize("path", ["https://x.example/", "//x.example/", "/a b", "/a\r\nb: c", "/\\x", "", "v1", 7])
def test_that_document_is_sought_on_this_origin_alone(path: Any) -> None:
    public = {**V1, "discovery": {"authScoped": {**SCOPED, "endpointPath": path}}}
    with raw_host({WELL_KNOWN: reply(200, public)}) as host, HostClient(host.url, credential="k1") as client:
        assert client.discover(principal="first").layout == "root"
        assert len(host.requests) == 1


class TestRevalidation:
    @staticmethod
    def rule(request: Request) -> bytes:
        version = request.headers.get("openwop-version", "")
        who = request.headers.get("authorization", "")
        tag = f'"{version}/{who[-1:]}"'
        if request.headers.get("if-none-match") == tag:
            return reply(304, body=b"", etag=tag)
        return reply(200, V1, etag=tag)

    def test_a_document_is_sent_once(self) -> None:
        with raw_host({WELL_KNOWN: by_request(self.rule)}) as host, HostClient(host.url) as client:
            first, second, third = (client.discover() for _ in range(3))
            assert first == second == third
            assert [exchange.status for exchange in client.exchanges] == [200, 304, 304]

    def test_nobody_is_given_what_another_principal_was_sent(self) -> None:
        with raw_host({WELL_KNOWN: by_request(self.rule)}) as host, HostClient(host.url, credential="k1") as client:
            for principal in ("none", "first", "none", "first"):
                client.discover(principal=principal)
            tags = [request.headers.get("if-none-match") for request in host.requests]
            assert tags == [None, None, '"/"', '"/1"']

    def test_without_a_tag_it_is_read_anew(self) -> None:
        with raw_host({WELL_KNOWN: [reply(200, V1), reply(200, {})]}) as host, HostClient(host.url) as client:
            assert [client.discover().layout for _ in range(2)] == ["root", "absent"]
            assert "if-none-match" not in host.requests[1].headers
