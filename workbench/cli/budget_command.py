"""`workbench budget`: what a catalog costs in tokens, standard against compact."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from workbench.cli.argument_types import TOKENS, WINDOW
from workbench.cli.options import (
    connection_options,
    encoding_option,
    format_option,
    out_option,
    projection_options,
    rendering_option,
    server_option,
    source_argument,
)
from workbench.cli.output import colored, counted, emit_json, emit_text, fitted, line, note, read, width
from workbench.cli.progress import project_watched
from workbench.errors import WorkbenchError

if TYPE_CHECKING:
    from workbench.budgets import Bill, Budget, By, Limits, Savings
    from workbench.catalog import Catalog, View

__all__ = ["budget_command"]

#: Tools that the table lists one by one unless all are asked for.
_SHOWN = 20


@click.command("budget")
@source_argument
@encoding_option
@rendering_option
@click.option(
    "--by",
    type=click.Choice(["tool", "field", "keyword", "depth"]),
    default="tool",
    show_default=True,
    help="Show also where the tokens go: by descriptor field, by schema keyword or by depth in schemas.",
)
@click.option("--savings", "show_savings", is_flag=True, help="Rank what the compact view could still leave out.")
@click.option("--turns", metavar="N", type=click.IntRange(min=1), default=1, help="Add up N turns of a session.")
@click.option("--sessions", metavar="N", type=click.IntRange(min=1), default=1, help="Price N such sessions.")
@click.option("--prices", metavar="FILE", help="Price them as this JSON or TOML file says, prompt caching included.")
@click.option(
    "--context",
    metavar="N",
    type=WINDOW,
    multiple=True,
    help="Compare with a context window of N tokens, such as 128k or 1m; may be repeated.  [default: 128000, 200000, 1000000]",
)
@click.option("--max-total", metavar="N", type=TOKENS, help="Exit with 1 when the catalog costs more.")
@click.option("--max-tool", metavar="N", type=TOKENS, help="Exit with 1 when any tool costs more.")
@click.option("--limits", metavar="FILE", help="Read such limits, and those of single tools, from a JSON or TOML file.")
@click.option(
    "--gate", type=click.Choice(["standard", "compact"]), help="Hold this view to the limits.  [default: standard]"
)
@click.option("--all", "show_all", is_flag=True, help=f"List every tool in the text, not just the {_SHOWN} dearest.")
@projection_options
@server_option
@connection_options()
@format_option("text")
@out_option
def budget_command(
    source: str,
    encoding: str,
    rendering: str,
    by: By,
    show_savings: bool,
    turns: int,
    sessions: int,
    prices: str | None,
    context: tuple[int, ...],
    max_total: int | None,
    max_tool: int | None,
    limits: str | None,
    gate: View | None,
    show_all: bool,
    server: str | None,
    connection: dict[str, Any],
    form: str,
    out: str | None,
    **policy: Any,
) -> int:
    """
    Count what the catalog SOURCE costs on every turn, standard against compact.

    Compact is what workbench project makes of it, also of a host; what a host's own compact view costs is said on standard error.
    Every token is counted once, where its first character stands, so tools and what lies between them add up to the total.
    A count holds for one rendering and one encoding only; both stand beside it, and how sure it is. A file of prices, per million
    tokens, holds input, cacheWrite, cacheRead and currency; one of limits maxTotal, maxTool, tools and view.

    \b
    Examples:
      workbench budget sample:twenty
      workbench budget catalog.json --by field --turns 30
      workbench budget catalog.json --rendering harmony --savings
      workbench budget catalog.json --max-description 120 --context 32000
      workbench budget catalog.json --turns 20 --prices prices.json
      workbench budget catalog.json --max-total 8000 --max-tool 500
      cat catalog.json | workbench budget - --format json
    """
    from workbench.budgets import Limits, budget, load_prices

    bounds = _limits(limits, max_total, max_tool, gate)
    paid = load_prices(prices) if prices is not None else None
    catalog = read(source, server, connection)
    projection = project_watched(catalog, encoding=encoding, **policy)
    result = budget(
        catalog, encoding=encoding, rendering=rendering, turns=turns, context=context or None, projection=projection
    )
    bill = None if paid is None else result.bill(paid, sessions)
    ranked = result.savings() if show_savings else None
    own = None if catalog.major is None else _own_view(source, catalog, connection, result)
    over = bounds.exceeded(result)
    if form == "json":
        more: dict[str, Any] = {
            "bill": bill and bill.to_json(),
            "savings": ranked and ranked.to_json(),
            "hostCompact": own,
        }
        if bounds != Limits():
            more["over"] = [excess.to_json() for excess in over]
        emit_json(result.to_json(by) | {name: value for name, value in more.items() if value is not None}, out)
    else:
        limit = None if show_all else _SHOWN
        emit_text(_text(result, catalog.source, by, limit, width(out), colored(out), bill, ranked), out)
    for excess in over:
        what = "the catalog" if excess.tool_id is None else line(excess.tool_id)
        note(f"{what} costs {excess.tokens:,} tokens, {bounds.view} view, over its limit of {excess.limit:,}")
    return 1 if over else 0


def _own_view(source: str, catalog: Catalog, connection: dict[str, Any], result: Budget) -> dict[str, Any] | None:
    """What the host's own compact view costs, which is said; None where it cannot be had, and why."""
    from workbench.renderings import rendering
    from workbench.sources import load
    from workbench.tokens import encoding

    note(f"{catalog.source}: the compact column is the workbench's projection of the standard view")
    try:
        own = load(source, view="compact", **connection | {"major": catalog.major})
        tokens = rendering(result.rendering).count(own, encoding(result.encoding))
    except WorkbenchError as error:
        note(f"the host's own compact view cannot be counted: {error}")
        return None
    note(f"the host's own compact view costs {tokens:,} tokens ({counted(len(own), 'tool')})")
    return {"tools": len(own), "tokens": tokens}


def _limits(file: str | None, total: int | None, tool: int | None, gate: View | None) -> Limits:
    """Those of a file, each of which an option may replace."""
    from workbench.budgets import Limits, load_limits

    found = Limits() if file is None else load_limits(file)
    return Limits(
        total=found.total if total is None else total,
        tool=found.tool if tool is None else tool,
        tools=found.tools,
        view=gate or found.view,
    )


def _text(
    result: Budget,
    source: str,
    by: By,
    limit: int | None,
    columns: int | None,
    color: bool,
    bill: Bill | None,
    ranked: Savings | None,
) -> str:
    """The headline first; then the tables from the whole to its parts."""
    tables = [result.summary(), result.table(limit)]
    if by != "tool":
        tables.append(result.parts_table(by))
    tables += [found.table() for found in (bill, ranked) if found is not None]
    return "\n".join(
        [_headline(result, source), *(fitted(table, columns, ["share"]).text(columns, color) for table in tables)]
    )


def _headline(result: Budget, source: str) -> str:
    total = result.total
    return (
        f"{line(source)}: {counted(len(result.rows), 'tool')}, {total.standard:,} tokens standard, {total.compact:,} compact; "
        f"saves {total.saved:,} on every turn ({total.saved_ratio:.1%})\n"
        + "".join(f"{line(remark)}\n" for remark in (f"Counts are {result.assurance}", *result.notes))
    )
