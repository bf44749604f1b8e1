"""Figures of evidence: several sources beside each other, whatever they are called and however many they are."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import cache
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.text import Text

from workbench.evidence import Options, collect
from workbench.figures import Drawing, figure_alt, to_png, to_svg
from workbench.figures.evidence import MOST, costs_by_rendering, costs_by_source, fields_by_source, limits_by_source

NAMES = (
    r"$\frac{1}{0}$",
    "<svg onload=alert(1)>",
    "a\x1b[31m\u202eb",
    "日本語の道具",
    "x" * 300,
    "",
    "$unbalanced",
    "d",
    "e",
    "f",
)


@cache
def source() -> dict[str, Any]:
    few = Options(renderings=("wire", "openai"), samples=1, strategies=("hard",), limits=(0, 16, 64, 256))
    return collect(["sample:small"], options=few).sources[0]


@pytest.mark.parametrize("draw", [costs_by_source, costs_by_rendering, fields_by_source, limits_by_source])
class TestEveryFigure:
    @pytest.mark.parametrize("count", [0, 1, MOST, MOST + 2])
    def test_any_number_of_sources_is_drawn_or_counted(self, draw: Callable[..., Drawing], count: int) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            figure = draw({name: source() for name in NAMES[:count]})
            ET.fromstring(to_svg(figure))
        assert to_png(figure).startswith(b"\x89PNG")
        assert ("2 more sources are not drawn" in figure_alt(figure)) == (count > MOST)
        assert not set(figure_alt(figure)) & {"\x1b", "\u202e"}

    def test_nothing_is_cut_off(self, draw: Callable[..., Drawing]) -> None:
        figure = draw({name: source() for name in NAMES[:MOST]})
        width, height = figure.get_size_inches()
        figure.set_dpi(100)
        drawn = figure.get_tightbbox(RendererAgg(width * 100, height * 100, 100))
        assert min(drawn.x0, drawn.y0) > -0.01 and drawn.x1 < width + 0.01 and drawn.y1 < height + 0.01

    def test_names_are_no_formulas(self, draw: Callable[..., Drawing]) -> None:
        figure = draw({name: source() for name in NAMES[:MOST]})
        assert not any(text.get_parse_math() for text in figure.findobj(Text) if "$" in text.get_text())  # type: ignore[attr-defined]


def test_a_source_that_cannot_be_counted_is_left_out() -> None:
    refused = source() | {"budgets": [{"encoding": "o200k_base", "rendering": "wire", "refused": "two names"}]}
    for draw in (costs_by_source, costs_by_rendering, fields_by_source):
        assert "nothing was counted" in figure_alt(draw({"a": refused}))


def test_where_no_limit_is_recommended_it_says_so() -> None:
    bare = source() | {"tuning": source()["tuning"] | {"recommended": None}}
    assert "a: no limit is recommended" in figure_alt(limits_by_source({"a": bare}))


def test_limits_have_ticks_that_differ_and_a_legend_that_nothing_crosses() -> None:
    tuning = source()["tuning"]
    curve = [round(0.99 * tuning["compact"])] * (len(tuning["limits"]) - 1) + [tuning["compact"]]
    close = source() | {"tuning": tuning | {"curves": [{"strategy": "hard", "tokens": curve}]}}
    figure = limits_by_source({"a": close})
    (axes,) = figure.axes
    figure.draw(RendererAgg(800, 800, 100))
    ticks = [tick.get_text() for tick in axes.get_yticklabels()]
    assert len(set(ticks)) == len(ticks)
    assert axes.get_legend().get_window_extent().y1 < axes.get_window_extent().y0
    assert "(0%)" in figure_alt(costs_by_source({"a": unsaved()}))


def unsaved() -> dict[str, Any]:
    budget = source()["budgets"][0]
    total = budget["total"] | {"compact": budget["total"]["standard"]}
    return source() | {"budgets": [budget | {"total": total}]}
