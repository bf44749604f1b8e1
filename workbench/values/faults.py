"""
Where and why a text is no JSON that is read here.

The decoder stops at a fault without saying where; these functions look for the place, at leisure, because it happens once.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

from workbench.errors import InputError, LimitError
from workbench.values.pointer import join

__all__ = ["MAX_DIGITS", "Refused", "at", "integer", "real", "refusal", "syntax", "too_deep"]

MAX_DIGITS = 4300
"""Digits that an integer may have: as many as Python itself converts before it calls the conversion an attack."""

_TOKEN = re.compile(r'"[^"\\]*"|["\[\]{},:]|[^\s"\[\]{},:]+')
_STEP = {"[": 1, "{": 1, "]": -1, "}": -1}
_SURROGATE = re.compile("[\ud800-\udfff]")
_STRINGS = json.JSONDecoder()
_WHAT = {
    "Expecting value": "a value is expected",
    "Expecting property name enclosed in double quotes": "a name in double quotes is expected",
    "Expecting ',' delimiter": "a comma or the closing bracket is expected",
    "Expecting ':' delimiter": "a colon is expected after a name",
    "Extra data": "one value is expected, and more text follows it",
    "Unterminated string starting at": "this string is never closed",
    "Invalid control character at": "a control character in a string is written as an escape",
    "Invalid \\escape": "there is no such escape",
    "Invalid \\uXXXX escape": "\\u is followed by four hexadecimal digits",
}
_TRAILING_COMMA = {  # What Python 3.13 says, at the comma, and what 3.12 said, after it.
    "Illegal trailing comma before end of array": "Expecting value",
    "Illegal trailing comma before end of object": "Expecting property name enclosed in double quotes",
}
_HINTS = {
    "'": "; strings stand in double quotes",
    "/": "; JSON has no comments",
    "#": "; JSON has no comments",
    "<": "; this looks like HTML or XML",
    "]": "; is there a comma too many before it?",
    "}": "; is there a comma too many before it?",
}


class Refused(ValueError):
    """A token that the grammar has and that is not taken; the message says why, `kind` what error it becomes."""

    def __init__(self, why: str, kind: type[InputError] = InputError) -> None:
        super().__init__(why)
        self.kind = kind


def integer(literal: str) -> int:
    """Read an integer of at most `MAX_DIGITS` digits. Raises `Refused`."""
    digits = len(literal) - literal.startswith("-")
    try:
        if digits <= MAX_DIGITS:
            return int(literal)
    except ValueError:
        pass  # The interpreter runs with a lower limit than its default.
    raise Refused(f"an integer of {digits:,} digits is over the limit of {MAX_DIGITS:,}", LimitError)


def real(literal: str) -> float:
    """Read a number with a fraction or an exponent. Raises `Refused` when a double cannot hold it."""
    number = float(literal)
    if math.isinf(number):
        raise Refused(f"the number {_short(literal)} is beyond the range of a double")
    return number


def at(text: str, offset: int, message: str, *, pointer: str = "", kind: type[InputError] = InputError) -> InputError:
    """Make the error for a place in the text. Lines end at a line feed; columns count characters from 1."""
    line = text.count("\n", 0, offset) + 1
    return kind(message, pointer=pointer, line=line, column=offset - text.rfind("\n", 0, offset))


def syntax(text: str, error: json.JSONDecodeError) -> InputError:
    """Say in our words what the decoder says, and what stands there."""
    if not text.strip(" \t\r\n"):
        return at(text, 0, "not JSON: the text is empty")
    said, offset = error.msg.rstrip(": "), error.pos
    if said in _TRAILING_COMMA and (after := _TOKEN.search(text, offset + 1)):
        said, offset = _TRAILING_COMMA[said], after.start()
    what, found = _WHAT.get(said, said), text[offset : offset + 1]
    if not found:
        return at(text, offset, f"not JSON: {what}, and the text ends here")
    hint = _HINTS.get(found, "") if said.startswith("Expecting") else ""
    return at(text, offset, f"not JSON: {what} where {found!r} stands{hint}")


def too_deep(text: str, limit: int) -> InputError:
    """Find the bracket that opens the first level over the limit."""
    message = f"nested deeper than {limit} levels"
    depth = 0
    try:
        for offset, kind, _ in _tokens(text):
            depth += _STEP.get(kind, 0)
            if depth > limit:
                return at(text, offset, message, kind=LimitError)
    except json.JSONDecodeError as error:
        return syntax(text, error)
    return LimitError(message)


def refusal(text: str) -> InputError | None:
    """Find the first token that the grammar has and that is not taken, in a text that is well-formed as far as it."""
    above: list[_Frame] = []
    frame = _Frame()
    for offset, kind, token in _tokens(text):
        if kind in "[{":
            above.append(frame)
            frame = _Frame(names=set() if kind == "{" else None)
        elif kind in "]}":
            frame = above.pop()
        elif kind == ",":
            frame.index, frame.wants_name = frame.index + 1, True
        elif kind == '"' and frame.names is not None and frame.wants_name:
            if why := _half_pair(token) or frame.take(token):
                return at(text, offset, str(why), pointer=_path(above), kind=why.kind)
        elif why := _half_pair(token) if kind == '"' else _refused(token):
            return at(text, offset, str(why), pointer=_path([*above, frame]), kind=why.kind)
    return None


@dataclass(slots=True)
class _Frame:
    """One open bracket: the names met so far when it is an object, and where we are in it. The first one is around the text."""

    names: set[str] | None = None
    name: str = ""
    index: int = 0
    wants_name: bool = True

    def take(self, name: str) -> Refused | None:
        if self.names is None or name in self.names:
            return Refused(f"the name {_short(name)} occurs twice in one object")
        self.names.add(name)
        self.name, self.wants_name = name, False
        return None


def _path(frames: list[_Frame]) -> str:
    return join("", *(frame.index if frame.names is None else frame.name for frame in frames[1:]))


def _tokens(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield offset, first character and value of each token; a string without escapes needs no decoder."""
    offset = 0
    while match := _TOKEN.search(text, offset):
        start, offset, token = match.start(), match.end(), match[0]
        if token == '"':
            token, offset = _STRINGS.raw_decode(text, start)
            yield start, '"', token
        elif token[0] == '"':
            yield start, '"', token[1:-1]
        else:
            yield start, token[0], token


def _half_pair(string: str) -> Refused | None:
    if half := _SURROGATE.search(string):
        return Refused(
            f"the string holds half a surrogate pair, \\u{ord(half[0]):04x}, which UTF-8 cannot write: a text was cut inside a "
            "character; cut it before that one"
        )
    return None


def _refused(token: str) -> Refused | None:
    """Say why a number or word is not taken, or nothing."""
    if token in ("NaN", "Infinity", "-Infinity"):
        return Refused(f"{token} is not JSON: numbers are finite")
    try:
        if token[0] in "-0123456789":
            (integer if token.lstrip("-").isdigit() else real)(token)
    except Refused as refused:
        return refused
    except ValueError:
        pass  # Words that only look like numbers stop the decoder by themselves.
    return None


def _short(text: str) -> str:
    return repr(text) if len(text) <= 60 else f"{text[:60]!r}..."
