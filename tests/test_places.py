"""Document order: a value before what it holds, members and elements as they stand."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from strategies import json_values

from workbench.places import places
from workbench.values import join


def pointers(value: Any, pointer: str = "") -> list[str]:
    """All pointers of a small document, in order, by plain recursion."""
    below = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [pointer, *(found for token, child in below for found in pointers(child, join(pointer, token)))]


@given(json_values())
def test_sorting_gives_the_order_of_the_document(value: Any) -> None:
    ordered = pointers(value)
    backwards = ordered[::-1]
    assert sorted(backwards, key=places(value)) == ordered


def test_a_pointer_that_leads_nowhere_stands_with_the_last_value_that_is_there() -> None:
    place = places({"a": {"b": 1}, "c": []})
    assert place("/a/x") == place("/a")
    assert place("/c/7") == place("/c/-") == place("/c")
    assert place("/z/y/x") == ()
