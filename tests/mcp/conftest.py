"""A misbehaving server as a command, and the certainty that nothing of it is left after a test."""

from __future__ import annotations

import shlex
import socket
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from workbench.sources.mcp import stdio

SERVER = Path(__file__).with_name("hostile.py")


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], str]]:
    """The command of a server by its misbehaviour; when the test is over, all of its processes have to be gone."""
    monkeypatch.setattr(stdio, "GRACE", (0.2, 0.2, 5.0))
    pids = tmp_path / "pids"
    yield lambda mode: shlex.join([sys.executable, "-I", "-S", str(SERVER), mode, str(pids)])
    left = [int(pid) for pid in pids.read_text().split() if runs(int(pid))] if pids.exists() else []
    for pid in left:
        psutil.Process(pid).kill()
    assert not left, "a server was left running"


def runs(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


@pytest.fixture
def unused_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])
