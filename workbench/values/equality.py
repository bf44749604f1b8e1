"""
Equality of JSON values, as JSON Schema core section 4.2.2 defines it.

Numbers are equal when their mathematical values are (1 and 1.0), booleans are no numbers, and the members of an object have no
order. Python compares an integer with a float exactly, without rounding the integer first, so its own `==` serves for numbers.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

__all__ = ["equal", "freeze"]


class _Token(str):
    """A piece of a frozen value that is already written, told apart from a string that waits to be."""

    __slots__ = ()


_OPEN_LIST, _CLOSE_LIST = _Token("["), _Token("]")
_OPEN_OBJECT, _CLOSE_OBJECT = _Token("{"), _Token("}")


def equal(a: Any, b: Any) -> bool:
    """Say whether two JSON values are equal (JSON Schema core section 4.2.2), at any depth."""
    todo = [(a, b)]
    while todo:
        a, b = todo.pop()
        if a is b:
            continue
        if isinstance(a, dict) and isinstance(b, dict):
            if a.keys() != b.keys():
                return False
            todo.extend((value, b[key]) for key, value in a.items())
        elif isinstance(a, list) and isinstance(b, list):
            if len(a) != len(b):
                return False
            todo.extend(zip(a, b, strict=True))
        elif isinstance(a, bool) or isinstance(b, bool) or a != b:
            return False
    return True


def freeze(value: Any) -> Hashable:
    """
    Make a key of a JSON value: `freeze(a) == freeze(b)` exactly when `equal(a, b)`.

    The key is one flat tuple. Nested tuples would be hashed and compared by recursion in C, which a deep value overflows.
    Raises `TypeError` on what is no JSON value.
    """
    key: list[str | int | float] = []
    todo: list[Any] = [value]
    while todo:
        item = todo.pop()
        if isinstance(item, _Token):
            key.append(item)
        elif isinstance(item, dict):
            key.append(_OPEN_OBJECT)
            todo.append(_CLOSE_OBJECT)
            for name in sorted(item, reverse=True):
                todo += (item[name], name)
        elif isinstance(item, list):
            key.append(_OPEN_LIST)
            todo.append(_CLOSE_LIST)
            todo.extend(reversed(item))
        else:
            key.append(_scalar(item))
    return tuple(key)


def _scalar(item: Any) -> str | int | float:
    """Tag a string by a quote, so that it is no bracket; name a boolean, so that it is no number."""
    if isinstance(item, str):
        return f'"{item}'
    if item is None or isinstance(item, bool):
        return str(item)
    if isinstance(item, int | float):
        return item
    raise TypeError(f"{type(item).__name__} is no JSON type")
