"""`workbench diff`: what a change to a catalog costs, for people, for programs and for a pull request."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from workbench.cli.options import connection_options, encoding_option, out_option, rendering_option, server_option
from workbench.cli.output import colored, emit_json, emit_text, note, read, width

if TYPE_CHECKING:
    from workbench.budgets import Difference, Prefix

__all__ = ["diff_command"]


@click.command("diff")
@click.argument("old")
@click.argument("new")
@click.option(
    "--fail-over",
    metavar="TOKENS|PERCENT%",
    help="Exit with 1 when the total grows by more: 500, or 5% of what it was.",
)
@encoding_option
@rendering_option
@server_option
@connection_options()
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "markdown"]),
    default="text",
    show_default=True,
    help="For people, one JSON object for programs, or the comment on a pull request.",
)
@out_option
def diff_command(
    old: str,
    new: str,
    fail_over: str | None,
    encoding: str,
    rendering: str,
    server: str | None,
    connection: dict[str, Any],
    form: str,
    out: str | None,
) -> int:
    """
    Count what the catalog NEW costs more or less than OLD on every turn, tool by tool, the largest effect first.

    Both are sources as everywhere, and counted as they are, a host by its standard view. Tools belong together by their ids. The
    stable prefix is what a prompt cache still holds after the change.

    \b
    Examples:
      workbench diff before.json after.json
      workbench diff before.json after.json --fail-over 5%
      workbench diff before.json after.json --fail-over 500 --format markdown --out comment.md
    """
    from workbench.budgets import difference
    from workbench.sources import refuse_two_origins

    refuse_two_origins((old, new), connection["token_env"])
    before, after = (read(source, server, connection) for source in (old, new))
    result = difference(before, after, rendering=rendering, encoding=encoding)
    grown = fail_over is not None and result.exceeds(fail_over)
    if form == "json":
        emit_json(result.to_json(), out)
    elif form == "markdown":
        emit_text(f"{_headline(result)}\n\n{result.table().markdown()}", out)
    else:
        emit_text(f"{_headline(result)}\n\n{result.table().text(width(out), colored(out))}", out)
    if grown:
        note(f"the total grows by {result.total.delta:,} tokens, over the allowance of {fail_over}")
    return 1 if grown else 0


def _headline(result: Difference) -> str:
    """What changed, and what a cache still holds; there is no text of a catalog in it, so it suits every format."""
    return f"{result.headline()}. {_kept(result.prefix)}"


def _kept(prefix: Prefix) -> str:
    share = f" ({prefix.tokens / prefix.before:.0%})" if prefix.before else ""
    return f"Stable prefix: {prefix.tokens:,} of {prefix.before:,} tokens{share}."
