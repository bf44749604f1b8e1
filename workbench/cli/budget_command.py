"""`workbench budget`: what a catalog costs in tokens, standard against compact."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from workbench.cli.options import (
    encoding_option,
    format_option,
    out_option,
    projection_options,
    rendering_option,
    server_option,
    source_argument,
)
from workbench.cli.output import colored, counted, emit_json, emit_text, line, read, width
from workbench.cli.progress import project_watched
from workbench.tables import Table

if TYPE_CHECKING:
    from workbench.budgets import Budget, By

__all__ = ["budget_command"]

#: Tools that the table lists one by one unless all are asked for.
_SHOWN = 20
#: Columns of a table that has a share as its last.
_WIDE = 6


@click.command("budget")
@source_argument
@encoding_option
@rendering_option
@click.option(
    "--by",
    type=click.Choice(["tool", "field", "keyword"]),
    default="tool",
    show_default=True,
    help="Show also where the tokens go: by descriptor field or by schema keyword.",
)
@click.option("--turns", metavar="N", type=click.IntRange(min=1), default=1, help="Add up N turns.")
@click.option(
    "--context",
    metavar="N",
    type=click.IntRange(min=1),
    multiple=True,
    help="Compare with a context window of N tokens; may be repeated.  [default: 128000, 200000, 1000000]",
)
@click.option("--all", "show_all", is_flag=True, help=f"List every tool in the text, not just the {_SHOWN} dearest.")
@projection_options
@server_option
@format_option("text")
@out_option
def budget_command(
    source: str,
    encoding: str,
    rendering: str,
    by: By,
    turns: int,
    context: tuple[int, ...],
    show_all: bool,
    server: str | None,
    form: str,
    out: str | None,
    **policy: Any,
) -> int:
    """
    Count what the catalog SOURCE costs on every turn, standard against compact.

    Every token is counted once, where its first character stands, so tools and what lies between them add up to the total.
    A count holds for one rendering and one encoding only; both stand beside it.

    \b
    Examples:
      workbench budget sample:twenty
      workbench budget catalog.json --by field --turns 30
      workbench budget catalog.json --max-description 120 --context 32000
      cat catalog.json | workbench budget - --format json
    """
    from workbench.budgets import budget

    catalog = read(source, server)
    projection = project_watched(catalog, encoding=encoding, **policy)
    result = budget(
        catalog, encoding=encoding, rendering=rendering, turns=turns, context=context or None, projection=projection
    )
    if form == "json":
        emit_json(result.to_json(by), out)
    else:
        limit = None if show_all else _SHOWN
        emit_text(_text(result, catalog.source, by, limit, width(out), colored(out)), out)
    return 0


def _text(result: Budget, source: str, by: By, limit: int | None, columns: int | None, color: bool) -> str:
    """The headline first; then the tables from the whole to its parts."""
    tables = [result.summary(), result.table(limit)]
    if by != "tool":
        tables.append(result.parts_table(by))
    return "\n".join([_headline(result, source), *(_fitted(table, columns).text(columns, color) for table in tables)])


def _fitted(table: Table, columns: int | None) -> Table:
    """A table without its last column, the share, where names would have to wrap to make room for it."""
    if columns is None or len(table.columns) < _WIDE or _needed(table) <= columns:
        return table
    return Table(table.columns[:-1], [row[:-1] for row in table.rows], table.title)


def _needed(table: Table) -> int:
    """The columns of a terminal that a table takes when nothing wraps: as wide as the rule under its heading."""
    return max(len(written) for written in table.text().splitlines() if set(written) == {"-", " "})


def _headline(result: Budget, source: str) -> str:
    total = result.total
    return (
        f"{line(source)}: {counted(len(result.rows), 'tool')}, {total.standard:,} tokens standard, {total.compact:,} compact; "
        f"saves {total.saved:,} on every turn ({total.saved_ratio:.1%})\n"
    )
