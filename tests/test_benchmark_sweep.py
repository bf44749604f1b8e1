"""The benchmark of the sweep runs, and finds both ways equal."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def test_both_ways_are_equal() -> None:
    command = [
        sys.executable,
        "benchmarks/sweep.py",
        "sample:multilingual",
        "sample:mcp",
        "--limits",
        "60",
        "--strategy",
        "all",
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, env={"PYTHONPATH": str(ROOT)})
    assert done.returncode == 0, done.stderr
    rows = [line for line in done.stdout.splitlines() if line.startswith("| sample:")]
    assert len(rows) == 10
    assert all(row.endswith("| yes |") for row in rows)
