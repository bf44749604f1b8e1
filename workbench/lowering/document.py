"""
The document that a schema stands in: its places, their dialects and pointers, and what references lead to.

Resolution is `referencing`'s: JSON Pointers, anchors, `$id` scopes, embedded resources, dynamic scopes. Nothing is ever
fetched: what lies outside the document resolves to nothing, and the caller lets anything be valid there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from workbench.lowering.cleaning import Copy, cleaned
from workbench.lowering.dialects import DEFAULT_DRAFT, Dialect, dialect_of
from workbench.walk import Path, walk

if TYPE_CHECKING:
    from referencing import Resource, Specification
    from referencing._core import Resolver  # public by way of `Registry.resolver`; not exported by name

__all__ = ["Document", "Place"]

#: A dynamic scope longer than this is not followed: no schema written by hand or tool comes near.
_MAX_SCOPE: Final = 64
#: What `referencing` raises on what it takes for granted in a valid document.
_MALFORMED: Final = (ValueError, TypeError, AttributeError)
_DYNAMIC: Final = ("$dynamicRef", "$recursiveRef")
_REFERENCES: Final = ("$ref", *_DYNAMIC)


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """One schema in the document, with what is needed to read it. Places are made once each, and equal only themselves."""

    schema: Copy | bool
    path: Path
    dialect: Dialect
    resolver: Resolver[Any] | None

    @property
    def written(self) -> Copy:
        """The keywords as they were written; a boolean schema has none."""
        return Copy() if isinstance(self.schema, bool) else self.schema

    @property
    def pointer(self) -> str:
        """The JSON Pointer of the schema in the original document."""
        return str(self.path)


class Document:
    """A schema document: a cleaned copy of what came in, and its places."""

    def __init__(self, schema: Any) -> None:
        self._contents = cleaned(schema)
        #: Where every object stands, for targets of references; some stand under no keyword that holds schemas.
        self._paths: dict[int, Path] = {}
        self._foreign: dict[int, Copy | bool] = {}
        self._dynamic = False
        refers = any(_refers(visit.schema, _REFERENCES) for visit in walk(self._contents))
        if refers:
            for path, each in _objects(self._contents):
                self._paths[id(each)] = path
                self._dynamic = self._dynamic or _refers(each, _DYNAMIC)
        self._places: dict[object, Place] = {}
        dialect = dialect_of(self._contents, Dialect(DEFAULT_DRAFT))
        self.root = self._place(self._contents, Path(), dialect, self._resolver(dialect) if refers else None)

    # Places

    def child(self, parent: Place, value: Any, *tokens: str | int) -> Place:
        """The place of a subschema, whose value stands at `tokens` below its parent."""
        path = parent.path
        for token in tokens:
            path = path / token
        dialect = dialect_of(value, parent.dialect)
        resolver = parent.resolver
        if resolver is not None and isinstance(value, dict):
            resolver = resolver.in_subresource(_specification(dialect).create_resource(value))
        return self._place(value, path, dialect, resolver)

    def target(self, place: Place, keyword: str) -> Place | None:
        """Where a reference of `place` leads, or None when that is not in this document."""
        from referencing.exceptions import Unresolvable
        from referencing.jsonschema import lookup_recursive_ref

        if place.resolver is None:
            return None
        try:
            found = (
                lookup_recursive_ref(place.resolver)
                if keyword == "$recursiveRef"
                else place.resolver.lookup(place.written[keyword])
            )
        except (Unresolvable, *_MALFORMED):
            # `referencing` expects a valid document: a URL that does not parse, or a pointer that goes through a number
            # or a word, ends in one of the built-in errors. All mean the same: there is no schema there.
            return None
        path = self._paths.get(id(found.contents), place.path / keyword)
        schema = self._as_schema(found.contents)
        return self._place(schema, path, dialect_of(schema, place.dialect), found.resolver)

    def _as_schema(self, contents: Any) -> Copy | bool:
        """What a reference found; where no keyword holds schemas it is as it was written, so it is cleaned now."""
        if isinstance(contents, Copy | bool):
            return contents
        if id(contents) not in self._foreign:
            self._foreign[id(contents)] = cleaned(contents)
        return self._foreign[id(contents)]

    def _place(self, schema: Any, path: Path, dialect: Dialect, resolver: Resolver[Any] | None) -> Place:
        if isinstance(schema, bool):
            return Place(schema, path, dialect, resolver)
        scope: tuple[str, ...] = ()
        if self._dynamic and resolver is not None:
            scope = tuple(dict.fromkeys(uri for uri, _ in resolver.dynamic_scope()))
            if len(scope) > _MAX_SCOPE:
                resolver = None
        key = (id(schema), dialect, scope)
        if key not in self._places:
            self._places[key] = Place(schema, path, dialect, resolver)
        return self._places[key]

    def _resolver(self, dialect: Dialect) -> Resolver[Any]:
        """A resolver for the root; where nothing refers to anything, `referencing` is not even imported."""
        from referencing import Registry

        root: Resource[Any] = _specification(dialect).create_resource(self._contents)
        empty: Registry[Any] = Registry()
        try:
            uri = root.id() or ""
            # Crawled once for all; a registry that is not would be searched again by every reference.
            crawled: Registry[Any] = empty.with_resource(uri, root).crawl()
            return crawled.resolver(base_uri=uri)
        except _MALFORMED:  # an `$id` that is no URI, a boolean where draft 4 has none, a list under `items` in 2020-12
            return empty.resolver_with_root(root)


def _refers(schema: Any, keywords: tuple[str, ...]) -> bool:
    return isinstance(schema, dict) and any(name in schema for name in keywords)


def _objects(contents: Any) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Every object in a document, schemas and data alike."""
    stack: list[tuple[Path, Any]] = [(Path(), contents)]
    while stack:
        path, value = stack.pop()
        if isinstance(value, dict):
            yield path, value
            stack.extend((path / name, each) for name, each in value.items())
        elif isinstance(value, list):
            stack.extend((path / index, each) for index, each in enumerate(value))


def _specification(dialect: Dialect) -> Specification[Any]:
    from referencing import jsonschema as known

    return {4: known.DRAFT4, 6: known.DRAFT6, 7: known.DRAFT7, 2019: known.DRAFT201909, 2020: known.DRAFT202012}[
        dialect.draft
    ]
