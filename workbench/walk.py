"""
The one traversal of a schema: every position that holds a schema, and no position that holds data.

What counts as a position comes from the keyword table, for all drafts at once and whatever `$schema` says: a host that
reads `prefixItems` under a draft-07 label must not find something that nobody checked. A property *named* `oneOf` is a
name, `enum` and `default` hold data, and the booleans are schemas (JSON Schema core, 4.3.2).

The walk is iterative and its paths share their tails, so that nesting costs neither stack nor quadratic memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from workbench.keywords import KEYWORDS, Keyword, Shape
from workbench.values import join

__all__ = ["Path", "Visit", "children", "walk"]


@dataclass(frozen=True, slots=True, eq=False)
class Path:
    """A place in a document as a list that is shared with its parents; `str()` gives the JSON Pointer (RFC 6901)."""

    parent: Path | None = None
    token: str | int = ""

    def __truediv__(self, token: str | int) -> Path:
        return Path(self, token)

    def tokens(self) -> list[str | int]:
        """The tokens from the root down."""
        found: list[str | int] = []
        here: Path = self
        while here.parent is not None:
            found.append(here.token)
            here = here.parent
        return found[::-1]

    def __str__(self) -> str:
        return join("", *self.tokens())

    def __repr__(self) -> str:
        # The generated one would recurse through the parents.
        return f"Path({str(self)!r})"


@dataclass(frozen=True, slots=True, eq=False)
class Visit:
    """One schema position: where it is, what stands there, and whether the official suite's walk comes by."""

    path: Path
    schema: Any
    suite: bool
    depth: int

    @property
    def pointer(self) -> str:
        """The JSON Pointer of the position, from the schema's root."""
        return str(self.path)


def children(schema: Any) -> Iterator[tuple[Keyword, tuple[str | int, ...], Any]]:
    """
    The schemas directly below `schema`, in document order: the keyword that holds each, its tokens, and the schema itself.

    A keyword whose value has the wrong shape (`properties` given as a list, `anyOf` as an object) holds no schema.
    """
    if not isinstance(schema, dict):
        return
    for name, value in schema.items():
        keyword = KEYWORDS.get(name)
        if keyword is None or keyword.shape is Shape.DATA:
            continue
        for tokens, child in _held(keyword.shape, value):
            if isinstance(child, dict | bool):
                yield keyword, (name, *tokens), child


def walk(schema: Any) -> Iterator[Visit]:
    """
    Every position at any depth that holds a schema, the root first, in document order.

    `schema` may be any JSON value; one that is neither an object nor a boolean is no schema and yields nothing.
    """
    stack = [Visit(Path(), schema, suite=True, depth=0)] if isinstance(schema, dict | bool) else []
    while stack:
        here = stack.pop()
        yield here
        below = []
        for keyword, tokens, child in children(here.schema):
            path = here.path
            for token in tokens:
                path = path / token
            suite = here.suite and keyword.suite_walks and not (keyword.name == "items" and len(tokens) > 1)
            below.append(Visit(path, child, suite, here.depth + 1))
        stack.extend(reversed(below))


def _held(shape: Shape, value: Any) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    """The candidates for a schema inside a keyword's value, with their tokens below the keyword."""
    if shape in (Shape.SCHEMA, Shape.SCHEMA_OR_LIST) and isinstance(value, dict | bool):
        yield (), value
    elif shape in (Shape.SCHEMA_LIST, Shape.SCHEMA_OR_LIST) and isinstance(value, list):
        for index, child in enumerate(value):
            yield (index,), child
    elif shape in (Shape.SCHEMA_MAP, Shape.SCHEMA_OR_NAMES_MAP) and isinstance(value, dict):
        for name, child in value.items():
            yield (name,), child
