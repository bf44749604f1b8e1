"""The commands on a live MCP server, and what is left of it when one is stopped."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from workbench.cli import main

Command = Callable[[str], str]
LINES = {
    ("budget",): "mcp:pit.dig",
    ("check",): "1 tool, standard view",
    ("check", "--view", "compact"): "1 tool, compact view",
    ("project",): '"toolId":"mcp:pit.dig"',
    ("budget", "--rendering", "received"): "rendering received",
    ("tune",): "1 tool; ",
}


@pytest.mark.parametrize("arguments", LINES, ids=" ".join)
def test_every_command_reads_a_server(
    command: Command, arguments: tuple[str, ...], capfd: pytest.CaptureFixture[str]
) -> None:
    assert main([*arguments, f"mcp:{command('plain')}"]) == 0
    captured = capfd.readouterr()
    assert LINES[arguments] in captured.out
    assert captured.err == ""


def test_a_server_compared_with_another_and_named(command: Command, capfd: pytest.CaptureFixture[str]) -> None:
    sources = [f"mcp:{command(mode)}" for mode in ("plain", "pages")]
    assert main(["diff", *sources, "--server", "mine", "--format", "json"]) == 0
    tools = json.loads(capfd.readouterr().out)["tools"]
    assert {tool["toolId"] for tool in tools} == {"mcp:mine.dig", "mcp:mine.t0", "mcp:mine.t1", "mcp:mine.t2"}


def test_what_goes_wrong_is_one_line_and_exit_code_2(command: Command, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["budget", f"mcp:{command('traceback')}"]) == 2
    captured = capfd.readouterr()
    assert captured.out == ""
    (line,) = captured.err.splitlines()
    assert line.startswith("workbench: mcp:")
    assert line.endswith("No module named 'shovel'")


def test_pages_have_no_text_that_was_received(command: Command, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["budget", "--rendering", "received", f"mcp:{command('pages')}"]) == 2
    assert "choose another rendering" in capfd.readouterr().err


@pytest.mark.skipif(os.name != "posix", reason="signals are those of POSIX")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_command_that_is_stopped_ends_its_server(command: Command, tmp_path: Path, number: int, code: int) -> None:
    source = f"mcp:{command('silent')}"
    words = [sys.executable, "-m", "workbench", "budget", source]
    with subprocess.Popen(words, stderr=subprocess.DEVNULL) as running:
        pids = tmp_path / "pids"
        while not (pids.exists() and pids.read_text().endswith("\n")):
            assert running.poll() is None
            time.sleep(0.01)
        running.send_signal(number)
        assert running.wait(20) == code
    assert not psutil.pid_exists(int(pids.read_text()))
