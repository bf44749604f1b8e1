"""`workbench verify`: whether the numbers of an evidence bundle come out again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

import click

from workbench.cli.options import connection_options, format_option, out_option
from workbench.cli.output import Style, emit_json, emit_text, line, style
from workbench.cli.progress import progress_of

if TYPE_CHECKING:
    from workbench.evidence import Difference, Verification

__all__ = ["verify_command"]

#: Differences that the text shows unless all are asked for.
_SHOWN: Final = 20
#: Characters of a value that the text shows.
_LONGEST: Final = 70


@click.command("verify")
@click.argument("bundle", metavar="EVIDENCE")
@click.argument("sources", nargs=-1)
@click.option("--all", "show_all", is_flag=True, help=f"List every difference in the text, not just {_SHOWN}.")
@click.option(
    "--other-token-env",
    metavar="NAME",
    help="Send the credential in this variable as a second principal, where the bundle's probe had one.",
)
@connection_options(major=False)
@format_option("text")
@out_option
def verify_command(
    bundle: str,
    sources: tuple[str, ...],
    show_all: bool,
    other_token_env: str | None,
    connection: dict[str, Any],
    form: str,
    out: str | None,
) -> int:
    """
    Compute every number and verdict of the bundle EVIDENCE again; exit with 1 when something in it does not hold. EVIDENCE is a
    file, the folder of a report, or - for standard input.

    It is computed from the catalogs in the bundle, or from the SOURCEs given in their place: each stands for the part of the
    bundle that was made of the same text. Values that cannot be computed, such as names, are under the bundle's seal. Differing
    versions are told as notes.

    \b
    Examples:
      workbench verify evidence.json
      workbench verify report
      workbench verify evidence.json tools.json
      workbench verify evidence.json https://host.example --token-env HOST_KEY
    """
    from workbench.evidence import verify

    with progress_of("Computing again") as say:
        result = verify(bundle, sources, progress=say, other_token_env=other_token_env, **connection)
    if form == "json":
        emit_json(result.to_json(), out)
    else:
        most = None if show_all else _SHOWN
        emit_text("\n".join(_lines(result, most, style(out))) + "\n", out)
    return 0 if result.ok else 1


def _lines(result: Verification, most: int | None, paint: Style) -> Iterator[str]:
    yield paint(result.headline(), fg="green" if result.ok else "red", bold=True)
    for each in result.sources:
        name = each.name if each.taken_from == "embedded" else each.taken_from
        yield f"  {line(name)}: sha256 {each.sha256} ({'embedded' if name == each.name else f'for {line(each.name)}'})"
    for note in result.notes:
        yield f"note: {line(note)}"
    if result.differences:
        yield "\nWhat stands in the bundle -> what comes out:"
    for difference in result.differences[:most]:
        yield from _shown(difference, paint)
    if most is not None and len(result.differences) > most:
        yield f"... and {len(result.differences) - most:,} more (--all)"


def _shown(difference: Difference, paint: Style) -> Iterator[str]:
    yield paint(line(difference.pointer), dim=True)
    values: dict[str, Any] = difference.to_json()
    told = [_value(values[side]) for side in ("old", "new") if side in values]
    yield f"  {line(difference.what)}: {' -> '.join(told)}"


def _value(value: Any) -> str:
    from workbench.values import dumps

    text = line(dumps(value))
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
