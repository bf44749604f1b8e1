"""`workbench project`: the compact view of a catalog, and what it gave up."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import click

from workbench.cli.options import (
    connection_options,
    encoding_option,
    format_option,
    out_option,
    projection_options,
    server_option,
    source_argument,
)
from workbench.cli.output import colored, counted, emit_json, emit_text, line, note, read, width
from workbench.cli.progress import project_watched
from workbench.cli.targets import OUTPUT
from workbench.errors import UsageError
from workbench.values import write_atomic

if TYPE_CHECKING:
    from workbench.projection import Projection, ToolLoss
    from workbench.tables import Table

__all__ = ["project_command"]


@click.command("project")
@source_argument
@projection_options
@encoding_option
@click.option(
    "--losses",
    metavar="FILE",
    type=OUTPUT,
    help="Write what lowering gave up to FILE, as JSON Lines: one object for each loss.",
)
@server_option
@connection_options()
@format_option("json")
@out_option
def project_command(
    source: str,
    losses: str | None,
    encoding: str,
    server: str | None,
    connection: dict[str, Any],
    form: str,
    out: str | None,
    **policy: Any,
) -> int:
    """
    Write the compact view of the catalog SOURCE: the same tools, fewer fields, schemas inside the compact subset.

    The result is one line of JSON, {"tools": [...]}, the same bytes for the same input everywhere. A lowered schema accepts
    every object that the original accepts; where it accepts more, --losses says so. With --format text it is a summary.

    \b
    Examples:
      workbench project catalog.json
      workbench project catalog.json --out compact.json --losses losses.jsonl
      workbench project catalog.json --max-description 120 --strategy sentence
      workbench project catalog.json --format text
    """
    if losses == "-":
        raise UsageError("--losses names a file; standard output is for the catalog")
    projection = project_watched(read(source, server, connection), encoding=encoding, **policy)
    _warn_of_credentials(projection)
    if losses is not None:
        write_atomic(losses, projection.losses_lines())
    if form == "json":
        emit_json(projection.to_json(), out)
    else:
        emit_text(_text(projection, width(out), colored(out)), out)
    return 0


def _warn_of_credentials(projection: Projection) -> None:
    """A projection copies what it keeps; that it keeps a key, its reader should know before it is sent."""
    from workbench.checks.credentials import secrets

    found = [finding for tool in projection.catalog for finding in secrets(tool)]
    if found:
        first = f"{found[0].tool_id} at {found[0].pointer}"
        what = "credential material is copied as it is" + ("" if len(found) == 1 else f", in {len(found):,} places")
        note(f"{what}: {first}; see workbench check")


def _text(projection: Projection, columns: int | None, color: bool) -> str:
    """A headline, the tools whose schema says less now, and what lowering did, by keyword."""
    catalog = projection.catalog
    changes = [loss for loss in projection.losses if loss.kind == "schema"]
    kept = sum("inputSchema" in tool.descriptor for tool in catalog)
    looser = sum(not loss.exact for loss in changes)
    fields = Counter(loss.keyword for loss in projection.losses if loss.kind == "field")
    dropped = ", ".join(f"{line(name)} {count}" for name, count in fields.most_common())
    lines = [
        f"{line(catalog.source)}: {counted(len(catalog), 'tool')}, compact view",
        f"schemas: {kept} kept, {counted(len(changes), 'change')}, {looser:,} of them to accept more than before",
        f"descriptions shortened: {projection.counts['text']:,}",
        f"fields dropped: {dropped or 'none'}",
        "",
    ]
    tables = [table.text(columns, color) for table in (_looser(changes), projection.changes()) if table.rows]
    return "\n".join([*lines, *tables])


def _looser(changes: list[ToolLoss]) -> Table:
    from workbench.tables import Table

    places = Counter(loss.tool_id for loss in changes if not loss.exact)
    return Table(("tool", "places"), places.most_common(), "Schemas that accept more than before")
