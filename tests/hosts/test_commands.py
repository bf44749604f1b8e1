"""The commands on a host, as a shell sees them: what they ask it for, and what they judge."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from command_line import Run, one_line, run

import workbench as wb
from hosts.raw_host import TOOL, V1, V2, Request, by_request, catalog_rules, raw_host, reply
from workbench.sample_host import serve

__all__ = ["run"]

#: Outside the compact subset; a standard view may well have it.
UNION = TOOL | {"inputSchema": {"type": "object", "properties": {"path": {"anyOf": [{"type": "string"}]}}}}
#: Allowed in 2.x alone.
HINTS = {
    "readOnlyHint": True,
    "destructiveHint": False,
    "idempotentHint": False,
    "openWorldHint": True,
}  #: A host of 2.x alone.
RULES: dict[str, Any] = {
    "/.well-known/openwop": reply(200, {**V2, "protocolVersions": ["2.0"]}, openwop_version="2.0"),
    "/tools": reply(200, [TOOL | {"annotations": HINTS}], openwop_version="2.0"),
}

On = Callable[..., Any]


@pytest.fixture
def on(run: Run, monkeypatch: pytest.MonkeyPatch) -> On:
    """Run a command on the sample host with these faults, on behalf of the principal who sees everything."""

    def on(command: str, *options: str, faults: tuple[str, ...] = ()) -> Any:
        with serve(wb.load("sample:small"), faults=faults) as host:
            monkeypatch.setenv("HOST_KEY", host.keys["alice"])
            return run(command, host.url, "--token-env", "HOST_KEY", *options)

    return on


class TestCheckOfTheCompactView:
    """It is the one that the host sends: a fault of it is found, and what is its standard view's is not held against it."""

    @pytest.mark.parametrize("major", [(), ("--major", "1"), ("--major", "2")])
    def test_of_a_host_without_fault_it_passes(self, on: On, major: tuple[str, ...]) -> None:
        done = on("check", "--view", "compact", *major)
        assert (done.code, done.err) == (0, "")
        assert "5 tools, compact view" in done.out

    @pytest.mark.parametrize(
        ("fault", "rule"),
        [
            ("nested-keyword", "compact-keyword"),
            ("unseen-keyword", "compact-keyword"),
            ("extra-field", "compact-field"),
            ("missing-root", "compact-root"),
            ("duplicate-ids", "duplicate-tool-id"),
            ("flag-without-behaviour", "compact-field"),
        ],
    )
    def test_each_fault_of_it_is_found(self, on: On, fault: str, rule: str) -> None:
        done = on("check", "--view", "compact", "--format", "json", faults=(fault,))
        assert done.code == 1
        assert rule in {each["rule"] for each in done.json["findings"] if each["level"] == "must"}

    def test_the_standard_view_has_no_such_fault(self, on: On) -> None:
        assert on("check", faults=("nested-keyword",)).code == 0

    def test_a_view_that_is_not_advertised_is_not_judged(self, on: On) -> None:
        done = on("check", "--view", "compact", faults=("behaviour-without-flag",))
        assert (done.code, done.out) == (2, "")
        assert one_line(done.err) and "toolCatalog.compactView" in done.err

    def test_it_alone_is_read(self, run: Run) -> None:
        def tools(request: Request) -> bytes:
            return reply(200, {"tools": [TOOL]} if request.target.endswith("?view=compact") else [UNION])

        with raw_host(catalog_rules(**{"/v1/tools": by_request(tools)})) as host:
            assert run("check", host.url, "--view", "compact").code == 0
            assert host.targets()[-1] == "/v1/tools?view=compact" and "/v1/tools" not in host.targets()


class TestBudget:
    """Its compact column is what we make of the standard view; beside it, what the host's own compact view costs."""

    def test_the_hosts_own_view_is_counted_beside_the_projection(self, run: Run) -> None:
        def tools(request: Request) -> bytes:
            return reply(200, {"tools": own} if request.target.endswith("?view=compact") else [UNION, UNION])

        own = [{name: TOOL[name] for name in ("toolId", "source", "safetyTier")}]
        tokens = wb.budget(wb.load({"tools": own})).total.standard
        for rules in (catalog_rules(**{"/v1/tools": by_request(tools)}), RULES | {"/tools": by_request(tools)}):
            with raw_host(rules) as host:
                done = run("budget", host.url, "--format", "json")
            first, second = done.err.splitlines()
            assert "the compact column is the workbench's projection" in first
            assert second == f"workbench: the host's own compact view costs {tokens} tokens (1 tool)"
            assert done.json["hostCompact"] == {"tools": 1, "tokens": tokens}
            assert done.json["total"]["compact"] > tokens

    def test_what_a_host_does_not_advertise_is_not_asked_for(self, on: On) -> None:
        done = on("budget", "--format", "json", faults=("behaviour-without-flag",))
        assert done.code == 0 and "hostCompact" not in done.json
        assert "cannot be counted: http" in done.err and "does not advertise" in done.err

    def test_the_rendering_is_the_same(self, on: On) -> None:
        costs = [
            on("budget", "--format", "json", "--rendering", name).json["hostCompact"]["tokens"]
            for name in ("wire", "spaced")
        ]
        assert costs[0] < costs[1]

    def test_nothing_is_said_of_a_host_where_there_is_none(self, run: Run) -> None:
        done = run("budget", "sample:small", "--format", "json")
        assert done.err == "" and "hostCompact" not in done.json


class TestMajorOfACheck:
    """That of the host, unless another is asked for."""

    @pytest.mark.parametrize("view", ["standard", "compact"])
    def test_a_host_of_2_alone_is_read_and_judged_as_such(self, run: Run, view: str) -> None:
        compact = reply(200, {"tools": [TOOL | {"inputSchema": {"type": "object", "properties": {}}}]})
        rules = RULES if view == "standard" else RULES | {"/tools": compact}
        with raw_host(rules) as host:
            done = run("check", host.url, "--view", view)
        assert (done.code, done.err) == (0, "")
        assert f"1 tool, {view} view, major 2" in done.out

    def test_in_python_too(self) -> None:
        with raw_host(RULES) as host:
            catalog = wb.load(host.url)
        assert wb.check(catalog).ok
        assert not wb.check(catalog, major=1).ok

    def test_another_that_is_asked_for_is_kept_to(self, run: Run) -> None:
        with raw_host(RULES) as host:
            done = run("check", host.url, "--major", "1")
        assert done.code == 2
        assert one_line(done.err) and "--major" in done.err
        with raw_host(RULES | {"/.well-known/openwop": reply(200, V1), "/v1/tools": RULES["/tools"]}) as host:
            assert run("check", host.url).code == run("check", host.url, "--major", "1").code == 1
            assert run("check", host.url, "--major", "2").code == 0


@pytest.mark.parametrize(
    "arguments", [("check",), ("check", "--view", "compact"), ("budget",), ("project",), ("tune",)], ids=" ".join
)
def test_a_text_cut_inside_a_character_is_told_with_its_place_and_what_to_do(
    run: Run, arguments: tuple[str, ...]
) -> None:
    body = json.dumps({"tools": [TOOL, TOOL | {"toolId": "mcp:cut", "description": "\ud83d"}]}).encode()
    with raw_host(catalog_rules(**{"/v1/tools": reply(200, body=body)})) as host:
        done = run(*arguments, host.url)
        assert (done.code, done.out) == (2, "")
        assert one_line(done.err) and done.err.startswith(f"workbench: {host.url}/v1/tools")
    assert "half a surrogate pair, \\ud83d" in done.err and "cut it before" in done.err
    assert "at /tools/1/description" in done.err
