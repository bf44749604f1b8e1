"""
Segments: a rendered text in pieces, each of which knows where in the catalog it came from.

These are pure values. A rendering produces them, a budget adds up what they cost; neither knows the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from workbench.walk import Path

__all__ = ["OUTSIDE", "Kind", "Place", "Segment"]


class Kind(Enum):
    """What a piece of text is, as seen by somebody who wonders what it costs."""

    OUTSIDE = "text between the tools"
    SYNTAX = "braces, brackets, quotes, colons and commas"
    FIELD = "a descriptor field outside schemas: its name and its text"
    STRUCTURE = "schema keywords and their values, unless another kind fits better"
    NAME = "a name in a map of schemas: above all the names of arguments"
    DESCRIPTION = "a schema's description"
    ENUM = "the values of `enum` and `const`"
    ANNOTATION = "keywords that only annotate, known or not: `title`, `default`, `examples`, ..."


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """Where a piece of text comes from."""

    #: The tool's position in the catalog, from 0; None between the tools.
    tool: int | None
    #: The descriptor field that the text stands in; None for the braces around the descriptor.
    field: str | None
    kind: Kind
    #: The schema keyword that the text belongs to; "" outside schemas and at a schema's root.
    keyword: str
    #: From the descriptor's root; `str(place.path)` is the JSON Pointer.
    path: Path
    #: How many schemas the text stands in: 0 outside schemas, 1 for the root's own keywords and the names of arguments.
    depth: int = 0


class Segment(NamedTuple):
    """
    A piece of rendered text and its place.

    A plain tuple, not a dataclass like its neighbours: a large catalog has hundreds of thousands of them.
    """

    text: str
    place: Place


#: The place of everything that belongs to no tool.
OUTSIDE = Place(None, None, Kind.OUTSIDE, "", Path())
