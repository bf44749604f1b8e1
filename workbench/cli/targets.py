"""Where results may go: never over what a command reads, never two to one file, and said before any work is done."""

from __future__ import annotations

import functools
import os
import stat
from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from workbench.errors import UsageError
from workbench.values import check_writable

__all__ = ["OUTPUT", "out_option"]

_Command = TypeVar("_Command", bound=Callable[..., Any])
_STANDARD_OUTPUT: Final = frozenset({"-", "/dev/stdout"})

#: The type of every option that names a file to write; it is what the file is known by.
OUTPUT: Final = click.Path(dir_okay=False)
_OUT: Final = click.option(
    "--out",
    metavar="FILE",
    type=OUTPUT,
    callback=lambda _context, _parameter, value: None if value in _STANDARD_OUTPUT else value,
    help="Write the result to FILE, as a whole or not at all, instead of standard output.",
)


def out_option(command: _Command) -> _Command:
    """`--out FILE`, in a command whose outputs are looked at before it begins."""

    @functools.wraps(command)
    def guarded(*arguments: Any, **parameters: Any) -> Any:
        _refuse(click.get_current_context())
        return command(*arguments, **parameters)

    return _OUT(guarded)  # type: ignore[return-value]  # wrapped as it was


def _refuse(context: click.Context) -> None:
    """Raises UsageError for an output that is an input or another output, OutputError for one that cannot be written."""
    outputs = [each for each in _files(context) if each[0].type is OUTPUT and each[1] != "-"]
    inputs = [each for each in _files(context) if each[0].type is not OUTPUT]
    for parameter, path in outputs:
        for _, read in inputs:
            if _status(read) is not None and _same(path, read):
                raise UsageError(f"{parameter.opts[0]} {path} would overwrite what is read; name another file")
    for (one, path), (other, again) in combinations(outputs, 2):
        if _same(path, again):
            raise UsageError(f"{one.opts[0]} and {other.opts[0]} are both {path}; name two files")
    for _, path in outputs:
        check_writable(path)


def _files(context: click.Context) -> Iterator[tuple[click.Parameter, str]]:
    """What the arguments and the options for a FILE name, with who names it."""
    for parameter in context.command.params:
        if isinstance(parameter, click.Argument) or parameter.metavar == "FILE":
            value = context.params.get(parameter.name or "")
            yield from ((parameter, each) for each in (value if isinstance(value, tuple) else [value]) if each)


def _same(one: str, other: str) -> bool:
    """Whether two paths lead to one regular file, or would if it were there; devices and pipes take any number of results."""
    found = [_status(path) for path in (one, other)]
    if None not in found:
        return os.path.samestat(*found) and stat.S_ISREG(found[0].st_mode)  # type: ignore[arg-type, union-attr]
    return found == [None, None] and os.path.realpath(one) == os.path.realpath(other)


def _status(path: str) -> os.stat_result | None:
    try:
        return os.fstat(0) if path == "-" else Path(path).stat()
    except (OSError, ValueError):
        return None
