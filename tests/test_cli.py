"""The command line: its contracts, as a shell sees them."""

from __future__ import annotations

import io
import json
import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import pytest

import workbench as wb
from workbench.cli import main
from workbench.cli.entry import cli
from workbench.resources import sample, sample_names

COMMANDS = sorted(cli.commands)
ESCAPE = "\x1b"


@dataclass(frozen=True)
class Done:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Run = Callable[..., Done]


@pytest.fixture
def run(capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Run a command line in this process, in a folder of its own, with what it reads from standard input."""
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "COLUMNS", "_WORKBENCH_COMPLETE"):
        monkeypatch.delenv(name, raising=False)

    def run(*arguments: str, stdin: bytes = b"") -> Done:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        code = main(arguments)
        out, err = capsysbinary.readouterr()
        return Done(code, out.decode(), err.decode())

    return run


def shell(*arguments: str, **options: Any) -> subprocess.CompletedProcess[bytes]:
    """Run a command line in a process of its own."""
    command = [sys.executable, "-m", "workbench", *arguments]
    return subprocess.run(command, capture_output=True, check=False, cwd=Path(wb.__file__).parent.parent, **options)


def one_line(text: str) -> bool:
    return text.endswith("\n") and text.count("\n") == 1 and "Traceback" not in text


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


class TestErrors:
    @pytest.mark.parametrize(
        "arguments",
        [
            ["budget", "missing.json"],
            ["budget", "sample:missing"],
            ["budget", "."],
            ["budget", "sample:small", "--encoding", "missing"],
            ["budget", "sample:small", "--rendering", "missing"],
            ["budget", "sample:small", "--turns", "0"],
            ["budget", "sample:small", "--by", "server"],
            ["budget"],
            ["budget", "sample:small", "surplus"],
            ["budget", "sample:small", "--no-such-option"],
            ["project", "sample:small", "--out", "no/such/folder/file.json"],
            ["project", "sample:small", "--losses", "no/such/folder/file.jsonl"],
            ["check", "sample:small", "--major", "3"],
            ["completion", "tcsh"],
            ["no-such-command"],
            ["check", "\x1b[31m\nmissing"],
        ],
        ids=" ".join,
    )
    def test_are_one_line_on_standard_error(self, run: Run, arguments: list[str]) -> None:
        done = run(*arguments)
        assert (done.code, done.out) == (2, "")
        assert one_line(done.err) and done.err.startswith("workbench: ")
        assert ESCAPE not in done.err

    @pytest.mark.parametrize(
        "data", [b"", b"{", b"[1]", b'{"tools":{}}', b"\xff\xfe", b"[" * 100_000, b'{"a":1,"a":2}']
    )
    def test_bad_standard_input_leaves_no_file(self, run: Run, tmp_path: Path, data: bytes) -> None:
        done = run("project", "-", "--out", "compact.json", "--losses", "losses.jsonl", stdin=data)
        assert done.code == 2 and one_line(done.err)
        assert list(tmp_path.iterdir()) == []

    def test_an_interrupt_is_no_traceback(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        def interrupted(*_: Any, **__: Any) -> None:
            raise KeyboardInterrupt

        monkeypatch.setattr("workbench.sources.load", interrupted)
        done = run("budget", "sample:small")
        assert (done.code, done.out) == (130, "")
        assert one_line(done.err)

    def test_a_reader_that_stops_reading_is_no_traceback(self) -> None:
        command = [sys.executable, "-m", "workbench", "project", "sample:large"]
        reading, writing = os.pipe()
        os.close(reading)
        with os.fdopen(writing, "wb") as closed:
            done = subprocess.run(command, stdout=closed, stderr=subprocess.PIPE, check=False)
        assert (done.returncode, done.stderr) == (141, b"")

    def test_a_closed_standard_output_is_one_line(self) -> None:
        done = shell("budget", "sample:small", preexec_fn=lambda: os.close(1))
        assert (done.returncode, done.stdout) == (2, b"")
        assert one_line(done.stderr.decode())

    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="the device that is always full is Linux's")
    @pytest.mark.parametrize("arguments", [["project", "sample:small"], ["check", "sample:small"]], ids=" ".join)
    def test_a_full_disk_is_one_line(self, arguments: list[str]) -> None:
        command = [sys.executable, "-m", "workbench", *arguments]
        with Path("/dev/full").open("wb") as full:
            done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, check=False)
        assert done.returncode == 2
        assert done.stderr.decode() == "workbench: standard output: No space left on device\n"

    def test_a_fault_of_our_own_is_one_line_unless_asked(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        def faulty(*_: Any, **__: Any) -> None:
            raise ZeroDivisionError("plan\ned")

        monkeypatch.setattr("workbench.sources.load", faulty)
        done = run("budget", "sample:small")
        assert done.code == 2 and one_line(done.err)
        assert "fault of workbench itself: ZeroDivisionError: plan ed" in done.err
        monkeypatch.setenv("WORKBENCH_TRACEBACK", "1")
        with pytest.raises(ZeroDivisionError):
            run("budget", "sample:small")

    def test_ctrl_c_in_a_process_of_its_own(self) -> None:
        command = [sys.executable, "-m", "workbench", "budget", "-"]
        # What runs in the background of a shell inherits that SIGINT is ignored.
        before = signal.signal(signal.SIGINT, signal.SIG_DFL)
        try:
            process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        finally:
            signal.signal(signal.SIGINT, before)
        with process:
            assert process.stdin is not None and process.stderr is not None
            # More than a pipe holds: once all of it is written, the process is there and reads.
            process.stdin.write(b" " * 2_000_000)
            process.stdin.flush()
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=60)
        assert process.returncode == 130
        assert err.decode() == "workbench: interrupted\n"


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

    def test_a_terminal_that_speaks_ascii_only(self) -> None:
        """Text becomes escapes; JSON stays UTF-8, which is what JSON is."""
        environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "LC_ALL": "C"}
        text = shell("budget", "sample:multilingual", env=environment)
        assert (text.returncode, text.stderr) == (0, b"")
        assert text.stdout.isascii()
        data = shell("project", "sample:multilingual", env=environment)
        assert json.loads(data.stdout.decode("utf-8")) == wb.project(wb.load("sample:multilingual")).catalog.to_json()


class TestHelp:
    @pytest.mark.parametrize("arguments", [["--help"], [], *([name, "--help"] for name in COMMANDS)], ids=" ".join)
    def test_is_there(self, run: Run, arguments: list[str]) -> None:
        done = run(*arguments)
        assert (done.code, done.err) == (0, "")
        assert "Examples:" in done.out

    @pytest.mark.parametrize("name", COMMANDS)
    def test_every_option_says_what_it_does(self, name: str) -> None:
        for parameter in cli.commands[name].params:
            assert not isinstance(parameter, click.Option) or parameter.help

    def test_version(self, run: Run) -> None:
        assert run("--version").out == f"workbench {wb.__version__}\n"

    def test_every_command_is_in_the_group_by_its_name(self) -> None:
        assert COMMANDS == ["budget", "check", "completion", "diff", "project", "tune"]


def examples() -> Iterator[Any]:
    """The example lines of every help text, without what is said about them."""
    for name, command in [("workbench", cli), *cli.commands.items()]:
        _, _, block = (command.help or "").partition("Examples:")
        for line in block.partition("\n\n")[0].splitlines():
            if line.strip():
                yield pytest.param(re.split(r" {3,}", line.strip())[0], id=f"{name}: {line.strip()[:60]}")


@pytest.mark.parametrize("line", list(examples()))
def test_every_example_in_a_help_text_runs(run: Run, tmp_path: Path, line: str) -> None:
    for name in ("catalog.json", "before.json", "after.json"):
        (tmp_path / name).write_bytes(sample("twenty"))
    (tmp_path / "prices.json").write_text('{"input": 3, "cacheRead": 0.3}')
    (tmp_path / "compact.json").write_text(json.dumps(wb.project(wb.load("sample:twenty")).catalog.to_json()))
    data = b""
    for part in re.split(r" \| ", line):
        words = shlex.split(re.split(r" >+ ", part)[0])
        if words[0] == "cat":
            data = (tmp_path / words[1]).read_bytes()
            continue
        assert words[0] == "workbench"
        done = run(*words[1:], stdin=data)
        assert done.code in (0, 1), done.err
        data = done.out.encode()


class TestCompletion:
    @pytest.mark.parametrize("name", ["bash", "zsh", "fish"])
    def test_script(self, run: Run, name: str) -> None:
        done = run("completion", name)
        assert done.code == 0
        assert "_WORKBENCH_COMPLETE" in done.out

    @pytest.mark.parametrize(
        ("words", "expected"),
        [
            ("workbench bu", {"plain,budget"}),
            ("workbench budget sample:sm", {"plain,sample:small"}),
            ("workbench budget sample:small --encoding cl", {"plain,cl100k_base"}),
            ("workbench budget sample:small --by ", {"plain,tool", "plain,field", "plain,keyword", "plain,depth"}),
            ("workbench budget cat", {"file,cat"}),
        ],
    )
    def test_completes(self, run: Run, monkeypatch: pytest.MonkeyPatch, words: str, expected: set[str]) -> None:
        monkeypatch.setenv("_WORKBENCH_COMPLETE", "bash_complete")
        monkeypatch.setenv("COMP_WORDS", words)
        monkeypatch.setenv("COMP_CWORD", str(len(words.split(" ")) - 1))
        done = run()
        assert done.code == 0
        assert set(done.out.split()) == expected
