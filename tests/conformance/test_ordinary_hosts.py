"""Hosts that are ordinary and other than the sample host: none is accused of what the texts do not ask of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from conformance.many_hosts import failed
from conformance.replaying import Bend, Recordings, with_header, with_json
from workbench.conformance.deciders.lists import part
from workbench.sources.exchanges import Exchange


def _bent(*bends: Bend) -> Bend:
    def bend(exchange: Exchange) -> Exchange:
        for each in bends:
            exchange = each(exchange)
        return exchange

    return bend


def _discovery(change: Callable[[dict[str, Any]], Any]) -> Bend:
    """Changes the discovery document."""

    def bend(exchange: Exchange) -> Exchange:
        is_document = exchange.target.endswith("/openwop") and exchange.status == 200
        return with_json(exchange, change) if is_document else exchange

    return bend


def _without(*names: str) -> Bend:
    return _discovery(lambda value: {name: each for name, each in value.items() if name not in names})


def _ignoring_versions(exchange: Exchange) -> Exchange:
    return replace(exchange, status=200, body=b"[]") if exchange.status in (400, 406) else exchange


def test_a_host_of_1x_alone_may_ignore_the_version_header(recordings: Recordings) -> None:
    result = recordings.bent(_bent(_without("protocolVersions", "preferredVersion"), _ignoring_versions))
    assert failed(result) == set()
    assert result["version-unsupported"].status == "skip"
    assert "1.x alone" in result["version-unsupported"].summary
    assert result.requests == result.needed
    assert not any("OpenWOP-Version" in str(each.headers_sent) for each in result.exchanges)


def test_a_host_that_serves_2x_too_may_not_and_is_shown_what_was_sent(recordings: Recordings) -> None:
    for major, version in ((1, "2.0"), (2, "99.0")):
        outcome = recordings.bent(_ignoring_versions, major)["version-unsupported"]
        assert (outcome.status, outcome.level) == ("fail", "must")
        assert outcome.evidence[0].request.endswith(f"/tools (OpenWOP-Version: {version})")


def test_evidence_on_caching_shows_the_tag_that_was_sent(recordings: Recordings) -> None:
    result = recordings.bent(lambda each: replace(each, status=200) if each.status == 304 else each)
    [evidence] = result["discovery-caching"].evidence
    assert '(If-None-Match: "' in evidence.request
    assert evidence.request.endswith("; no credential)")


def test_what_cors_lets_scripts_send_is_not_what_the_catalog_allows(recordings: Recordings) -> None:
    def cors(exchange: Exchange) -> Exchange:
        every = with_header(exchange, "access-control-allow-methods", "GET,HEAD,PUT,PATCH,POST,DELETE")
        return every if exchange.method == "OPTIONS" else exchange

    def without_allow(exchange: Exchange) -> Exchange:
        return with_header(exchange, "allow", None)

    assert recordings.bent(cors)["read-only"].status == "pass"
    assert recordings.bent(_bent(cors, without_allow))["read-only"].status == "undecided"


def test_a_header_that_says_the_same_twice_says_it_once(recordings: Recordings) -> None:
    def again(exchange: Exchange, value: str) -> Exchange:
        return replace(exchange, headers=(*exchange.headers, ("content-type", value)))

    same = recordings.bent(lambda each: again(each, "Application/JSON; charset=utf-8"))
    other = recordings.bent(lambda each: again(each, "text/plain"))
    assert (same["json-media-type"].status, other["json-media-type"].status) == ("pass", "fail")


@pytest.mark.parametrize(
    ("member", "said"),
    [({}, "error is missing"), ({"error": ""}, "error is empty"), ({"error": 7}, "error is no text")],
)
def test_what_an_error_lacks_is_said(recordings: Recordings, member: dict[str, Any], said: str) -> None:
    def bend(exchange: Exchange) -> Exchange:
        return with_json(exchange, lambda _: {**member, "message": "No."}) if exchange.status == 404 else exchange

    assert recordings.bent(bend)["error-envelope"].summary.endswith(f"not of the envelope's shape: {said}")


@pytest.mark.parametrize(("counts", "said"), [((1, 1), "1 of 1 tool is"), ((2, 3), "2 of 3 tools are")])
def test_the_verb_goes_with_the_number(counts: tuple[int, int], said: str) -> None:
    assert part(*counts, "tool") == said
