"""Figures: pictures of numbers that were there before, and of nothing else."""

from __future__ import annotations

import io
import subprocess
import sys
import warnings
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest
from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.text import Annotation, Text
from PIL import Image, ImageColor

from workbench import figures
from workbench.budgets import Budget, Prices, budget
from workbench.catalog import Catalog
from workbench.figures.budgets import COLORS, OTHERS
from workbench.figures.drawing import ACCENT, BOX, MUTED, PARTS, Drawing, label
from workbench.resources import sample
from workbench.values import read_json

Draw = Callable[[Budget], Drawing]

DRAW: list[Draw] = [
    figures.budget_by_tool,
    figures.budget_by_field,
    figures.budget_over_turns,
    figures.budget_per_tool,
    figures.budget_by_keyword,
    figures.budget_treemap,
    lambda budget: figures.budget_treemap(budget, "compact"),
    lambda budget: figures.price_over_turns(budget, Prices(3, 3.75, 0.3, "USD$_1$"), others={"x" * 60: budget}),
]
HOSTILE = [
    r"$\frac{1}{0}$",
    "$unbalanced",
    "a\x1b[31mred\x1b[0m\x00",
    "\u202egnp.exe",
    "日本語の道具",
    "日本語の道呂",
    "<svg onload=alert(1)>&amp;--",
    "\\textbf{x}_{i}^{j}%#",
    "",
    "x" * 500,
    "e\u0301\U0001f469\u200d\U0001f527",
]


@cache
def of_sample(name: str) -> Budget:
    return budget(Catalog.from_json(read_json(sample(name))), turns=12)


def of_names(*names: str) -> Budget:
    return budget(Catalog.from_json([{"toolId": name, "description": "d" * place} for place, name in enumerate(names)]))


def texts(figure: Figure) -> list[str]:
    return [text.get_text() for text in figure.findobj(Text) if text.get_text()]  # type: ignore[attr-defined]


@pytest.mark.parametrize("draw", DRAW, ids=lambda draw: draw.__name__)
class TestEveryFigure:
    @pytest.mark.parametrize("name", ["small", "large", "multilingual"])
    def test_is_drawn_without_a_warning_and_says_what_it_shows(self, draw: Draw, name: str) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            figure = draw(of_sample(name))
            ET.fromstring(figures.to_svg(figure))
        assert "rendering wire, encoding o200k_base" in figures.figure_alt(figure)
        assert any("rendering wire, encoding o200k_base" in text for text in texts(figure))

    def test_nothing_is_cut_off_at_any_resolution(self, draw: Draw) -> None:
        """Regression guard: a legend fitted at 100 dots per inch, and reached over the edge at 80."""
        figure = draw(of_sample("large"))
        width, height = figure.get_size_inches()
        for dpi in (72, 80, 144, 300):
            figure.set_dpi(dpi)
            drawn = figure.get_tightbbox(RendererAgg(width * dpi, height * dpi, dpi))
            assert min(drawn.x0, drawn.y0) > -0.01 and drawn.x1 < width + 0.01 and drawn.y1 < height + 0.01

    def test_shows_hostile_names_as_data(self, draw: Draw) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            figure = draw(of_names(*HOSTILE))
            svg = figures.to_svg(figure)
        ET.fromstring(svg)
        assert "\x1b" not in svg and "<svg onload" not in svg
        assert not any(text.get_parse_math() for text in figure.findobj(Text) if "$" in text.get_text())  # type: ignore[attr-defined]

    def test_of_no_tools_is_a_figure_too(self, draw: Draw) -> None:
        figure = draw(of_names())
        assert figures.to_png(figure).startswith(b"\x89PNG")

    def test_is_the_same_every_time(self, draw: Draw) -> None:
        result = of_sample("small")
        first = draw(result)
        figures.to_png(first)
        assert figures.to_svg(first) == figures.to_svg(first) == figures.to_svg(draw(result))
        assert figures.to_png(first) == figures.to_png(draw(result))

    def test_does_not_depend_on_the_settings_of_the_reader(self, draw: Draw) -> None:
        import matplotlib as mpl

        result = of_sample("small")
        expected = figures.to_svg(draw(result))
        with mpl.rc_context(
            {"font.size": 30, "axes.facecolor": "black", "svg.hashsalt": "other", "lines.linewidth": 9}
        ):
            assert figures.to_svg(draw(result)) == expected

    def test_shows_itself_in_a_notebook_with_its_words(self, draw: Draw) -> None:
        figure = draw(of_sample("small"))
        data, metadata = figure._repr_mimebundle_()
        assert data["text/plain"] == metadata["image/png"]["alt"] == figure.alt != ""
        assert data["image/png"].startswith(b"\x89PNG")
        assert metadata["image/png"]["width"] == 768

    def test_is_a_small_image_in_its_own_colours(self, draw: Draw) -> None:
        """A notebook with all of them stays small, and no flat colour turns into one that is only near it."""
        image = Image.open(io.BytesIO(figures.to_png(draw(of_sample("small")))))
        colors = {color for _, color in image.convert("RGB").getcolors() or []}
        assert len(colors) <= 32
        assert (255, 255, 255) in colors
        assert colors >= {ImageColor.getrgb(MUTED)}, "the subtitle, of which there is little"
        assert colors & {ImageColor.getrgb(PARTS[0]), ImageColor.getrgb(ACCENT)}


class TestNumbers:
    def test_bars_are_the_tokens_of_the_tools(self) -> None:
        result = of_sample("small")
        lengths = {bar.get_width() for bar in figures.budget_by_tool(result).findobj(Rectangle)}
        assert lengths >= {row.standard for row in result.rows} | {row.compact for row in result.rows}

    def test_tools_beyond_the_top_are_summed_up_in_words(self) -> None:
        result = of_sample("twenty")
        figure = figures.budget_by_tool(result, top=3)
        rest = sorted((row.standard for row in result.rows), reverse=True)[3:]
        assert "17 more tools together" in texts(figure)
        assert any(text.startswith(f"  {sum(rest):,} ") for text in texts(figure))
        assert max(rest) < sum(rest), "and get no bar that would dwarf the others"
        assert sum(rest) not in {bar.get_width() for bar in figure.findobj(Rectangle)}

    def test_the_stack_adds_up(self) -> None:
        result = of_sample("twenty")
        figure = figures.budget_by_field(result)
        rows: dict[float, float] = {}
        for bar in figure.axes[0].patches:
            rows[bar.get_y()] = rows.get(bar.get_y(), 0) + bar.get_width()
        assert sorted(rows.values()) == [result.total.compact, result.total.standard]

    def test_turns_multiply(self) -> None:
        result = of_sample("small")
        shown = texts(figures.budget_over_turns(result, turns=50))
        assert f"standard {50 * result.total.standard:,}" in shown
        assert f"compact {50 * result.total.compact:,}" in shown


class TestLabels:
    @pytest.mark.parametrize(
        ("name", "drawn"),
        [
            ("mcp:files.read", "mcp:files.read"),
            ("日本 ok", f"{BOX}{BOX} ok"),
            ("a\nb\tc", "a b c"),
            ("a\x1bb", "a\\x1bb".replace("\\x1b", "\\u001b")),
            ("0123456789abcdef", "012\u2026bcdef"),
        ],
    )
    def test_are_plain_text_of_bounded_length(self, name: str, drawn: str) -> None:
        assert label(name, longest=9 if name.startswith("0") else 40) == drawn

    def test_that_come_out_alike_are_told_apart(self) -> None:
        shown = texts(figures.budget_by_tool(of_names("日本", "中国")))
        assert {f"{BOX}{BOX} (tool 1)", f"{BOX}{BOX} (tool 2)"} <= set(shown)


def test_a_figure_of_others_has_no_words() -> None:
    assert figures.figure_alt(Figure()) == ""


def test_pyplot_is_never_loaded() -> None:
    """It would pick a window system and keep every figure alive."""
    code = (
        "import sys, workbench as wb; from workbench import figures; from workbench.budgets import budget;"
        "from workbench.catalog import Catalog; figures.to_png(figures.budget_by_tool(budget(Catalog.from_json([]))));"
        "sys.exit('matplotlib.pyplot' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


class TestTreemap:
    def test_areas_are_as_the_tokens(self) -> None:
        result = of_sample("small")
        figure = figures.budget_treemap(result)
        boxes = [patch for patch in figure.axes[0].patches if isinstance(patch, Rectangle)]
        area = dict.fromkeys(COLORS.values(), 0.0)
        for box in boxes:
            color = next(color for color in area if to_rgb(color) == box.get_facecolor()[:3])
            area[color] += box.get_width() * box.get_height()
        parts = {part.key: part.standard for part in result.parts("field") if part.key != "overhead"}
        whole = sum(parts.values())
        for key, color in COLORS.items():
            tokens = parts.get(key, 0) if key in parts else sum(n for name, n in parts.items() if name not in COLORS)
            if key in parts or key == OTHERS:
                # The frames around tools take a little of each.
                assert area[color] / sum(area.values()) == pytest.approx(tokens / whole, abs=0.02)

    def test_a_tool_that_costs_nothing_has_no_box(self) -> None:
        assert figures.budget_treemap(budget(Catalog(()))).axes[0].patches[:] == []


class TestOverTurns:
    def test_other_policies_are_lines_with_their_names(self) -> None:
        result = of_sample("small")
        figure = figures.budget_over_turns(result, 10, {"compact, 80": result})
        assert any(text.startswith("compact, 80 ") for text in texts(figure))
        assert figures.figure_alt(figure).count(f"{result.total.compact * 10:,}") == 2

    def test_labels_that_end_alike_stand_apart(self) -> None:
        result = of_sample("small")
        figure = figures.budget_over_turns(result, 10, {"one": result, "two": result})
        notes = figure.axes[0].findobj(Annotation)
        heights = sorted(note.xyann[1] + note.xy[1] * 165 / (result.total.standard * 10) for note in notes)
        assert len(heights) == 4 and all(up - low > 11 for low, up in pairwise(heights))

    def test_a_price_without_caching_is_paid_on_every_turn(self) -> None:
        result = of_sample("small")
        alt = figures.figure_alt(figures.price_over_turns(result, Prices(3), 10))
        assert f"compact {result.total.compact * 30 / 1_000_000:,.4f}" in alt and "sent anew" in alt
