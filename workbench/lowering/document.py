"""
The document that a schema stands in: its places, their dialects and pointers, and what references lead to.

Resolution is `referencing`'s: JSON Pointers, anchors, `$id` scopes, embedded resources, dynamic scopes. Nothing is ever
fetched: what lies outside the document resolves to nothing, and the caller lets anything be valid there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from workbench.keywords import KEYWORDS, Shape
from workbench.lowering.dialects import DEFAULT_DRAFT, Dialect, dialect_of
from workbench.lowering.losses import Loss
from workbench.walk import Path, walk

if TYPE_CHECKING:
    from referencing import Resource, Specification
    from referencing._core import Resolver  # public by way of `Registry.resolver`; not exported by name

__all__ = ["Document", "Place"]

#: A dynamic scope longer than this is not followed: no schema written by hand or tool comes near.
_MAX_SCOPE: Final = 64
_REFERENCES: Final = ("$ref", "$dynamicRef", "$recursiveRef")


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """One schema in the document, with what is needed to read it. Places are made once each, and equal only themselves."""

    schema: Any
    path: Path
    dialect: Dialect
    resolver: Resolver[Any] | None

    @property
    def pointer(self) -> str:
        """The JSON Pointer of the schema in the original document."""
        return str(self.path)


class Document:
    """A schema document: a cleaned copy of what came in, and its places."""

    def __init__(self, schema: Any) -> None:
        self.losses: list[Loss] = []
        self._contents = self._clean(schema)
        self._paths: dict[int, Path] = {}
        self._dynamic = self._refers = False
        for visit in walk(self._contents):
            if isinstance(visit.schema, dict):
                self._paths[id(visit.schema)] = visit.path
                self._refers = self._refers or any(name in visit.schema for name in _REFERENCES)
                self._dynamic = self._dynamic or "$dynamicRef" in visit.schema or "$recursiveRef" in visit.schema
        self._places: dict[object, Place] = {}
        dialect = dialect_of(self._contents, Dialect(DEFAULT_DRAFT))
        self.root = self._place(self._contents, Path(), dialect, self._resolver(dialect))

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
                else place.resolver.lookup(place.schema[keyword])
            )
        except (Unresolvable, ValueError, TypeError, AttributeError):
            # `referencing` expects a valid document: a URL that does not parse, or a pointer that goes through a number
            # or a word, ends in one of the built-in errors. All mean the same: there is no schema there.
            return None
        if not isinstance(found.contents, dict | bool):
            return None
        return self._place(
            found.contents, place.path / keyword, dialect_of(found.contents, place.dialect), found.resolver
        )

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
            self._places[key] = Place(schema, self._paths.get(id(schema), path), dialect, resolver)
        return self._places[key]

    def _resolver(self, dialect: Dialect) -> Resolver[Any] | None:
        """A resolver for the root, or None where nothing refers to anything (then `referencing` is not even imported)."""
        if not self._refers:
            return None
        from referencing import Registry

        root: Resource[Any] = _specification(dialect).create_resource(self._contents)
        registry: Registry[Any] = Registry()
        return registry.resolver_with_root(root)

    # Cleaning

    def _clean(self, schema: Any) -> Any:
        """
        A copy of the document in which every keyword that should hold schemas does, so that no reader of it stumbles.

        What is malformed has no meaning: it is left out, or becomes `true` where a list or map needs an entry, and is
        recorded. Data is shared with the original, never changed.
        """
        if not isinstance(schema, dict):
            if not isinstance(schema, bool):
                self._freed(Path(), "", "not a schema")
            return schema if isinstance(schema, bool) else True
        root: dict[str, Any] = {}
        stack = [(schema, root, Path())]
        while stack:
            source, copy, path = stack.pop()
            for name, value in source.items():
                if isinstance(name, str) and self._keeps(name, value, path):
                    copy[name] = value
                    stack.extend(self._copied(copy, name, value, path / name))
        return root

    def _keeps(self, name: str, value: Any, path: Path) -> bool:
        if name in _TEXTS and not isinstance(value, str):
            self._freed(path / name, name, "not a string")
            return False
        row = KEYWORDS.get(name)
        if row is None or row.shape is Shape.DATA or isinstance(value, _CONTAINERS[row.shape]):
            return True
        self._freed(path / name, name, "no schema where one must stand")
        return False

    def _copied(self, copy: dict[str, Any], name: str, value: Any, path: Path) -> Iterator[tuple[Any, Any, Path]]:
        """Replaces the schemas in a keyword's value by copies yet to be filled, and names them."""
        row = KEYWORDS.get(name)
        if row is None or row.shape is Shape.DATA:
            return
        if isinstance(value, dict) and row.shape in (Shape.SCHEMA, Shape.SCHEMA_OR_LIST):
            only: dict[str, Any] = {}
            copy[name] = only
            yield value, only, path
        elif isinstance(value, dict | list):
            entries: Any = value.items() if isinstance(value, dict) else enumerate(value)
            held: list[tuple[Any, Any]] = []
            for token, child in entries:
                if isinstance(child, dict):
                    fresh: dict[str, Any] = {}
                    held.append((token, fresh))
                    yield child, fresh, path / token
                elif isinstance(child, bool) or (row.shape is Shape.SCHEMA_OR_NAMES_MAP and isinstance(child, list)):
                    held.append((token, child))
                else:
                    held.append((token, True))
                    self._freed(path / token, name, "not a schema")
            copy[name] = dict(held) if isinstance(value, dict) else [child for _, child in held]

    def _freed(self, path: Path, keyword: str, detail: str) -> None:
        self.losses.append(Loss(str(path), keyword, "freed", False, detail))


_TEXTS: Final = frozenset({"$schema", "$id", "id", "$anchor", "$dynamicAnchor", *_REFERENCES})
_CONTAINERS: Final[dict[Shape, Any]] = {
    Shape.SCHEMA: dict | bool,
    Shape.SCHEMA_LIST: list,
    Shape.SCHEMA_MAP: dict,
    Shape.SCHEMA_OR_LIST: dict | list | bool,
    Shape.SCHEMA_OR_NAMES_MAP: dict,
}


def _specification(dialect: Dialect) -> Specification[Any]:
    from referencing import jsonschema as known

    return {4: known.DRAFT4, 6: known.DRAFT6, 7: known.DRAFT7, 2019: known.DRAFT201909, 2020: known.DRAFT202012}[
        dialect.draft
    ]
