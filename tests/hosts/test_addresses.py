"""Addresses: which base URLs are taken, and that an id of any kind reaches the host as one segment, to the letter."""

from __future__ import annotations

import json
from collections.abc import Iterator
from urllib.parse import unquote_to_bytes

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hosts.raw_host import RawHost, by_request, catalog_rules, raw_host, reply
from workbench.errors import UsageError
from workbench.sources.addresses import Address, segment
from workbench.sources.hosts import HostClient

#: What is known to go wrong in one library or another.
AWKWARD = [
    ".",
    "..",
    "...",
    "../..",
    "a/../b",
    "/",
    "//",
    "?",
    "#",
    "a?view=compact",
    "a#b",
    "%",
    "%2F",
    "%2f",
    "%zz",
    " ",
]
AWKWARD += [
    "a b",
    "a+b",
    "mcp:search.web",
    "&",
    ";",
    "=",
    "@",
    "\\",
    "é",
    "日本",
    "\U0001f600",
    "\x00",
    "\n",
    "\r\nX: y",
    "~",
    "'",
    "*",
]


@pytest.fixture(scope="module")
def host() -> Iterator[RawHost]:
    echo = by_request(lambda request: reply(200, {"target": request.target}))
    with raw_host({"*": echo}) as running:
        yield running


@pytest.fixture(scope="module")
def client(host: RawHost) -> Iterator[HostClient]:
    with HostClient(f"{host.url}/prefix", major=1) as running:
        yield running


def one_segment_of(client: HostClient, tool_id: str) -> None:
    exchange = client.exchange(client.one_target(tool_id, "compact"))
    assert exchange.failure == ""
    seen = json.loads(exchange.body)["target"]
    assert seen == exchange.target
    path, _, query = seen.partition("?")
    assert query == "view=compact"
    start, _, last = path.rpartition("/")
    assert start == "/prefix/v1/tools"
    assert last not in (".", "..")
    assert unquote_to_bytes(last) == tool_id.encode("utf-8", "surrogatepass")


@pytest.mark.parametrize("tool_id", AWKWARD)
def test_an_awkward_id_arrives_as_one_segment(client: HostClient, tool_id: str) -> None:
    one_segment_of(client, tool_id)


@settings(max_examples=50)
@given(st.text(st.characters(codec=None), min_size=1) | st.text(":/?%#. +é", min_size=1))
def test_any_id_arrives_as_one_segment(client: HostClient, tool_id: str) -> None:
    one_segment_of(client, tool_id)


@given(st.text(), st.text())
def test_different_ids_have_different_segments(one: str, other: str) -> None:
    assert (segment(one) == segment(other)) == (one == other)
    assert "/" not in segment(one)


def test_an_id_too_long_for_an_address_is_the_failure_of_its_exchange(client: HostClient) -> None:
    exchange = client.exchange(client.one_target("x" * 100_000))
    assert exchange.status is None
    assert "too long" in exchange.failure


def test_a_target_that_would_be_changed_is_not_sent(client: HostClient, host: RawHost) -> None:
    before = len(host.requests)
    for target in ("/v1/../tools", "/v1/tools/..", "/a b", "/é", "tools", "//other/tools#x", "/a#b", "http://other/"):
        assert client.exchange(target).status is None
    assert len(host.requests) == before


@pytest.mark.parametrize(
    ("given_url", "url"),
    [
        ("https://Example.ORG", "https://example.org"),
        ("https://example.org/", "https://example.org"),
        ("https://example.org:443//", "https://example.org"),
        ("HTTPS://example.org:8443/a/b/", "https://example.org:8443/a/b"),
        ("https://example.org/a%2Fb c", "https://example.org/a%2Fb%20c"),
        ("http://127.0.0.1:80", "http://127.0.0.1"),
        ("http://127.9.9.9:1", "http://127.9.9.9:1"),
        ("http://localhost:8080/x", "http://localhost:8080/x"),
        ("http://[::1]:8080/", "http://[::1]:8080"),
        ("https://[2001:DB8::1]", "https://[2001:DB8::1]"),
        ("https://bücher.example", "https://xn--bcher-kva.example"),
    ],
)
def test_base_urls_have_one_form(given_url: str, url: str) -> None:
    assert Address.of(given_url).url == url


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("https://user:hunter2@example.org", "no credentials"),
        ("https://hunter2@example.org", "no credentials"),
        ("https://:hunter2@example.org", "no credentials"),
        ("https://@example.org", "no credentials"),
        ("https://user:hunter2/x@example.org", "no address"),
        ("https://user:hunter2@example.org:x", "no credentials"),
        ("https://example.org?key=hunter2", "no query"),
        ("https://example.org/a?", "no query"),
        ("https://example.org#hunter2", "no fragment"),
        ("ftp://example.org", "http\\(s\\)://HOST"),
        ("https://", "http\\(s\\)://HOST"),
        ("https:example.org", "http\\(s\\)://HOST"),
        ("https:///a", "http\\(s\\)://HOST"),
        ("https://example.org:0", "port"),
        ("https://example.org:65536", "port"),
        ("https://example.org:x", "no address"),
        ("https://exa mple.org\n", "no address"),
        ("https://[::1", "no address|http\\(s\\)"),
        ("https://999.1.1.1", "no address"),
        ("http://192.0.2.1", "--allow-insecure"),
        ("http://example.org", "--allow-insecure"),
        ("http://localhost.example.org", "--allow-insecure"),
        ("http://127.0.0.1.example.org", "--allow-insecure"),
        ("http://[2001:db8::1]", "--allow-insecure"),
        ("http://0.0.0.0", "--allow-insecure"),
    ],
)
def test_what_is_no_base_url_is_refused(url: str, words: str) -> None:
    with pytest.raises(UsageError, match=words) as caught:
        Address.of(url)
    assert "hunter2" not in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="?#"), max_size=20))
def test_any_path_of_a_base_url_is_sent_as_it_is_kept(path: str) -> None:
    address = Address.of(f"https://example.org/{path}")
    assert address.request_url(f"{address.prefix}/x").raw_path.decode() == f"{address.prefix}/x"
    assert Address.of(address.url) == address


def test_plain_http_may_be_allowed() -> None:
    assert Address.of("http://192.0.2.1", allow_insecure=True).origin == "http://192.0.2.1"


@pytest.mark.parametrize("prefix", ["", "/", "/a", "/a/b/"])
def test_a_prefix_is_kept_for_every_read(prefix: str) -> None:
    base = prefix.rstrip("/")
    rules = {f"{base}{path}": answer for path, answer in catalog_rules().items()}
    with raw_host(rules) as host, HostClient(host.url + prefix) as client:
        assert len(client.catalog()) == 1
        assert host.targets() == [f"{base}/.well-known/openwop", f"{base}/v1/tools"]


def test_ipv6() -> None:
    import socket

    try:
        with raw_host(catalog_rules(), family=socket.AF_INET6) as host, HostClient(host.url) as client:
            assert len(client.catalog()) == 1
            assert host.requests[0].headers["host"] == host.url.removeprefix("http://")
    except OSError as error:
        pytest.skip(f"this machine has no IPv6 loopback: {error}")
