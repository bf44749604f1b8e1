"""`workbench probe`: whether an OpenWOP host does what RFC 0112 and the tool catalog ask of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import click

from workbench.cli.options import connection_options, out_option
from workbench.cli.output import complain, emit_json, emit_text, note, style
from workbench.cli.progress import progress_of

if TYPE_CHECKING:
    from workbench.conformance import ProbeResult

__all__ = ["probe_command"]

#: More requests than this are announced.
_MANY: Final = 500


@click.command("probe")
@click.argument("url")
@click.option(
    "--intrusive",
    is_flag=True,
    help="Send OPTIONS and HEAD too, so as to see which methods are allowed; else GET alone.",
)
@click.option(
    "--other-token-env",
    metavar="NAME",
    help="The credential of another principal, in this environment variable: decides what depends on who asks.",
)
@click.option(
    "--workers",
    metavar="N",
    type=click.IntRange(1, 32),
    default=4,
    show_default=True,
    help="Have at most N requests under way at once.",
)
@connection_options()
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "junit"]),
    default="text",
    show_default=True,
    help="For people, one JSON object for programs, or JUnit XML for continuous integration.",
)
@out_option
def probe_command(
    url: str,
    intrusive: bool,
    other_token_env: str | None,
    workers: int,
    connection: dict[str, Any],
    form: str,
    out: str | None,
) -> int:
    """
    Decide every requirement of RFC 0112, and of the catalog below it, about the host at URL; exit with 1 when one that it must
    meet is broken.

    Each requirement is pass, fail, skip (it does not apply) or undecided (it cannot be told), with the reason and, for what fails,
    the request, the tool and the place that show it. Nothing is changed and no tool is called. It sends about
    two requests for each tool and a few tens more, all GET; of a host that asks for a long rest, what is left is undecided.

    \b
    Examples:
      workbench probe https://host.example --token-env KEY
      workbench probe https://host.example --token-env KEY --other-token-env KEY_OF_BOB
      workbench probe http://127.0.0.1:8080 --token-env KEY --major 2 --format junit --out probe.xml
    """
    from workbench.conformance import probe
    from workbench.sources.hosts import Credential

    token_env = connection.pop("token_env")
    first, second = (Credential.from_environment(name) if name else None for name in (token_env, other_token_env))
    with progress_of("Probing") as say:
        options = {"intrusive": intrusive, "workers": workers, "progress": say, "announce": _announce, **connection}
        result = probe(url, credential=first, other=second, **options)
    if result.unreachable:
        return complain(f"{result.host}: {result.unreachable}")
    _emit(result, form, out)
    if not result.ok:
        return 1
    return 0 if result.judged else complain(f"{result.host} {result.verdict}")


def _announce(requests: int) -> None:
    if requests > _MANY:
        note(
            f"the host will be sent about {requests:,} requests, all of them to read (--workers sets how many at once)"
        )


def _emit(result: ProbeResult, form: str, out: str | None) -> None:
    if form == "json":
        emit_json(result.to_json(), out)
    elif form == "junit":
        emit_text(result.junit().decode(), out)
    else:
        emit_text(result.text(paint=style(out)), out)
