"""`workbench check`: what in a catalog breaks the specification, and where."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

import click

from workbench.cli.argument_types import MAJOR
from workbench.cli.options import connection_options, format_option, out_option, server_option, source_argument
from workbench.cli.output import Style, counted, emit_json, emit_text, line, read, style

if TYPE_CHECKING:
    from workbench.catalog import View
    from workbench.checks import CheckResult
    from workbench.findings import Finding

__all__ = ["check_command"]

#: Findings per rule that the text shows unless all are asked for.
_SHOWN: Final = 10
#: Keywords that the heading of a rule counts.
_COUNTED: Final = 6
_COLORS: Final = {"must": "red", "should": "yellow", "advice": "cyan"}


@click.command("check")
@source_argument
@click.option(
    "--view",
    type=click.Choice(["standard", "compact"]),
    default="standard",
    show_default=True,
    help="Take the tools for descriptors of this view; of a host, ask for it.",
)
@click.option(
    "--major",
    type=MAJOR,
    help="Check against the schemas of this major of the protocol, which project calls --profile; a host is asked for it."
    "  [default: what a host prefers, 1 for all else]",
)
@click.option(
    "--all", "show_all", is_flag=True, help=f"List every finding in the text, not just {_SHOWN} of each rule."
)
@server_option
@connection_options(major=False)
@format_option("text")
@out_option
def check_command(
    source: str,
    view: View,
    major: str | None,
    show_all: bool,
    server: str | None,
    connection: dict[str, Any],
    form: str,
    out: str | None,
) -> int:
    """
    Check the catalog SOURCE against the specification; exit with 1 when something that it requires is broken.

    A finding is of level must (the specification requires it), should (it recommends it) or advice (worth a look). The JSON has
    every finding, with its tool, its JSON Pointer from the descriptor's root, and whether the official suite would see it. Of a
    host, --view compact checks the compact view that the host itself sends.

    \b
    Examples:
      workbench check sample:twenty
      workbench check compact.json --view compact
      workbench check compact.json --view compact --major 2 --format json
      workbench project catalog.json | workbench check - --view compact
      workbench check https://host.example --token-env HOST_KEY --view compact
    """
    from workbench.checks import check

    catalog = read(source, server, connection | {"major": major and int(major)}, view)
    result = check(catalog, view, None if major is None else 2 if major == "2" else 1)
    if form == "json":
        emit_json(result.to_json(), out)
    else:
        limit = None if show_all else _SHOWN
        emit_text("\n".join(_lines(result, catalog.source, limit, style(out))) + "\n", out)
    return 0 if result.ok else 1


def _lines(result: CheckResult, source: str, limit: int | None, paint: Style) -> Iterator[str]:
    """A headline, then one block for each rule that is broken, the most binding first."""
    counts = ", ".join(f"{count:,} {level}" for level, count in result.counts.items())
    major = "" if result.major == 1 else f", major {result.major}"
    yield f"{line(source)}: {counted(result.tools, 'tool')}, {result.view} view{major}; findings: {counts}"
    for level in result.counts:
        rules = dict.fromkeys(finding.rule for finding in result.findings if finding.level == level)
        for rule in rules:
            found = [finding for finding in result.findings if (finding.level, finding.rule) == (level, rule)]
            yield ""
            yield f"{paint(level, fg=_COLORS[level], bold=True)}  {paint(rule, bold=True)}  {_extent(found)}"
            yield from _places(found[:limit], paint)
            if limit is not None and len(found) > limit:
                yield f"  ... and {len(found) - limit:,} more (--all)"


def _extent(found: Sequence[Finding]) -> str:
    """How much of a catalog a rule concerns, and by which keywords."""
    tools = len({finding.tool_id for finding in found})
    keywords = Counter(finding.keyword for finding in found if finding.keyword)
    most = ", ".join(f"{line(keyword)} {count}" for keyword, count in keywords.most_common(_COUNTED))
    more = ", ..." if len(keywords) > _COUNTED else ""
    text = f"{len(found):,} in {counted(tools, 'tool')}"
    return f"{text}: {most}{more}" if len(keywords) > 1 else text


def _places(found: Sequence[Finding], paint: Style) -> Iterator[str]:
    tool_id = None
    for finding in found:
        if finding.tool_id != tool_id:
            tool_id = finding.tool_id
            yield f"  {line(tool_id)}"
        unseen = (
            " (the official suite does not look here)"
            if finding.rule == "compact-keyword" and not finding.suite
            else ""
        )
        yield f"    {paint(line(finding.pointer) or 'the descriptor', dim=True)}  {line(finding.message)}{unseen}"
