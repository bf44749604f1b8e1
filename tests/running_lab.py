"""`workbench lab` as a process of its own, with nothing of the user's own Jupyter and a record of what it reaches for."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psutil

ROOT = Path(__file__).resolve().parent.parent
#: Loaded by every Python below the process: notes each name or address outside of the loopback interface that is asked for.
GUARD = """
import os, sys

def watch(event, arguments):
    if event in ("socket.connect", "socket.getaddrinfo"):
        where = arguments[1] if event == "socket.connect" else arguments
        host = where[0] if isinstance(where, tuple) else None
        if host not in (None, "", "localhost", "127.0.0.1", "::1", "0.0.0.0"):
            with open(os.environ["GUARD_RECORD"], "a") as record:
                print(event, where, file=record)

sys.addaudithook(watch)
"""


@dataclass
class RunningLab:
    folder: Path
    process: subprocess.Popen[str]
    address: str = ""
    said: list[str] = field(default_factory=list)

    @property
    def origin(self) -> str:
        return "/".join(self.address.split("/")[:3])

    @property
    def below(self) -> list[psutil.Process]:
        return psutil.Process(self.process.pid).children(recursive=True)


@contextmanager
def running_lab(folder: Path, place: Path, **environment: str) -> Iterator[RunningLab]:
    """Copy the notebooks into `folder` and start; `place` is where everything else goes. In the end nothing of it runs."""
    guard, record = place / "guard", place / "reached"
    guard.mkdir(parents=True)
    (guard / "sitecustomize.py").write_text(GUARD)
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("JUPYTER", "IPYTHON", "WORKBENCH"))
    }
    own = {f"JUPYTER_{name}_DIR": str(place / name.lower()) for name in ("CONFIG", "DATA", "RUNTIME")}
    own |= {
        "IPYTHONDIR": str(place / "ipython"),
        "MPLCONFIGDIR": str(place / "matplotlib"),
        "GUARD_RECORD": str(record),
    }
    own["PYTHONPATH"] = os.pathsep.join([str(guard), environment.pop("PYTHONPATH", str(ROOT))])
    command = [sys.executable, "-m", "workbench", "lab", str(folder), "--no-browser", "--port", "0"]
    process = subprocess.Popen(
        command, cwd=place, env=kept | own | environment, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True
    )
    lab = RunningLab(folder, process)
    try:
        assert process.stderr is not None
        for line in process.stderr:
            lab.said.append(line)
            if found := re.search(r"http://(?:127\.0\.0\.1|localhost):\d+/\S+", line):
                lab.address = found[0]
                break
        assert lab.address, f"JupyterLab did not start: {''.join(lab.said)}"
        _await(lab)
        yield lab
        assert not record.exists(), record.read_text()
    finally:
        _end(process)


def _await(lab: RunningLab) -> None:
    """Jupyter says its address a moment before it listens there."""
    host, _, port = lab.origin.removeprefix("http://").partition(":")
    while lab.process.poll() is None:
        with contextlib.suppress(ConnectionRefusedError), socket.create_connection((host, int(port))):
            return
        time.sleep(0.02)


def _end(process: subprocess.Popen[str]) -> None:
    """SIGINT, as Ctrl-C sends it; by force where that does not help, so that no test leaves a process behind."""
    kernels = [] if process.poll() is not None else psutil.Process(process.pid).children(recursive=True)
    process.send_signal(signal.SIGINT)
    try:
        process.communicate(timeout=30)
    finally:
        _, left = psutil.wait_procs(kernels, timeout=10)
        for each in left:
            each.kill()
        process.kill()
        process.wait()
