"""`workbench tune`: what the compact view costs at every limit of descriptions, and how short they may get."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

import click

from workbench.cli.options import (
    connection_options,
    encoding_option,
    format_option,
    out_option,
    rendering_option,
    server_option,
    source_argument,
)
from workbench.cli.output import colored, counted, emit_json, emit_text, fitted, line, read, width
from workbench.cli.progress import progress_of
from workbench.descriptions import STRATEGIES, UNITS

if TYPE_CHECKING:
    from workbench.descriptions import Unit
    from workbench.tuning import Tuning

__all__ = ["tune_command"]

_ALL: Final = "all"
#: Columns that a narrow terminal goes without, the first of them first: what they tell, "confused" tells in short.
_SPARE: Final = ("distinctness", "identical", "shortened", "finds itself")


class _Limits(click.ParamType[tuple[int, ...]]):
    """`A:B:STEP`, `A:B` or `A`: from A in steps up to B, B included."""

    name = "limits"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, ...]:
        if isinstance(value, tuple):
            return value
        parts = str(value).split(":")
        if not all(part.isascii() and part.isdigit() for part in parts) or len(parts) > 3:
            self.fail(f"{value!r} is not A:B:STEP, A:B or A, in whole numbers from 0 up", param, ctx)
        first, last, step = [*map(int, parts), *(int(parts[0]), 1)[len(parts) - 1 :]]
        if first > last or not step:
            self.fail(f"{value!r} has no limit in it", param, ctx)
        return tuple(range(first, last + 1, step))


@click.command("tune")
@source_argument
@click.option(
    "--limits", type=_Limits(), metavar="A:B:STEP", help="Try these limits.  [default: every one to the longest text]"
)
@click.option(
    "--strategy",
    "strategies",
    type=click.Choice([*STRATEGIES, _ALL]),
    multiple=True,
    default=["hard"],
    show_default=True,
    help="Where to cut a description that is over its limit; may be repeated.",
)
@click.option(
    "--unit",
    type=click.Choice(list(UNITS)),
    default="chars",
    show_default=True,
    help="What limits count; a char is what a reader takes for one.",
)
@click.option(
    "--queries",
    metavar="FILE",
    type=click.Path(dir_okay=False),
    help='Task sentences as JSON Lines, {"query": ..., "toolId": ...}: are their tools still found?  [default: those of a sample]',
)
@encoding_option
@rendering_option
@server_option
@connection_options()
@format_option("text")
@out_option
def tune_command(
    source: str,
    limits: tuple[int, ...] | None,
    strategies: tuple[Any, ...],
    unit: Unit,
    queries: str | None,
    encoding: str,
    rendering: str,
    server: str | None,
    connection: dict[str, Any],
    form: str,
    out: str | None,
) -> int:
    """
    Find out how short the tool descriptions of the catalog SOURCE may get.

    Tokens are exact at every limit, those of workbench project --max-description LIMIT with the same strategy and unit. What
    shortened descriptions still tell apart is measured by retrieval, without any model: does the full description still find
    its own tool first, and does a task sentence find the right one?

    \b
    Examples:
      workbench tune sample:twenty
      workbench tune catalog.json --strategy all --limits 0:512:16
      workbench tune catalog.json --strategy sentence --strategy constraints
      workbench tune catalog.json --unit tokens --format json --out tuning.json
    """
    from workbench.tuning import tune

    catalog = read(source, server, connection)
    with progress_of("Tuning") as say:
        result = tune(
            catalog,
            limits=limits,
            strategy=_ALL if _ALL in strategies else strategies,
            unit=unit,
            encoding=encoding,
            rendering=rendering,
            queries=queries,
            progress=say,
        )
    if form == "json":
        emit_json(result.to_json(), out)
    else:
        emit_text("\n".join(_text(result, catalog.source, width(out), colored(out))), out)
    return 0


def _text(result: Tuning, source: str, columns: int | None, color: bool) -> Iterator[str]:
    """What is recommended, the answer, then the strategies against each other or the limits of the only one."""
    yield f"{line(source)}: {counted(result.tools, 'tool')}; {_recommendation(result)}\n"
    several = len(result.strategies) > 1
    for table in (result.answer(), result.by_strategy() if several else result.table()):
        yield fitted(table, columns, _SPARE).text(columns, color)
    if not result.queries:
        yield (
            "Without task sentences (--queries) only self-retrieval limits the recommendation: take it for how short descriptions\n"
            "may be at the very least.\n"
        )


def _recommendation(result: Tuning) -> str:
    chosen = result.recommended
    if chosen is None:
        return "no limit can be recommended"
    row = chosen.row
    return (
        f"recommended: strategy {row.strategy}, {row.limit:,} {chosen.unit}, which saves {chosen.saved:,} of the "
        f"{result.full.tokens:,} tokens of the compact view"
    )
