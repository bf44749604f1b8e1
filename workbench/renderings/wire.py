"""
The rendering `wire`: the JSON text of `{"tools":[descriptors]}`, as a host sends it.

Key order and tool order as received, no spaces, characters outside ASCII as themselves. Joined, the segments are exactly
what `workbench.values.dumps` writes for `catalog.to_json()`.

Two things make this more than `json.dumps`. Each piece of text must know what it is, which depends on where it stands:
`description` is a keyword in a schema, a name below `properties` and data below `default`. And the traversal keeps its own
stack, so that a schema nested deeper than Python's recursion limit is rendered like any other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from json.encoder import encode_basestring as quoted
from typing import Any, Final, NamedTuple

from workbench.catalog import Catalog
from workbench.keywords import KEYWORDS, Role, Shape
from workbench.renderings.segments import OUTSIDE, Kind, Place, Segment
from workbench.values import dumps
from workbench.walk import Path, children

__all__ = ["wire_segments"]

#: The descriptor fields whose value is a schema (OpenWOP `ToolDescriptor`).
_SCHEMA_FIELDS: Final = frozenset({"inputSchema", "outputSchema"})
_NAMES: Final = (Shape.SCHEMA_MAP, Shape.SCHEMA_OR_NAMES_MAP)
_ENUM: Final = frozenset({"enum", "const"})

#: Which parts of a value are schemas, as paths below it; `()` is the value itself.
_Schemas = frozenset[tuple[str | int, ...]]
_NONE: Final[_Schemas] = frozenset()
_ITSELF: Final[_Schemas] = frozenset({()})


class _Value(NamedTuple):
    """A JSON value that still has to be written."""

    value: Any
    #: Where the value's own text stands.
    place: Place
    schemas: _Schemas = _NONE
    #: The keys of this value are names that the author chose.
    names: bool = False
    #: The value is a whole descriptor: its keys are fields.
    descriptor: bool = False


def wire_segments(catalog: Catalog) -> Iterator[Segment]:
    """The wire text of a catalog, piece by piece, in order."""
    yield Segment('{"tools":[', OUTSIDE)
    for index, tool in enumerate(catalog.tools):
        if index:
            yield Segment(",", OUTSIDE)
        root = Place(index, None, Kind.SYNTAX, "", Path())
        yield from _written(_Value(tool.descriptor, root, descriptor=True))
    yield Segment("]}", OUTSIDE)


def _written(root: _Value) -> Iterator[Segment]:
    """The text of one value. The stack holds what is still to come, the next piece on top."""
    stack: list[_Value | Segment] = [root]
    while stack:
        here = stack.pop()
        if isinstance(here, Segment):
            yield here
        elif isinstance(here.value, dict):
            stack.extend(reversed(list(_object(here))))
        elif isinstance(here.value, list | tuple):
            stack.extend(reversed(list(_array(here))))
        else:
            yield from _scalar(here)


def _object(here: _Value) -> Iterator[_Value | Segment]:
    syntax = _syntax(here.place)
    yield Segment("{", syntax)
    below = _schemas_by_key(here)
    separator = '"'
    for key, value in here.value.items():
        key_place, child = _member(here, key, value, below)
        around = _syntax(key_place)
        yield Segment(separator, around)
        yield Segment(quoted(key)[1:-1], key_place)
        yield Segment('":', around)
        yield child
        separator = ',"'
    yield Segment("}", syntax)


def _array(here: _Value) -> Iterator[_Value | Segment]:
    syntax = _syntax(here.place)
    yield Segment("[", syntax)
    for index, item in enumerate(here.value):
        if index:
            yield Segment(",", syntax)
        schemas = _ITSELF if (index,) in here.schemas else _NONE
        yield _Value(item, _below(here.place, index), schemas)
    yield Segment("]", syntax)


def _scalar(here: _Value) -> Iterator[Segment]:
    if not isinstance(here.value, str):
        yield Segment(dumps(here.value), here.place)
        return
    syntax = _syntax(here.place)
    yield Segment('"', syntax)
    yield Segment(quoted(here.value)[1:-1], here.place)
    yield Segment('"', syntax)


def _schemas_by_key(here: _Value) -> Mapping[str | int, set[tuple[str | int, ...]]]:
    """For each key of an object, what below it is a schema; `walk.children` alone decides where schemas stand."""
    found: dict[str | int, set[tuple[str | int, ...]]] = {}
    if () in here.schemas:
        for _, tokens, _ in children(here.value):
            found.setdefault(tokens[0], set()).add(tokens[1:])
    elif here.descriptor:
        found = {name: {()} for name in _SCHEMA_FIELDS}
    else:
        found = {tokens[0]: {()} for tokens in here.schemas}
    return found


def _member(
    here: _Value, key: str, value: Any, below: Mapping[str | int, set[tuple[str | int, ...]]]
) -> tuple[Place, _Value]:
    """The place of a member's key, and its value ready to be written."""
    schemas = frozenset(below.get(key, ()))
    path = here.place.path / key
    if here.descriptor:
        place = Place(here.place.tool, key, Kind.FIELD, "", path)
        inside = replace(place, kind=Kind.STRUCTURE) if schemas else place
        return inside, _Value(value, inside, schemas)
    if () in here.schemas:
        place = Place(here.place.tool, here.place.field, _kind(key), key, path)
        row = KEYWORDS.get(key)
        return place, _Value(value, place, schemas, names=row is not None and row.shape in _NAMES)
    inside = _below(here.place, key)
    return replace(inside, kind=Kind.NAME) if here.names else inside, _Value(value, inside, schemas)


def _kind(keyword: str) -> Kind:
    """What a schema keyword costs tokens for. An unknown keyword annotates (JSON Schema core 2020-12, 4.3.1)."""
    row = KEYWORDS.get(keyword)
    if keyword == "description":
        return Kind.DESCRIPTION
    if keyword in _ENUM:
        return Kind.ENUM
    return Kind.ANNOTATION if row is None or row.role is Role.ANNOTATION else Kind.STRUCTURE


def _below(place: Place, token: str | int) -> Place:
    return Place(place.tool, place.field, place.kind, place.keyword, place.path / token)


def _syntax(place: Place) -> Place:
    """The place of the quotes and brackets around a text; they stand where it stands."""
    return Place(place.tool, place.field, Kind.SYNTAX, place.keyword, place.path)
