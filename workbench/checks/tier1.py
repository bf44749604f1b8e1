"""
The Tier-1 subset: what the structured output of three model vendors has in common (RFC 0030, an informative table).

For tools of the standard view that a model calls, staying inside is a SHOULD (RFC 0078). Every object is closed and requires all
its properties, an optional one being a union with null; branches exist inside properties only; definitions are local. Bounds,
patterns, tuples, conditions and the rest are outside. Nesting ends at 5 levels of properties and at 100 properties in all.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple
from urllib.parse import unquote

from workbench.findings import Finding
from workbench.keywords import KEYWORDS, Role
from workbench.values import join, unescape
from workbench.walk import Path, children, walk

__all__ = ["outside_tier_1"]

MAX_LEVELS = 5
MAX_PROPERTIES = 100

#: What the three have in common; any other keyword that does more than say something is outside.
_SUPPORTED = frozenset(
    {"type", "properties", "required", "additionalProperties", "items", "anyOf", "enum", "const", "$ref"}
)
_LOCAL = "#/$defs/"


class _Position(NamedTuple):
    path: Path
    schema: dict[str, Any]
    #: Levels of `properties` around it.
    level: int


def outside_tier_1(schema: Any, tool_id: str, base: str = "/inputSchema") -> Iterator[Finding]:
    """
    `tier-1`: each keyword outside the subset where it stands, and for each object one finding on what it leaves open.

    The limits on nesting and on the number of properties are one finding each. What is no schema object has no findings here.
    """
    if not isinstance(schema, dict):
        return
    recursive = _recursive(schema)

    def finding(path: Path, keyword: str, message: str, *tokens: str) -> Finding:
        return Finding("tier-1", "should", tool_id, join(base + str(path), *tokens), keyword, False, message)

    if schema.get("type") != "object":
        yield finding(Path(), "type", "the root of a tool's arguments is of the type object")
    total, too_deep = 0, False
    for position in _positions(schema):
        for keyword, message in _keywords(position, recursive):
            yield finding(position.path, keyword, message, keyword)
        if open_end := _open_end(position.schema):
            yield finding(position.path, *open_end)
        properties = position.schema.get("properties")
        if isinstance(properties, dict) and properties:
            total += len(properties)
            if position.level == MAX_LEVELS and not too_deep:
                too_deep = True
                message = f"properties are nested deeper than {MAX_LEVELS} levels from here on"
                yield finding(position.path, "properties", message, "properties")
    if total > MAX_PROPERTIES:
        yield finding(Path(), "properties", f"{total} properties in all are more than {MAX_PROPERTIES}")


def _positions(schema: dict[str, Any]) -> Iterator[_Position]:
    """Every schema object with its level; as `workbench.walk`, which knows no levels."""
    stack = [_Position(Path(), schema, 0)]
    while stack:
        here = stack.pop()
        yield here
        below = []
        for keyword, tokens, child in children(here.schema):
            if isinstance(child, dict):
                path = here.path
                for token in tokens:
                    path = path / token
                below.append(_Position(path, child, here.level + (keyword.name == "properties")))
        stack += reversed(below)


def _keywords(position: _Position, recursive: frozenset[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    schema = position.schema
    for name in schema:
        row = KEYWORDS.get(name)
        if (
            row is None
            or (row.role is Role.CORE and not row.loophole and not row.banned)
            or row.role is Role.ANNOTATION
        ):
            continue
        if name not in _SUPPORTED and name not in ("$defs", "definitions"):
            yield name, f"{name} is outside the Tier-1 subset"
    if isinstance(schema.get("items"), list):
        yield "items", "items as a list is outside the Tier-1 subset"
    if "anyOf" in schema and position.path.parent is None:
        yield "anyOf", "anyOf at the root is outside the Tier-1 subset; inside properties it is not"
    values = schema.get("enum")
    if isinstance(values, list) and any(isinstance(value, dict | list) for value in values):
        yield "enum", "an enum of other values than scalars is outside the Tier-1 subset"
    if isinstance(target := schema.get("$ref"), str):
        if not target.startswith(_LOCAL):
            yield "$ref", f"a reference to anything but {_LOCAL}... is outside the Tier-1 subset"
        elif (_definition_of(position.path), _target(target)) in recursive:
            yield "$ref", "recursion is outside the Tier-1 subset: one of the three vendors lacks it"


def _open_end(schema: dict[str, Any]) -> tuple[str, str] | None:
    """What an object schema leaves open that Tier-1 wants closed."""
    types, properties = schema.get("type"), schema.get("properties")
    is_object = types == "object" or (isinstance(types, list) and "object" in types) or isinstance(properties, dict)
    if not is_object:
        return None
    names = properties if isinstance(properties, dict) else {}
    required = schema.get("required")
    optional = [name for name in names if name not in (required if isinstance(required, list) else ())]
    wants = []
    if schema.get("additionalProperties") is not False:
        wants.append("does not say additionalProperties: false")
    if optional:
        wants.append(f"does not require {len(optional)} of its {len(names)} properties")
    keyword = "required" if wants and wants[0].startswith("does not require") else "additionalProperties"
    return (keyword, f"the object {' and '.join(wants)}") if wants else None


def _recursive(schema: dict[str, Any]) -> frozenset[tuple[str, str]]:
    """The references from definition to definition that can go on for ever, as pairs of names."""
    definitions = schema.get("$defs")
    if not isinstance(definitions, dict):
        return frozenset()
    refers = {name: set(_references(below)) & definitions.keys() for name, below in definitions.items()}
    waits = {name: len(to) for name, to in refers.items()}
    referred: dict[str, list[str]] = {name: [] for name in definitions}
    for name, to in refers.items():
        for target in to:
            referred[target].append(name)
    ends = [name for name, count in waits.items() if not count]
    while ends:
        for name in referred[ends.pop()]:
            waits[name] -= 1
            if not waits[name]:
                ends.append(name)
    return frozenset((name, to) for name, targets in refers.items() if waits[name] for to in targets if waits[to])


def _references(schema: Any) -> Iterator[str]:
    for visit in walk(schema):
        target = visit.schema.get("$ref") if isinstance(visit.schema, dict) else None
        if isinstance(target, str) and target.startswith(_LOCAL):
            yield _target(target)


def _target(reference: str) -> str:
    return unescape(unquote(reference.removeprefix(_LOCAL).partition("/")[0]))


def _definition_of(path: Path) -> str:
    tokens = path.tokens()
    return str(tokens[1]) if len(tokens) > 1 and tokens[0] == "$defs" else ""
