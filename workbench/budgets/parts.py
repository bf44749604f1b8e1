"""
Parts: the names under which a catalog's tokens are added up, by descriptor field, by schema keyword and by depth.

Each split covers the whole text, so that it adds up to the total. They differ in what they do with JSON's own syntax.
By field it is a part of its own, since no field can be blamed for it; only the fields that the compact view leaves out are
counted whole, because they go whole. By keyword it goes with the keyword that needs it: the number then says what the
keyword costs, its name, its quotes and its value together.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal

from workbench.keywords import KEYWORDS
from workbench.projection import COMPACT_FIELDS
from workbench.renderings import Kind, Place

__all__ = ["FIELD_PARTS", "KEYWORD_PARTS", "By", "depth_part", "field_part", "keyword_part"]

By = Literal["tool", "field", "keyword", "depth"]

_INPUT: Final = {
    Kind.STRUCTURE: "inputSchema.structure",
    Kind.NAME: "inputSchema.names",
    Kind.DESCRIPTION: "inputSchema.descriptions",
    Kind.ENUM: "inputSchema.enums",
    Kind.ANNOTATION: "inputSchema.annotations",
}
_COMPACT: Final = tuple(name for name in COMPACT_FIELDS if name != "inputSchema")
_HEAVY: Final = ("outputSchema", "auth", "egress", "approval", "replayPolicy", "costHint", "latencyHint", "annotations")
_OTHER_FIELDS: Final = "other fields"
_PUNCTUATION: Final = "punctuation"
_OUTSIDE_SCHEMAS: Final = "outside schemas"
_UNKNOWN: Final = "unknown keywords"
_OVERHEAD: Final = "overhead"


def _distinct(*groups: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for group in groups for name in group))


#: Every key that `field_part` gives, in the order in which they are shown.
FIELD_PARTS: Final = _distinct(_COMPACT, _INPUT.values(), _HEAVY, (_OTHER_FIELDS, _PUNCTUATION, _OVERHEAD))
#: Every key that `keyword_part` gives, in the order in which they are shown. No keyword has a space in its name.
KEYWORD_PARTS: Final = _distinct(KEYWORDS, (_UNKNOWN, _OUTSIDE_SCHEMAS, _OVERHEAD))


def field_part(place: Place) -> str:
    """The part that a piece of text counts for when tokens are split by descriptor field."""
    if place.kind is Kind.OUTSIDE:
        return _OVERHEAD
    if place.field in _HEAVY:
        return place.field
    if place.field is not None and place.field not in (*_COMPACT, "inputSchema"):
        return _OTHER_FIELDS
    if place.field is None or place.kind is Kind.SYNTAX:
        return _PUNCTUATION
    return _INPUT.get(place.kind, place.field)


def keyword_part(place: Place) -> str:
    """The part that a piece of text counts for when tokens are split by schema keyword, in all schemas of a tool."""
    if place.kind is Kind.OUTSIDE:
        return _OVERHEAD
    if not place.keyword:
        return _OUTSIDE_SCHEMAS
    return place.keyword if place.keyword in KEYWORDS else _UNKNOWN


def depth_part(place: Place) -> str:
    """
    The part that a piece of text counts for when tokens are split by depth: by how many schemas it stands in.

    `depth 1` is what a root schema says, the names of arguments among it; `depth 2` what is said of each argument.
    """
    if place.kind is Kind.OUTSIDE:
        return _OVERHEAD
    return f"depth {place.depth}" if place.depth else _OUTSIDE_SCHEMAS
