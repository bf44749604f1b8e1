"""Hypothesis strategies for what the package reads; each names what it leaves out."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

__all__ = ["BIG", "json_objects", "json_values", "numbers", "scalars", "strings"]

BIG = 2**53
"""The first integer whose successor no double holds: where rounding starts to show."""


def strings(max_size: int = 12) -> st.SearchStrategy[str]:
    """Any text that UTF-8 has, so no half surrogate pairs; names that mean something in JSON Schema come up often."""
    telling = st.sampled_from(
        ["", "a", "b", "type", "properties", "oneOf", "$ref", "title", "~", "/", "~1", "\u202e", "日本", "👩‍🔧"]
    )
    return telling | st.text(st.characters(exclude_categories=["Cs"]), max_size=max_size)


def numbers() -> st.SearchStrategy[int | float]:
    """Integers of any size and finite floats, with pairs that are equal across the two types."""
    near = st.sampled_from([0, -0.0, 1, 1.0, BIG, float(BIG), BIG + 1, 10**300, 1e300, 0.1, 1e-320])
    return near | st.integers() | st.floats(allow_nan=False, allow_infinity=False)


def scalars() -> st.SearchStrategy[Any]:
    return st.none() | st.booleans() | numbers() | strings()


def json_values(max_leaves: int = 20) -> st.SearchStrategy[Any]:
    """Any JSON value, moderately deep; nesting near the limit is for tests of its own."""
    return st.recursive(
        scalars(),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(strings(), inner, max_size=4),
        max_leaves=max_leaves,
    )


def json_objects(max_leaves: int = 20) -> st.SearchStrategy[dict[str, Any]]:
    return st.dictionaries(strings(), json_values(max_leaves), max_size=5)
