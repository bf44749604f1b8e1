"""
Imports: what is heavy is loaded by those who need it, and by nobody else.

No clock is asked. What makes an import slow is what it loads, and that can be said exactly.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = {"IPython", "hypothesis", "jsonschema", "jupyter_core", "matplotlib", "nbformat", "numpy"}
HEAVY |= {"httpx", "openai_harmony", "pandas", "pydantic", "squarify", "tenacity", "tiktoken"}

CORE = [
    "workbench",
    "workbench.budgets",
    "workbench.catalog",
    "workbench.checks",
    "workbench.cli",
    "workbench.descriptions",
    "workbench.lowering",
    "workbench.projection",
    "workbench.renderings",
    "workbench.sources",
    "workbench.subset",
    "workbench.tables",
    "workbench.tokens",
    "workbench.tuning",
]


def loaded_by(code: str) -> set[str]:
    """The heavy packages that a fresh interpreter has loaded after some code."""
    whole = f"{code}\nimport sys\nprint('loaded', *sys.modules)"
    done = subprocess.run([sys.executable, "-c", whole], capture_output=True, text=True, check=True)
    return HEAVY & set(done.stdout.splitlines()[-1].split())


def test_the_core_loads_nothing_heavy() -> None:
    assert loaded_by("".join(f"import {name}\n" for name in CORE)) == set()


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["budget", "--help"], ["check", "--help"]])
def test_help_loads_nothing_heavy(arguments: list[str]) -> None:
    assert loaded_by(f"from workbench.cli import main\nmain({arguments})") == set()


def test_reading_and_projecting_loads_no_frames_and_no_figures() -> None:
    code = "import workbench as wb\nprojection = wb.project(wb.load('sample:small'))"
    assert loaded_by(code) <= {"tiktoken"}


def test_a_budget_loads_only_the_tokeniser() -> None:
    assert loaded_by("import workbench as wb\nwb.budget(wb.load('sample:small'))") == {"tiktoken"}
