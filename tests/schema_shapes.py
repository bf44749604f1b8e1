"""Values that look like schemas, keywords in every place, and a second, plain way to find the schema positions in them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

from workbench.keywords import KEYWORDS
from workbench.values import join

__all__ = ["ANYTHING", "by_hand"]

NAMES = st.sampled_from([*KEYWORDS, "x", "a/b", "c~d", ""])
SCALARS = st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(["", "object", "#/$defs/a"])
#: Keywords everywhere, with values of any shape: most of it is malformed, which is what hosts send.
ANYTHING = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=4), max_leaves=30
)


def by_hand(schema: Any, pointer: str = "", suite: bool = True) -> Iterator[tuple[str, bool]]:
    """The positions once more, recursively and with literal lists, as RFC 0112 and the drafts name them."""
    if isinstance(schema, bool):
        yield pointer, suite
    if not isinstance(schema, dict):
        return
    yield pointer, suite
    for name, value in schema.items():
        here = join(pointer, name)
        if name in ("additionalProperties", "contains", "propertyNames"):
            yield from by_hand(value, here, suite)
        elif name == "items":
            if isinstance(value, list):
                for index, one in enumerate(value):
                    yield from by_hand(one, f"{here}/{index}", False)
            else:
                yield from by_hand(value, here, suite)
        elif name in (
            "not", "if", "then", "else", "unevaluatedProperties", "unevaluatedItems", "contentSchema", "additionalItems"
        ):  # fmt: skip
            yield from by_hand(value, here, False)
        elif name in ("oneOf", "anyOf", "allOf", "prefixItems") and isinstance(value, list):
            for index, one in enumerate(value):
                yield from by_hand(one, f"{here}/{index}", suite and name == "prefixItems")
        elif name in (
            "properties", "patternProperties", "dependentSchemas", "$defs", "definitions", "dependencies"
        ) and isinstance(value, dict):  # fmt: skip
            for key, one in value.items():
                yield from by_hand(one, join(here, key), suite and name == "properties")
