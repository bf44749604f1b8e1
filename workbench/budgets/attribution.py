"""
Attribution: which tool, field, keyword and place each token of a rendered catalog belongs to.

The whole text is encoded once. A token belongs to the piece of text in which its first character stands, so every token is
counted once and the parts add up to the total exactly. Encoding the pieces one by one would not add up: tokens reach
across them (`":"` is one token in most vocabularies).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from workbench.budgets.parts import FIELD_PARTS, KEYWORD_PARTS, depth_part, field_part, keyword_part
from workbench.catalog import Catalog
from workbench.renderings import OUTSIDE, Place, Rendering
from workbench.renderings import rendering as named_rendering
from workbench.tables import Column, Table
from workbench.tokens import DEFAULT_ENCODING, Encoding
from workbench.tokens import encoding as named_encoding

__all__ = ["Attribution", "attribute", "places"]


@dataclass(frozen=True, slots=True)
class Attribution:
    """The tokens of one view; `overhead` and `tools`, and each of `fields`, `keywords`, `depths` add up to `total`."""

    total: int
    #: Tokens that start between the tools.
    overhead: int
    #: Tokens per tool, in catalog order.
    tools: tuple[int, ...]
    fields: Mapping[str, int]
    keywords: Mapping[str, int]
    depths: Mapping[str, int]
    #: The fields of each tool, in catalog order.
    tool_fields: tuple[Mapping[str, int], ...]


def attribute(catalog: Catalog, rendering: Rendering, encoding: Encoding) -> Attribution:
    """Count the tokens of a catalog as rendered and give each to the place where it starts; one encoding, linear time."""
    tools: Counter[int | None] = Counter()
    fields: Counter[str] = Counter(dict.fromkeys(FIELD_PARTS, 0))
    keywords: Counter[str] = Counter(dict.fromkeys(KEYWORD_PARTS, 0))
    depths: Counter[str] = Counter()
    tool_fields: tuple[Counter[str], ...] = tuple(Counter() for _ in catalog)
    for place, count in _placed(catalog, rendering, encoding):
        field = field_part(place)
        tools[place.tool] += count
        fields[field] += count
        keywords[keyword_part(place)] += count
        depths[depth_part(place)] += count
        if place.tool is not None:
            tool_fields[place.tool][field] += count
    per_tool = tuple(tools[index] for index in range(len(catalog)))
    return Attribution(tools.total(), tools[None], per_tool, fields, keywords, depths, tool_fields)


def places(catalog: Catalog, *, rendering: str = "wire", encoding: str = DEFAULT_ENCODING) -> Table:
    """
    The tokens of each single place in a catalog, in catalog order: tool, field, JSON Pointer from the descriptor, keyword.

    The column of tokens adds up to the total. Raises as `budget` does for a rendering or an encoding that there is not.
    """
    writes, counts = named_rendering(rendering), named_encoding(encoding)
    found: Counter[tuple[int | None, str, str, str]] = Counter()
    for place, count in _placed(catalog, writes, counts):
        found[place.tool, place.field or "", str(place.path), place.keyword] += count
    ids = catalog.ids
    columns = ("toolId", "field", "pointer", "keyword", Column("tokens", "thousands"))
    rows = [
        (None if tool is None else ids[tool], field, pointer, keyword, count)
        for (tool, field, pointer, keyword), count in found.items()
    ]
    return Table(columns, rows, f"Tokens per place (rendering {writes.name}, encoding {counts.name})")


def _placed(catalog: Catalog, rendering: Rendering, encoding: Encoding) -> Iterator[tuple[Place, int]]:
    """The pieces in which tokens start, in order, and how many do."""
    segments = list(rendering.segments(catalog))
    starts = encoding.each_start("".join(segment.text for segment in segments))
    if rendering.framing:
        yield OUTSIDE, rendering.framing
    end = 0
    start = next(starts, None)
    for text, place in segments:
        end += len(text)
        count = 0
        while start is not None and start < end:
            count += 1
            start = next(starts, None)
        if count:
            yield place, count
