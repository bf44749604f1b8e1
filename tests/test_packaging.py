"""What a user installs: locked, hashed, complete, and named from one place."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

import workbench

ROOT = Path(workbench.__file__).parents[1]
LOCKS = (
    *("requirements.lock", "requirements-peers.lock"),
    *("tests/interop/openwop-client-1.txt", "tests/interop/openwop-client-2.txt"),
)

pytestmark = pytest.mark.skipif(
    not (ROOT / "pyproject.toml").exists(), reason="an installed package has no project files"
)


def _project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text())


def _names(requirements: list[str]) -> set[str]:
    return {re.split(r"[^A-Za-z0-9._-]", line, maxsplit=1)[0].lower() for line in requirements}


def _locked(lock: str) -> dict[str, str]:
    """The entries of a lock file by name, each with the lines that belong to it."""
    entries = re.split(r"\n(?=[a-z0-9])", (ROOT / lock).read_text())[1:]
    return {entry.split("==")[0]: entry for entry in entries}


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_names_no_host_and_no_path(lock: str) -> None:
    text = (ROOT / lock).read_text()
    assert "://" not in text
    assert not re.search(r"(?m)^\s*-", text.replace("    --hash=", ""))  # no option such as --index-url
    assert not re.search(r"[ =]/\w", text)


@pytest.mark.parametrize("lock", LOCKS)
def test_every_locked_version_has_its_hashes(lock: str) -> None:
    for name, entry in _locked(lock).items():
        assert "--hash=sha256:" in entry, name


def test_everything_declared_is_locked() -> None:
    project = _project()
    groups = project["dependency-groups"]
    declared = project["project"]["dependencies"] + project["build-system"]["requires"]
    for group in ("build", "lint", "test"):
        declared = declared + groups[group]
    assert _names(declared) <= _locked("requirements.lock").keys()
    assert _names(groups["peers"]) <= _locked("requirements-peers.lock").keys()


def test_both_locks_agree_so_that_one_environment_holds_both() -> None:
    first, second = _locked("requirements.lock"), _locked("requirements-peers.lock")
    for name in first.keys() & second.keys():
        assert first[name].split()[0] == second[name].split()[0]


def test_every_runtime_dependency_says_what_it_is_for() -> None:
    text = (ROOT / "pyproject.toml").read_text()
    block = text.partition("\ndependencies = [\n")[2].partition("\n]")[0]
    assert len(block.splitlines()) == len(_project()["project"]["dependencies"])
    assert all(re.search(r'", +# \S', line) for line in block.splitlines())


def test_the_change_notes_begin_with_this_version() -> None:
    newest = re.search(r"(?m)^## (\S+)", (ROOT / "CHANGELOG.md").read_text())
    assert newest is not None
    assert newest[1] == workbench.__version__


def test_the_set_up_never_installs_without_hashes() -> None:
    installs = [
        line
        for line in (ROOT / "Makefile").read_text().splitlines()
        if "pip install" in line and line.startswith("\t@$")
    ]
    assert len(installs) == 2
    assert all("--require-hashes" in line or "--no-deps --no-build-isolation" in line for line in installs)
