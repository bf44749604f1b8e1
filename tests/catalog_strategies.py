"""Hypothesis strategies for whole catalogs: descriptors as hosts send them, schemas as nobody should write them."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from strategies import json_values, scalars, strings

from workbench.catalog import Catalog
from workbench.keywords import KEYWORDS

__all__ = ["catalogs", "descriptors", "loose_schemas"]


def loose_schemas(max_leaves: int = 25) -> st.SearchStrategy[Any]:
    """Values full of keywords, most of them with a value of some wrong shape; keywords serve as names too."""
    keys = st.sampled_from([*KEYWORDS, "x-vendor", "city"]) | strings()
    return st.recursive(
        scalars(),
        lambda inner: st.dictionaries(keys, inner, max_size=5) | st.lists(inner, max_size=3),
        max_leaves=max_leaves,
    )


def descriptors() -> st.SearchStrategy[dict[str, Any]]:
    """Standard descriptors with an id, any of the other fields, and now and then one that no view knows."""
    known = {
        "source": st.sampled_from(["mcp", "connector", "host-extension"]),
        "safetyTier": st.sampled_from(["pure", "read", "write"]),
        "title": strings(),
        "description": strings(40),
        "inputSchema": loose_schemas(),
        "outputSchema": loose_schemas(8),
        "costHint": st.just("low"),
        "": scalars(),
        "overhead": json_values(4),
    }
    return st.fixed_dictionaries({"toolId": strings()}, optional=known)


def catalogs(max_size: int = 3) -> st.SearchStrategy[Catalog]:
    """Catalogs of a few such tools; ids may occur twice."""
    return st.lists(descriptors(), max_size=max_size).map(lambda tools: Catalog.from_json({"tools": tools}))
