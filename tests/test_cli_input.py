"""What the command line takes in other spellings, and what it says of what it does not take."""

from __future__ import annotations

import os
import re
import sys
from typing import Any

import pytest
from command_line import ESCAPE, Run, one_line, run, shell

from workbench.cli.progress import progress_of
from workbench.resources import sample_names

__all__ = ["run"]


class TestTokenCounts:
    @pytest.mark.parametrize(
        ("written", "meant"),
        [
            ("128000", 128_000),
            ("128_000", 128_000),
            ("128,000", 128_000),
            ("128k", 128_000),
            ("128K", 128_000),
            ("1m", 1_000_000),
            ("1.5M", 1_500_000),
            ("1", 1),
        ],
    )
    def test_are_taken_as_people_write_them(self, run: Run, written: str, meant: int) -> None:
        found = run("budget", "sample:small", "--format", "json", "--context", written).json
        assert [share["window"] for share in found["context"]] == [meant]

    @pytest.mark.parametrize(
        "written", ["0", "-1", "", "k", "1.5", "0.0001k", "1e6", "12,34", "1__0", "128 k", "١٢٨", "9" * 40]
    )
    def test_are_whole_numbers(self, run: Run, written: str) -> None:
        done = run("budget", "sample:small", f"--context={written}")
        assert (done.code, done.out) == (2, "")
        assert one_line(done.err) and "--context" in done.err

    def test_of_limits_are_taken_so_too(self, run: Run) -> None:
        assert run("budget", "sample:small", "--max-total", "2k", "--max-tool", "1k").code == 0
        assert run("budget", "sample:small", "--max-total", "1k").code == 1
        assert run("budget", "sample:small", "--max-tool", "0").code == 1


class TestMajors:
    @pytest.mark.parametrize(("written", "same"), [("1", "v1"), ("2", "v2")])
    def test_are_spelled_either_way(self, run: Run, written: str, same: str) -> None:
        for command, option in (("check", "--major"), ("project", "--profile"), ("budget", "--profile")):
            one, other = (run(command, "sample:twenty", option, value).out for value in (written, same))
            assert one == other != ""

    def test_help_says_what_the_other_command_calls_it(self, run: Run) -> None:
        assert "--profile" in run("check", "--help").out
        assert "--major" in re.sub(r"\s+", " ", run("project", "--help").out)


class TestSources:
    @pytest.mark.parametrize("arguments", [["budget", ""], ["diff", "sample:small", ""], ["check", ""]])
    def test_an_empty_one_is_said_to_be_empty(self, run: Run, arguments: list[str]) -> None:
        done = run(*arguments)
        assert done.code == 2 and one_line(done.err)
        assert "empty" in done.err and "folder" not in done.err

    def test_a_closed_standard_input_is_said_to_be_closed(self) -> None:
        done = shell("budget", "-", preexec_fn=lambda: os.close(0))
        assert (done.returncode, done.stdout) == (2, b"")
        assert done.stderr == b"workbench: standard input: it is closed, so nothing can be read\n"

    def test_an_unknown_sample_is_answered_with_the_good_ones_and_the_closest(self, run: Run) -> None:
        said = run("budget", "sample:smal").err
        assert all(name in said for name in sample_names())
        assert "broken/" not in said and "sample:broken lists them" in said
        assert "did you mean sample:small?" in said
        assert "did you mean" not in run("budget", "sample:zzz").err
        assert "did you mean sample:broken/exec-source?" in run("budget", "sample:exec-source").err

    def test_the_broken_ones_are_listed_for_who_asks(self, run: Run) -> None:
        said = run("budget", "sample:broken").err
        assert all(name in said for name in sample_names(broken=True) if name.startswith("broken/"))
        assert said.index("twenty") < said.index("broken/compact")


def test_a_reason_that_is_not_ours_is_cut_between_words(monkeypatch: pytest.MonkeyPatch) -> None:
    from workbench import tokens

    words = "connection-refused " * 40

    class Failed:
        returncode, stderr = 1, f"Traceback\n{words}"

    monkeypatch.setattr(tokens.subprocess, "run", lambda *_, **__: Failed)
    reason = tokens._fill_cache("r50k_base")
    assert len(reason) <= 160
    assert set(reason.removesuffix(" ...").split()) == {"connection-refused"}


@pytest.mark.parametrize(("terminal", "escapes"), [("xterm", True), ("dumb", False)])
def test_a_bar_shows_only_where_escape_sequences_act(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], terminal: str, escapes: bool
) -> None:
    class Watched:
        """Standard error, as a terminal."""

        def __getattr__(self, name: str) -> Any:
            return getattr(stderr, name)

        def isatty(self) -> bool:
            return True

    stderr = sys.stderr
    monkeypatch.setattr(sys, "stderr", Watched())
    monkeypatch.setenv("TERM", terminal)
    monkeypatch.setattr("workbench.cli.progress._PATIENCE", -1.0)
    with progress_of("Working") as say:
        for done in range(3):
            say(done, 2)
    written = capsys.readouterr().err
    assert (ESCAPE in written) == escapes
    assert escapes or written == ""
