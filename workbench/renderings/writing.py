"""
JSON renderings: a value that holds a list of tools, written out lexeme by lexeme, each of which knows where it came from.

Two things make this more than `json.dumps`. Each piece of text must know what it is, which depends on where it stands:
`description` is a keyword in a schema, a name below `properties` and data below `default`. And the traversal keeps its own
stack, so that a schema nested deeper than Python's recursion limit is rendered like any other.

How the lexemes are spelled is a second step, so that the text without spaces, the text with spaces and the text as it was
received are three spellings of the same walk.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from json.encoder import encode_basestring as quoted
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from workbench.keywords import KEYWORDS, Role, Shape
from workbench.renderings.segments import OUTSIDE, Kind, Place, Segment
from workbench.values import dumps
from workbench.walk import Path, children

__all__ = ["Layout", "Lexeme", "as_spelled", "keyword_kind", "lexemes", "tight", "with_spaces"]

#: The descriptor fields whose value is a schema (OpenWOP `ToolDescriptor`).
_SCHEMA_FIELDS: Final = frozenset({"inputSchema", "outputSchema"})
_NAMES: Final = (Shape.SCHEMA_MAP, Shape.SCHEMA_OR_NAMES_MAP)
_ENUM: Final = frozenset({"enum", "const"})
_SPACED: Final = MappingProxyType({",": ", ", ":": ": "})
#: White space, then one lexeme of JSON (RFC 8259, section 2), in text that is known to be JSON.
_LEXEME: Final = re.compile(r'[ \t\r\n]*("[^"\\]*(?:\\.[^"\\]*)*"|[\[\]{}:,]|[^ \t\r\n\[\]{}:,"]+)', re.DOTALL)

#: Which parts of a value are schemas, as paths below it; `()` is the value itself.
_Schemas = frozenset[tuple[str | int, ...]]
_NONE: Final[_Schemas] = frozenset()
_ITSELF: Final[_Schemas] = frozenset({()})


class Layout(NamedTuple):
    """A JSON value that is sent, and what in it stands for what in the catalog."""

    value: Any
    #: The tokens that lead to the list of tools.
    tools: tuple[str | int, ...]
    #: The descriptor field that a member of a tool stands for, where it has another name; None for what stands for none.
    fields: Mapping[str, str | None] = MappingProxyType({})
    #: The member that holds a tool's members, where a tool has them one level further down.
    inner: str | None = None


class Lexeme(NamedTuple):
    """A bracket, a comma, a colon, a scalar, or a string with its quotes."""

    text: str
    place: Place
    #: Where the quotes of a string belong, and white space before it.
    around: Place


class _Value(NamedTuple):
    """A JSON value that still has to be written."""

    value: Any
    #: Where the value's own text stands.
    place: Place
    schemas: _Schemas = _NONE
    #: The keys of this value are names that the author chose.
    names: bool = False
    #: The value is a tool: its keys are fields.
    tool: bool = False
    #: What leads from here to the list of tools; `()` is that list.
    route: tuple[str | int, ...] | None = None


def lexemes(layout: Layout) -> Iterator[Lexeme]:
    """What a value is written with, in order. The stack holds what is still to come, the next piece on top."""
    stack: list[_Value | Lexeme] = [_Value(layout.value, OUTSIDE, route=layout.tools)]
    while stack:
        here = stack.pop()
        if isinstance(here, Lexeme):
            yield here
        elif isinstance(here.value, dict):
            stack.extend(reversed(list(_object(here, layout))))
        elif isinstance(here.value, list | tuple):
            stack.extend(reversed(list(_array(here))))
        else:
            text = quoted(here.value) if isinstance(here.value, str) else dumps(here.value)
            yield Lexeme(text, here.place, _syntax(here.place))


def tight(written: Iterable[Lexeme]) -> Iterator[Segment]:
    """Without any space: what `workbench.values.dumps` writes."""
    for text, place, around in written:
        yield from _spelled(text, place, around)


def with_spaces(written: Iterable[Lexeme]) -> Iterator[Segment]:
    """With a space after each comma and colon, on one line: what `json.dumps` and many other writers give unless told."""
    for text, place, around in written:
        yield from _spelled(_SPACED.get(text, text), place, around)


def as_spelled(written: Iterable[Lexeme], text: str) -> Iterator[Segment]:
    """As in `text`, which is JSON for the same value: with its white space, and its way to write strings and numbers."""
    end = 0
    if text.startswith("\ufeff"):
        yield Segment("\ufeff", OUTSIDE)
        end = 1
    for _, place, around in written:
        found = _LEXEME.match(text, end)
        assert found is not None, "the text holds as many lexemes as the value it was read to"
        if found.start(1) > end:
            yield Segment(text[end : found.start(1)], around)
        yield from _spelled(found[1], place, around)
        end = found.end()
    if end < len(text):
        yield Segment(text[end:], OUTSIDE)


def keyword_kind(keyword: str) -> Kind:
    """What a schema keyword costs tokens for. An unknown keyword annotates (JSON Schema core 2020-12, 4.3.1)."""
    row = KEYWORDS.get(keyword)
    if keyword == "description":
        return Kind.DESCRIPTION
    if keyword in _ENUM:
        return Kind.ENUM
    return Kind.ANNOTATION if row is None or row.role is Role.ANNOTATION else Kind.STRUCTURE


def _spelled(text: str, place: Place, around: Place) -> Iterator[Segment]:
    if not text.startswith('"'):
        yield Segment(text, place)
        return
    yield Segment('"', around)
    yield Segment(text[1:-1], place)
    yield Segment('"', around)


def _object(here: _Value, layout: Layout) -> Iterator[_Value | Lexeme]:
    syntax = _syntax(here.place)
    yield Lexeme("{", syntax, syntax)
    below = _schemas_by_key(here, layout)
    first = True
    for key, value in here.value.items():
        key_place, child = _member(here, key, value, below, layout)
        around = _syntax(key_place)
        if not first:
            yield Lexeme(",", around, around)
        yield Lexeme(quoted(key), key_place, around)
        yield Lexeme(":", around, around)
        yield child
        first = False
    yield Lexeme("}", syntax, syntax)


def _array(here: _Value) -> Iterator[_Value | Lexeme]:
    syntax = _syntax(here.place)
    yield Lexeme("[", syntax, syntax)
    for index, item in enumerate(here.value):
        if index:
            yield Lexeme(",", syntax, syntax)
        if here.route == ():
            yield _Value(item, Place(index, None, Kind.SYNTAX, "", Path()), tool=True)
        elif here.place.tool is None:
            yield _Value(item, OUTSIDE, route=_onward(here.route, index))
        else:
            schemas = _ITSELF if (index,) in here.schemas else _NONE
            yield _Value(item, _below(here.place, index), schemas)
    yield Lexeme("]", syntax, syntax)


def _schemas_by_key(here: _Value, layout: Layout) -> Mapping[str | int, set[tuple[str | int, ...]]]:
    """For each key of an object, what below it is a schema; `walk.children` alone decides where schemas stand."""
    found: dict[str | int, set[tuple[str | int, ...]]] = {}
    if () in here.schemas:
        for _, tokens, _ in children(here.value):
            found.setdefault(tokens[0], set()).add(tokens[1:])
    elif here.tool:
        found = {key: {()} for key in here.value if layout.fields.get(key, key) in _SCHEMA_FIELDS}
    else:
        found = {tokens[0]: {()} for tokens in here.schemas}
    return found


def _member(
    here: _Value, key: str, value: Any, below: Mapping[str | int, set[tuple[str | int, ...]]], layout: Layout
) -> tuple[Place, _Value]:
    """The place of a member's key, and its value ready to be written."""
    at, schemas = here.place, frozenset(below.get(key, ()))
    if at.tool is None:
        return OUTSIDE, _Value(value, OUTSIDE, route=_onward(here.route, key))
    if here.tool:
        field = layout.fields.get(key, key)
        if key == layout.inner or field is None:
            return at, _Value(value, at, tool=key == layout.inner)
        place = Place(at.tool, field, Kind.FIELD, "", at.path / field)
        inside = Place(at.tool, field, Kind.STRUCTURE, "", place.path) if schemas else place
        return inside, _Value(value, inside, schemas)
    if () in here.schemas:
        place = Place(at.tool, at.field, keyword_kind(key), key, at.path / key, at.depth + 1)
        row = KEYWORDS.get(key)
        return place, _Value(value, place, schemas, names=row is not None and row.shape in _NAMES)
    inside = _below(at, key)
    named = Place(at.tool, at.field, Kind.NAME, at.keyword, inside.path, at.depth) if here.names else inside
    return named, _Value(value, inside, schemas)


def _onward(route: tuple[str | int, ...] | None, token: str | int) -> tuple[str | int, ...] | None:
    return route[1:] if route and route[0] == token else None


def _below(place: Place, token: str | int) -> Place:
    return Place(place.tool, place.field, place.kind, place.keyword, place.path / token, place.depth)


def _syntax(place: Place) -> Place:
    """The place of the quotes and brackets around a text; they stand where it stands."""
    if place.tool is None or place.kind is Kind.SYNTAX:
        return place
    return Place(place.tool, place.field, Kind.SYNTAX, place.keyword, place.path, place.depth)
