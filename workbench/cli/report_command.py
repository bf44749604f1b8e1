"""`workbench report`: the evidence about some catalogs as a page, as Markdown, as figures and as a bundle."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

import click

from workbench.cli.options import connection_options, format_option, server_option, sources_argument
from workbench.cli.output import emit_json, emit_text, line, note
from workbench.cli.progress import progress_of

if TYPE_CHECKING:
    from workbench.reporting import Report

__all__ = ["report_command"]


@click.command("report")
@sources_argument
@click.option(
    "--out",
    metavar="DIR",
    required=True,
    type=click.Path(file_okay=False),
    help="Write the report into this folder, which is made.",
)
@click.option("--force", is_flag=True, help="Replace a report that is there; it stays if the new one cannot be made.")
@click.option("--embed", is_flag=True, help="Put the catalogs into the bundle, so that it verifies without them.")
@click.option(
    "--other-token-env",
    metavar="NAME",
    help="The credential of another principal, in this environment variable: decides what depends on who asks.",
)
@server_option
@connection_options()
@format_option("text")
def report_command(
    sources: tuple[str, ...],
    out: str,
    force: bool,
    embed: bool,
    other_token_env: str | None,
    server: str | None,
    connection: dict[str, Any],
    form: str,
) -> int:
    """
    Examine each SOURCE, side by side, and write everything that a reviewer needs into one folder.

    index.html is one page that stands alone: the verdict, conformance, tokens, losses, limits, open questions, and how to get the
    same again. report.md says the same in Markdown, figures/ has its pictures, evidence.json every number (see workbench verify).
    With SOURCE_DATE_EPOCH set, the same sources give the same bytes. Exits with 1 when something required is broken.

    \b
    Examples:
      workbench report sample:twenty --out report
      workbench report before.json after.json --out report --force
      workbench report https://host.example --token-env HOST_KEY --out report --embed
    """
    from workbench.reporting import report

    connection |= {"server": server, "other_token_env": other_token_env}
    with _ended_cleanly(), progress_of("Reporting") as say:
        made = report(sources, out, force=force, embed=embed, progress=say, **connection)
    remarks = (f"{source['name']}: {remark}" for source in made.evidence.sources for remark in source["notes"])
    for phrase in (*remarks, *made.short):
        note(phrase)
    if embed:
        _warn_of_credentials(made)
    if form == "json":
        emit_json(
            {"page": str(made.page), "ok": made.ok, "short": list(made.short), "verdict": list(made.verdict)}, None
        )
    else:
        where = Path(out).resolve()
        text = "\n".join(map(line, made.verdict))
        emit_text(f"{text}\n\nThe report is {line(str(made.page))}  {(where / 'index.html').as_uri()}\n", None)
    return 0 if made.ok else 1


def _warn_of_credentials(made: Report) -> None:
    """A bundle copies what it embeds; that a key is in it, its maker should know before it is passed on."""
    found = [
        f"{finding['toolId']} at {finding['pointer']}"
        for source in made.evidence.sources
        for finding in source["checks"]["standard"]["findings"]
        if finding["rule"] == "secret"
    ]
    if found:
        places = "" if len(found) == 1 else f", in {len(found):,} places"
        note(f"evidence.json holds credential material as it came{places}: {found[0]}; see workbench check")


@contextmanager
def _ended_cleanly() -> Iterator[None]:
    """Have a request to end, and a hangup, do what Ctrl-C does: nothing half-written stays, and no kernel."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    # A hangup that is ignored, as nohup has it, stays so.
    numbers = [signal.SIGTERM, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else [])]
    before = {number: old for number in numbers if (old := signal.getsignal(number)) is not signal.SIG_IGN}
    for number in before:
        signal.signal(number, stop)
    try:
        yield
    finally:
        for number, old in before.items():
            signal.signal(number, old or signal.SIG_DFL)
