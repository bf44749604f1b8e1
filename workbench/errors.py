"""
The errors of this package, one leaf per cause.

    WorkbenchError
    ├── InputError            what came in cannot be used: bad JSON, an unknown sample, a missing file
    │   ├── LimitError        it may be well-formed, yet it is over a stated limit
    │   ├── CatalogError      it is JSON, but no catalog
    │   └── HostError         a host or MCP server is out of reach, or answered otherwise than was asked
    ├── UsageError            an option or argument does not fit
    ├── EncodingUnavailable   a tokeniser vocabulary is neither bundled nor reachable
    └── OutputError           a result cannot be written where it was asked for

`str(error)` is always one line that says what, where and what to do; commands print it as it is.
"""

from __future__ import annotations

__all__ = [
    "CatalogError",
    "EncodingUnavailable",
    "HostError",
    "InputError",
    "LimitError",
    "OutputError",
    "UsageError",
    "WorkbenchError",
]


class WorkbenchError(Exception):
    """The root of every error that this package raises on purpose."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message

    def __str__(self) -> str:
        return _one_line(self.message)


class InputError(WorkbenchError):
    """Input that cannot be used, with the place where it breaks: a source, a JSON Pointer, or a line and column (from 1)."""

    def __init__(
        self,
        message: str,
        *,
        source: str = "",
        pointer: str | None = None,
        line: int | None = None,
        column: int | None = None,
    ) -> None:
        super().__init__(message)
        self.source = source
        self.pointer = pointer
        self.line = line
        self.column = column

    def __str__(self) -> str:
        where = [f"at {self.pointer}"] if self.pointer else []
        if self.line is not None:
            where.append(f"line {self.line}" + (f", column {self.column}" if self.column is not None else ""))
        source = f"{self.source}: " if self.source else ""
        place = f" ({'; '.join(where)})" if where else ""
        return _one_line(f"{source}{self.message}{place}")


class LimitError(InputError):
    """Input over a stated limit: its size, its nesting, the number of its tools."""


class CatalogError(InputError):
    """JSON that is not a tool catalog in any form that is read here."""


class HostError(InputError):
    """A host or an MCP server that is out of reach, refuses, or answers otherwise than was asked; `status` is that of HTTP."""

    def __init__(self, message: str, *, source: str = "", status: int | None = None) -> None:
        super().__init__(message, source=source)
        self.status = status


class UsageError(WorkbenchError):
    """An option or argument that does not fit; the message names what would."""


class EncodingUnavailable(WorkbenchError):
    """A tiktoken vocabulary that is not bundled and cannot be loaded; the message says how to supply it."""


class OutputError(WorkbenchError):
    """A result that cannot be written where it was asked for."""


def _one_line(text: str) -> str:
    """Text from a catalog may sit in a message: no line break or control character of it reaches a terminal."""
    return "".join(c if c.isprintable() else " " if c in "\t\n\r" else f"\\u{ord(c):04x}" for c in text)
