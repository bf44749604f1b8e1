"""The figure of fidelity draws each tool once, says what it leaves out, and shows names as data."""

from __future__ import annotations

from typing import Any

import pytest
from matplotlib.collections import PathCollection

from workbench import figures
from workbench.catalog import Catalog
from workbench.errors import UsageError
from workbench.fidelities import Fidelity, fidelity
from workbench.figures.drawing import Drawing

UNION = {
    "properties": {
        "a": {"oneOf": [{"const": 1}, {"type": "array", "contains": {"anyOf": [{"const": 2}, {"minimum": 9}]}}]}
    }
}
SCHEMAS: dict[str, Any] = {
    "plain": {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]},
    "$x^{2}$ <b>": UNION | {"required": ["a"], "not": {"required": ["b"]}},
    "no schema": 5,
}


@pytest.fixture(scope="module")
def policies() -> list[Fidelity]:
    tools = [{"toolId": name, "inputSchema": schema, "room": "x " * 99} for name, schema in SCHEMAS.items()]
    catalog = Catalog.from_json(tools)
    return [fidelity(catalog, samples=20), fidelity(catalog, samples=20, policy="omit")]


def marks(figure: Drawing) -> list[int]:
    """How many marks each panel has."""
    return [
        sum(len(group.get_offsets()) for group in axes.collections if isinstance(group, PathCollection))  # type: ignore[arg-type]
        for axes in figure.axes
    ]


def test_each_tool_that_has_the_share_is_one_mark(policies: list[Fidelity]) -> None:
    assert marks(figures.fidelity_by_tool(policies)) == [2, 2]
    assert marks(figures.fidelity_by_tool(policies[0], "tightness")) == [2]


def test_the_words_say_what_the_marks_show(policies: list[Fidelity]) -> None:
    figure = figures.fidelity_by_tool(policies, "tightness")
    lower, omit = figure.alt.split("; ")
    assert "lower: 2 of 3 schemas kept" in lower and "1 tool without a tightness" in lower
    assert "omit: 1 of 3 schemas kept" in omit and "$x^{2}$ <b> 0%" in omit
    assert "samples 20, seed 0, encoding o200k_base" in omit


def test_the_same_figures_draw_the_same_picture(policies: list[Fidelity]) -> None:
    one, other = (figures.to_svg(figures.fidelity_by_tool(policies)) for _ in range(2))
    assert one == other


def test_a_catalog_without_tools_has_a_figure_too() -> None:
    figure = figures.fidelity_by_tool(fidelity(Catalog(())))
    assert marks(figure) == [0] and "0 of 0 schemas kept" in figure.alt


@pytest.mark.parametrize(("measured", "share"), [([], "precision"), (None, "soundness")])
def test_what_cannot_be_drawn(policies: list[Fidelity], measured: Any, share: Any) -> None:
    with pytest.raises(UsageError):
        figures.fidelity_by_tool(policies if measured is None else measured, share)
