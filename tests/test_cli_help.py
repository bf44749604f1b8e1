"""Help texts, their examples, and completion in a shell."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
from command_line import Run, run

import workbench as wb
from workbench.cli.entry import cli
from workbench.resources import sample

__all__ = ["run"]

COMMANDS = sorted(cli.commands)

#: Commands that go on until somebody stops them, take long, or need what another one wrote: tests of their own run them.
RUN_ELSEWHERE = {"lab", "report", "serve", "verify"}


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
        named = [
            "budget",
            "check",
            "completion",
            "diff",
            "lab",
            "probe",
            "project",
            "report",
            "serve",
            "tune",
            "verify",
        ]
        assert named == COMMANDS


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
        if words[1] in RUN_ELSEWHERE or "://" in line:
            cli.commands[words[1]].make_context(words[1], words[2:])
            continue
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
