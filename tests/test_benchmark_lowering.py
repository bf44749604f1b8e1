"""The benchmark runs, on both forms of input, and counts what it says it counts."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
PLAIN = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
UNION = {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "type": "object",
    "properties": {"x": {"anyOf": [{"type": "string"}, {"$ref": "#/definitions/id"}]}},
    "definitions": {"id": {"type": "integer", "minimum": 1}},
}
CASES = [
    {
        "name": "plain",
        "schema": PLAIN,
        "tests": [{"valid": True, "data": {"n": 1}}, {"valid": False, "data": {"n": "1"}}],
    },
    {
        "name": "union",
        "schema": UNION,
        "tests": [{"valid": True, "data": {"x": 1}}, {"valid": False, "data": {"x": 0}}],
    },
    {"name": "broken", "schema": {"type": "strng"}, "tests": [{"valid": False, "data": [1]}]},
]


def run(bench: Path, *options: str) -> str:
    command = [sys.executable, "benchmarks/lowering.py", str(bench), *options]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, env={"PYTHONPATH": str(ROOT)})
    assert done.returncode == 0, done.stderr
    return done.stdout


def row(text: str, policy: str) -> list[str]:
    line = next(line for line in text.splitlines() if line.startswith(f"| {policy} |"))
    return [cell.strip() for cell in line.strip("|").split("|")]


@pytest.fixture(scope="module")
def output(tmp_path_factory: pytest.TempPathFactory) -> str:
    bench = tmp_path_factory.mktemp("bench") / "bench.jsonl"
    bench.write_text("\n".join(json.dumps(case) for case in CASES) + "\n")
    return run(bench, "--markdown", "--detail")


def test_it_says_what_went_in(output: str) -> None:
    assert output.startswith("3 schemas")
    assert "2 valid and 2 invalid objects; 1 other instances skipped" in output


@pytest.mark.parametrize(
    ("policy", "inside", "still_rejected"),
    [("lower", "100.0%", "100.0%"), ("lower, unbounded", "100.0%", "100.0%"), ("omit", "33.3%", "50.0%")],
)
def test_a_schema_left_out_rejects_nothing(output: str, policy: str, inside: str, still_rejected: str) -> None:
    _, in_subset, failed, wronged, rejected, *_ = row(output, policy)
    assert (in_subset, failed, wronged, rejected) == (inside, "0", "0", still_rejected)


def test_deletion_stays_in_the_subset_and_lets_through_what_it_forgot(output: str) -> None:
    assert row(output, "delete")[1:5] == ["100.0%", "0", "0", "50.0%"]


def test_a_folder_of_files_holds_cases_or_bare_schemas(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    read_cases = import_module("bench_files").read_cases
    files: list[tuple[str, Any]] = [("a.json", CASES[0]), ("deep/b.json", UNION), ("deep/c.json", CASES[1])]
    for name, value in files:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(json.dumps(value))
    a, b, c = read_cases(tmp_path)
    assert (a.name, a.schema, a.valid, a.invalid) == ("plain", PLAIN, ({"n": 1},), ({"n": "1"},))
    assert (b.name, b.schema, b.valid, b.invalid) == ("deep/b", UNION, (), ())
    assert [case.name for case in read_cases(tmp_path, limit=2)] == ["plain", "deep/b"]
    assert c.name == "union"
