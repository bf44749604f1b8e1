"""How messages speak of values: their kind in words, and names at a bounded length."""

from __future__ import annotations

from typing import Any

__all__ = ["kind", "quoted"]

_LONGEST = 60


def kind(value: Any) -> str:
    """What a JSON value is, in words; booleans and null by their own name."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    for type_, name in ((str, "a string"), (int | float, "a number"), (list, "a list"), (dict, "an object")):
        if isinstance(value, type_):
            return name
    return f"a {type(value).__name__}"


def quoted(text: str) -> str:
    """A text from a catalog in quotes, on one line, cut to 60 characters."""
    return repr(text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…")
