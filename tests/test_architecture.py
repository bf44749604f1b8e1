"""The layout: imports point down, every module has its level, no file outgrows a reader, nothing heavy loads early."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "workbench"
LONGEST = 400
#: The package's own two files belong to no level: they only hand on.
UNPLACED = {"__init__", "__main__"}


def layers() -> list[set[str]]:
    """The levels of the import contract, the lowest first; the contract in pyproject.toml is the only list there is."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    (contract,) = settings["tool"]["importlinter"]["contracts"]
    return [{name.strip(" ()") for name in layer.split("|")} for layer in reversed(contract["layers"])]


def level_of(name: str) -> int:
    return next(level for level, names in enumerate(layers()) if name in names)


def top(path: Path) -> str:
    """The module of the package, directly below it, that a file belongs to."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def sources() -> list[Path]:
    return sorted(path for path in PACKAGE.rglob("*.py") if "_data" not in path.parts)


def imported(path: Path) -> Iterator[str]:
    """What a file imports from the package, by the module directly below it; imports inside functions count as well."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "workbench":
            below = node.module.split(".")[1:2] or [alias.name for alias in node.names]
            yield from below
        elif isinstance(node, ast.Import):
            yield from (alias.name.split(".")[1] for alias in node.names if alias.name.startswith("workbench."))


@pytest.mark.parametrize("path", sources(), ids=lambda path: str(path.relative_to(PACKAGE)))
class TestEveryFile:
    def test_imports_only_what_lies_below(self, path: Path) -> None:
        here = top(path)
        if here in UNPLACED:
            return
        for name in set(imported(path)) - {here}:
            assert level_of(name) < level_of(here), f"{here} imports {name}, which does not lie below it"

    def test_has_a_docstring_and_says_what_it_offers(self, path: Path) -> None:
        tree = ast.parse(path.read_text())
        assert ast.get_docstring(tree), "a module says what it is for"
        names = [target.id for node in tree.body for target in _targets(node) if isinstance(target, ast.Name)]
        assert "__all__" in names


@pytest.mark.parametrize("folder", ["workbench", "tests", "benchmarks"])
def test_every_file_is_short_enough_to_read(folder: str) -> None:
    files = [path for path in (ROOT / folder).rglob("*.py") if "node_modules" not in path.parts]
    assert {path.name: lines for path in files if (lines := len(path.read_text().splitlines())) > LONGEST} == {}


def _targets(node: ast.stmt) -> list[ast.expr]:
    if isinstance(node, ast.Assign):
        return node.targets
    return [node.target] if isinstance(node, ast.AnnAssign) else []


def test_every_module_has_its_level() -> None:
    assert {top(path) for path in sources()} - UNPLACED <= set().union(*layers())


def test_no_module_is_named_after_nothing() -> None:
    vague = {"utils", "util", "helpers", "common", "manager", "misc", "main"}
    assert not [path for path in sources() if path.stem in vague]
