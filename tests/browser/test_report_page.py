"""The page that notebooks become: one file, readable by everybody, and closed to everything that is not its own."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import nbformat
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from workbench.reporting.page import page
from workbench.resources import notebooks_dir
from workbench.tables import Column, Table

REPORT = notebooks_dir() / "05_what_is_the_evidence.ipynb"
COSTS = notebooks_dir() / "02_what_does_it_cost_on_every_turn.ipynb"
PHONE, DESK = {"width": 390, "height": 844}, {"width": 1280, "height": 900}


@cache
def html_of(path: Path) -> str:
    """The page of a notebook as it was recorded."""
    return page(nbformat.read(path, as_version=4))  # type: ignore[no-untyped-call]


def opened(new_page: Callable[..., Page], path: Path, **options: Any) -> Page:
    found = new_page(**options)
    found.set_content(html_of(path))
    return found


class TestPolicy:
    def test_its_hashes_are_those_of_our_script_and_style(self) -> None:
        """After a change of page.js or page.css, put the hash that this test prints into index.html.j2."""
        html = html_of(REPORT)
        for tag, directive in (("script", "script-src"), ("style", "style-src-elem")):
            (text,) = re.findall(rf"<{tag}>(.*?)</{tag}>", html, re.DOTALL)
            hashed = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
            assert f"{directive} 'sha256-{hashed}'" in html

    def test_a_browser_runs_them_and_nothing_else(self, new_page: Callable[..., Page]) -> None:
        said: list[str] = []
        found = new_page()
        found.on("console", lambda message: said.append(message.text))
        found.set_content(
            html_of(REPORT).replace("</h1>", "</h1><script>document.title='other'</script><style>h1{color:red}</style>")
        )
        assert found.title() != "other"
        assert found.locator("th button").count() > 0, "ours does"
        assert sum("Content Security Policy" in line for line in said) == len(said) == 2

    def test_nothing_is_fetched(self) -> None:
        assert not re.search(r"""(?:src|href)=["'](?!data:image/png|#)""", html_of(REPORT))
        assert "url(" not in html_of(REPORT) and "@import" not in html_of(REPORT)


@pytest.mark.parametrize(
    ("path", "scheme", "size"),
    [(REPORT, "light", DESK), (REPORT, "dark", PHONE), (COSTS, "dark", PHONE)],
    ids=lambda value: value.stem[:2] if isinstance(value, Path) else None,
)
def test_axe_finds_nothing(new_page: Callable[..., Page], path: Path, scheme: str, size: dict[str, int]) -> None:
    found = opened(new_page, path, color_scheme=scheme, viewport=size, bypass_csp=True)
    found.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true")
    result = Axe().run(found)
    assert result.violations_count == 0, result.generate_report()
    assert found.evaluate("document.documentElement.scrollWidth") <= size["width"], "tables scroll, the page does not"


class TestStructure:
    def test_has_one_heading_a_language_landmarks_and_a_way_past_the_contents(
        self, new_page: Callable[..., Page]
    ) -> None:
        found = opened(new_page, REPORT)
        assert found.locator("h1").all_inner_texts() == ["What is the evidence?"]
        assert found.title() == "What is the evidence?"
        assert found.locator("html").get_attribute("lang") == "en"
        assert found.locator("main").count() == found.locator("nav").count() == 1
        found.keyboard.press("Tab")
        assert found.evaluate("document.activeElement.className") == "skip"
        assert found.evaluate("getComputedStyle(document.activeElement).left") == "8px", (
            "it shows when it has the focus"
        )
        found.keyboard.press("Enter")
        assert found.evaluate("document.activeElement.id") == "content"

    def test_answers_in_the_order_of_the_questions(self, new_page: Callable[..., Page]) -> None:
        titles = opened(new_page, REPORT).locator("nav a").all_inner_texts()
        assert titles == [
            *("The verdict", "Scorecard", "Tokens per turn", "Where the tokens go", "What is broken"),
            *(
                "What the projection lost",
                "How short descriptions may get",
                "Open questions and claims",
                "How to get this again",
            ),
        ]

    def test_the_contents_lead_there(self, new_page: Callable[..., Page]) -> None:
        found = opened(new_page, REPORT)
        for target in found.locator("nav a").evaluate_all(
            "links => links.map(link => link.getAttribute('href').slice(1))"
        ):
            assert found.locator(f"[id='{target}'] h2").count() == 1

    def test_code_is_folded_and_there(self, new_page: Callable[..., Page]) -> None:
        found = opened(new_page, REPORT)
        folds = found.locator("details.code")
        assert folds.count() > 20
        assert folds.evaluate_all(
            "folds => folds.every(fold => !fold.open && fold.querySelector('pre').textContent.length > 5)"
        )

    def test_every_figure_says_its_numbers(self, new_page: Callable[..., Page]) -> None:
        alts = opened(new_page, REPORT).locator("figure img").evaluate_all("images => images.map(image => image.alt)")
        assert len(alts) == 4
        assert all(sum(char.isdigit() for char in alt) > 10 for alt in alts)

    def test_a_title_of_its_own_and_cells_left_out(self) -> None:
        notebook = nbformat.read(REPORT, as_version=4)  # type: ignore[no-untyped-call]
        html = page(notebook, title="<b> & more", without=("parameters-note",))
        assert "<title>&lt;b&gt; &amp; more</title>" in html
        assert 'id="parameters-note"' not in html and 'id="parameters-note"' in html_of(REPORT)


class TestTables:
    def test_each_region_that_scrolls_is_named_by_its_caption(self, new_page: Callable[..., Page]) -> None:
        found = opened(new_page, REPORT)
        names = found.locator(".wide").evaluate_all(
            "all => all.map(each => [each.ariaLabel, each.querySelector('caption')?.innerText])"
        )
        assert len(names) > 15
        assert all(name == caption if caption else len(name) > 10 for name, caption in names)

    def test_on_a_phone_the_first_column_stays_in_place(self, new_page: Callable[..., Page]) -> None:
        found = opened(new_page, REPORT, viewport=PHONE)
        at = "document.querySelector('#renderings td').getBoundingClientRect().x"
        before = found.evaluate(at)
        found.evaluate("document.querySelector('#renderings .wide').scrollLeft = 150")
        assert found.evaluate("document.querySelector('#renderings .wide').scrollLeft") > 50, "it is wide"
        assert found.evaluate(at) == before
        heads = "[...document.querySelectorAll('th:first-child')].every(each => each.clientHeight < 50 && each.clientWidth < 200)"
        assert found.evaluate(heads), "and leaves room, without being squeezed"

    def test_at_a_desk_no_table_is_wider_than_the_page(self, new_page: Callable[..., Page]) -> None:
        found = opened(new_page, REPORT, viewport={"width": 1200, "height": 900})
        assert found.evaluate(
            "[...document.querySelectorAll('.wide')].every(each => each.scrollWidth <= each.clientWidth)"
        )

    def test_pointers_break_at_their_parts_and_minus_signs_are_those_of_sentences(self) -> None:
        text = Table(["pointer", Column("change", "percent")], [["/properties/a", -0.008], ["a/b", 0.5]]).html()
        output = nbformat.v4.new_output("display_data", {"text/html": text})  # type: ignore[no-untyped-call]
        silent, shows = (nbformat.v4.new_code_cell(code) for code in ("quiet()", "loud()"))  # type: ignore[no-untyped-call]
        shows.outputs = [output]
        html = page(nbformat.v4.new_notebook(cells=[silent, shows]))  # type: ignore[no-untyped-call]
        assert ">/<wbr/>properties/<wbr/>a</td>" in html and ">a/b</td>" in html
        assert ">\u22120.8%</td>" in html
        assert "loud" in html and "quiet" not in html, "what shows nothing has no place"


class TestSorting:
    def column(self, found: Page, place: int) -> list[str]:
        return found.locator(f"#fields table tbody tr td:nth-child({place})").all_inner_texts()

    def test_a_heading_sorts_up_down_and_back_and_totals_stay_last(self, new_page: Callable[..., Page]) -> None:
        found = opened(new_page, REPORT)
        button = found.locator("#fields th button").nth(1)
        before = self.column(found, 2)
        for order, key in (("ascending", 1), ("descending", -1)):
            button.focus()
            found.keyboard.press("Enter")
            assert found.locator("#fields th").nth(1).get_attribute("aria-sort") == order
            *numbers, total = [int(text.replace(",", "")) for text in self.column(found, 2)]
            assert numbers == sorted(numbers, key=lambda number: key * number)
            assert total == sum(numbers)
        found.keyboard.press("Space")
        assert found.locator("#fields [aria-sort]").count() == 0
        assert self.column(found, 2) == before

    def test_words_sort_as_words(self, new_page: Callable[..., Page]) -> None:
        found = opened(new_page, REPORT)
        found.locator("#fields th button").first.click()
        *names, total = self.column(found, 1)
        assert total == "total"
        assert names == sorted(names, key=str.lower)

    def test_without_scripts_nothing_is_missing(self, new_page: Callable[..., Page]) -> None:
        found = opened(new_page, REPORT, java_script_enabled=False)
        assert found.locator("th button").count() == 0
        assert found.locator("#fields th").first.inner_text() == "field"


class TestPaperAndDark:
    def test_prints_on_a4_with_nothing_cut_off(self, new_page: Callable[..., Page]) -> None:
        found = opened(
            new_page, REPORT, viewport={"width": 688, "height": 1000}
        )  # A4 less its margins, at 96 dots per inch
        found.emulate_media(media="print")
        assert found.evaluate("document.documentElement.scrollWidth") <= 688
        assert found.locator("nav").is_hidden() and found.locator("details.code").first.is_hidden()
        assert found.pdf(prefer_css_page_size=True).startswith(b"%PDF")

    def test_is_dark_where_the_reader_is(self, new_page: Callable[..., Page]) -> None:
        colors = "[getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]"
        dark = opened(new_page, COSTS, color_scheme="dark")
        assert dark.evaluate(colors) == opened(new_page, REPORT, color_scheme="dark").evaluate(colors)
        assert dark.evaluate(colors) != opened(new_page, REPORT, color_scheme="light").evaluate(colors)
        assert dark.evaluate("getComputedStyle(document.querySelector('figure img')).filter").startswith("invert(1)")
