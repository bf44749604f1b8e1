"""Each fault does what it says, and nothing that is asked elsewhere sounds different for it."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import pytest

import workbench as wb
from sample_host.asking import Caller, Reply
from workbench.sample_host import FAULTS, serve
from workbench.sample_host.faults import faulty
from workbench.sample_host.host import Read

SMALL = wb.load("sample:small")
#: The first tool in the order of ids, and the one that alice alone has.
FIRST, OWN = min(SMALL.ids), SMALL.ids[0]
LAST = max(SMALL.ids)
KEYS = {"alice": "key-of-alice", "bob": "key-of-bob"}

#: What is asked of each host, by a short name. Where somebody else's id or an unknown one is asked for, bob asks.
REQUESTS: dict[str, Any] = {
    "document": lambda alice, _: alice.ask("/.well-known/openwop"),
    "standard": lambda alice, _: alice.list(),
    "compact": lambda alice, _: alice.list("?view=compact"),
    "bob's compact": lambda _, bob: bob.list("?view=compact"),
    "filtered": lambda alice, _: alice.list("?source=mcp"),
    "view=x": lambda alice, _: alice.list("?view=x"),
    "first": lambda alice, _: alice.one(FIRST),
    "first compact": lambda alice, _: alice.one(FIRST, "?view=compact"),
    "last": lambda alice, _: alice.one(LAST),
    "last compact": lambda alice, _: alice.one(LAST, "?view=compact"),
    "unknown": lambda _, bob: bob.one("x"),
    "other's": lambda _, bob: bob.one(OWN),
    "nobody": lambda alice, _: Caller(alice.host, None, alice.major).list(),
}

LISTS = {"standard", "compact", "bob's compact", "filtered", "view=x"}
#: Which of the requests a fault changes the answer to.
CHANGES: dict[str, set[str]] = {
    "behaviour-without-flag": {"document"},
    "flag-without-behaviour": {"compact", "bob's compact", "first compact", "last compact"},
    "legacy-capabilities": {"document"},
    "no-401": {"nobody"},
    "unknown-view-400": {"view=x"},
    "source-ignored": {"filtered"},
    "bare-compact-list": {"compact", "bob's compact"},
    "dropped-tool": {"compact"},
    "extra-tool": {"compact"},
    "duplicate-ids": LISTS,
    "unstable-order": LISTS - {"filtered"},  # One tool of this catalog is an MCP tool.
    "exec-mislabelled": {*LISTS, "first", "first compact"},
    "leaking-secret": {*LISTS - {"filtered"}, "first", "first compact"},
    "extra-field": {"compact", "bob's compact", "first compact", "last compact"},
    "omitted-schemas": {"compact", "bob's compact", "first compact", "last compact"},
    "missing-root": {"compact", "bob's compact", "first compact"},
    "nested-keyword": {"compact", "bob's compact", "first compact"},
    "unseen-keyword": {"compact", "bob's compact", "first compact"},
    "lossy-required": {"compact", "bob's compact", "first compact"},
    "unsound-projection": {"compact", "bob's compact", "first compact"},
    "by-id-full": {"first compact", "last compact"},
    "unknown-id-200": {"unknown", "other's"},
    "other-id-403": {"other's"},
    "wrong-version-header": {*LISTS, "first", "first compact", "last", "last compact"},
    "html": LISTS,
    "redirect-elsewhere": LISTS,
    "huge": LISTS,
    "slow": set(),  # All there, in the end.
}


def answers(*faults: str, major: int = 1, **settings: Any) -> Mapping[str, Reply]:
    with serve(SMALL, faults=faults, keys=KEYS, **settings) as host:
        alice, bob = Caller(host, "alice", major), Caller(host, "bob", major)
        return {name: request(alice, bob) for name, request in REQUESTS.items()}


@pytest.fixture(scope="module")
def perfect() -> Mapping[int, Mapping[str, Reply]]:
    return {major: answers(major=major) for major in (1, 2)}


@pytest.mark.parametrize("name", CHANGES)
def test_changes_this_and_nothing_else(name: str, perfect: Mapping[int, Mapping[str, Reply]]) -> None:
    major = FAULTS[name].majors[-1]
    found = answers(name, major=major, seconds=0.01, size=20_000)
    assert {request for request in REQUESTS if not same(found[request], perfect[major][request])} == CHANGES[name]


def same(one: Reply, other: Reply) -> bool:
    """Streams carry no ETag; that is no matter of the fault."""
    without = [{name: value for name, value in reply.headers.items() if name != "etag"} for reply in (one, other)]
    return (one.status, one.body, without[0]) == (other.status, other.body, without[1])


def test_every_fault_is_told_of() -> None:
    assert set(FAULTS) == set(CHANGES) | {"endless", "cut-off"}
    for name, fault in FAULTS.items():
        assert fault.name == name
        assert fault.text.endswith(".") and "\n" not in fault.text
        assert fault.breaks and set(fault.majors) <= {1, 2}


#: Findings of `workbench check` on the compact view, where that is what a fault is about.
@pytest.mark.parametrize(
    ("name", "rules"),
    [
        ("duplicate-ids", {"duplicate-tool-id"}),
        ("exec-mislabelled", {"exec-source"}),
        ("extra-field", {"compact-field"}),
        ("leaking-secret", {"secret"}),
        ("lossy-required", {"required-unknown"}),
        ("missing-root", {"compact-root"}),
        ("nested-keyword", {"compact-keyword"}),
        ("unseen-keyword", {"compact-keyword"}),
        ("unsound-projection", set()),
        ("omitted-schemas", set()),
    ],
)
@pytest.mark.parametrize("major", [1, 2])
def test_breaks_one_rule(name: str, rules: set[str], major: Any) -> None:
    if major not in FAULTS[name].majors:
        pytest.skip("cannot be seen in this major")
    host = faulty([name])({"alice": SMALL}, {}, {})
    tools = host.listed(Read("alice", major, "compact"))
    found = wb.check(wb.load(tools), "compact", major).findings
    assert {finding.rule for finding in found} == rules
    assert all(finding.suite == (name != "unseen-keyword") for finding in found if finding.rule == "compact-keyword")


class TestWhatIsWrong:
    def test_order_is_never_the_same_twice_and_never_sorted(self) -> None:
        with serve(SMALL, faults=["unstable-order"]) as host:
            orders = [[tool["toolId"] for tool in Caller(host).tools()] for _ in range(4)]
        assert all(before != after for before, after in pairwise(orders))
        assert all(order != sorted(order) for order in orders)
        assert all(sorted(order) == sorted(SMALL.ids) for order in orders)

    def test_an_unknown_id_sounds_like_one_of_somebody_else(self) -> None:
        found = answers("unknown-id-200")
        assert found["unknown"] == found["other's"] and found["unknown"].status == 200

    def test_a_redirect_leads_to_another_origin(self) -> None:
        found = answers("redirect-elsewhere", elsewhere="http://127.0.0.3:1")
        assert (found["compact"].status, found["compact"].headers["location"]) == (302, "http://127.0.0.3:1/v1/tools")

    def test_huge_is_huge_and_says_the_same(self, perfect: Mapping[int, Mapping[str, Reply]]) -> None:
        found = answers("huge", size=300_000)
        assert {len(found[name].body) for name in LISTS} == {300_000}
        assert all(found[name].json == perfect[1][name].json for name in LISTS)

    def test_huge_is_over_the_limit_unless_told_otherwise(self) -> None:
        with serve(SMALL, faults=["huge"]) as host:
            assert int(Caller(host).list("", Connection="close").headers["content-length"]) > 100 * 2**20
