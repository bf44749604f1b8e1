"""`workbench serve`: the sample host on the loopback interface, until it is interrupted."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event
from typing import Any, Final

import click
from click.shell_completion import CompletionItem

from workbench.cli.options import connection_options, server_option, source_argument
from workbench.cli.output import colored, counted, emit_json, emit_text, read, width

__all__ = ["serve_command"]

#: In place of a fault, it asks for the list of all faults.
_LIST: Final = "list"


def _list_faults(context: click.Context, _parameter: click.Parameter, names: tuple[str, ...]) -> tuple[str, ...]:
    """Show the faults when they are asked for, which needs no SOURCE."""
    if _LIST in names:
        from workbench.sample_host import FAULTS
        from workbench.tables import Table

        rows = [
            (fault.name, fault.text, ", ".join(sorted(fault.breaks)), ", ".join(map(str, fault.majors)))
            for fault in FAULTS.values()
        ]
        table = Table(("fault", "what is wrong", "breaks", "majors"), rows, counted(len(rows), "fault"))
        emit_text(table.text(width(None), colored(None)), None)
        context.exit(0)
    return names


def _complete_fault(_context: click.Context, _parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    from workbench.sample_host import FAULTS

    return [CompletionItem(name) for name in (*FAULTS, _LIST) if name.startswith(begun)]


@click.command("serve")
@source_argument
@click.option(
    "--port", metavar="N", type=click.IntRange(0, 65_535), default=0, help="Listen on this port.  [default: a free one]"
)
@click.option(
    "--fault",
    "faults",
    metavar="NAME",
    multiple=True,
    is_eager=True,
    callback=_list_faults,
    shell_complete=_complete_fault,
    help="Have this fault; may be given several times. The name list shows all faults and what they break.",
)
@server_option
@connection_options()
def serve_command(
    source: str, port: int, faults: tuple[str, ...], server: str | None, connection: dict[str, Any]
) -> int:
    """
    Serve the catalog SOURCE as an OpenWOP host on the loopback interface, 1.x and 2.x at once.

    It answers as the specification asks, with discovery, both views and two principals: alice sees all tools, bob all but the
    first. Once it listens, standard output has one line of JSON, {"url", "keys": {PRINCIPAL: KEY}}; keys are new each time.
    Ctrl-C ends it. What SOURCE itself breaks is served as it is: see workbench check.

    \b
    Examples:
      workbench serve sample:twenty --port 8080
      workbench serve sample:twenty --fault nested-keyword --fault dropped-tool
    """
    from workbench.sample_host import serve

    catalog = read(source, server, connection)
    with _until_interrupted() as interrupted, serve(catalog, faults=faults, port=port) as host:
        emit_json({"url": host.url, "keys": host.keys}, None)
        sys.stdout.flush()
        while not interrupted.wait(1):
            pass  # On some systems a signal cannot end a wait.
    return 0


@contextmanager
def _until_interrupted() -> Iterator[Event]:
    """An event that SIGINT and SIGTERM set, even where a shell has had them ignored."""
    event = Event()

    def interrupt(_number: int, _frame: Any) -> None:
        event.set()

    before = {number: signal.signal(number, interrupt) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield event
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
