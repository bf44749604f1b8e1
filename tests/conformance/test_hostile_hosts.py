"""Whatever a host sends, a probe ends with an outcome for each requirement, and shows nothing that acts or that is secret."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any
from xml.etree import ElementTree as ET

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conformance.many_hosts import ALICE, BOB, SMALL, Hosts, failed
from conformance.replaying import Recordings, replayed
from conformance.test_scoped_discovery import _document
from workbench.conformance import REQUIREMENTS, ProbeResult, probe
from workbench.sample_host import FAULTS
from workbench.sources.exchanges import Exchange
from workbench.values import dumps
from workbench.visible import hidden_characters

URL = "http://127.0.0.1:9"
V1 = {"protocolVersion": "1.4", "toolCatalog": {"supported": True, "compactView": True}}
TOOL = {"toolId": "mcp:a", "source": "mcp", "safetyTier": "read"}
Handler = Callable[[httpx.Request], httpx.Response]


def _probe(handler: Handler, **options: Any) -> ProbeResult:
    given: dict[str, Any] = {"credential": ALICE, "other": BOB, "retries": 0, **options}
    return probe(URL, transport=httpx.MockTransport(handler), **given)


def _serving(tools: Any, document: Any = V1) -> Handler:
    """A host that answers every list with the same value, and every tool with 404."""

    def handler(request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("openwop"):
            return httpx.Response(200, json=document)
        if request.url.path.endswith("/tools"):
            return httpx.Response(200, json=tools)
        return httpx.Response(404, json={"error": "not_found", "message": "No."})

    return handler


def _is_whole(result: ProbeResult) -> None:
    """There is an outcome for every requirement, and all forms of it can be written."""
    assert [outcome.id for outcome in result.outcomes] == list(REQUIREMENTS)
    assert all(outcome.summary for outcome in result.outcomes)
    text = dumps(result.to_json())
    ET.fromstring(result.junit())
    assert result.table().html()
    shown = result.text()
    assert not any(hidden_characters(line) for line in shown.split("\n"))
    assert max(map(len, shown.splitlines())) < 200
    for outcome in result.outcomes:
        assert not outcome.summary.startswith("it could not be decided"), outcome
    for secret in (ALICE, BOB):
        assert secret not in text + shown + repr(result) + result.junit().decode() + repr(result.exchanges)


HTML = b"<!doctype html><html><body>Sign in</body></html>"
HOSTILE: dict[str, Handler] = {
    "HTML everywhere": lambda _: httpx.Response(200, content=HTML, headers={"content-type": "text/html"}),
    "discovery is a list": _serving([TOOL], [1, 2]),
    "discovery is deep": _serving([TOOL], json.loads("[" * 400 + "]" * 400)),
    "ids are numbers": _serving([{**TOOL, "toolId": 7}, {**TOOL, "toolId": None}]),
    "ids are alike": _serving({"tools": [TOOL] * 1_000}),
    "ids are strange": _serving([{**TOOL, "toolId": each} for each in ("", ".", "..", "a/b?c#d%", "\u202e\x1b[2J", "𝕩" * 300)]),
    "tools are no tools": _serving([None, 1, "x", [], {}]),
    "a schema is none": _serving([{**TOOL, "inputSchema": each} for each in (None, 1, [], "x", {"properties": []})]),
    "a schema is a bomb": _serving([{**TOOL, "inputSchema": {"$ref": "#", "allOf": [{"$ref": "#"}] * 9}}]),
    "a schema is deep": _serving([{**TOOL, "inputSchema": json.loads('{"not":' * 300 + "{}" + "}" * 300)}]),
    "texts act": _serving([{**TOOL, "title": "\x1b]0;x\x07<script>alert(1)</script>\u202e", "description": "</td>" * 9}]),
    "half a surrogate pair": lambda _: httpx.Response(200, content=b'["\\ud800"]', headers={"content-type": "application/json"}),
    "everything is 500": lambda _: httpx.Response(500, content=b"\xff\xfe\x00"),
    "everything is 304": lambda _: httpx.Response(304),
    "all redirects": lambda request: httpx.Response(302, headers={"location": str(request.url)}),
    "nothing is there": lambda _: httpx.Response(200),
    "header of bytes": lambda _: httpx.Response(200, json=V1, headers={"etag": "ä\t", "content-type": "\x7f"}),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("major", [None, 2])
def test_a_hostile_host_never_breaks_a_probe(name: str, major: int | None) -> None:
    result = _probe(HOSTILE[name], major=major)
    _is_whole(result)


def test_ids_that_occur_ten_thousand_times_are_read_once() -> None:
    result = _probe(_serving({"tools": [TOOL] * 10_000}))
    assert result["unique-tool-ids"].status == "fail"
    assert result.requests < 60


def test_a_host_that_sends_credentials_back_is_told_of_and_not_quoted() -> None:
    def echoing(request: httpx.Request) -> httpx.Response:
        said = request.headers.get("authorization", "nothing")
        if request.url.path.endswith("openwop"):
            return httpx.Response(200, json=V1)
        return httpx.Response(200, json=[{**TOOL, "description": said}], headers={"x-seen": said, "vary": said})

    result = _probe(echoing)
    _is_whole(result)
    assert result["no-secrets"].status == "fail"


BODIES = st.one_of(
    st.binary(max_size=40),
    st.sampled_from([b"", b"null", b"[]", b"{}", b'{"tools":{}}', b'[{"toolId":"a"}]', b"1e999", b"[" * 600, HTML]),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=8),
        lambda below: (
            st.lists(below, max_size=3)
            | st.dictionaries(
                st.sampled_from(["toolId", "tools", "items", "inputSchema", "properties", "required", "error", "x"]),
                below,
                max_size=4,
            )
        ),
        max_leaves=8,
    ).map(lambda value: json.dumps(value).encode()),
)
STATUSES = st.sampled_from([200, 200, 200, 200, 204, 304, 400, 401, 403, 404, 406, 418, 429, 500, None])


@settings(max_examples=25)
@given(
    seed=st.integers(0, 10**6),
    share=st.sampled_from([0.05, 0.3, 1.0]),
    odd=st.lists(st.tuples(STATUSES, BODIES), min_size=3, max_size=8),
)
def test_answers_of_any_kind_at_any_read_leave_an_outcome_for_all(
    recordings: Recordings, seed: int, share: float, odd: list[tuple[int | None, bytes]]
) -> None:
    random = Random(seed)

    def bend(exchange: Exchange) -> Exchange:
        if random.random() > share:
            return exchange
        status, body = random.choice(odd)
        return replace(exchange, status=status, body=body, failure="" if status else "it broke")

    _is_whole(recordings.bent(bend, random.choice([1, 2])))


@pytest.mark.parametrize("major", [1, 2])
def test_the_same_answers_give_the_same_result(hosts: Hosts, major: int) -> None:
    for faults in ((), ("unsound-projection", "other-id-403"), ("duplicate-ids", "unstable-order"), ("cut-off",)):
        result = hosts.probe(*faults, major=major)
        again = replayed(result.exchanges, result.host, major, intrusive=False, retries=0)
        assert dumps(again.to_json()) == dumps(result.to_json())
        assert again.junit() == result.junit()
        written = [Exchange.from_json(exchange.to_json()) for exchange in result.exchanges]
        assert replayed(written, result.host, major, intrusive=False).to_json() == result.to_json()


def test_nothing_but_get_is_sent_and_no_key_where_none_is_due(hosts: Hosts) -> None:
    hosts.asked.clear()
    for fault in ("flag-without-behaviour", "other-id-403", "no-401"):
        hosts.probe(fault)
    assert {method for _, method, _, _ in hosts.asked} == {"GET"}
    assert not any(has_key for _, _, target, has_key in hosts.asked if target.startswith("/.well-known"))
    hosts.asked.clear()
    result = hosts.probe(intrusive=True)
    assert {method for _, method, _, _ in hosts.asked} == {"GET", "OPTIONS", "HEAD"}
    assert result["read-only"].status == "pass"
    assert result.requests == result.needed == len(hosts.asked)


def test_a_perfect_host_is_asked_no_question_twice(hosts: Hosts) -> None:
    """Of list and tools; what is read twice on purpose is the compact list."""
    hosts.asked.clear()
    result = hosts.probe(second=False)
    tools = len(SMALL)
    # Discovery and its ETag; four lists and the compact one again; two filters; each tool in both views, and the first
    # in two views more; an unknown id in both views; list and tool in both views for nobody; another version.
    assert result.requests == 2 + 5 + 2 + 2 * tools + 2 + 2 + 4 + 1 == len(hosts.asked)


def test_a_host_that_advertises_nothing_is_asked_nothing_more() -> None:
    document = _document(None)
    del document["toolCatalog"]
    result = _probe(_serving([TOOL], document))
    assert result.requests == 1
    assert failed(result) == {"discovery-caching"}
    assert result["catalog-served"].status == "skip"
    assert result.unreachable == ""
    assert "advertises no tool catalog" in result.headline()


def test_without_discovery_the_list_is_read_where_a_major_is_named() -> None:
    def handler(request: httpx.Request) -> httpx.Response:
        found = _serving([TOOL])(request)
        return httpx.Response(404) if request.url.path.endswith("openwop") else found

    unnamed, named = _probe(handler), _probe(handler, major=1)
    assert unnamed.unreachable
    assert not named.unreachable
    assert named["discovery-document"].status == "fail"
    assert named["catalog-served"].status == "pass"
    assert named["compact-envelope"].status == "undecided"


@pytest.mark.parametrize(
    ("document", "major", "paths"),
    [
        (V1, 1, {"/v1/tools"}),
        (
            {
                "protocolVersions": ["2.0"],
                "preferredVersion": "2.0",
                "toolCatalog": {"status": "stable", "since": "2.0", "witness": "claims-check", "compactView": True},
            },
            2,
            {"/tools"},
        ),
    ],
)
def test_a_host_of_one_major_is_read_in_that(document: Any, major: int, paths: set[str]) -> None:
    seen = set()

    def handler(request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("tools"):
            seen.add(request.url.path)
        return _serving([TOOL], document)(request)

    assert _probe(handler).major == major
    assert seen == paths


@pytest.mark.parametrize("status", [200, 302, 403, 404, 418, 500])
@pytest.mark.parametrize("credential", [None, ALICE])
def test_a_host_that_answers_everything_alike_is_blamed_for_that_alone(status: int, credential: str | None) -> None:
    def handler(request: httpx.Request) -> httpx.Response:
        if request.url.path.endswith("openwop"):
            return httpx.Response(200, json=V1, headers={"etag": '"1"'})
        return httpx.Response(status, content=HTML, headers={"content-type": "text/html"})

    result = _probe(handler, credential=credential, other=None)
    of_discovery = {"discovery-document", "discovery-caching", "capability-shape"}
    assert failed(result) <= {"catalog-served", "error-envelope"} | of_discovery


def test_without_a_credential_what_is_refused_is_told(hosts: Hosts) -> None:
    result = hosts.probe(credential=None, second=False)
    assert result["unauthenticated"].status == "pass"
    assert not result.judged
    assert "could not be judged" in result.headline()
    open_host = hosts.probe("no-401", credential=None, second=False)
    assert failed(open_host) == {"unauthenticated"}
    assert open_host.judged


def test_faults_do_not_make_a_probe_ask_much_more(hosts: Hosts) -> None:
    for name in ("unstable-order", "other-id-403", "dropped-tool"):
        result = hosts.probe(name)
        assert 0 <= result.requests - result.needed <= 4
    assert FAULTS
