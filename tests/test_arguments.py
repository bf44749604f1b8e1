"""Wrong kinds of arguments: every public function says in one line what it takes."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import pytest

import workbench as wb
from workbench.arguments import _KINDS
from workbench.errors import UsageError

SMALL = wb.load("sample:small")
FUNCTIONS = [name for name in wb.__all__ if inspect.isfunction(getattr(wb, name))]
#: What a function needs before it can be asked anything.
NEEDED: dict[str, list[Any]] = {
    "budget": [SMALL],
    "check": [SMALL],
    "claims": [[SMALL]],
    "collect": [[SMALL]],
    "difference": [SMALL, SMALL],
    "fidelity": [SMALL],
    "load": ["sample:small"],
    "lower": [{}],
    "probe": ["http://127.0.0.1:9"],
    "project": [SMALL],
    "report": [["sample:small"], "page"],
    "serve": [SMALL],
    "tune": [SMALL],
    "verify": ["evidence.json"],
}
#: Values of kinds that no parameter of any name takes.
NEVER = [object(), 1.5, b"bytes", {1, "a"}, lambda: None]
#: Values that parameters of some names take, and these do not.
WRONG: dict[str, list[Any]] = {
    "catalog": ["x.json", [{"toolId": "a"}], None, {"tools": []}, 3],
    "before": ["x.json", None],
    "after": ["x.json", None],
    "catalogs": ["x.json", [SMALL, "x.json"], None],
    "source": [3, None, SMALL],
    "sources": ["x.json", SMALL, [3], None],
    "out": [3, None, []],
    "evidence": [3, None, []],
    "url": [3, None, Path("x")],
    "view": ["brief", None, 1, []],
    "major": ["1", 3, True, []],
    "policy": ["x", None, []],
    "schemas": ["x", None, []],
    "profile": ["v3", None, 1],
    "unit": [None, 3],
    "strategy": [None, 3, [3]],
    "encoding": [None, 3, []],
    "rendering": [None, 3, []],
    "turns": [0, -1, "2", None, True],
    "samples": [0, -1, "2", None, True],
    "seed": ["2", None, True],
    "context": [0, -5, "128k", [128_000, "x"], [0], True],
    "max_description": [-1, "20", True, []],
    "max_parameter_description": [-1, "20", True],
    "limits": [5, "0:20", [-1], ["a"]],
    "queries": [5, ["find it"]],
    "projection": [SMALL, "x", 3],
    "bound": [100, "x"],
    "options": ["x", {"samples": 3}],
    "progress": [True, "yes"],
    "faults": ["html", [3], None],
    "port": [-1, 65_536, "80", None],
    "keys": ["key", ["key"]],
    "server": [3, ["x"]],
    "credential": [3, ["x"]],
    "other": [3],
    "embed": ["yes", None, 1],
    "force": ["yes", None, 1],
    "intrusive": ["yes", None, 1],
    "token_env": [3],
    "timeout": [0, -1, "30", None],
    "max_bytes": [0, "1", None],
    "allow_insecure": ["no", None],
}
#: Parameters that take whatever there is, or that only tests of the package itself give.
ANYTHING = {"schema", "transport", "connection"}
CONNECTION = ("token_env", "timeout", "max_bytes", "allow_insecure", "major")


def parameters(name: str) -> list[str]:
    found = list(inspect.signature(getattr(wb, name)).parameters)
    more = [each for each in CONNECTION if "connection" in found and each not in found]
    return [each for each in found if not (name == "serve" and each == "options")] + more


def wrong(parameter: str) -> list[Any]:
    values = [*WRONG.get(parameter, []), *NEVER]
    return [
        value
        for value in values
        if not (parameter in ("announce", "progress") and callable(value)) and (parameter, value) != ("timeout", 1.5)
    ]


def call(name: str, parameter: str, value: Any) -> Any:
    function = getattr(wb, name)
    needed = dict(zip(inspect.signature(function).parameters, NEEDED[name], strict=False))
    return function(**needed | {parameter: value})


@pytest.mark.parametrize(
    ("name", "parameter"), [(name, each) for name in FUNCTIONS for each in parameters(name) if each not in ANYTHING]
)
def test_a_wrong_kind_is_said_in_one_line(name: str, parameter: str) -> None:
    for value in wrong(parameter):
        with pytest.raises(UsageError) as caught:
            call(name, parameter, value)
        assert str(caught.value).startswith(f"{name}: {parameter} has to be ")
        assert "\n" not in str(caught.value) and len(str(caught.value)) < 200


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_parameter_has_its_kind(name: str) -> None:
    assert name in NEEDED, "a new function: say what it needs"
    known = {each for each in parameters(name) if each in _KINDS or f"{name}.{each}" in _KINDS}
    assert set(parameters(name)) - known <= ANYTHING


def test_what_fits_goes_through() -> None:
    assert wb.budget(SMALL, turns=2, context=[8_000, 16_000], projection=wb.project(SMALL)).total.standard
    assert wb.budget(catalog=SMALL, context=iter([8_000])).total.standard
    assert wb.project(SMALL, max_description=0, profile="v2", max_parameter_description=None)
    assert wb.tune(SMALL, limits=range(3), strategy=("hard", "sentence")).tools == 5
    assert wb.check(SMALL, "standard", 2).ok
    assert wb.claims(catalog for catalog in [SMALL])
    assert wb.load({"tools": []}).ids == wb.load([]).ids == ()
    assert wb.load(Path(wb.__file__).parent.parent / "sample_catalogs" / "small.json").ids == SMALL.ids
    wb.difference(after=SMALL, before=SMALL)


def test_numbers_of_other_libraries_are_numbers() -> None:
    import numpy as np

    assert wb.tune(SMALL, limits=np.array([10, 20])).tools == 5
    assert wb.project(SMALL, max_description=np.int64(30))
    assert wb.budget(SMALL, turns=np.int32(2)).turns == 2


def test_an_argument_too_many_is_pythons_to_refuse() -> None:
    with pytest.raises(TypeError, match="no_such_option"):
        wb.budget(SMALL, no_such_option=1)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="catalog"):
        wb.budget()  # type: ignore[call-arg]
    with pytest.raises(UsageError, match="no_such_option"):
        wb.load("sample:small", no_such_option=1)
