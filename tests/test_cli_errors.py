"""The command line where something is wrong: one line, an exit code, and nothing half done."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from command_line import ESCAPE, Run, one_line, run, shell

__all__ = ["run"]


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
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as process:
            assert process.stdin is not None and process.stderr is not None
            # More than a pipe holds: once all of it is written, the process is there and reads.
            process.stdin.write(b" " * 2_000_000)
            process.stdin.flush()
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=60)
        assert process.returncode == 130
        assert err.decode() == "workbench: interrupted\n"
