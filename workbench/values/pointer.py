"""JSON Pointers as RFC 6901 has them, in their plain string form (not as a URI fragment)."""

from __future__ import annotations

import re
from typing import Any

from workbench.errors import InputError

__all__ = ["escape", "join", "resolve", "split", "unescape"]

_BAD_ESCAPE = re.compile(r"~(?![01])")
_INDEX = re.compile(r"(?:0|[1-9][0-9]{0,18})\Z")


def escape(token: str) -> str:
    """Write one reference token as it stands between two slashes: `~` is `~0`, `/` is `~1` (RFC 6901 section 3)."""
    return token.replace("~", "~0").replace("/", "~1") if "~" in token or "/" in token else token


def unescape(token: str) -> str:
    """Undo `escape`. `~1` comes first, so that `~01` is `~1` and not `/` (RFC 6901 section 4)."""
    return token.replace("~1", "/").replace("~0", "~") if "~" in token else token


def join(base: str, *tokens: str | int) -> str:
    """Extend a pointer by raw tokens: property names, escaped here, and list indices."""
    return base + "".join(f"/{escape(token) if isinstance(token, str) else token}" for token in tokens)


def split(pointer: str) -> list[str]:
    """List the raw tokens of a pointer. Raises `InputError` where RFC 6901 section 3 has no such pointer."""
    if not pointer:
        return []
    if not pointer.startswith("/"):
        raise InputError(f"{pointer!r} is not a JSON Pointer: one is empty or starts with '/'")
    if _BAD_ESCAPE.search(pointer):
        raise InputError(f"{pointer!r} is not a JSON Pointer: '~' is written '~0', and '/' in a name '~1'")
    return [unescape(token) for token in pointer[1:].split("/")]


def resolve(doc: Any, pointer: str) -> Any:
    """Find the value a pointer names (RFC 6901 section 4). Raises `InputError` with the first place that is not there."""
    value, place = doc, ""
    for token in split(pointer):
        inside, place = place, join(place, token)
        if isinstance(value, dict) and token in value:
            value = value[token]
        elif isinstance(value, list) and _INDEX.match(token) and int(token) < len(value):
            value = value[int(token)]
        else:
            raise InputError(f"nothing is there: {_absent(value, token, inside)}", pointer=place)
    return value


def _absent(value: Any, token: str, inside: str) -> str:
    where = inside or "the root"
    if isinstance(value, dict):
        return f"{where} has no member {token!r}"
    if not isinstance(value, list):
        return f"{where} is neither an object nor a list"
    return f"{where} is a list of {len(value)}, and {token!r} is not an index into it"
