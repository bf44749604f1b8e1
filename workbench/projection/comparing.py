"""One tool before and after: two JSON texts line by line, those that agree beside each other."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher
from itertools import zip_longest

from workbench.catalog import Tool
from workbench.tables import Column, Table
from workbench.values import pretty

__all__ = ["side_by_side"]


def side_by_side(standard: Tool, compact: Tool) -> Table:
    """The JSON of a tool in the standard and in the compact view, and between them what became of each line."""
    columns = (Column("standard", "code"), Column(""), Column("compact", "code"))
    return Table(columns, _facing(_lines(standard), _lines(compact)), standard.tool_id)


def _lines(tool: Tool) -> list[str]:
    return pretty(tool.descriptor).splitlines()


def _facing(left: list[str], right: list[str]) -> Iterator[tuple[str, str, str]]:
    bare_left, bare_right = list(map(_bare, left)), list(map(_bare, right))
    for _, start, end, first, last in SequenceMatcher(None, bare_left, bare_right).get_opcodes():
        for before, after in zip_longest(left[start:end], right[first:last], fillvalue=""):
            yield before, _change(before, after), after


def _bare(line: str) -> str:
    """A line without its comma, which depends on what comes after it and is no change of the line itself."""
    return line.removesuffix(",")


def _change(before: str, after: str) -> str:
    if _bare(before) == _bare(after):
        return ""
    if before and after:
        return "changed"
    return "dropped" if before else "added"
