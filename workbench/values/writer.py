"""
JSON text and files, the same bytes for the same value on every machine.

`dumps` is the wire form whose tokens are counted; `pretty` is for files that people read.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from workbench.errors import InputError, LimitError, OutputError
from workbench.values.faults import MAX_DIGITS
from workbench.values.reader import MAX_DEPTH, nesting

__all__ = ["check_writable", "dumps", "pretty", "write_atomic"]

#: Where a system shows open files as paths.
_OPEN_FILES: Final = ("/dev/fd/", "/dev/std", "/proc/")


def dumps(value: Any) -> str:
    """
    Write a value as wire JSON: key order kept, no spaces, non-ASCII characters as themselves, floats by their shortest form.

    `read_json` takes every text this gives back to an equal value. Raises `InputError` on what JSON or UTF-8 has not (`NaN`, a
    Python set, half a surrogate pair), `LimitError` on over `MAX_DEPTH` levels or on an integer that is not read either.
    """
    return _written(value, indent=None)


def pretty(value: Any) -> str:
    """Write a value as JSON for people: two spaces a level, one trailing line feed. Raises as `dumps` does."""
    return _written(value, indent=2) + "\n"


def _written(value: Any, indent: int | None) -> str:
    separators = (",", ":") if indent is None else (",", ": ")
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=separators, indent=indent)
        raw = text.encode()
    except RecursionError:
        raise LimitError(f"the value is nested deeper than {MAX_DEPTH} levels, or holds itself") from None
    except UnicodeEncodeError as error:
        half = ord(error.object[error.start])
        raise InputError(f"half a surrogate pair, \\u{half:04x}, in a string: UTF-8 has no such character") from None
    except (TypeError, ValueError) as error:
        raise _unwritable(error) from None
    if nesting(raw) > MAX_DEPTH:
        raise LimitError(f"the value is nested deeper than {MAX_DEPTH} levels")
    return text


def _unwritable(error: Exception) -> InputError:
    if "digits" in str(error):
        return LimitError(f"an integer of more than {MAX_DIGITS:,} digits is not written")
    return InputError(f"the value cannot be written as JSON: {error}")


def write_atomic(path: str | os.PathLike[str], content: str | bytes) -> None:
    """
    Write a file as a whole or not at all: aside in the same folder, then renamed over it. Text is UTF-8 as it is.

    What stood there stays on failure, a link keeps pointing at its file, and a file that may not be written is not replaced
    either. A device or pipe is written to, never replaced. Raises `OutputError` with the path.
    """
    with _naming(path):
        data = content.encode() if isinstance(content, str) else content
        if _is_stream(path):
            with Path(path).open("ab") as stream:
                stream.write(data)
        else:
            _refuse_unwritable(path)
            _replace(Path(os.path.realpath(path)), data)


def check_writable(path: str | os.PathLike[str]) -> None:
    """Raise the `OutputError` that `write_atomic` would raise for a missing folder or a write-protected file, ahead of the work."""
    with _naming(path):
        if not _is_stream(path):
            _refuse_unwritable(path)


@contextlib.contextmanager
def _naming(path: str | os.PathLike[str]) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise OutputError(f"cannot write {os.fspath(path)}: {error.strerror or error}") from error
    except ValueError as error:  # Half a surrogate pair in the text, a NUL in the path.
        raise OutputError(f"cannot write {os.fspath(path)}: {error}") from error


def _is_stream(path: str | os.PathLike[str]) -> bool:
    """Whether a path leads to a device, a pipe, or a file that is open already (`/dev/fd/3`): what a rename cannot stand for."""
    if str(Path(path).absolute()).startswith(_OPEN_FILES):
        return True
    with contextlib.suppress(OSError):
        return not stat.S_ISREG(Path(path).stat().st_mode)
    return False


def _refuse_unwritable(path: str | os.PathLike[str]) -> None:
    """A rename asks the folder alone: who may not write the file itself, says the system when it is opened."""
    target = Path(os.path.realpath(path))
    try:
        os.close(os.open(target, os.O_WRONLY))
    except FileNotFoundError:
        target.parent.stat()


def _replace(target: Path, data: bytes) -> None:
    aside = target.with_name(f".workbench-{secrets.token_hex(8)}.tmp")
    try:
        with aside.open("xb") as file:
            file.write(data)
        with contextlib.suppress(FileNotFoundError):
            aside.chmod(stat.S_IMODE(target.stat().st_mode))
        aside.replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            aside.unlink()
        raise
