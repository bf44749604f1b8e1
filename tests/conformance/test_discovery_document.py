"""What stands at the root of a discovery document, and what it says of the catalog: each breach with its place."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.many_hosts import SMALL, failed
from conformance.replaying import Bend, Recordings, with_json
from workbench.conformance.result import Outcome
from workbench.sources.exchanges import Exchange

GONE = object()


def _changed(document: Any, path: tuple[str, ...], value: Any) -> Any:
    name, *rest = path
    if rest:
        return {**document, name: _changed(document[name], tuple(rest), value)}
    kept = {key: each for key, each in document.items() if key != name}
    return kept if value is GONE else {**kept, name: value}


def _with(path: str, value: Any) -> Bend:
    def bend(exchange: Exchange) -> Exchange:
        is_document = exchange.target.endswith("/openwop") and exchange.status == 200
        return (
            with_json(exchange, lambda document: _changed(document, tuple(path.split("/")[1:]), value))
            if is_document
            else exchange
        )

    return bend


def _places(outcome: Outcome) -> list[str]:
    return [each.pointer for each in outcome.evidence]


@pytest.mark.parametrize(
    ("major", "path", "value", "said"),
    [
        (1, "/protocolVersion", GONE, "is missing"),
        (1, "/supportedEnvelopes", GONE, "is missing"),
        (1, "/schemaVersions", GONE, "is missing"),
        (1, "/limits", GONE, "is missing"),
        (1, "/limits/schemaRounds", GONE, "is missing"),
        (1, "/limits/schemaRounds", "3", "is a string, not integer"),
        (1, "/limits", [], "is a list, not object"),
        (1, "/protocolVersion", "1", "breaks pattern"),
        (1, "/protocolVersion", "1.0\n", "breaks pattern"),
        (1, "/protocolVersion", "1.04", "breaks pattern"),
        (1, "/protocolVersion", 1.4, "is a number, not string"),
        (1, "/schemaVersions", {"a/b": "1"}, "is a string, not integer"),
        (2, "/protocolVersions", GONE, "is missing"),
        (2, "/preferredVersion", GONE, "is missing"),
        (2, "/preferredVersion", "1.9", "is none of protocolVersions"),
        (2, "/protocolVersions", ["1.4", 2], "is a number, not string"),
    ],
)
def test_what_clients_need_at_the_root_is_asked_of_the_document(
    recordings: Recordings, major: int, path: str, value: Any, said: str
) -> None:
    result = recordings.bent(_with(path, value), major)
    outcome = result["discovery-document"]
    assert failed(result) == {"discovery-document"}
    assert outcome.summary.endswith(said)
    [place] = _places(outcome)
    assert place.startswith(path)


@pytest.mark.parametrize(
    "member", [("/limits/maxNodeExecutions", 9), ("/limits/x", 1), ("/x", None), ("/protocolVersion", "1.0")]
)
def test_what_it_says_beyond_that_is_its_own(recordings: Recordings, member: tuple[str, Any]) -> None:
    assert failed(recordings.bent(_with(*member))) == set()


def test_each_key_that_the_capability_lacks_or_has_too_much_is_named(recordings: Recordings) -> None:
    outcome = recordings.bent(_with("/toolCatalog", {"sources": "mcp", "views": [1], "compactView": True}), 2)[
        "capability-shape"
    ]
    keys = ["since", "sources", "status", "until", "views", "witness"]
    assert _places(outcome) == [f"/toolCatalog/{key}" for key in keys]
    assert [each.excerpt for each in outcome.evidence] == ["not there", '"mcp"', *["not there"] * 2, "[1]", "not there"]
    assert "schema: since is missing, sources is a string, not array, " in outcome.summary
    assert ", views is not known, " in outcome.summary


@pytest.mark.parametrize("major", [1, 2])
def test_tools_of_a_source_that_is_not_advertised_are_told_and_no_breach(recordings: Recordings, major: int) -> None:
    result = recordings.bent(_with("/toolCatalog/sources", ["mcp"]), major)
    others = {tool.descriptor["source"] for tool in SMALL} - {"mcp"}
    assert failed(result) == set()
    assert others
    for source in others:
        assert f"{source} (" in result["capability-shape"].summary
    assert _places(result["capability-shape"]) == ["/toolCatalog/sources"]


def test_until_goes_with_the_status(recordings: Recordings) -> None:
    outcome = recordings.bent(_with("/toolCatalog/until", "2.9"), 2)["capability-shape"]
    assert outcome.summary.endswith(": until may not be there")
