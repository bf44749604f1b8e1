"""`workbench probe`: text, JSON and JUnit XML, and the exit codes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hosts.raw_host import V1, raw_host, reply
from junitparser import Failure, JUnitXml, Skipped

import workbench as wb
from conformance.many_hosts import ALICE, BOB, Hosts
from workbench.cli import main
from workbench.conformance import REQUIREMENTS
from workbench.sources.discovery import WELL_KNOWN

KEYS = ["--token-env", "WORKBENCH_ALICE", "--other-token-env", "WORKBENCH_BOB"]


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORKBENCH_ALICE", ALICE)
    monkeypatch.setenv("WORKBENCH_BOB", BOB)


def _run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(["probe", *arguments])
    captured = capsys.readouterr()
    for key in (ALICE, BOB):
        assert key not in captured.out + captured.err
    return status, captured.out, captured.err


def test_the_scorecard_begins_with_the_verdict_and_fits_a_terminal(
    hosts: Hosts, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = _run(capsys, f"{hosts.url}/unseen-keyword+other-id-403", *KEYS)
    lines = out.splitlines()
    assert (status, err) == (1, "")
    assert lines[0] == "Does not conform: 2 required rules fail"
    assert max(map(len, lines)) <= 80
    assert out.index("FAIL must  compact-keyword") < out.index("FAIL must  non-disclosure") < out.index("Held: ")
    assert "/inputSchema/properties/extra/contentSchema/anyOf" in out
    assert "the official suite passes this" in out
    assert "D8: " in out


def test_a_host_without_fault_is_a_success(hosts: Hosts, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = _run(capsys, f"{hosts.url}/perfect", *KEYS, "--intrusive")
    assert (status, err) == (0, "")
    assert out.startswith("Breaks nothing that is required\n")
    assert "FAIL" not in out


def test_what_is_only_advised_is_shown_and_is_no_failure(hosts: Hosts, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = _run(capsys, f"{hosts.url}/omitted-schemas", *KEYS)
    assert status == 0
    assert "FAIL advice  schemas-kept" in out


@pytest.mark.parametrize("major", ["1", "2"])
def test_json_is_that_of_the_result(hosts: Hosts, capsys: pytest.CaptureFixture[str], major: str) -> None:
    url = f"{hosts.url}/wrong-version-header" if major == "2" else f"{hosts.url}/perfect"
    status, out, _ = _run(capsys, url, *KEYS, "--format", "json", "--major", major)
    assert json.loads(out) == wb.probe(url, credential=ALICE, other=BOB, major=int(major)).to_json()
    assert status == (1 if major == "2" else 0)


def test_junit_fails_what_is_required_and_skips_what_is_not_decided(
    hosts: Hosts, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    out = tmp_path / "probe.xml"
    url = f"{hosts.url}/missing-root+omitted-schemas+unknown-view-400+no-401"
    status, _, _ = _run(capsys, url, *KEYS, "--format", "junit", "--out", str(out))
    assert status == 1
    report = JUnitXml.fromfile(str(out))
    cases: dict[str, Any] = {case.name: case for suite in report for case in suite}
    assert list(cases) == list(REQUIREMENTS)
    results = {name: [type(each) for each in case.result] for name, case in cases.items()}
    assert results["unauthenticated"] == [Failure]
    assert results["unknown-view"] == []  # A should is told, and does not fail the build.
    assert "fail: " in cases["unknown-view"].system_out
    assert results["version-header"] == [Skipped]
    assert results["tier-1"] == [Skipped]
    assert results["by-id-standard"] == []
    assert (report.failures, report.skipped) == (1, 4)  # Skipped: compact-unadvertised and read-only, too.


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("http://127.0.0.1:1", "no connection"),
        ("{hosts}/perfect/v1/tools", "discovery document"),
        ("ftp://host.example", "http(s)"),
        ("http://host.example", "--allow-insecure"),
    ],
)
def test_where_no_host_answers_one_line_says_so(
    hosts: Hosts, capsys: pytest.CaptureFixture[str], url: str, said: str
) -> None:
    status, out, err = _run(capsys, url.format(hosts=hosts.url))
    assert (status, out) == (2, "")
    assert err.startswith("workbench: ")
    assert err.count("\n") == 1
    assert said in err


def test_a_missing_credential_is_shown_and_is_not_done(hosts: Hosts, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = _run(capsys, f"{hosts.url}/perfect")
    assert status == 2
    assert out.startswith("Could not be judged: ")
    assert "--token-env" in err


def test_a_variable_that_is_not_set_is_named(
    hosts: Hosts, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("WORKBENCH_BOB")
    status, out, err = _run(capsys, f"{hosts.url}/perfect", *KEYS)
    assert (status, out) == (2, "")
    assert "WORKBENCH_BOB" in err


def test_the_same_key_twice_is_no_second_principal(
    hosts: Hosts, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WORKBENCH_BOB", ALICE)
    status, out, err = _run(capsys, f"{hosts.url}/perfect", *KEYS)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "both credentials are the same" in err


def test_many_requests_are_announced_once(
    hosts: Hosts, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from workbench.cli import probe_command

    monkeypatch.setattr(probe_command, "_MANY", 20)
    hosts.asked.clear()
    status, _, err = _run(capsys, f"{hosts.url}/perfect", *KEYS, "--workers", "1")
    assert (status, err.count("\n")) == (0, 1)
    assert f"about {len(hosts.asked):,} requests" in err


def test_a_result_shows_itself(hosts: Hosts) -> None:
    result = hosts.probe("nested-keyword")
    assert repr(result).startswith("<ProbeResult of http")
    assert "compact-keyword" in result._repr_html_()
    assert result.table("fail").rows[0][:4] == ("compact-keyword", "must", "fail", "fail")
    assert next(iter(result.frame()["status"])) == "fail"
    assert result["compact-keyword"].status == "fail"
    with pytest.raises(KeyError):
        result["no-such-requirement"]
    done: list[tuple[int, int]] = []
    hosts.probe(progress=lambda now, total: done.append((now, total)))
    assert done[-1][0] <= done[-1][1]
    assert [now for now, _ in done] == sorted(now for now, _ in done)
    # Deciding is told, too.
    assert len(done) > result.requests + len(REQUIREMENTS) - 4


@pytest.mark.parametrize("major", [None, 1, 2])
def test_a_major_that_the_host_does_not_speak_ends_with_what_it_speaks(
    capsys: pytest.CaptureFixture[str], major: int | None
) -> None:
    with raw_host({WELL_KNOWN: reply(200, V1), "/v1/tools": reply(200, [])}) as host:
        status, out, err = _run(capsys, host.url, *(["--major", str(major)] if major else []))
    if major == 2:
        assert (status, out) == (2, "")
        assert "does not speak major 2: it speaks 1.0" in err
    else:
        assert status == 1
