"""Recordings: an exchange survives being written down, and what was read once can be read again without the host."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hosts.raw_host import TOOL, V1, by_request, catalog_rules, raw_host, reply
from workbench.errors import HostError, InputError, LimitError
from workbench.sources.exchanges import Exchange
from workbench.sources.hosts import HostClient
from workbench.sources.recording import Replay
from workbench.values import dumps, read_json

words = st.text(st.characters(exclude_categories=["Cs"]))
pairs = st.lists(st.tuples(words, words)).map(tuple)
exchanges = st.builds(
    Exchange,
    st.sampled_from(["none", "first", "second"]),
    st.just("GET"),
    words,
    pairs,
    st.none() | st.integers(100, 599),
    pairs,
    st.binary() | words.map(str.encode),
    words,
    st.lists(words).map(tuple),
    st.booleans(),
)


@given(exchanges)
def test_an_exchange_comes_back_from_its_json(exchange: Exchange) -> None:
    text = dumps(exchange.to_json())
    assert Exchange.from_json(read_json(text)) == exchange
    assert dumps(Exchange.from_json(read_json(text)).to_json()) == text


@pytest.mark.parametrize("value", [None, [], {}, {"principal": "first"}, 1, "x"])
def test_what_is_no_exchange_is_refused(value: Any) -> None:
    with pytest.raises(InputError, match="no recorded exchange"):
        Exchange.from_json(value)


def test_times_are_no_part_of_it() -> None:
    one = Exchange("none", "GET", "/", (), 200, elapsed=1.0, attempts=1)
    assert one == Exchange("none", "GET", "/", (), 200, elapsed=2.0, attempts=3)
    assert "elapsed" not in one.to_json()


@pytest.mark.parametrize(
    ("body", "kind", "words"),
    [
        (b"", HostError, "empty"),
        (b" <html>", HostError, "HTML"),
        (b"[1", InputError, "not JSON"),
        (b"[" * 600, LimitError, "levels"),
    ],
)
def test_what_is_no_json_names_its_target(body: bytes, kind: type[InputError], words: str) -> None:
    with pytest.raises(kind, match=words) as caught:
        Exchange("none", "GET", "/v1/tools", (), 200, (), body).json()
    assert str(caught.value).startswith("/v1/tools: ")


def session(client: HostClient) -> list[Any]:
    """A bit of everything that a client may do, and what it concludes."""
    found: list[Any] = [client.discover(), client.discover(principal="first")]
    found += [client.catalog(), client.catalog("compact"), client.catalog(principal="second").ids]
    found += client.tools(["a", "b/c", ".."], "compact")
    for target in ("/moved", "/elsewhere", "/cut", "/busy", "/packed", "/echo", "/gone", "/same", "/same"):
        found.append(client.exchange(target))
    found.append(client.exchange("/same", headers=[("If-None-Match", '"x"')]))
    found.append(client.exchange("/same", method="OPTIONS", principal="none"))
    return found


def test_a_session_replays_as_it_was(waits: list[float]) -> None:
    import gzip

    count = iter(range(100))
    rules = catalog_rules(
        **{
            "/.well-known/openwop": reply(200, V1, etag='"1"'),
            "/moved": reply(302, location="/v1/tools"),
            "/elsewhere": reply(302, location="https://elsewhere.example/"),
            "/cut": reply(200, [TOOL])[:-4],
            "/busy": [reply(503), reply(200, {"at": "last"})],
            "/packed": reply(200, body=gzip.compress(b'{"a": "\xc3\xa9\xff"}'), content_encoding="gzip"),
            "/echo": by_request(lambda request: reply(200, {"sent": request.headers}, x_sent=str(request.headers))),
            "/gone": reply(503),
            "/same": by_request(lambda _request: reply(200, {"count": next(count)})),
            "*": by_request(lambda request: reply(200, {"target": request.target})),
        }
    )
    with raw_host(rules) as host, HostClient(host.url, credential="key-of-alice", other="key-of-bob") as client:
        lived = session(client)
        url = host.url
        recorded = json.loads(dumps([exchange.to_json() for exchange in client.exchanges]))
    assert len(waits) == 3
    replay = Replay(map(Exchange.from_json, recorded))
    with HostClient(url, credential="first", other="second", transport=replay) as again:
        assert session(again) == lived
        assert [exchange.to_json() for exchange in again.exchanges] == recorded
        unknown = again.exchange("/same")
        assert "no such request, or not so often: GET /same" in unknown.failure
    assert len(waits) == 3


def test_principals_are_told_apart() -> None:
    kept = [Exchange(who, "GET", "/a", (), 200, (), who.encode()) for who in ("none", "first", "second")]  # type: ignore[arg-type]
    for order in (("second", "none", "first"), ("first", "second", "none")):
        with HostClient(
            "http://recorded.example", credential="first", other="second", transport=Replay(kept)
        ) as client:
            sent = [("Accept", None)]
            assert [client.exchange("/a", principal=who, headers=sent).text for who in order] == list(order)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["Accept", "If-None-Match", "OpenWOP-Version"])
def test_requests_are_told_apart_by_what_decides_the_answer(name: str) -> None:
    one, two = ([("Accept", "*/*"), (name, value)] for value in ("1", "2"))
    with raw_host({"*": by_request(lambda request: reply(200, request.headers[name.lower()]))}) as host:
        with HostClient(host.url) as client:
            lived = [client.exchange("/a", headers=headers) for headers in (one, two)]
        with HostClient(host.url, transport=Replay(lived)) as client:
            assert [client.exchange("/a", headers=headers) for headers in (two, one)] == lived[::-1]
