"""The command line: its contracts, as a shell sees them."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from command_line import ESCAPE, Run, one_line, run, shell

import workbench as wb
from workbench.resources import sample, sample_names

__all__ = ["run"]


class TestBudget:
    def test_json_is_the_contract(self, run: Run) -> None:
        done = run("budget", "sample:small", "--format", "json", "--by", "keyword", "--turns", "7")
        assert (done.code, done.err) == (0, "")
        assert one_line(done.out)
        expected = wb.budget(wb.load("sample:small"), turns=7).to_json(by="keyword")
        assert done.json == json.loads(json.dumps(expected))

    def test_text_says_the_same_total(self, run: Run) -> None:
        done = run("budget", "sample:twenty")
        total = run("budget", "sample:twenty", "--format", "json").json["total"]
        first = done.out.splitlines()[0]
        assert f"{total['standard']:,} tokens standard" in first
        assert f"{total['savedRatio']:.1%}" in first

    @pytest.mark.parametrize("by", ["tool", "field", "keyword"])
    def test_no_number_without_rendering_and_encoding(self, run: Run, by: str) -> None:
        out = run("budget", "sample:small", "--by", by, "--encoding", "cl100k_base").out
        titles = [line for line in out.splitlines() if line.startswith("Tokens")]
        assert len(titles) == (2 if by == "tool" else 3)
        assert all("rendering wire, encoding cl100k_base" in title for title in titles)

    def test_the_policy_reaches_the_projection(self, run: Run) -> None:
        plain = run("budget", "sample:twenty", "--format", "json").json["total"]["compact"]
        for option in (["--schemas", "omit"], ["--max-description", "20"], ["--max-parameter-description", "5"]):
            assert run("budget", "sample:twenty", "--format", "json", *option).json["total"]["compact"] < plain

    def test_windows(self, run: Run) -> None:
        found = run("budget", "sample:small", "--format", "json", "--context", "8000", "--context", "32000").json
        assert [share["window"] for share in found["context"]] == [8_000, 32_000]

    def test_every_tool_only_when_asked(self, run: Run) -> None:
        assert "more tools)" in run("budget", "sample:large").out
        assert "more tools)" not in run("budget", "sample:large", "--all").out


class TestProject:
    def test_prints_the_compact_catalog_and_nothing_else(self, run: Run) -> None:
        done = run("project", "sample:small")
        assert (done.code, done.err) == (0, "")
        assert done.out == json.dumps(done.json, ensure_ascii=False, separators=(",", ":")) + "\n"
        assert list(done.json) == ["tools"]
        assert done.json == wb.project(wb.load("sample:small")).catalog.to_json()

    def test_what_is_counted_is_what_is_printed(self, run: Run) -> None:
        """The compact total of a budget is the count of the printed text, less its line feed."""
        from workbench.tokens import encoding

        printed = run("project", "sample:twenty").out.removesuffix("\n")
        assert run("budget", "sample:twenty", "--format", "json").json["total"]["compact"] == encoding().count(printed)

    def test_projecting_twice_changes_nothing(self, run: Run) -> None:
        once = run("project", "sample:large").out
        assert run("project", "-", stdin=once.encode()).out == once

    def test_losses_are_json_lines(self, run: Run, tmp_path: Path) -> None:
        done = run("project", "sample:large", "--losses", "losses.jsonl", "--out", "compact.json")
        assert (done.code, done.out) == (0, "")
        losses = [json.loads(line) for line in (tmp_path / "losses.jsonl").read_text().splitlines()]
        assert losses
        assert all(
            list(loss) == ["toolId", "kind", "pointer", "keyword", "action", "exact", "detail"] for loss in losses
        )
        assert json.loads((tmp_path / "compact.json").read_text()) == run("project", "sample:large").json

    def test_credentials_that_are_copied_are_told(self, run: Run) -> None:
        done = run("project", "sample:broken/secret-in-text")
        assert done.code == 0 and done.json["tools"]
        assert one_line(done.err) and "credential material is copied as it is" in done.err
        assert "connector:rooms.list at /description" in done.err and "workbench check" in done.err
        assert run("project", "sample:broken/secret-default").err == "", "the default is dropped, and the key with it"

    def test_text_is_a_summary(self, run: Run) -> None:
        done = run("project", "sample:large", "--format", "text")
        assert done.code == 0
        assert "64 tools" in done.out

    @pytest.mark.parametrize("losses", ["same.json", "./same.json", "-"])
    def test_one_file_is_not_written_twice(self, run: Run, tmp_path: Path, losses: str) -> None:
        out = "-" if losses == "-" else "same.json"
        done = run("project", "sample:small", "--out", out, "--losses", losses)
        assert (done.code, done.out) == (2, "")
        assert one_line(done.err)
        assert list(tmp_path.iterdir()) == []


class TestCheck:
    def test_exit_code_says_whether_something_required_is_broken(self, run: Run) -> None:
        assert run("check", "sample:twenty").code == 0
        assert run("check", "sample:broken/exec-source").code == 1

    def test_json_is_the_contract(self, run: Run) -> None:
        done = run("check", "sample:broken/compact-keyword-seven", "--view", "compact", "--format", "json")
        assert done.code == 1
        assert list(done.json) == ["view", "tools", "findings", "counts"]
        assert list(done.json["counts"]) == ["must", "should", "advice"]
        for finding in done.json["findings"]:
            assert list(finding) == ["rule", "level", "toolId", "pointer", "keyword", "suite", "message"]

    def test_many_findings_are_grouped_and_counted(self, run: Run) -> None:
        found = run("check", "sample:large", "--format", "json").json
        done = run("check", "sample:large")
        should = found["counts"]["should"]
        assert f"{should} should" in done.out.splitlines()[0]
        assert f"... and {should - 10} more (--all)" in done.out
        assert len(done.out.splitlines()) < 60
        everything = run("check", "sample:large", "--all").out
        assert "--all" not in everything and everything.count("Tier-1") > should / 2

    def test_a_projection_passes(self, run: Run) -> None:
        for name in sample_names():
            compact = run("project", f"sample:{name}").out.encode()
            assert run("check", "-", "--view", "compact", stdin=compact).code == 0

    def test_the_major_decides_about_the_schemas(self, run: Run) -> None:
        name = "sample:broken/schema-annotations-v2"
        assert run("check", name, "--major", "1").out != run("check", name, "--major", "2").out


class TestSources:
    @pytest.mark.parametrize("command", ["budget", "project", "check"])
    def test_file_standard_input_and_sample_are_the_same(self, run: Run, tmp_path: Path, command: str) -> None:
        (tmp_path / "catalog.json").write_bytes(sample("small"))
        from_sample = run(command, "sample:small", "--format", "json").out
        assert run(command, "catalog.json", "--format", "json").out == from_sample
        assert run(command, "-", "--format", "json", stdin=sample("small")).out == from_sample

    @pytest.mark.parametrize("name", [name for name in sample_names(broken=True) if name.startswith("broken/")])
    @pytest.mark.parametrize("command", ["budget", "project", "check"])
    def test_a_broken_catalog_ends_in_a_finding_or_in_one_line(
        self, run: Run, tmp_path: Path, command: str, name: str
    ) -> None:
        done = run(command, f"sample:{name}", "--out", "result")
        assert done.code in (0, 1, 2)
        if done.code == 2:
            assert one_line(done.err) and name.removeprefix("broken/") in done.err
            assert list(tmp_path.iterdir()) == []
        assert done.out == ""

    def test_the_server_of_mcp_tools_can_be_named(self, run: Run) -> None:
        tools = b'{"tools":[{"name":"search","inputSchema":{"type":"object"}}]}'
        done = run("project", "-", "--server", "web", stdin=tools)
        assert [tool["toolId"] for tool in done.json["tools"]] == ["mcp:web.search"]


class TestTerminals:
    HOSTILE = json.dumps(
        {"tools": [{"toolId": "x\x1b[31m\u202e\n\x07", "source": "no\x1b]0;title\x07", "safetyTier": "read"}]}
    ).encode()

    @pytest.mark.parametrize("command", [["budget"], ["check"], ["project", "--format", "text"]], ids=" ".join)
    def test_catalog_text_does_not_act(self, run: Run, command: list[str]) -> None:
        done = run(command[0], "-", *command[1:], stdin=self.HOSTILE)
        assert done.code in (0, 1)
        assert not set(done.out) & {ESCAPE, "\x07", "\u202e"}

    def test_colours_only_on_a_terminal_that_wants_them(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        assert ESCAPE not in run("check", "sample:twenty").out
        monkeypatch.setattr("workbench.cli.output.is_terminal", lambda _: True)
        monkeypatch.setenv("TERM", "xterm")
        assert ESCAPE in run("check", "sample:twenty").out
        assert ESCAPE in run("budget", "sample:twenty").out
        monkeypatch.setenv("NO_COLOR", "1")
        assert ESCAPE not in run("check", "sample:twenty").out + run("budget", "sample:twenty").out

    @pytest.mark.parametrize(("columns", "there"), [(200, "distinctness"), (100, "finds itself"), (80, "confused")])
    def test_a_narrow_one_goes_without_spare_columns(
        self, run: Run, monkeypatch: pytest.MonkeyPatch, columns: int, there: str
    ) -> None:
        monkeypatch.setattr("workbench.cli.output.is_terminal", lambda _: True)
        monkeypatch.setenv("COLUMNS", str(columns))
        monkeypatch.setenv("NO_COLOR", "1")
        out = run("tune", "sample:twenty", "--limits", "64:256:64").out
        heads = [line for line in out.splitlines() if "saved %" in line]
        assert len(heads) == 2 and all("tasks in 5" in head and len(head) <= columns for head in heads)
        assert there in heads[0] and ("distinctness" in heads[0]) == (columns == 200)

    def test_a_terminal_that_speaks_ascii_only(self) -> None:
        """Text becomes escapes; JSON stays UTF-8, which is what JSON is."""
        environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "LC_ALL": "C"}
        text = shell("budget", "sample:multilingual", env=environment)
        assert (text.returncode, text.stderr) == (0, b"")
        assert text.stdout.isascii()
        data = shell("project", "sample:multilingual", env=environment)
        assert json.loads(data.stdout.decode("utf-8")) == wb.project(wb.load("sample:multilingual")).catalog.to_json()
