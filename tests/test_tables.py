from __future__ import annotations

import re
import subprocess
import sys
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from rich.cells import cell_len
from strategies import strings

from workbench.tables import Cell, Column, Table
from workbench.visible import hidden_characters, visible

HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "</td></table>&lt;b&gt;&amp;",
    "\" onclick='x' `",
    "a|b||c\\|d\\",
    "\\\\|",
    "**bold** _em_ __strong__ ~~gone~~ snake_case_name",
    "`code` ``more`` ```",
    "[link](javascript:alert(1)) ![i](x) [ref] [^1]",
    "https://example.com HTTP://EXAMPLE.COM www.example.com me@example.com <https://example.com>",
    "$x^2$ $$y$$ \\(z\\) \\[w\\] \\begin{align}a\\end{align}",
    "@someone #12 :smile: GH-1",
    "\x1b[31mred\x1b]8;;http://e\x07 \x9b2J",
    "\u202egnp.exe\u2066 \u200bx \U000e0041",
    "[red]rich[/red] [link=http://e]e[/link]",
    "line\nbreak\r\nand\ttab\r",
    "- list\n# heading\n> quote\n---\n",
    "w" * 400,
    "日本語のとても長い説明文" * 20,
]
texts = st.sampled_from(HOSTILE) | strings() | st.text("<>&|`*_[]()$\\~@#:/.w-!\"' a1\n", max_size=12)
cells: st.SearchStrategy[Cell] = st.none() | st.booleans() | st.integers() | st.floats(-1e9, 1e9) | texts


@st.composite
def tables(draw: st.DrawFn) -> Table:
    wide = draw(st.integers(1, 4))
    formats = st.sampled_from(["plain", "thousands", "percent", "code"])
    columns = [Column(draw(texts), draw(formats)) for _ in range(wide)]
    return Table(columns, draw(st.lists(st.lists(cells, min_size=wide, max_size=wide), max_size=4)), draw(texts))


def shown(table: Table) -> list[list[str]]:
    """What each form has to show: headings and cells as one line of text each, nothing hidden."""
    rows = [[column.name for column in table.columns]]
    rows += [[column.show(cell) for column, cell in zip(table.columns, row, strict=True)] for row in table.rows]
    return [[visible(re.sub(r"[\r\n\t]+", " ", cell)) for cell in row] for row in rows]


class Page(HTMLParser):
    """The tags, attributes and cell texts of a page, as a browser splits them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: set[tuple[str, str | None]] = set()
        self.rows: list[list[str]] = []
        self.open_cell = False
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes.update(attrs)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
            self.open_cell = True

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th"):
            self.open_cell = False

    def handle_data(self, data: str) -> None:
        if self.open_cell:
            self.rows[-1][-1] += data


# Laws


@given(tables())
def test_html_shows_every_cell_as_text_and_nothing_else(table: Table) -> None:
    page = Page(table.html())
    assert page.rows == shown(table)
    assert set(page.tags) <= {"table", "caption", "thead", "tbody", "tr", "th", "td", "details", "summary"}
    assert {name for name, _ in page.attributes} <= {"class", "style", "scope", "dir"}
    assert not hidden_characters(table.html())


@given(tables())
def test_markdown_shows_every_cell_as_text_and_nothing_else(table: Table) -> None:
    page = Page(MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).render(table.markdown()))
    assert set(page.tags) <= {"p", "strong", "table", "thead", "tbody", "tr", "th", "td", "span"}
    assert page.tags.count("strong") <= 1 and "strong" not in page.tags[page.tags.index("table") :]
    assert page.rows == [[cell.strip(" ") for cell in row] for row in shown(table)]
    assert not hidden_characters(table.markdown())


@given(tables())
def test_text_lines_columns_up(table: Table) -> None:
    lines = table.text().splitlines()[2 if table.title else 0 :]
    rule = lines[1]
    widths = [len(dashes) for dashes in rule.split("  ")]
    for line, row in zip([lines[0], *lines[2:]], shown(table), strict=True):
        rest = line + " " * (len(rule) - cell_len(line))
        for width, cell in zip(widths, row, strict=True):
            assert cell_len(cell) <= width
            assert cell in rest[: len(cell) + width - cell_len(cell)]
            rest = rest[len(cell) + width - cell_len(cell) + 2 :]


@given(tables(), st.integers(40, 90))
def test_text_of_a_given_width_loses_nothing(table: Table, width: int) -> None:
    table = Table(table.columns, table.rows)
    text = table.text(width)
    assert not hidden_characters(text)
    assert sorted(re.sub(r"[\s-]", "", text)) == sorted(re.sub(r"[\s-]", "", "".join(map("".join, shown(table)))))


# Examples


def test_text_wraps_to_the_width_between_words_or_inside_a_long_one() -> None:
    table = Table(
        ["tool", Column("tokens", "thousands"), "note"],
        [["mcp:日本.検索", 12345, "some words that do not fit on the line"], ["x" * 30, 5, None]],
        "What it costs",
    )
    assert table.text(44) == (
        "What it costs\n"
        "\n"
        "tool               tokens  note\n"
        "-----------------  ------  -----------------\n"
        "mcp:日本.検索      12,345  some words that\n"
        "                           do not fit on the\n"
        "                           line\n"
        "xxxxxxxxxxxxxxxxx       5\n"
        "xxxxxxxxxxxxx\n"
    )
    assert max(map(cell_len, table.text(44).splitlines())) <= 44


def test_a_number_is_never_broken() -> None:
    assert "123,456,789,012" in Table([Column("n", "thousands"), "t"], [[123_456_789_012, "word " * 9]]).text(5)


def test_colour_is_ours_alone() -> None:
    table = Table(["\x1b[31mx"], [["\x1b[0m"]])
    assert "\x1b" not in table.text()
    assert table.text(color=True).count("\x1b") == 2


@pytest.mark.parametrize("hostile", HOSTILE)
def test_no_viewer_finds_a_link_formula_or_mention(hostile: str) -> None:
    """What viewers look for after Markdown is done must not be there in one piece: neither in the source nor between two tags."""
    source = Table(["a"], [[hostile]], hostile).markdown()
    pieces = re.split(r"<[^>]*>", MarkdownIt("commonmark").enable("table").render(source))
    for text in (source, *pieces):
        assert not re.search(r"\$.+\$|@\w|(?<!&)#\d|:\w+:|https?://|www\.|\\begin", text, re.IGNORECASE)
    assert not re.search(r"\\\\[(\[]", source)
    assert not any(re.search(r"\\[(\[]", piece) for piece in pieces)
    assert "mathjax_ignore" in Table(["a"], [[hostile]]).html().split(">")[0]


@pytest.mark.parametrize(
    ("column", "cell", "text"),
    [
        (Column("n"), 1234567, "1234567"),
        (Column("n", "thousands"), 1234567, "1,234,567"),
        (Column("n", "thousands"), -1234.5, "-1,234.5"),
        (Column("n", "thousands", 1), 1234.56, "1,234.6"),
        (Column("n", decimals=2), 0.5, "0.50"),
        (Column("n", decimals=1), -0.01, "0.0"),
        (Column("n", "percent"), 0.1234, "12.3%"),
        (Column("n", "percent", 0), 1, "100%"),
        (Column("n", "percent"), -0.0001, "0.0%"),
        (Column("n", "percent"), None, ""),
        (Column("n", "thousands"), "n/a", "n/a"),
        (Column("n", "thousands"), True, "True"),
    ],
)
def test_numbers_are_written_as_their_column_says(column: Column, cell: Cell, text: str) -> None:
    assert column.show(cell) == text


def test_numbers_stand_to_the_right_in_every_form() -> None:
    table = Table(["tool", "n"], [["a", 1], ["b", None]])
    assert table.markdown() == "| tool | n |\n| :--- | ---: |\n| a | 1 |\n| b |  |\n"
    assert table.html().count("text-align:right") == 3
    assert table.html().count("text-align:left") == 3
    assert "color" not in table.html()


def test_a_page_breaks_only_words_that_would_have_no_end() -> None:
    table = Table(["tool", "text"], [["connector:calendar.create-event", "w" * 400], ["a", "b"]])
    assert table.html().count("overflow-wrap:anywhere") == 3  # the heading and both cells of the second column
    assert Table(["w" * 400], [["a"]]).html().count("overflow-wrap:anywhere") == 2


def test_a_page_keeps_short_cells_on_one_line() -> None:
    table = Table(["rule", "text"], [["compact-keyword", "a sentence that may be broken"], ["tier-1", ""]])
    assert table.html().count("white-space:nowrap") == 3
    assert 'nowrap">Tokens per turn</caption>' in Table(["a" * 30], [], "Tokens per turn").html()
    assert "nowrap" not in Table(["a" * 30], [], "Tokens per turn " * 10).html()


def test_a_page_folds_a_long_text_and_keeps_all_of_it() -> None:
    words = "a word or two, " * 60
    page = Table(["a"], [[words]]).html()
    assert Page(page).rows == [["a"], [words]]
    summary = re.search("<summary>(.*)</summary>", page)
    assert summary is not None and 140 < len(summary[1]) <= 160 and summary[1].endswith(" ")
    marked = "x" * 159 + "e" + "\u0301" * 900
    assert "<summary>" + marked + "</summary>" in Table(["a"], [[marked + "y"]]).html(), (
        "no sign is torn from its letter"
    )
    assert "<details>" not in Table(["a"], [["x" * 800]]).html()


def test_a_prompt_shows_at_most_so_many_columns_as_fit_there() -> None:
    lines = repr(Table(["text", "text"], [["word " * 100, "w" * 400]])).splitlines()
    assert max(map(len, lines)) <= 120


def test_lines_of_code_keep_their_indentation() -> None:
    table = Table([Column("json", "code"), "n"], [['  "a": 1', 1]])
    assert re.search(r"white-space:pre-wrap[^>]*>  &quot;a&quot;: 1</td>", table.html())
    assert table.text().splitlines()[2].startswith('  "a": 1')
    assert table.html().count("text-align:right") == 2


def test_a_notebook_shows_html_and_a_prompt_shows_text() -> None:
    table = Table(["a"], [[1]])
    assert table._repr_html_() == table.html()
    assert repr(table) == table.text() == "a\n-\n1\n"


@pytest.mark.parametrize("table", [Table([], []), Table([], [], "t"), Table(["a", "b"], [])])
def test_an_empty_table_has_every_form(table: Table) -> None:
    assert table.html() and table.markdown() and table.text().endswith("\n")
    assert table.text(20).endswith("\n")
    assert len(table.frame()) == 0


def test_a_frame_holds_the_cells_as_they_are() -> None:
    table = Table([Column("a", "thousands"), "b"], [[1000, "<x>"], [2, None]])
    frame = table.frame()
    assert list(frame.columns) == ["a", "b"]
    assert frame["a"].tolist() == [1000, 2]
    assert frame["b"].tolist()[0] == "<x>"


def test_a_row_of_another_length_is_an_error() -> None:
    with pytest.raises(ValueError, match="row 1 has 1 cells under 2 columns"):
        Table(["a", "b"], [[1, 2], [1]])


def test_rows_may_come_from_a_generator_and_tables_compare() -> None:
    assert Table(("a",), ([n] for n in range(2))) == Table([Column("a")], [(0,), (1,)])


def test_importing_tables_imports_neither_pandas_nor_rich() -> None:
    code = "import sys, workbench.tables; print([m for m in ('pandas', 'rich', 'numpy') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
