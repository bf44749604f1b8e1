"""
A copy of a schema in which every keyword that should hold schemas does, so that no reader of it stumbles.

What is malformed has no meaning, so anything may be valid there: the copy leaves it out, or holds a schema that says
nothing where a list or map needs an entry, and remembers that it did. Data is shared with the original, never changed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from workbench.keywords import KEYWORDS, Shape

__all__ = ["Copy", "cleaned"]

_TEXTS: Final = frozenset({"$schema", "$id", "id", "$anchor", "$dynamicAnchor", "$ref", "$dynamicRef", "$recursiveRef"})
_CONTAINERS: Final[dict[Shape, Any]] = {
    Shape.SCHEMA: dict | bool,
    Shape.SCHEMA_LIST: list,
    Shape.SCHEMA_MAP: dict,
    Shape.SCHEMA_OR_LIST: dict | list | bool,
    Shape.SCHEMA_OR_NAMES_MAP: dict,
}


class Copy(dict[str, Any]):
    """A schema object, and what was malformed in it: keywords with the reason, the empty one for the whole."""

    __slots__ = ("freed",)

    def __init__(self, *freed: tuple[str, str]) -> None:
        super().__init__()
        self.freed = list(freed)

    @property
    def accepts_all(self) -> bool:
        """Whether it says nothing at all; where something malformed was left out, that cannot be told."""
        return not self and not self.freed


def cleaned(schema: Any) -> Copy | bool:
    """The copy of any JSON value that stands where a schema should; iterative, so that nesting costs no stack."""
    if isinstance(schema, bool):
        return schema
    if not isinstance(schema, dict):
        return Copy(("", "not a schema"))
    root = Copy()
    stack: list[tuple[dict[Any, Any], Copy]] = [(schema, root)]
    while stack:
        source, copy = stack.pop()
        for name, value in source.items():
            if isinstance(name, str) and _keeps(copy, name, value):
                copy[name] = value
                stack.extend(_copied(copy, name, value))
    return root


def _keeps(copy: Copy, name: str, value: Any) -> bool:
    if name in _TEXTS and not isinstance(value, str):
        copy.freed.append((name, "not a string"))
        return False
    row = KEYWORDS.get(name)
    if row is None or row.shape is Shape.DATA or isinstance(value, _CONTAINERS[row.shape]):
        return True
    copy.freed.append((name, "no schema where one must stand"))
    return False


def _copied(copy: Copy, name: str, value: Any) -> Iterator[tuple[Any, Copy]]:
    """Replaces the schemas in a keyword's value by copies yet to be filled, and names them."""
    row = KEYWORDS.get(name)
    if row is None or row.shape is Shape.DATA:
        return
    if isinstance(value, dict) and row.shape in (Shape.SCHEMA, Shape.SCHEMA_OR_LIST):
        copy[name] = only = Copy()
        yield value, only
    elif isinstance(value, dict | list):
        entries: Any = value.items() if isinstance(value, dict) else enumerate(value)
        held: list[tuple[Any, Any]] = []
        for token, child in entries:
            if isinstance(child, dict):
                fresh = Copy()
                held.append((token, fresh))
                yield child, fresh
            elif isinstance(child, bool) or (row.shape is Shape.SCHEMA_OR_NAMES_MAP and isinstance(child, list)):
                held.append((token, child))
            else:
                held.append((token, Copy(("", "not a schema"))))
        copy[name] = dict(held) if isinstance(value, dict) else [child for _, child in held]
