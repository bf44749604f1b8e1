"""`workbench serve`, as a shell sees it."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import pytest

from sample_host.asking import Caller
from workbench.cli import main
from workbench.sample_host import FAULTS, RunningHost

COMMAND = [sys.executable, "-m", "workbench", "serve"]


@contextmanager
def served(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], RunningHost]]:
    """The command, once it has written its line."""
    process = subprocess.Popen([*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        line = json.loads(process.stdout.readline())
        assert list(line) == ["url", "keys"]
        yield process, RunningHost(**line)
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_serves_until_a_signal_ends_it(ending: signal.Signals) -> None:
    with served("sample:small", "--fault", "slow") as (process, host):
        assert list(host.keys) == ["alice", "bob"]
        assert Caller(host, "bob").one("x").status == 404
        place = urlsplit(host.url)
        with socket.create_connection((place.hostname or "", place.port or 0), timeout=20) as waiting:
            waiting.sendall(
                f"GET /tools HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {host.keys['alice']}\r\n\r\n".encode()
            )
            assert waiting.recv(100).startswith(b"HTTP/1.1 200")
            process.send_signal(ending)
            assert process.wait(timeout=20) == 0
        assert process.stdout is not None and process.stderr is not None
        assert (process.stdout.read(), process.stderr.read()) == ("", "")


def test_takes_the_port_and_the_faults_it_is_given(capsys: pytest.CaptureFixture[str]) -> None:
    with served("sample:small", "--fault", "bare-compact-list", "--fault", "no-401") as (_, host):
        assert isinstance(Caller(host, None).list("?view=compact").json, list)
        port = host.url.rpartition(":")[2]
        assert main(["serve", "sample:small", "--port", port]) == 2
    out, err = capsys.readouterr()
    reason = "address already in use; choose another port"
    assert (out, err) == ("", f"workbench: cannot listen on port {port} of 127.0.0.1: {reason}\n")


def test_a_shell_may_have_it_ignore_interrupts_and_it_does_not() -> None:
    """As it is in the background."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with served("sample:small") as (process, _):
            process.send_signal(signal.SIGINT)
            assert process.wait(timeout=20) == 0
    finally:
        signal.signal(signal.SIGINT, before)


class TestInThisProcess:
    def test_shows_all_faults(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["serve", "--fault", "list"]) == 0
        rows = capsys.readouterr().out
        for name, fault in FAULTS.items():
            assert name in rows and fault.text in rows

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["sample:small", "--fault", "no-such"], "unknown fault 'no-such'; there are behaviour-without-flag, "),
            (["sample:no-such"], "no bundled sample catalog has this name"),
            ([], "Missing argument 'SOURCE'"),
            (["sample:small", "--port", "70000"], "70000 is not in the range"),
        ],
        ids=str,
    )
    def test_what_does_not_fit_is_said_in_one_line(
        self, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert main(["serve", *arguments]) == 2
        out, err = capsys.readouterr()
        assert out == "" and message in err and len(err.splitlines()) == 1
