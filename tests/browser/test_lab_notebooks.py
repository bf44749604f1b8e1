"""The notebooks in JupyterLab itself: run from the menu in a real browser, they show tables, figures and a panel that reacts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import nbformat
import pytest
from playwright.sync_api import Browser, Page, expect

import workbench as wb
from tests.running_lab import RunningLab, running_lab
from workbench.resources import notebooks
from workbench.tuning import Panel

Open = Callable[[int], Page]

#: Milliseconds; what is waited for is there much sooner on an idle machine.
PATIENCE = 120_000
#: A catalog for notebook 4 that takes less time than its own.
SMALLER = "sample:twenty"


@pytest.fixture(scope="module")
def lab(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningLab]:
    """One JupyterLab for the tests of this file, in which the panel is live; `browser` comes first since it may skip them."""
    place = tmp_path_factory.mktemp("lab")
    with running_lab(place / "notebooks", place / "own") as running:
        yield running


@pytest.fixture
def open_notebook(lab: RunningLab, new_page: Callable[..., Page]) -> Iterator[Open]:
    """Open a bundled notebook by its number, the outputs that it came with cleared away; no request may leave this machine."""
    elsewhere: list[str] = []

    def open_notebook(number: int) -> Page:
        page = new_page(viewport={"width": 1400, "height": 1000})
        page.set_default_timeout(PATIENCE)
        page.on("request", lambda request: elsewhere.append(request.url))
        name = notebooks()[number - 1].name
        page.goto(re.sub(r"/tree/[^?]*\?", f"/tree/{name}?reset&", lab.address))
        expect(page.get_by_text("Python 3 (ipykernel) | Idle")).to_be_visible(timeout=PATIENCE)
        choose(page, "Edit", "Clear Outputs of All Cells")
        expect(page.locator(".jp-OutputArea-output")).to_have_count(0)
        return page

    yield open_notebook
    assert [url for url in elsewhere if not url.startswith((lab.origin, "data:", "blob:"))] == []


def choose(page: Page, menu: str, entry: str) -> None:
    page.get_by_role("menuitem", name=menu, exact=True).click()
    page.get_by_role("menuitem", name=entry, exact=True).click()


def run_all(page: Page) -> None:
    """Run > Run All Cells, until the last cell has its number and none has complained."""
    choose(page, "Run", "Run All Cells")
    cells = page.locator(".jp-CodeCell .jp-InputPrompt")
    expect(cells).to_have_text([f"[{number}]:" for number in range(1, cells.count() + 1)], timeout=PATIENCE)
    expect(page.locator("[data-mime-type$='stderr'], [data-mime-type$='error']")).to_have_count(0)


def set_parameters(lab: RunningLab, number: int, **parameters: Any) -> None:
    """Change parameters in the user's copy, as the user would, before it is opened."""
    path = lab.folder / notebooks()[number - 1].name
    notebook = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    (cell,) = (cell for cell in notebook.cells if "parameters" in cell.metadata.get("tags", []))
    cell.source += "".join(f"\n{name} = {value!r}" for name, value in parameters.items())
    nbformat.write(notebook, path)  # type: ignore[no-untyped-call]


def table(page: Page, title: str) -> list[list[str]]:
    """The cells of the table with this title, row by row."""
    rows = page.locator("table.workbench-table", has=page.locator("caption", has_text=title)).locator("tbody tr")
    expect(rows.first).to_be_visible()
    return [row.locator("td").all_text_contents() for row in rows.all()]


def test_notebook_2_counts_a_catalog_and_draws_it(open_notebook: Open) -> None:
    page = open_notebook(2)
    run_all(page)
    budget = wb.budget(wb.load("sample:twenty"))
    shown = {row[0]: row[1:3] for row in table(page, "Tokens per turn and tool")}
    assert shown["total"] == [f"{budget.total.standard:,}", f"{budget.total.compact:,}"]
    assert {row.tool_id for row in budget.rows} < set(shown)
    figure = page.locator(".jp-CodeCell", has_text="figures.budget_by_tool(").get_by_role("img").first
    figure.scroll_into_view_if_needed()
    expect(figure).to_be_visible()
    assert figure.evaluate("image => image.decode().then(() => image.naturalWidth)") > 100


def test_notebook_4_has_a_panel_that_reacts(lab: RunningLab, open_notebook: Open) -> None:
    set_parameters(lab, 4, SOURCE=SMALLER, OTHERS=["small"])
    page = open_notebook(4)
    run_all(page)
    panel = page.locator(".jupyter-widgets.widget-vbox")
    under_limit = panel.locator("table").first.locator("tbody tr").last.locator("td")
    before = under_limit.all_text_contents()
    assert before == expected(before[0])

    panel.locator(".noUi-target").click(position={"x": 12, "y": 2})
    panel.get_by_role("slider").press("ArrowRight")
    limit = float(panel.get_by_role("slider").get_attribute("aria-valuenow") or "nan")
    expect(under_limit.first).to_have_text(f"word, {limit:.0f} characters", timeout=PATIENCE)
    moved = under_limit.all_text_contents()
    assert moved == expected(moved[0])
    assert moved[1] < before[1]

    panel.locator("select").first.select_option("first-sentence")
    expect(under_limit.first).to_have_text(re.compile("^first-sentence, "), timeout=PATIENCE)
    chosen = under_limit.all_text_contents()
    assert chosen == expected(chosen[0])


def expected(label: str) -> list[str]:
    """The row of the panel that begins so (strategy and limit, tokens, saved, shortened), computed here."""
    strategy, limit = re.fullmatch(r"([\w-]+), ([\d,]+) characters", label).groups()  # type: ignore[union-attr]
    told = Panel(wb.load(SMALLER), strategy=strategy, limit=int(limit.replace(",", ""))).costs()
    return [column.show(cell) for column, cell in zip(told.columns, told.rows[-1], strict=True)]
