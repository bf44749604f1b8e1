"""
Savings: what a catalog would cost without one kind of content, or with less of it, and what a model would then not know.

Each kind is taken out of the whole catalog, and the result is rendered and encoded anew, so the figures are exact. They are
measured one at a time: two together save about, not exactly, the sum. The changed catalogs are measured and thrown away; to
serve less, project with other limits, or write less.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

from workbench.catalog import Catalog
from workbench.descriptions.markup import spans
from workbench.descriptions.sentences import sentence_ends
from workbench.keywords import KEYWORDS, Role
from workbench.renderings import rendering as named_rendering
from workbench.tables import Cell, Column, Table
from workbench.tokens import DEFAULT_ENCODING
from workbench.tokens import encoding as named_encoding
from workbench.values import dumps, read_json, split
from workbench.walk import walk

__all__ = ["Saving", "Savings", "savings"]

#: Changes a descriptor in place; says at how many places.
_Edit: TypeAlias = Callable[[dict[str, Any]], int]

_SCHEMA_FIELDS: Final = ("inputSchema", "outputSchema")
_BOUNDS: Final = tuple(
    name
    for name, row in KEYWORDS.items()
    if row.role is Role.ASSERTION and row.constrains != "any" and not name.lower().endswith("required")
)
_NOTES: Final = tuple(name for name, row in KEYWORDS.items() if row.role is Role.ANNOTATION and name != "description")


@dataclass(frozen=True, slots=True)
class Saving:
    """One kind of content: what taking it out saves, where, and at what price."""

    what: str
    #: Tokens of the whole catalog that this saves; negative where a shorter text happens to take more tokens.
    tokens: int
    #: The same as a share of the catalog's total; 1 is all of it.
    ratio: float
    places: int
    tools: int
    #: What a model would no longer know.
    costs: str


@dataclass(frozen=True, slots=True, repr=False)
class Savings:
    """The savings that a catalog still has in it, the largest first; kinds that it does not have are left out."""

    rows: tuple[Saving, ...]
    total: int
    view: str
    rendering: str
    encoding: str

    def table(self) -> Table:
        """One row for each kind."""
        heads = (Column("tokens saved", "thousands"), Column("of total", "percent"), Column("places", "thousands"))
        rows: list[list[Cell]] = [
            [row.what, row.tokens, row.ratio, row.places, row.tools, row.costs] for row in self.rows
        ]
        under = f"{self.total:,} tokens, rendering {self.rendering}, encoding {self.encoding}"
        title = f"Savings not yet taken in the {self.view} view ({under}), each measured on its own"
        return Table(("without", *heads, Column("tools", "thousands"), "what a model then does not know"), rows, title)

    def to_json(self) -> list[dict[str, Any]]:
        """One object for each kind."""
        return [
            {
                "what": row.what,
                "tokens": row.tokens,
                "ratio": row.ratio,
                "places": row.places,
                "tools": row.tools,
                "costs": row.costs,
            }
            for row in self.rows
        ]

    def __repr__(self) -> str:
        return self.table().text()

    def _repr_html_(self) -> str:
        return self.table().html()


def savings(catalog: Catalog, *, rendering: str = "wire", encoding: str = DEFAULT_ENCODING) -> Savings:
    """
    The savings not yet taken in a catalog, in whichever view it is.

    Raises as `budget` does. What was received cannot be received otherwise: for the rendering `received`, `wire` is measured.
    """
    writes = named_rendering("wire" if rendering == "received" else rendering)
    counts = named_encoding(encoding)
    total = writes.count(catalog, counts)
    rows = []
    for what, edit, costs in _KINDS:
        tools, places = [], []
        for tool in catalog:
            descriptor: Any = read_json(dumps(tool.descriptor))  # A copy at any depth.
            places.append(edit(descriptor))
            tools.append(replace(tool, descriptor=descriptor))
        if any(places):
            saved = total - writes.count(replace(catalog, tools=tuple(tools)), counts)
            rows.append(Saving(what, saved, saved / total, sum(places), sum(map(bool, places)), costs))
    rows.sort(key=lambda row: -row.tokens)
    return Savings(tuple(rows), total, catalog.view, writes.name, counts.name)


def _schemas(descriptor: dict[str, Any]) -> list[dict[str, Any]]:
    """All schemas of a tool that are objects."""
    return [
        visit.schema
        for field in _SCHEMA_FIELDS
        for visit in walk(descriptor.get(field))
        if isinstance(visit.schema, dict)
    ]


def _without_field(name: str) -> _Edit:
    def edit(descriptor: dict[str, Any]) -> int:
        return descriptor.pop(name, None) is not None

    return edit


def _without_keywords(names: Iterable[str]) -> _Edit:
    wanted = frozenset(names)

    def edit(descriptor: dict[str, Any]) -> int:
        places = 0
        for schema in _schemas(descriptor):
            for name in wanted & schema.keys():
                del schema[name]
                places += 1
        return places

    return edit


def _closed(descriptor: dict[str, Any]) -> int:
    closed = [schema for schema in _schemas(descriptor) if schema.get("additionalProperties") is False]
    for schema in closed:
        del schema["additionalProperties"]
    return len(closed)


def _led(holders: Iterable[dict[str, Any]]) -> int:
    """Cut descriptions to their first sentence."""
    places = 0
    for holder in holders:
        whole = holder.get("description")
        if isinstance(whole, str):
            ends = sentence_ends(whole, spans(whole))
            holder["description"] = whole[: ends[0]].rstrip() if ends else whole
            places += holder["description"] != whole
    return places


def _said_once(descriptor: dict[str, Any]) -> int:
    seen: set[str] = set()
    places = 0
    for schema in _schemas(descriptor):
        text = schema.get("description")
        if isinstance(text, str):
            if text in seen:
                del schema["description"]
                places += 1
            seen.add(text)
    return places


def _flat(descriptor: dict[str, Any]) -> int:
    """Leave arguments of the tool itself, and say of nested ones no more than their type."""
    places = 0
    schema = descriptor.get("inputSchema")
    properties = schema.get("properties") if isinstance(schema, dict) else None
    for argument in properties.values() if isinstance(properties, dict) else ():
        if isinstance(argument, dict):
            nested = ("properties", "required", "items", "additionalProperties", "oneOf", "anyOf", "allOf")
            for name in nested:
                places += argument.pop(name, None) is not None
    return places


def _reachable(descriptor: dict[str, Any]) -> int:
    """Drop definitions that no reference of the same schema leads to."""
    places = 0
    for field in _SCHEMA_FIELDS:
        root: Any = descriptor.get(field)
        stores = {name: root[name] for name in ("$defs", "definitions") if isinstance(root, dict) and name in root}
        if not all(isinstance(store, dict) for store in stores.values()):
            continue
        wanted = _led_to(root, stores)
        for name, store in stores.items():
            for key in [key for key in store if (name, key) not in wanted]:
                del store[key]
                places += 1
            if not store:
                del root[name]
    return places


def _led_to(root: Any, stores: dict[str, Any]) -> set[tuple[str, str]]:
    """The definitions that references lead to, from what is outside of them on; with other references than `#/...`, all."""
    found: set[tuple[str, str]] = set()
    waiting = [{name: value for name, value in root.items() if name not in stores}] if stores else []
    while waiting:
        for visit in walk(waiting.pop()):
            reference = visit.schema.get("$ref") if isinstance(visit.schema, dict) else None
            if not isinstance(reference, str):
                continue
            tokens = split(reference[1:]) if reference.startswith("#/") else []
            if reference != "#" and (len(tokens) < 2 or tokens[0] not in stores):
                return {(name, key) for name, store in stores.items() for key in store}
            if reference != "#" and tokens[1] in stores[tokens[0]] and (tokens[0], tokens[1]) not in found:
                found.add((tokens[0], tokens[1]))
                waiting.append(stores[tokens[0]][tokens[1]])
    return found


_KINDS: Final[tuple[tuple[str, _Edit, str], ...]] = (
    ("tool descriptions", _without_field("description"), "what a tool is for, beyond its name"),
    (
        "tool descriptions after their first sentence",
        lambda tool: _led([tool]),
        "when to use a tool, how, and what for",
    ),
    ("descriptions in schemas", _without_keywords(["description"]), "what an argument means, beyond its name"),
    (
        "descriptions in schemas after their first sentence",
        lambda tool: _led(_schemas(tool)),
        "the finer rules of an argument",
    ),
    ("descriptions in schemas that repeat another of the tool", _said_once, "that the same holds here"),
    ("titles of tools", _without_field("title"), "a second name for people"),
    ("other annotations in schemas", _without_keywords(_NOTES), "titles, defaults and examples"),
    ("enum and const", _without_keywords(["enum", "const"]), "the values to choose from; wrong ones are then accepted"),
    ("bounds and patterns", _without_keywords(_BOUNDS), "how long, how many, of which shape; others are then accepted"),
    ("formats", _without_keywords(["format"]), "that a text is a date, an address, ..."),
    ("additionalProperties: false", _closed, "that there are no other arguments; others are then accepted"),
    ("everything nested in arguments", _flat, "what objects and lists hold; anything is then accepted"),
    ("definitions that nothing refers to", _reachable, "nothing"),
    ("output schemas", _without_field("outputSchema"), "what comes out of a tool"),
    ("$schema and other identifiers", _without_keywords(["$schema", "$id", "id", "$comment"]), "nothing"),
)
