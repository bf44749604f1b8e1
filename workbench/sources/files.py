"""Bytes from files, from standard input and from the bundled samples, never more than a JSON text may have."""

from __future__ import annotations

import sys
from pathlib import Path

from workbench.errors import InputError
from workbench.resources import sample, sample_names
from workbench.values import MAX_BYTES

__all__ = ["from_file", "from_sample", "from_standard_input"]

STANDARD_INPUT = "standard input"


def from_file(path: str) -> tuple[bytes, str]:
    """
    Read a file, a device or a pipe by its path.

    Raises:
        InputError: nothing is there, or it cannot be read.
    """
    try:
        with Path(path).open("rb") as file:
            # One byte over the limit is enough for the reader to refuse the rest, which may never end.
            return file.read(MAX_BYTES + 1), path
    except FileNotFoundError:
        hint = f"; there is a sample of that name, sample:{path}" if path in sample_names(broken=True) else ""
        raise InputError(f"there is no such file{hint}", source=path) from None
    except IsADirectoryError:
        raise InputError("this is a folder; name a file in it", source=path) from None
    except OSError as error:
        raise InputError(f"the file cannot be read: {error.strerror or error}", source=path) from error
    except ValueError as error:  # A NUL in the path.
        raise InputError(f"this is no path: {error}", source=path) from None


def from_standard_input(_rest: str = "", most: int = MAX_BYTES) -> tuple[bytes, str]:
    """Read standard input to its end, or one byte more than `most`. Raises InputError when it is closed or cannot be read."""
    if sys.stdin is None or sys.stdin.closed:
        raise InputError("it is closed, so nothing can be read", source=STANDARD_INPUT)
    try:
        return sys.stdin.buffer.read(most + 1), STANDARD_INPUT
    except (AttributeError, ValueError, OSError) as error:  # No bytes behind it, or a folder.
        raise InputError(f"nothing can be read: {error}", source=STANDARD_INPUT) from None


def from_sample(name: str) -> tuple[bytes, str]:
    """Read a bundled sample catalog. Raises InputError for an unknown name; the message lists those there are."""
    return sample(name), f"sample:{name}"
