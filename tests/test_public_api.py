"""The public names: complete, sorted, documented, and there when asked for."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import workbench as wb

ROOT = Path(__file__).resolve().parent.parent
FUNCTIONS = [
    "budget",
    "check",
    "claims",
    "collect",
    "difference",
    "fidelity",
    "load",
    "lower",
    "project",
    "serve",
    "tune",
]
FUNCTIONS += ["verify"]


def modules() -> list[str]:
    found = pkgutil.walk_packages(wb.__path__, "workbench.")
    return ["workbench", *(module.name for module in found if module.name != "workbench.__main__")]


@pytest.mark.parametrize("name", modules())
class TestEveryModule:
    def test_has_a_sorted_all_of_names_that_exist(self, name: str) -> None:
        module = importlib.import_module(name)
        assert module.__all__ == sorted(module.__all__, key=_ruff_order)
        assert [public for public in module.__all__ if not hasattr(module, public)] == []

    def test_documents_what_it_offers(self, name: str) -> None:
        module = importlib.import_module(name)
        for public in module.__all__:
            value = getattr(module, public)
            ours = str(getattr(value, "__module__", "")).startswith("workbench")
            if ours and (inspect.isfunction(value) or inspect.isclass(value)):
                assert inspect.getdoc(value), f"{name}.{public} says nothing about itself"


def _ruff_order(name: str) -> tuple[int, str]:
    """Constants, then classes, then the rest, as ruff (RUF022) sorts them."""
    return (0 if name.isupper() else 1 if name.lstrip("_")[:1].isupper() else 2), name


class TestThePackage:
    @pytest.mark.parametrize("name", FUNCTIONS)
    def test_offers_its_functions(self, name: str) -> None:
        assert name in wb.__all__
        assert inspect.isfunction(getattr(wb, name))

    def test_lists_what_it_offers(self) -> None:
        assert set(wb.__all__) <= set(dir(wb))

    def test_knows_no_other_name(self) -> None:
        with pytest.raises(AttributeError, match="no attribute 'no_such_name'"):
            wb.no_such_name  # noqa: B018

    @pytest.mark.parametrize("name", FUNCTIONS)
    def test_a_function_is_never_hidden_by_a_module(self, name: str) -> None:
        """A module of a function's name would take its place as soon as somebody imports it."""
        assert not isinstance(getattr(wb, name), ModuleType)
        assert f"workbench.{name}" not in modules()

    def test_every_name_comes_from_a_fresh_import(self) -> None:
        code = "import workbench as wb\nfor name in wb.__all__: getattr(wb, name)\nfrom workbench import *"
        subprocess.run([sys.executable, "-c", code], check=True)

    def test_the_version_is_that_of_the_newest_change_note(self) -> None:
        headings = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
        assert headings[0] == wb.__version__

    def test_is_typed(self) -> None:
        assert (ROOT / "workbench" / "py.typed").is_file()


RESULTS = ["budget", "check", "fidelity", "project", "tune"]


@pytest.mark.parametrize("name", RESULTS)
def test_results_show_themselves_and_turn_into_frames(name: str) -> None:
    result = getattr(wb, name)(wb.load("sample:small"))
    assert "<table" in result._repr_html_()
    assert re.fullmatch(r"<\w+ of 5 tools\b.{0,120}>", repr(result))
    assert len(result.frame().columns) > 0
