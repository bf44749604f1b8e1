"""
A small table of results, and the forms it is shown in: HTML, Markdown, plain text and a pandas frame.

Cells may hold text from a catalog, which is data: whatever it looks like, no form lets it act as markup, formula, link or
terminal command. `workbench.visible` writes out what does not show; each form then escapes what means something in it.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, Literal, TypeAlias

from workbench.visible import visible

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Cell", "Column", "Format", "Table", "escaped"]

Cell: TypeAlias = str | int | float | bool | None
Format: TypeAlias = Literal["plain", "thousands", "percent", "code"]

_BREAKS = re.compile(r"[\r\n\t]+")
_GAP = "  "
_PROMPT = (
    120  # Columns that a table takes at a prompt, whatever the terminal: recorded outputs are the same everywhere.
)
_SHORT = 20  # Characters of a cell that a browser keeps on one line, even where a hyphen would let it break.
_SHORT_TITLE = 72  # The same of a title, which may then be wider than a narrow table.
_LONGEST_WORD = 34  # Characters of a word that it does not break.
_LONG, _HEAD = 800, 160  # Characters of a cell that is folded in a page, and about those of its beginning, which shows.
_NARROWEST = (
    12  # Terminal columns that a column of text keeps; under that, lines run over the width rather than down the page.
)

# Jupyter aligns every cell to the right, browsers to the left, so each cell says its own. The two classes keep MathJax off.
_TABLE = '<table class="workbench-table tex2jax_ignore mathjax_ignore">'
_TEXT = ' dir="auto" style="text-align:left"'
_SHORT_TEXT = ' dir="auto" style="text-align:left;white-space:nowrap"'
# `anywhere` lets a browser squeeze a column to the width of one letter, so it is for columns that have no end otherwise.
_LONG_TEXT = ' dir="auto" style="text-align:left;overflow-wrap:anywhere;min-width:14em"'
_DENSE = "padding-top:1px;padding-bottom:1px"  # Lines of one text stand close together.
_NUMBER = ' style="text-align:right;white-space:nowrap"'
_CODE = ' dir="auto" style="text-align:left;font-family:monospace;white-space:pre-wrap;overflow-wrap:anywhere"'

# Markdown: entities are data to every dialect. A span of its own keeps apart what formulas, mentions and links are made of, since
# some viewers look for those only after entities and backslashes are gone.
_MARKDOWN = re.compile(
    r"(?P<entity>[&<>|])"
    r"|(?P<span>[$@\\]|\#(?=\d)|:(?=[\w+-]+:)|:(?=//)|(?<=www)\.)"
    r"|(?P<escape>[`*\[\]~]|(?<![0-9A-Za-z])_|_(?![0-9A-Za-z]))",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Column:
    """
    A heading and how the cells under it are written.

    Numbers: as they are, with thousands separators, or a ratio as percent. `code` keeps the indentation of lines of text.
    """

    name: str
    format: Format = "plain"
    decimals: int | None = None

    def show(self, cell: Cell) -> str:
        """Write one cell; nothing stays empty, and `-0.0` loses its sign. `decimals` is 1 for percent unless it is given."""
        if cell is None:
            return ""
        if isinstance(cell, str | bool):
            return str(cell)
        if self.format == "percent":
            return f"{cell:z.{1 if self.decimals is None else self.decimals}%}"
        separator = "," if self.format == "thousands" else ""
        if self.decimals is not None:
            return f"{cell:z{separator}.{self.decimals}f}"
        return f"{cell:{separator}}"


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Table:
    """
    Columns, rows and an optional title. A column given by its name alone is `Column(name)`.

    Raises `ValueError` when a row is not as long as the heading.
    """

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    title: str

    def __init__(self, columns: Iterable[Column | str], rows: Iterable[Sequence[Cell]], title: str = "") -> None:
        heads = tuple(Column(head) if isinstance(head, str) else head for head in columns)
        body = tuple(tuple(row) for row in rows)
        for number, row in enumerate(body):
            if len(row) != len(heads):
                raise ValueError(f"row {number} has {len(row)} cells under {len(heads)} columns")
        object.__setattr__(self, "columns", heads)
        object.__setattr__(self, "rows", body)
        object.__setattr__(self, "title", title)

    def __repr__(self) -> str:
        return self.text(_PROMPT)

    def _repr_html_(self) -> str:
        return self.html()

    def html(self) -> str:
        """Write an HTML table without script, colour or size, so that it fits a light and a dark page alike."""
        rows = self._shown()
        styles = [
            _style(column, right, [row[place] for row in rows])
            for place, (column, right) in enumerate(zip(self.columns, self._right(), strict=True))
        ]
        if any(column.format == "code" for column in self.columns):
            styles = [f'{style[:-1]};{_DENSE}"' for style in styles]
        parts = [_TABLE]
        if self.title:
            title = _line(self.title)
            parts.append(f"<caption{_SHORT_TEXT if len(title) <= _SHORT_TITLE else _TEXT}>{_html(title)}</caption>")
        heads = (
            f'<th scope="col"{style}>{_html(head)}</th>' for head, style in zip(self._heads(), styles, strict=True)
        )
        parts.append(f"<thead><tr>{''.join(heads)}</tr></thead>\n<tbody>")
        for row in rows:
            cells = (f"<td{style}>{_folded(cell)}</td>" for cell, style in zip(row, styles, strict=True))
            parts.append(f"<tr>{''.join(cells)}</tr>")
        parts.append("</tbody></table>")
        return "\n".join(parts)

    def markdown(self) -> str:
        """Write a GitHub table (GFM section 4.10) whose cells are nothing but text; the title is a bold line before it."""
        rules = ["---:" if right else ":---" for right in self._right()]
        lines = [f"**{title}**\n"] if (title := _markdown(_line(self.title))) else []
        lines.append(_row(map(_markdown, self._heads())))
        lines.append(_row(rules))
        lines.extend(_row(map(_markdown, row)) for row in self._shown())
        return "\n".join(lines) + "\n"

    def text(self, width: int | None = None, color: bool = False) -> str:
        """
        Write aligned text. `width` is in terminal columns, where an East Asian character takes two; longer cells then wrap.

        Only `color` lets an escape sequence in, and that is ours: the heading in bold.
        """
        lines = [_line(self.title), ""] if self.title else []
        lines += _aligned(self._heads(), self._shown(), self._right(), width, color)
        return "\n".join(lines) + "\n"

    def frame(self) -> pd.DataFrame:
        """Make a pandas frame of the cells as they are, unformatted."""
        import pandas as pd

        return pd.DataFrame([list(row) for row in self.rows], columns=[column.name for column in self.columns])

    def _heads(self) -> list[str]:
        return [_line(column.name) for column in self.columns]

    def _shown(self) -> list[list[str]]:
        return [[_line(column.show(cell)) for column, cell in zip(self.columns, row, strict=True)] for row in self.rows]

    def _right(self) -> list[bool]:
        """Say which columns hold numbers, which stand to the right."""
        return [
            column.format in ("thousands", "percent") or any(_is_number(row[place]) for row in self.rows)
            for place, column in enumerate(self.columns)
        ]


def _style(column: Column, right: bool, cells: list[str]) -> str:
    if right:
        return _NUMBER
    if column.format == "code":
        return _CODE
    texts = [_line(column.name), *cells]
    if max(map(len, texts)) <= _SHORT:
        return _SHORT_TEXT
    return _TEXT if all(len(word) <= _LONGEST_WORD for text in texts for word in text.split()) else _LONG_TEXT


def _is_number(cell: Cell) -> bool:
    return isinstance(cell, int | float) and not isinstance(cell, bool)


def _line(text: str) -> str:
    return visible(_BREAKS.sub(" ", text))


def _html(line: str) -> str:
    return html.escape(line)


def escaped(text: str) -> str:
    """A text as Markdown that shows it as it is, on one line: nothing of it acts, and nothing in it is hidden."""
    return _markdown(_line(text))


def _folded(line: str) -> str:
    """A cell of a page: of a long text the beginning shows, and the rest when it is asked for."""
    if len(line) <= _LONG:
        return _html(line)
    head = line[:_HEAD].rfind(" ") + 1
    if not head:  # One long word: not cut before a character that belongs to the one before it.
        head = next((at for at in range(_HEAD, len(line)) if _begins(line, at)), _HEAD)
    return f"<details><summary>{_html(line[:head])}</summary>{_html(line[head:])}</details>"


def _begins(line: str, at: int) -> bool:
    """Say whether a character neither marks the one before it nor is joined to it."""
    return unicodedata.category(line[at])[0] not in "MC" and unicodedata.category(line[at - 1]) != "Cf"


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _markdown(line: str) -> str:
    return _MARKDOWN.sub(_harmless, line).strip()


def _harmless(match: re.Match[str]) -> str:
    char = match[0]
    if match["entity"]:
        return f"&#{ord(char)};"
    return f"<span>&#{ord(char)};</span>" if match["span"] else f"\\{char}"


def _aligned(heads: list[str], rows: list[list[str]], right: list[bool], width: int | None, color: bool) -> list[str]:
    from rich.cells import cell_len

    natural = [max(map(cell_len, column)) for column in zip(heads, *rows, strict=True)]
    widths = natural if width is None else _fitted(natural, right, width - len(_GAP) * (len(heads) - 1))
    first = _laid_out(heads, widths, right)
    lines = [f"\x1b[1m{line}\x1b[0m" for line in first] if color else first
    lines.append(_GAP.join("-" * wide for wide in widths))
    for row in rows:
        lines += _laid_out(row, widths, right)
    return lines


def _fitted(natural: list[int], right: list[bool], width: int) -> list[int]:
    """Narrow the columns of text, the widest first, until all fit; numbers keep their width, since half a number is a wrong one."""
    texts = [wide for wide, number in zip(natural, right, strict=True) if not number]
    left = width - sum(natural) + sum(texts)
    cap = max(texts, default=0)
    while cap > _NARROWEST and sum(min(wide, cap) for wide in texts) > left:
        cap -= 1
    return [wide if number else min(wide, cap) for wide, number in zip(natural, right, strict=True)]


def _laid_out(cells: list[str], widths: list[int], right: list[bool]) -> list[str]:
    """Lay one row out on as many lines as its longest cell needs."""
    columns = [_wrapped(cell, width) for cell, width in zip(cells, widths, strict=True)]
    return [
        _GAP.join(_padded(*piece) for piece in zip(line, widths, right, strict=True)).rstrip()
        for line in zip_longest(*columns, fillvalue="")
    ]


def _wrapped(cell: str, width: int) -> list[str]:
    """Break a cell between words, and a word that is wider than the column between its characters."""
    from rich.cells import cell_len, chop_cells

    if cell_len(cell) <= width:
        return [cell]
    lines = [""]
    for word in cell.split():
        if cell_len(lines[-1]) + 1 + cell_len(word) <= width:
            lines[-1] += f" {word}" if lines[-1] else word
        else:
            pieces = chop_cells(word, width) if cell_len(word) > width else [word]
            lines += pieces
    return lines if lines[0] else lines[1:] or [""]


def _padded(text: str, width: int, right: bool) -> str:
    from rich.cells import cell_len

    space = " " * (width - cell_len(text))
    return space + text if right else text + space
