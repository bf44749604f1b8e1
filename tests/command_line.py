"""Running a command line in tests: in this process or in one of its own, and what came of it."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import workbench as wb
from workbench.cli import main

__all__ = ["ESCAPE", "Done", "Run", "one_line", "run", "shell"]

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
