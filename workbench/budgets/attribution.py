"""
Attribution: which tool, field and keyword each token of a rendered catalog belongs to.

The whole text is encoded once. A token belongs to the piece of text in which its first character stands, so every token is
counted once and the parts add up to the total exactly. Encoding the pieces one by one would not add up: tokens reach
across them (`":"` is one token in most vocabularies).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from workbench.budgets.parts import FIELD_PARTS, KEYWORD_PARTS, field_part, keyword_part
from workbench.catalog import Catalog
from workbench.renderings import Rendering
from workbench.tokens import Encoding

__all__ = ["Attribution", "attribute"]


@dataclass(frozen=True, slots=True)
class Attribution:
    """The tokens of one view; `overhead` and `tools`, `fields`, `keywords` each add up to `total`."""

    total: int
    #: Tokens that start between the tools.
    overhead: int
    #: Tokens per tool, in catalog order.
    tools: tuple[int, ...]
    fields: Mapping[str, int]
    keywords: Mapping[str, int]


def attribute(catalog: Catalog, rendering: Rendering, encoding: Encoding) -> Attribution:
    """Count the tokens of a catalog as rendered and give each to the place where it starts; one encoding, linear time."""
    starts = encoding.starts(rendering.text(catalog))
    tools: Counter[int | None] = Counter()
    fields: Counter[str] = Counter(dict.fromkeys(FIELD_PARTS, 0))
    keywords: Counter[str] = Counter(dict.fromkeys(KEYWORD_PARTS, 0))
    end = seen = 0
    for text, place in rendering.segments(catalog):
        end += len(text)
        before = seen
        while seen < len(starts) and starts[seen] < end:
            seen += 1
        if seen > before:
            tools[place.tool] += seen - before
            fields[field_part(place)] += seen - before
            keywords[keyword_part(place)] += seen - before
    per_tool = tuple(tools[index] for index in range(len(catalog.tools)))
    return Attribution(len(starts), tools[None], per_tool, fields, keywords)
