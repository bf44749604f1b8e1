"""
JSON values: a strict reader, a deterministic writer, equality as JSON has it, and JSON Pointers (RFC 6901).

Nothing in here recurses on what it is given, so that nesting ends in a `LimitError` and never in a crash.
"""

from __future__ import annotations

from workbench.values.equality import equal, freeze
from workbench.values.faults import MAX_DIGITS
from workbench.values.plain import refuse_foreign
from workbench.values.pointer import escape, join, resolve, split, unescape
from workbench.values.reader import JSON, MAX_BYTES, MAX_DEPTH, read_json
from workbench.values.writer import check_writable, dumps, pretty, write_atomic

__all__ = [
    "JSON",
    "MAX_BYTES",
    "MAX_DEPTH",
    "MAX_DIGITS",
    "check_writable",
    "dumps",
    "equal",
    "escape",
    "freeze",
    "join",
    "pretty",
    "read_json",
    "refuse_foreign",
    "resolve",
    "split",
    "unescape",
    "write_atomic",
]
