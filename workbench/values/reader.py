"""
A strict reader of JSON (RFC 8259): what is doubtful is an error that names its place.

The standard library's decoder does the reading, since it is written in C. What it lets through (repeated names, `NaN`, floats
that overflow, half surrogate pairs) its hooks or a pass over the text catch, and what it cannot survive (nesting) is measured
before. Neither knows a line or a pointer, so `workbench.values.faults` looks for the place afterwards.
"""

from __future__ import annotations

import json
import re
from itertools import accumulate
from typing import Any, NoReturn, TypeAlias

from workbench.errors import InputError, LimitError
from workbench.values.faults import Refused, at, integer, real, refusal, syntax, too_deep

__all__ = ["JSON", "MAX_BYTES", "MAX_DEPTH", "nesting", "read_json"]

JSON: TypeAlias = bool | int | float | str | list[Any] | dict[str, Any] | None
"""What JSON text stands for, in plain Python."""

MAX_BYTES = 100 * 1024 * 1024
"""Bytes of UTF-8 that a text may have: 100 MiB."""

MAX_DEPTH = 500
"""Brackets that may be open at once: half of what Python's own limit on recursion leaves to the decoder."""

_BRACKETS = b'"[]{}'
_NO_BRACKETS = bytes(set(range(256)) - set(_BRACKETS))
_STEPS = bytes.maketrans(b"[{]}", b"\x01\x01\xff\xff")
_HALF_PAIR = re.compile(r"(?:\\\\)+|\\u[dD][89abAB]..\\u[dD][c-fC-F]|(\\u[dD][89a-fA-F])", re.DOTALL)


def read_json(data: bytes | str, *, source: str = "", max_bytes: int = MAX_BYTES, max_depth: int = MAX_DEPTH) -> JSON:
    """
    Read one JSON value (RFC 8259) of UTF-8 bytes, or of text; a byte order mark before it is skipped (section 8.1).

    Raises `InputError` with line and column (and a pointer, where one is known) on anything else: another encoding, a repeated
    name in an object, `NaN`, an infinity, a number beyond a double, half a surrogate pair, more text after the value. Raises
    `LimitError` on over `max_bytes` bytes, over `max_depth` open brackets, or an integer of over 4,300 digits.
    """
    try:
        raw, text = _raw_and_text(data, max_bytes)
        if nesting(raw) > max_depth:
            raise too_deep(text, max_depth)
        return _decoded(text)
    except InputError as error:
        error.source = source
        raise


def nesting(raw: bytes) -> int:
    """
    Measure how many brackets are open at once at most, strings left out.

    Only whole-buffer operations of C, since the buffer may have 100 MB: escapes go first, then all but quotes and brackets,
    then empty strings; every second piece between the quotes left is then outside of strings. Brackets become +1 and -1.
    """
    bare = raw.replace(b"\\\\", b"").replace(b'\\"', b"").translate(None, _NO_BRACKETS).replace(b'""', b"")
    outside = b"".join(bare.split(b'"')[::2])
    return max(accumulate(memoryview(outside.translate(_STEPS)).cast("b")), default=0)


def _raw_and_text(data: bytes | str, max_bytes: int) -> tuple[bytes, str]:
    if len(data) > max_bytes:
        raise _too_large(len(data), max_bytes)
    if isinstance(data, bytes):
        return _from_bytes(data)
    text = data.removeprefix("\ufeff")
    try:
        raw = text.encode()
    except UnicodeEncodeError as error:
        half = f"\\u{ord(text[error.start]):04x}"
        raise at(text, error.start, f"half a surrogate pair, {half}: UTF-8 has no such character") from None
    if len(raw) > max_bytes:
        raise _too_large(len(raw), max_bytes)
    return raw, text


def _from_bytes(data: bytes) -> tuple[bytes, str]:
    encoding = json.detect_encoding(data)
    if not encoding.startswith("utf-8"):
        name = encoding.upper().replace("LE", "little-endian").replace("BE", "big-endian")
        raise InputError(
            f"the text is {name}: JSON is exchanged as UTF-8 (RFC 8259 section 8.1), convert it", line=1, column=1
        )
    raw = data.removeprefix(b"\xef\xbb\xbf")
    try:
        return raw, raw.decode()
    except UnicodeDecodeError as error:
        before = raw[: error.start].decode()
        what = f"byte {error.start + len(data) - len(raw)} (0x{raw[error.start]:02x}) is not UTF-8"
        raise at(before, len(before), f"{what}: convert the text to UTF-8") from None


def _too_large(size: int, limit: int) -> LimitError:
    return LimitError(f"the text has {size:,} bytes or more, over the limit of {limit:,}")


def _decoded(text: str) -> JSON:
    try:
        value: JSON = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise syntax(text, error) from None
    except Refused as refused:
        raise refusal(text) or refused.kind(str(refused)) from None
    except RecursionError:
        raise LimitError("nested too deeply for what is left of the stack") from None
    if any(match[1] for match in _HALF_PAIR.finditer(text)):
        raise refusal(text) or InputError("a string holds half a surrogate pair")
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise Refused("a name occurs twice in one object")
    return members


def _constant(name: str) -> NoReturn:
    raise Refused(f"{name} is not JSON: numbers are finite")


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant, parse_int=integer, parse_float=real)
