"""The arguments and options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Final, TypeVar

import click
from click.shell_completion import CompletionItem

from workbench.cli.argument_types import PROFILE
from workbench.cli.targets import out_option
from workbench.tokens import DEFAULT_ENCODING
from workbench.values import MAX_BYTES

__all__ = [
    "connection_options",
    "encoding_option",
    "format_option",
    "out_option",
    "projection_options",
    "rendering_option",
    "server_option",
    "source_argument",
    "sources_argument",
]

_Command = TypeVar("_Command", bound=Callable[..., Any])
_SAMPLE: Final = "sample:"


def _complete_source(_context: click.Context, _parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """Bundled samples by name, and files as the shell itself completes them."""
    from workbench.resources import sample_names

    names = [f"{_SAMPLE}{name}" for name in sample_names(broken=begun.startswith(f"{_SAMPLE}b"))]
    return [CompletionItem(name) for name in names if begun and name.startswith(begun)] or [
        CompletionItem(begun, type="file")
    ]


def _complete_encoding(_context: click.Context, _parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    from workbench.tokens import known_encodings

    return [CompletionItem(name) for name in known_encodings() if name.startswith(begun)]


def _complete_rendering(_context: click.Context, _parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    from workbench.renderings import RENDERINGS

    return [CompletionItem(name) for name in RENDERINGS if name.startswith(begun)]


source_argument = click.argument("source", shell_complete=_complete_source)
sources_argument = click.argument(
    "sources", metavar="SOURCE...", nargs=-1, required=True, shell_complete=_complete_source
)

encoding_option = click.option(
    "--encoding",
    metavar="NAME",
    default=DEFAULT_ENCODING,
    show_default=True,
    shell_complete=_complete_encoding,
    help="Count tokens of this tiktoken encoding, or of the model of that name.",
)
rendering_option = click.option(
    "--rendering",
    metavar="NAME",
    default="wire",
    show_default=True,
    shell_complete=_complete_rendering,
    help="Count the text that this rendering makes of a catalog.",
)
server_option = click.option(
    "--server", metavar="NAME", help="Name the server of MCP tools: their ids become mcp:NAME.TOOL."
)


def format_option(default: str) -> Callable[[_Command], _Command]:
    """`--format text|json`, with the default that fits the command."""
    return click.option(
        "--format",
        "form",
        type=click.Choice(["text", "json"]),
        default=default,
        show_default=True,
        help="For people, or one JSON object for programs.",
    )


def connection_options(*, major: bool = True) -> Callable[[_Command], _Command]:
    """
    How a host or server is reached, as one argument `connection` with the keywords of `load`; a file needs none of it.

    Without `major` it leaves that option to the command.
    """
    options = [*_CONNECTION, _MAJOR] if major else _CONNECTION
    names = ["token_env", "allow_insecure", "timeout", "max_bytes", *(["major"] if major else [])]

    def with_options(command: _Command) -> _Command:
        @wraps(command)
        def connected(**arguments: Any) -> Any:
            connection = {name: arguments.pop(name) for name in names}
            return command(connection=connection, **arguments)

        result: Any = connected
        for option in options:
            result = option(result)
        return result  # type: ignore[no-any-return]

    return with_options


_MAJOR: Final = click.option(
    "--major",
    type=click.Choice(["1", "2"]),
    callback=lambda _context, _parameter, value: value and int(value),
    help="Speak this major of the protocol with a host.  [default: what it prefers]",
)
_CONNECTION: Final = (
    click.option(
        "--max-bytes",
        metavar="N",
        type=click.IntRange(min=1),
        default=MAX_BYTES,
        show_default=True,
        help="Read at most N bytes of one answer of a host, decompressed.",
    ),
    click.option(
        "--timeout",
        metavar="SECONDS",
        type=click.FloatRange(min=0, min_open=True),
        default=30.0,
        show_default=True,
        help="Wait at most so long for one whole answer of a host.",
    ),
    click.option("--allow-insecure", is_flag=True, help="Allow plain http to a host on another machine."),
    click.option(
        "--token-env",
        metavar="NAME",
        help="Send the credential in this environment variable to the host, and to nobody else.",
    ),
)


def projection_options(command: _Command) -> _Command:
    """The policy of the projection: what becomes of schemas and descriptions."""
    from workbench.descriptions import STRATEGIES, UNITS

    limit = click.IntRange(min=0)
    for option in (
        click.option(
            "--profile",
            type=PROFILE,
            default="v1",
            show_default=True,
            help="Write for this major of the protocol, which check calls --major; v2 admits only type and properties at the "
            "root of a schema.",
        ),
        click.option(
            "--strategy",
            type=click.Choice(list(STRATEGIES)),
            default="hard",
            show_default=True,
            help="Where to cut a description that is over its limit.",
        ),
        click.option(
            "--unit",
            type=click.Choice(list(UNITS)),
            default="chars",
            show_default=True,
            help="What the limits count; a char is what a reader takes for one.",
        ),
        click.option(
            "--max-parameter-description",
            metavar="N",
            type=limit,
            help="Shorten descriptions in schemas to N.  [default: as they are]",
        ),
        click.option(
            "--max-description",
            metavar="N",
            type=limit,
            help="Shorten tool descriptions to N.  [default: as they are]",
        ),
        click.option(
            "--schemas",
            type=click.Choice(["lower", "omit"]),
            default="lower",
            show_default=True,
            help="Lower schemas into the compact subset, or leave out those that are not in it.",
        ),
    ):
        command = option(command)
    return command
