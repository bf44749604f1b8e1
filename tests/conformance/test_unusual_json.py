"""JSON that is well-formed and unusual is no breach; what is malformed is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from conformance.many_hosts import failed
from conformance.replaying import Recordings, is_list
from workbench.sources.exchanges import Exchange

DEEP = '{"a":' * 600 + "1" + "}" * 600
UNUSUAL = {
    "a name twice": '{"x":1,"x":1}',
    "a number beyond a double": "1E400",
    "a long integer": "9" * 5_000,
    "half a surrogate pair": '"\\ud83d"',
    "many levels": DEEP,
    "more levels than any parser has": "[" * 300_000 + "]" * 300_000,
}
MALFORMED = {
    "NaN": "NaN",
    "infinity": "-Infinity",
    "a comma too many": "[1,]",
    "an open end": "[",
    "levels that do not end": '{"a":' * 600,
    "quotes": "'x'",
    "control characters": '"\n"',
}


def _with(value: str, where: Callable[[Exchange], bool]) -> Callable[[Exchange], Exchange]:
    """Puts a member into the first object of a body."""
    return lambda each: (
        replace(each, body=each.body.replace(b"{", b'{"odd":' + value.encode() + b",", 1)) if where(each) else each
    )


def _is_standard_list(exchange: Exchange) -> bool:
    return is_list(exchange) and exchange.status == 200 and "compact" not in exchange.target


@pytest.mark.parametrize("value", UNUSUAL.values(), ids=list(UNUSUAL))
def test_a_list_of_unusual_json_is_not_accused(recordings: Recordings, value: str) -> None:
    result = recordings.bent(_with(value, _is_standard_list))
    served = result["catalog-served"]
    assert failed(result) == set()
    assert (served.status, served.suite) == ("undecided", None)
    assert "RFC 7493" in served.summary
    assert "line 1" in served.summary
    assert not result.judged


@pytest.mark.parametrize("value", MALFORMED.values(), ids=list(MALFORMED))
def test_a_list_that_is_malformed_fails(recordings: Recordings, value: str) -> None:
    served = recordings.bent(_with(value, _is_standard_list))["catalog-served"]
    assert (served.status, served.suite) == ("fail", "fail")


def test_a_list_that_is_no_utf_8_fails(recordings: Recordings) -> None:
    def latin(exchange: Exchange) -> Exchange:
        return replace(exchange, body=b'[{"title":"caf\xe9"}]') if _is_standard_list(exchange) else exchange

    assert recordings.bent(latin)["catalog-served"].status == "fail"


@pytest.mark.parametrize(
    ("requirement_id", "where"),
    [
        ("discovery-document", lambda each: each.target.endswith("/openwop") and each.status == 200),
        ("by-id-standard", lambda each: "/tools/" in each.target and each.status == 200),
        ("compact-one", lambda each: "/tools/" in each.target and each.status == 200),
        ("by-id-compact", lambda each: "/tools/" in each.target and each.status == 200),
        ("error-envelope", lambda each: each.status == 404),
        ("unknown-view", lambda each: "view=workbench" in each.target),
        ("source-filter", lambda each: "source=" in each.target),
    ],
)
def test_nor_is_any_other_answer(
    recordings: Recordings, requirement_id: str, where: Callable[[Exchange], bool]
) -> None:
    unusual, malformed = (recordings.bent(_with(value, where)) for value in ('{"x":1,"x":1}', "NaN"))
    assert unusual[requirement_id].status == "undecided"
    assert malformed[requirement_id].status == "fail"
    assert failed(unusual) == set()


def test_what_is_wrong_beside_it_is_still_said(recordings: Recordings) -> None:
    def bend(exchange: Exchange) -> Exchange:
        if "/tools/" not in exchange.target or exchange.status != 200 or "view" in exchange.target:
            return exchange
        is_odd = exchange.target.endswith("convert")
        return _with("[{},{},NaN]" if is_odd else "1E400", lambda _: True)(exchange)

    assert recordings.bent(bend)["by-id-standard"].status == "fail"
