"""Each fault of the sample host fails exactly the requirements that it is said to break; the perfect host fails none."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conformance.many_hosts import NETWORK, Hosts, failed
from workbench.sample_host import FAULTS

CASES = [(name, major) for name, fault in FAULTS.items() for major in fault.majors]
PAIRS = [
    (one, other, major)
    for one, other in combinations([name for name in FAULTS if name not in NETWORK], 2)
    for major in FAULTS[one].majors
    if major in FAULTS[other].majors
]
#: What hides another fault, since it takes away the place where that one shows.
HIDES = {
    "behaviour-without-flag": {"flag-without-behaviour"},
    "flag-without-behaviour": {"behaviour-without-flag"},
    "dropped-tool": {"extra-tool"},
    "omitted-schemas": {"missing-root", "nested-keyword", "unseen-keyword", "lossy-required", "unsound-projection"},
    "unsound-projection": {"nested-keyword", "unseen-keyword"},
    "unknown-id-200": {"other-id-403"},
}


@pytest.mark.parametrize("second", [False, True])
@pytest.mark.parametrize("major", [1, 2])
def test_the_perfect_host_fails_nothing(hosts: Hosts, major: int, second: bool) -> None:
    result = hosts.probe(major=major, second=second)
    assert failed(result) == set()
    assert {each.id for each in result.outcomes if each.status == "undecided"} == {"tier-1"}
    skipped = {"compact-unadvertised", "read-only"}
    skipped |= {"version-header"} if major == 1 else {"capability-root", "source-filter"}
    skipped |= set() if second else {"principal-scoped", "non-disclosure"}
    assert {each.id for each in result.outcomes if each.status == "skip"} == skipped
    assert result.ok
    assert all(each.suite in (None, "pass") for each in result.outcomes)


def test_unasked_the_major_is_the_one_that_the_host_prefers(hosts: Hosts) -> None:
    assert hosts.probe(major=None).to_json() == hosts.probe(major=1).to_json()


@pytest.mark.parametrize(("name", "major"), CASES)
def test_a_fault_fails_exactly_what_it_breaks(hosts: Hosts, name: str, major: int) -> None:
    result = hosts.probe(name, major=major)
    assert failed(result) == FAULTS[name].breaks
    for requirement_id in FAULTS[name].breaks:
        assert result[requirement_id].evidence
        assert result[requirement_id].summary


@settings(max_examples=16)
@given(st.sampled_from(PAIRS))
def test_two_faults_fail_what_both_break_unless_one_hides_the_other(hosts: Hosts, pair: tuple[str, str, int]) -> None:
    one, other, major = pair
    result = hosts.probe(one, other, major=major)
    both = FAULTS[one].breaks | FAULTS[other].breaks
    assert failed(result) <= both
    if other in HIDES.get(one, ()) or one in HIDES.get(other, ()):
        return
    for requirement_id in both - failed(result):
        # What the other fault makes unreadable cannot be told, which is said.
        assert result[requirement_id].status in ("undecided", "skip"), requirement_id


@pytest.mark.parametrize(
    ("fault", "requirement_id", "suite"),
    [
        ("bare-compact-list", "compact-envelope", "skip"),
        ("bare-compact-list", "compact-keyword", "skip"),
        ("nested-keyword", "compact-keyword", "fail"),
        ("unseen-keyword", "compact-keyword", "pass"),
        ("flag-without-behaviour", "compact-honoured", "skip"),
        ("legacy-capabilities", "compact-keyword", "skip"),
        ("by-id-full", "compact-one", "fail"),
        ("duplicate-ids", "unique-tool-ids", None),
        ("unstable-order", "sorted-order", "pass"),
        ("leaking-secret", "no-secrets", "pass"),
        ("dropped-tool", "same-tool-ids", "fail"),
    ],
)
def test_the_official_suite_is_said_to_see_less(
    hosts: Hosts, fault: str, requirement_id: str, suite: str | None
) -> None:
    assert hosts.probe(fault)[requirement_id].suite == suite


def test_a_secret_that_was_found_is_repeated_nowhere(hosts: Hosts) -> None:
    result = hosts.probe("leaking-secret", "extra-field", "unsound-projection", "by-id-full")
    shown = (str(result.to_json()), repr(result), result.text(), result.junit().decode(), result.table().html())
    assert not any("AKIA" in text for text in shown)


def test_a_probe_asks_little_where_no_list_can_be_read(hosts: Hosts) -> None:
    result = hosts.probe("html")
    assert result.requests == result.needed == 3 + 4 + 2 + 1
    assert {result[each].status for each in ("unauthenticated", "unknown-id", "version-unsupported")} == {"pass"}
    others = [each for each in result.outcomes if each.status == "undecided"]
    assert len(others) > 30
    assert all(each.summary for each in others)
