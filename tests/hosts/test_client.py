"""The client: headers and targets per major, forms of lists, redirects, retries, reads by id."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from threading import Barrier
from typing import Any

import httpx
import pytest

import workbench as wb
from hosts.raw_host import TOOL, V1, V2, RawHost, by_request, catalog_rules, raw_host, reply
from workbench.errors import CatalogError, HostError, UsageError
from workbench.sources.exchanges import Exchange
from workbench.sources.hosts import HostClient
from workbench.sources.retries import MAX_WAIT, seconds_to_wait

OK = reply(200, {})


def sent(host: RawHost, path: str) -> dict[str, str]:
    return next(request.headers for request in host.requests if request.path == path)


class TestMajors:
    def test_v1_sends_no_version(self) -> None:
        with raw_host(catalog_rules()) as host, HostClient(host.url) as client:
            assert client.catalog().ids == ("mcp:files.read",)
            assert client.major == 1
            headers = sent(host, "/v1/tools")
            assert headers["accept"] == "application/json"
            assert "openwop-version" not in headers

    def test_v2_sends_its_version_once_it_is_known(self) -> None:
        rules = {"/.well-known/openwop": reply(200, V2), "/tools": reply(200, [TOOL])}
        with raw_host(rules) as host, HostClient(host.url) as client:
            assert len(client.catalog()) == 1
            assert "openwop-version" not in sent(host, "/.well-known/openwop")
            assert sent(host, "/tools")["openwop-version"] == "2.0"

    def test_a_given_major_needs_no_discovery(self) -> None:
        with raw_host({"/tools": reply(200, [TOOL])}) as host, HostClient(host.url, major=2) as client:
            assert len(client.catalog()) == 1
            assert host.targets() == ["/tools"]

    def test_targets(self) -> None:
        one, two = HostClient("http://127.0.0.1", major=1), HostClient("http://127.0.0.1/x", major=2)
        assert one.list_target() == "/v1/tools"
        assert one.list_target("compact", "a b&c") == "/v1/tools?view=compact&source=a%20b%26c"
        assert one.one_target("a:b/c") == "/v1/tools/a%3Ab%2Fc"
        assert two.one_target("..", "standard") == "/x/tools/%2E%2E?view=standard"

    def test_headers_of_one_request_win_and_none_leaves_one_out(self) -> None:
        with raw_host({"*": OK}) as host, HostClient(host.url, major=2) as client:
            exchange = client.exchange("/tools", headers=[("OpenWOP-Version", "9.0"), ("Accept", None)])
            assert host.requests[0].headers["openwop-version"] == "9.0"
            assert "accept" not in host.requests[0].headers
            assert ("openwop-version", "9.0") in exchange.headers_sent


class TestCatalogs:
    @pytest.mark.parametrize("body", [[TOOL], {"tools": [TOOL]}, {"items": [TOOL]}])
    def test_each_form_of_a_list_is_read_and_kept(self, body: Any) -> None:
        with raw_host(catalog_rules(**{"/v1/tools": reply(200, body)})) as host, HostClient(host.url) as client:
            catalog = client.catalog()
            assert (catalog.ids, catalog.source, catalog.view) == (("mcp:files.read",), host.url, "standard")
            assert catalog.received == json.dumps(body)

    @pytest.mark.parametrize(
        ("body", "words"),
        [({"tool": []}, "no tools"), ([{"name": "x", "inputSchema": {}}], "mcp tools"), ([{"toolId": 1}], "toolId")],
    )
    def test_what_is_no_catalog_names_its_address(self, body: Any, words: str) -> None:
        with raw_host(catalog_rules(**{"/v1/tools": reply(200, body)})) as host, HostClient(host.url) as client:
            with pytest.raises(CatalogError, match=words) as caught:
                client.catalog()
            assert str(caught.value).startswith(f"{host.url}/v1/tools: ")

    def test_load_reads_a_host(self) -> None:
        with raw_host(catalog_rules()) as host:
            assert wb.load(host.url).ids == ("mcp:files.read",)
            assert wb.load(host.url, view="compact").view == "compact"
            assert host.targets()[-1] == "/v1/tools?view=compact"

    def test_load_asks_for_no_view_that_is_not_advertised(self) -> None:
        plain = {**V1, "toolCatalog": {"supported": True}}
        with raw_host(catalog_rules(**{"/.well-known/openwop": reply(200, plain)})) as host:
            with pytest.raises(HostError, match="compactView"):
                wb.load(host.url, view="compact")
            assert "/v1/tools?view=compact" not in host.targets()

    def test_load_knows_its_options(self) -> None:
        with pytest.raises(UsageError, match="token_env"):
            wb.load("http://127.0.0.1:1", token="x")


class TestRedirects:
    def test_within_the_origin_they_are_followed(self) -> None:
        rules = {
            "/a": reply(302, location="/b?x=%2F"),
            "/b": by_request(lambda request: reply(307, location=f"http://{request.headers['host']}/c")),
            "/c": reply(200, [1]),
        }
        with raw_host(rules) as host, HostClient(host.url) as client:
            exchange = client.exchange("/a")
            assert (exchange.target, exchange.status, exchange.body) == ("/a", 200, b"[1]")
            assert exchange.hops == ("/b?x=%2F", "/c")

    @pytest.mark.parametrize(
        ("location", "words"),
        [
            ("/a", "in a circle"),
            ("/b", "in a circle"),
            ("https://127.0.0.1:9/a", "another origin, https://127.0.0.1:9,"),
            ("//example.org/a", "another origin, http://example.org,"),
            ("http://user:pass@example.org", "another origin, http://example.org,"),
            ("javascript:alert(1)", "no address"),
            ("data:,x", "no address"),
            ("http://[", "another origin"),
            ("https:///b", "another origin|no address"),
        ],
    )
    def test_others_are_not(self, location: str, words: str) -> None:
        with raw_host({"/a": reply(302, location="/b"), "/b": reply(301, location=location)}) as host:
            exchange = HostClient(host.url).exchange("/a")
        assert exchange.status is None
        assert exchange.failure.startswith("the host redirects")
        assert re.search(words, exchange.failure)
        assert host.targets() == ["/a", "/b"]

    def test_they_are_bounded(self) -> None:
        step = by_request(lambda request: reply(302, location=f"{request.path}x"))
        with raw_host({"*": step}) as host:
            assert "more than 5 times" in HostClient(host.url).exchange("/").failure
            assert len(host.requests) == 6

    def test_one_that_leads_nowhere_is_an_answer(self) -> None:
        with raw_host({"/a": reply(302), "/b": reply(304)}) as host, HostClient(host.url) as client:
            assert [client.exchange(target).status for target in ("/a", "/b")] == [302, 304]

    def test_what_is_not_a_read_is_not_sent_elsewhere(self) -> None:
        with raw_host({"*": reply(307, location="/b")}) as host:
            assert HostClient(host.url).exchange("/a", method="DELETE").status == 307
            assert host.targets() == ["/a"]


class TestRetries:
    @pytest.mark.parametrize("status", [429, 502, 503, 504])
    def test_a_busy_host_is_asked_again(self, status: int, waits: list[float]) -> None:
        with raw_host({"/a": [reply(status), reply(status), OK]}) as host:
            exchange = HostClient(host.url).exchange("/a")
            assert (exchange.status, exchange.attempts) == (200, 3)
            assert len(waits) == 2
            assert 0 < waits[0] < waits[1]

    @pytest.mark.parametrize("status", [400, 401, 403, 404, 500, 501])
    def test_others_are_not(self, status: int, waits: list[float]) -> None:
        with raw_host({"/a": [reply(status), OK]}) as host:
            assert HostClient(host.url).exchange("/a").status == status
            assert waits == []

    def test_they_are_bounded_and_only_for_reads(self, waits: list[float]) -> None:
        with raw_host({"/a": reply(503)}) as host:
            assert HostClient(host.url, retries=1).exchange("/a").attempts == 2
            assert HostClient(host.url).exchange("/a", method="OPTIONS").attempts == 1
            assert HostClient(host.url, retries=0).exchange("/a").attempts == 1
            assert len(host.requests) == 4

    def test_retry_after_is_obeyed(self, waits: list[float]) -> None:
        date = format_datetime(datetime.now(UTC) + timedelta(seconds=20), usegmt=True)
        with raw_host({"/a": [reply(429, Retry_After="3"), reply(503, Retry_After=date), OK]}) as host:
            assert HostClient(host.url).exchange("/a").status == 200
        assert waits[0] == 3
        assert 10 < waits[1] <= 20

    def test_a_host_that_asks_for_too_much_is_not_asked_again(self, waits: list[float]) -> None:
        with raw_host({"/a": reply(429, Retry_After=str(int(MAX_WAIT) + 1))}) as host:
            assert HostClient(host.url).exchange("/a").status == 429
            assert (len(host.requests), waits) == (1, [])

    @pytest.mark.parametrize(
        ("text", "seconds"),
        [
            *[
                ("0", 0),
                ("7", 7),
                ("9" * 400, 999_999_999_999),
                ("-1", None),
                ("soon", None),
                ("", None),
                ("1.5", None),
            ],
            *[("Wed, 21 Oct 2015 07:28:00 GMT", 0), ("Wed, 99 Oct 2015 07:28:00 GMT", None), ("٣", None)],
        ],
    )
    def test_what_retry_after_says(self, text: str, seconds: float | None) -> None:
        exchange = Exchange("none", "GET", "/", (), 429, (("retry-after", text),))
        assert seconds_to_wait(exchange) == seconds

    def test_a_connection_that_fails_is_tried_again(self, waits: list[float]) -> None:
        with raw_host({"/a": [b"", OK]}) as host:
            assert HostClient(host.url).exchange("/a").attempts == 2
        refused = HostClient(host.url).exchange("/a")
        assert refused.attempts == 3
        assert refused.failure.startswith("no connection: ")


class TestReadsById:
    def test_they_come_in_the_order_of_the_ids_and_are_kept_in_it(self) -> None:
        ids = [f"mcp:{number}" for number in range(40)]
        echo = by_request(lambda request: reply(200, {"path": request.path}))
        seen: list[tuple[int, int]] = []
        with raw_host({"*": echo}) as host, HostClient(host.url, major=1) as client:
            found = client.tools(ids, "compact", progress=lambda done, total: seen.append((done, total)))
            assert [exchange.json()["path"].rpartition("%3A")[2] for exchange in found] == [i[4:] for i in ids]
            assert client.exchanges == tuple(found)
        assert seen == [(done, 40) for done in range(1, 41)]

    def test_they_run_at_once_up_to_a_bound(self) -> None:
        together = Barrier(4, timeout=10)

        def rule(_request: Any) -> bytes:
            together.wait()
            return OK

        with raw_host({"*": by_request(rule)}) as host, HostClient(host.url, major=1) as client:
            assert {exchange.status for exchange in client.tools(list("abcdefgh"), "standard", workers=4)} == {200}

    def test_an_interrupt_ends_them_all(self) -> None:
        def interrupt(_done: int, _total: int) -> None:
            raise KeyboardInterrupt

        def rule(request: Any) -> Any:
            return OK if request.path.endswith("/0") else lambda connection: connection.recv(1)

        ids = [str(number) for number in range(20)]
        with raw_host({"*": by_request(rule)}) as host:
            client = HostClient(host.url, major=1, timeout=60)
            with pytest.raises(KeyboardInterrupt):
                client.tools(ids, "standard", progress=interrupt, workers=4)
            assert len(host.requests) < 20

    def test_no_ids_need_no_requests(self) -> None:
        with HostClient("http://127.0.0.1:9", major=1) as client:
            assert client.tools([], "compact") == []


def test_the_transport_is_the_only_seam() -> None:
    transport = httpx.MockTransport(lambda _request: httpx.Response(200, json=[TOOL]))
    with HostClient("https://example.org", major=1, transport=transport) as client:
        assert len(client.catalog()) == 1


@pytest.mark.parametrize("option", [{"timeout": 0}, {"timeout": float("nan")}, {"timeout": -1}, {"max_bytes": 0}])
def test_numbers_that_cannot_be_are_refused(option: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        HostClient("http://127.0.0.1", **option)
