"""
A report of a hostile catalog: none of its text acts, wherever it is shown, and none breaks a layout.

`hostile_catalog` says what is tried. The page is opened in a browser under its own policy, and with the policy taken out too, so
that it is the escaping that is tested and not only what would save us without it.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from hostile_catalog import FILE_NAME, MARK
from markdown_it import MarkdownIt
from playwright.sync_api import Page

from workbench.evidence import Evidence

TESTS = Path(__file__).parent.parent
_WRITE = """
import sys
from pathlib import Path
from hostile_catalog import hostile_evidence
from workbench.evidence import Evidence
from workbench.reporting.making import write

Path("report").mkdir()
write(Evidence.read(sys.argv[1]) if sys.argv[1:] else hostile_evidence(), Path("report"))
"""


def _written(folder: Path, *arguments: str, **environment: str) -> Path:
    """The folder of a report that a process of its own has written."""
    path = os.pathsep.join([str(TESTS), str(TESTS.parent)])
    settings = {**os.environ, "PYTHONPATH": path, "SOURCE_DATE_EPOCH": "1700000000", **environment}
    subprocess.run([sys.executable, "-c", _WRITE, *arguments], cwd=folder, env=settings, check=True, timeout=240)
    return folder / "report"


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _written(tmp_path_factory.mktemp("hostile"), PYTHONHASHSEED="1")


def _opened(page: Page, html: str) -> list[str]:
    """Open a page, click and open all there is, and give what it did: dialogs, requests, errors, messages."""
    did: list[str] = []
    page.on("dialog", lambda dialog: (did.append(f"dialog {dialog.message}"), dialog.dismiss()))
    page.on("console", lambda message: did.append(f"console {message.text}"))
    page.on("pageerror", lambda error: did.append(f"error {error}"))
    page.on("request", lambda request: did.append(f"request {request.url[:80]}"))
    page.on("popup", lambda popup: did.append(f"popup {popup.url[:80]}"))
    page.set_content(html)
    page.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true")
    for head in page.locator("th button").all()[:6]:
        head.click()
        head.hover()
    page.wait_for_timeout(200)
    return [line for line in did if not line.startswith("request data:image/png;base64,")]


@pytest.mark.parametrize("policy", [True, False], ids=["policy", "no-policy"])
def test_nothing_of_theirs_acts_in_a_browser(report: Path, new_page: Callable[..., Page], policy: bool) -> None:
    html = (report / "index.html").read_text("utf-8")
    page = new_page(viewport={"width": 390, "height": 844})
    if not policy:
        html, count = re.subn(r"<meta [^>]*Content-Security-Policy[^>]*>", "", html)
        assert count == 1
    assert _opened(page, html) == []
    assert MARK not in page.title() or "script" in page.title()
    assert page.locator("script").count() == 1
    assert (
        page.locator("iframe, form, object, embed, base, svg, link, video, [onerror], [onload], [onclick]").count() == 0
    )
    assert page.locator("main a").count() == 0, "text is no link, and the report itself has none"
    assert page.locator("main img:not([src^='data:image/png;base64,'])").count() == 0
    assert page.locator("h1").count() == 1


@pytest.mark.parametrize("width", [390, 1400])
def test_nothing_of_theirs_breaks_the_layout(report: Path, new_page: Callable[..., Page], width: int) -> None:
    page = new_page(viewport={"width": width, "height": 844})
    page.set_content((report / "index.html").read_text("utf-8"))
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate("document.documentElement.scrollHeight") < 100_000
    cells = "[...document.querySelectorAll('main td, main .said')]"
    assert page.evaluate(f"Math.max(...{cells}.map((each) => each.getBoundingClientRect().height))") < 4_000
    assert page.evaluate(f"{cells}.every((each) => getComputedStyle(each).overflowY === 'clip')"), (
        "signs piled upon each other stay in their cell"
    )


def test_the_page_is_of_a_size_that_can_be_opened(report: Path) -> None:
    assert (report / "index.html").stat().st_size < 2_000_000
    assert (report / "report.md").stat().st_size < 500_000


def test_nothing_of_theirs_acts_in_markdown(report: Path) -> None:
    text = (report / "report.md").read_text("utf-8")
    html = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).render(text)
    allowed = {
        "h2",
        "h3",
        "p",
        "strong",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "img",
        "pre",
        "code",
        "details",
        "summary",
        "span",
        "em",
    }
    assert set(re.findall(r"<([a-zA-Z][\w-]*)", html)) <= allowed
    assert re.findall(r'src="([^"]*)"', html) == [
        f"figures/{each}.svg" for each in ("tokens-by-source", "tokens-by-rendering", "tokens-by-field", "limits")
    ]
    attributes = set(re.findall(r'<\w+[^>]*? (\w+)="', html))
    assert attributes <= {"src", "alt", "style"}
    # What viewers look for in the text of a page: formulas, mentions, links. A span of its own keeps each apart.
    shown = re.sub(r"<pre>.*?</pre>", "", html, flags=re.DOTALL)
    assert not re.search(r"\$[^<]*\$|(?<![\w;>])@\w|https?://", re.sub(r"<span>[^<]*</span>", "<>", shown))


def test_markdown_that_is_shown_in_a_browser_does_not_act(report: Path, new_page: Callable[..., Page]) -> None:
    html = (
        MarkdownIt("commonmark", {"html": True})
        .enable(["table", "strikethrough"])
        .render((report / "report.md").read_text("utf-8"))
    )
    did = _opened(new_page(), re.sub(r"<img [^>]*>", "", html))
    assert did == []


def test_figures_are_pictures_of_text(report: Path) -> None:
    for path in (report / "figures").glob("*.svg"):
        tags = {element.tag.rpartition("}")[2] for element in ET.parse(path).iter()}
        assert not tags & {"script", "a", "image", "foreignObject", "text", "iframe"}
        assert "evil.example" not in path.read_text("utf-8")


def test_the_bundle_has_all_of_it_as_it_came(report: Path) -> None:
    document = Evidence.read(report / "evidence.json").to_json()
    assert document["sources"][0]["name"] == FILE_NAME
    assert f"<script>alert('{MARK}')" in json.dumps(document)


def test_the_same_evidence_gives_the_same_bytes_whenever_and_wherever(report: Path, tmp_path: Path) -> None:
    again = _written(
        tmp_path, str(report / "evidence.json"), PYTHONHASHSEED="2", TZ="Pacific/Apia", COLUMNS="40", LC_ALL="C"
    )
    files = sorted(path.relative_to(report) for path in report.rglob("*") if path.is_file())
    assert [str(path) for path in files][:3] == ["evidence.json", "figures/limits.png", "figures/limits.svg"]
    assert files == sorted(path.relative_to(again) for path in again.rglob("*") if path.is_file())
    for path in files:
        assert (report / path).read_bytes() == (again / path).read_bytes(), path
    html = (report / "index.html").read_text("utf-8")
    for trace in (str(report.parent), "/tmp", "papermill", "site-packages", "object at 0x"):
        assert trace not in html
