"""Where results and messages go: bytes for machines, text for people, one line for what went wrong."""

from __future__ import annotations

import io
import os
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import IO, TYPE_CHECKING, Any, Final, TextIO, TypeAlias

import click

from workbench.errors import OutputError
from workbench.tables import Table
from workbench.values import dumps, write_atomic
from workbench.visible import visible

if TYPE_CHECKING:
    from workbench.catalog import Catalog, View

__all__ = [
    "Style",
    "acts",
    "colored",
    "complain",
    "counted",
    "emit_json",
    "emit_text",
    "fitted",
    "is_terminal",
    "line",
    "note",
    "read",
    "style",
    "tolerate",
    "width",
]

_BREAKS: Final = dict.fromkeys(map(ord, "\t\n\r"), " ")

#: Text in, text out: in colour where the result may have it.
Style: TypeAlias = Callable[..., str]


def read(
    source: str, server: str | None, connection: Mapping[str, Any] | None = None, view: View = "standard"
) -> Catalog:
    """Load a catalog, and say on standard error what a reader should know about it. Raises as `workbench.load` does."""
    from workbench.sources import load

    catalog = load(source, server=server, view=view, **connection or {})
    for remark in catalog.notes:
        note(f"{catalog.source}: {remark}")
    return catalog


def emit_json(value: Any, out: str | None) -> None:
    """
    Write a value as one line of JSON, in UTF-8 whatever the terminal speaks (RFC 8259, 8.1).

    Raises:
        OutputError: the file cannot be written.
    """
    data = f"{dumps(value)}\n".encode()
    if out is not None:
        write_atomic(out, data)
        return
    stream = _standard_output()
    stream.flush()
    stream.buffer.write(data)


def emit_text(text: str, out: str | None) -> None:
    """Write text for people; what the terminal's encoding has not is written as an escape. Raises as `emit_json` does."""
    if out is not None:
        write_atomic(out, text)
        return
    _standard_output().write(text)


def _standard_output() -> TextIO:
    if sys.stdout is None:
        raise OutputError("standard output is closed; name a file with --out")
    return sys.stdout


def colored(out: str | None) -> bool:
    """Whether the result may carry colours: on a terminal that knows them, unless NO_COLOR says otherwise."""
    return out is None and not os.environ.get("NO_COLOR") and acts(sys.stdout)


def style(out: str | None) -> Style:
    """`click.style` where the result may carry colours, and a function that leaves text alone elsewhere."""
    return click.style if colored(out) else _plain


def _plain(text: str, **_: Any) -> str:
    return text


def width(out: str | None) -> int | None:
    """The columns that a table may take: those of the terminal; in a file or pipe, as many as it needs."""
    return shutil.get_terminal_size().columns if out is None and is_terminal(sys.stdout) else None


def fitted(table: Table, columns: int | None, spare: Sequence[str]) -> Table:
    """A table without as many of its spare columns, in this order, as would make names wrap on a terminal of that width."""
    for name in spare:
        # As wide as the rule under its heading.
        if columns is None or columns >= max(len(row) for row in table.text().splitlines() if set(row) <= {"-", " "}):
            break
        kept = [place for place, column in enumerate(table.columns) if column.name != name]
        rows = [[row[place] for place in kept] for row in table.rows]
        table = Table([table.columns[place] for place in kept], rows, table.title)
    return table


def is_terminal(stream: IO[Any] | None) -> bool:
    """Whether a person looks at a stream; a closed one has no reader."""
    return stream is not None and stream.isatty()


def acts(stream: IO[Any] | None) -> bool:
    """Whether a stream is a terminal on which escape sequences do something."""
    return is_terminal(stream) and os.environ.get("TERM") != "dumb"


def line(text: str) -> str:
    """Text from a catalog on one line of ours: its line ends are spaces, and nothing in it acts on a terminal."""
    return visible(text.translate(_BREAKS))


def counted(count: int, noun: str) -> str:
    """A number and its noun: 1 tool, 20 tools."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def note(message: str) -> None:
    """Say something beside the result, on standard error."""
    click.echo(f"workbench: {line(message)}", err=True)


def complain(message: str) -> int:
    """Say in one line what went wrong, and give the exit code for it."""
    note(message)
    return 2


def tolerate(stream: IO[Any] | None) -> None:
    """Have a stream write what its encoding has not as an escape, instead of failing on it."""
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="backslashreplace")
