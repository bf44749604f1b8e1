"""A host that is busy, asks for a rest or changes meanwhile is not accused of what cannot be told."""

from __future__ import annotations

from dataclasses import replace
from threading import Lock

import httpx
import pytest

from conformance.many_hosts import ALICE, BOB, SMALL, Hosts, failed
from conformance.replaying import Recordings, replayed
from workbench.conformance import ProbeResult
from workbench.sample_host import create_app
from workbench.sources.exchanges import Exchange
from workbench.values import dumps


class Busy(httpx.BaseTransport):
    """The way to a host that answers so many requests, and then that it is busy."""

    def __init__(self, answers: int, status: int = 429, wait: str = "") -> None:
        self.answers, self.status, self.wait = answers, status, wait
        self.asked = 0
        self._lock = Lock()
        self._inner = httpx.HTTPTransport()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        with self._lock:
            self.asked += 1
            busy = self.asked > self.answers
        if busy:
            headers = {"content-type": "text/plain", **({"retry-after": self.wait} if self.wait else {})}
            return httpx.Response(self.status, headers=headers, text="later")
        return self._inner.handle_request(request)

    def close(self) -> None:
        self._inner.close()


class Rollout(Busy):
    """The way to a host whose catalog loses a tool after so many requests."""

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        with self._lock:
            self.asked += 1
            if self.asked > self.answers:
                target = request.url.raw_path.replace(b"/perfect/", b"/smaller/")
                request.url = request.url.copy_with(raw_path=target)
        return self._inner.handle_request(request)


def _replay(result: ProbeResult) -> ProbeResult:
    written = [Exchange.from_json(exchange.to_json()) for exchange in result.exchanges]
    return replayed(written, result.host, result.major, intrusive=False)


@pytest.mark.parametrize(
    ("answers", "status"), [(0, 429), (1, 503), (2, 502), (5, 429), (9, 503), (14, 504), (24, 502), (30, 429)]
)
def test_a_busy_host_is_not_accused(hosts: Hosts, answers: int, status: int) -> None:
    way = Busy(answers, status, wait="0")
    result = hosts.probe(transport=way, retries=1)
    assert failed(result) == set()
    assert result.counts["undecided"] > 1
    assert result.requests == way.asked
    assert dumps(_replay(result).to_json()) == dumps(result.to_json())


@pytest.mark.parametrize("answers", [0, 1, 2, 5, 14, 24, 30])
def test_a_host_that_asks_for_a_long_rest_gets_it(hosts: Hosts, answers: int) -> None:
    way = Busy(answers, wait="3600")
    result = hosts.probe(transport=way)
    # Those that were under way at once have been sent.
    assert way.asked <= answers + 4
    assert result.requests == way.asked
    assert failed(result) == set()
    told = [
        outcome.summary
        for outcome in result.outcomes
        if "3,600 seconds" in outcome.summary or ": 3600" in outcome.summary
    ]
    assert told or answers == 0
    assert dumps(_replay(result).to_json()) == dumps(result.to_json())


def test_what_others_show_is_told_though_one_answer_is_missing(recordings: Recordings) -> None:
    def bend(exchange: Exchange) -> Exchange:
        if exchange.principal != "none" or exchange.status != 401:
            return exchange
        return replace(exchange, status=200 if "view=compact" in exchange.target else 503)

    assert failed(recordings.bent(bend)) == {"unauthenticated"}


@pytest.mark.parametrize("answers", range(3, 36, 4))
def test_a_catalog_that_changes_meanwhile_is_no_breach(hosts: Hosts, answers: int) -> None:
    tools = tuple(tool for tool in SMALL if tool.tool_id != SMALL.ids[-1 if answers % 8 == 3 else 0])
    hosts._apps["smaller"] = create_app(replace(SMALL, tools=tools), keys={"alice": ALICE, "bob": BOB})
    result = hosts.probe(transport=Rollout(answers), workers=1)
    # That a list changed between two reads of it is true, whatever the reason.
    assert failed(result) <= {"stable-ids", "stable-bytes"}
    assert dumps(_replay(result).to_json()) == dumps(result.to_json())


def test_where_a_redirect_led_is_in_the_evidence(recordings: Recordings) -> None:
    def bend(exchange: Exchange) -> Exchange:
        if not exchange.target.endswith("/tools?view=compact"):
            return exchange
        return replace(exchange, status=404, hops=("/tools/all",), attempts=2)

    result = recordings.bent(bend)
    assert result["compact-honoured"].evidence[0].request.endswith("/tools?view=compact (redirected to /tools/all)")
    assert result.requests == sum(each.attempts for each in result.exchanges) > len(result.exchanges)
