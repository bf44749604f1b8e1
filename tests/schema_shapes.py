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


_ONE_WALKED = ("additionalProperties", "contains", "propertyNames", "items")
_ONE = ("not", "if", "then", "else", "unevaluatedProperties", "unevaluatedItems", "contentSchema", "additionalItems")
_LIST = ("oneOf", "anyOf", "allOf", "prefixItems", "items")
_MAP = ("properties", "patternProperties", "dependentSchemas", "$defs", "definitions", "dependencies")


def by_hand(schema: Any, pointer: str = "", suite: bool = True) -> Iterator[tuple[str, bool]]:
    """The positions once more, recursively and with literal lists, as RFC 0112 and the drafts name them."""
    if not isinstance(schema, dict | bool):
        return
    yield pointer, suite
    for name, value in schema.items() if isinstance(schema, dict) else ():
        here = join(pointer, name)
        if name in _LIST and isinstance(value, list):
            for index, one in enumerate(value):
                yield from by_hand(one, f"{here}/{index}", suite and name == "prefixItems")
        elif name in _MAP and isinstance(value, dict):
            for key, one in value.items():
                yield from by_hand(one, join(here, key), suite and name == "properties")
        elif name in _ONE or name in _ONE_WALKED:
            yield from by_hand(value, here, suite and name in _ONE_WALKED)
