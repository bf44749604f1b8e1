"""MCP servers over streamable HTTP, on real sockets: what is sent, what is kept of it, and what each misbehaviour ends in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from mcp_site import SESSION, Site, serving

from workbench.errors import HostError, InputError, LimitError, UsageError
from workbench.sources import load

KEY = "k3y-that-nobody-may-see"


@pytest.fixture(scope="module")
def shared() -> Iterator[Site]:
    with serving() as site:
        yield site


@pytest.fixture
def site(shared: Site) -> Site:
    shared.seen.clear()
    return shared


@pytest.mark.parametrize("mode", ["json", "events", "mcp", "asking"])
def test_the_list_arrives_as_it_was_sent(site: Site, mode: str) -> None:
    catalog = load(f"mcp:{site.url}/{mode}", timeout=10)
    assert (catalog.ids, catalog.form, catalog.source) == (("mcp:pit.dig",), "mcp", f"mcp:{site.url}/{mode}")
    assert '"default": 1.0' in catalog.received


def test_a_conversation_is_opened_and_closed_as_the_protocol_says(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIT_KEY", KEY)
    load(f"mcp:{site.url}/events", token_env="PIT_KEY")
    assert [(method, body and body["method"]) for method, _, _, body in site.seen] == [
        ("POST", "initialize"),
        ("POST", "notifications/initialized"),
        ("POST", "tools/list"),
        ("DELETE", None),
    ]
    first, *others = [headers for _, _, headers, _ in site.seen]
    assert "mcp-session-id" not in first
    assert {headers["mcp-session-id"] for headers in others} == {SESSION}
    assert {headers["mcp-protocol-version"] for headers in others} == {"2025-06-18"}
    assert {headers["authorization"] for headers in (first, *others)} == {f"Bearer {KEY}"}
    assert first["accept"] == "application/json, text/event-stream"


def test_a_query_is_sent_and_never_named(site: Site) -> None:
    catalog = load(f"mcp:{site.url}/json?key={KEY}")
    assert site.seen[0][1] == f"/json?key={KEY}"
    assert catalog.source == f"mcp:{site.url}/json"


#: By misbehaviour: the kind of error, and what its line says after the source.
CASES: dict[str, tuple[type[InputError], str]] = {
    "401": (HostError, r"the server wants a credential \(--token-env NAME\) \(status 401\)"),
    "403": (HostError, r"the server refuses this caller \(status 403\)"),
    "404": (HostError, r"there is no MCP server at this address \(status 404\)"),
    "405": (HostError, r"no MCP server takes messages at this address \(the older transport.*\) \(status 405\)"),
    "429": (HostError, r"the server is asked too often \(status 429\)"),
    "500": (HostError, r"the server does not do what it is asked \(status 500, error -32603: no shovel\)"),
    "html": (HostError, "the answer to initialize is text/html, not JSON or an event stream"),
    "circle": (HostError, "the server redirects in a circle"),
    "elsewhere": (HostError, r"the server redirects to another origin \(http://localhost:1/mcp\): .*"),
    "moved": (HostError, "the server redirects with status 303, under which a message is lost"),
    "silent": (HostError, r"initialize: no complete answer came within 0.3 seconds \(--timeout\)"),
    "hung-up": (HostError, "initialize: the connection was closed before an answer came"),
    "accepted": (HostError, "no answer to tools/list"),
    "no-answer": (HostError, "no answer to tools/list"),
    "slow": (HostError, r"tools/list: no complete answer came within 0.3 seconds \(--timeout\)"),
    "endless": (LimitError, r"it sent more than 1,000,000 bytes \(--max-bytes\)"),
    "huge": (LimitError, r"it sent more than 1,000,000 bytes \(--max-bytes\)"),
    "cut-off": (HostError, "tools/list: the answer was cut off before its end"),
    "cut-off-events": (HostError, "tools/list: the answer was cut off before its end"),
    "compressed": (HostError, "the answer is compressed, which was not asked for"),
    "not-utf-8": (HostError, "the answer to tools/list is not UTF-8"),
    "odd-session": (HostError, "its session id is not visible ASCII"),
}


@pytest.mark.parametrize("mode", CASES)
def test_a_hostile_server_ends_in_one_line(site: Site, mode: str) -> None:
    kind, says = CASES[mode]
    source = f"mcp:{site.url}/{mode}"
    with pytest.raises(InputError) as caught:
        load(source, timeout=0.3 if mode in ("silent", "slow") else 20, max_bytes=1_000_000)
    assert type(caught.value) is kind
    line = str(caught.value)
    assert line.startswith(f"{source}: ")
    assert re.fullmatch(says, line.removeprefix(f"{source}: "))


def test_a_credential_that_a_server_repeats_is_masked(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIT_KEY", KEY)
    with pytest.raises(HostError) as caught:
        load(f"mcp:{site.url}/echo", token_env="PIT_KEY")
    assert r"the server refuses the credential (status 401, error -1: no such key: Bearer ***)" in str(caught.value)
    assert KEY not in repr(caught.value)
    catalog = load(f"mcp:{site.url}/repeats", token_env="PIT_KEY")
    assert catalog.tools[0].descriptor["description"] == "Send Bearer ***"
    assert KEY not in catalog.received


@pytest.mark.parametrize(
    ("address", "options", "says"),
    [
        ("http://mcp.example/mcp", {}, "plain http to another machine"),
        ("http://user:word@127.0.0.1/mcp", {}, "an address holds no credentials"),
        ("http://127.0.0.1:1/mcp", {"token_env": "NO_SUCH_VARIABLE"}, "'NO_SUCH_VARIABLE' is not set"),
        ("http:", {}, "the address of a host is"),
    ],
)
def test_an_address_that_is_not_used(address: str, options: dict[str, Any], says: str) -> None:
    with pytest.raises(UsageError, match=re.escape(says)) as caught:
        load(f"mcp:{address}", **options)
    assert "word" not in str(caught.value)


def test_nobody_listens(unused_port: int) -> None:
    with pytest.raises(HostError, match="initialize: no connection: Connection refused"):
        load(f"mcp:http://127.0.0.1:{unused_port}/mcp")
