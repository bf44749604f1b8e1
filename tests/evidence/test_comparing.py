"""Comparing: nothing where values are equal, every place where they are not, however deep."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from strategies import json_values

from workbench.evidence.comparing import Difference, differing, leaves
from workbench.values import equal


@given(old=json_values(), new=json_values())
def test_there_is_a_difference_exactly_where_values_are_not_equal(old: Any, new: Any) -> None:
    assert list(differing(old, old)) == []
    assert (list(differing(old, new)) == []) is equal(old, new)


@given(items=json_values(), place=json_values())
def test_an_element_put_into_a_list_is_the_only_difference(items: Any, place: Any) -> None:
    before = [["a", items], ["b", place], ["c"]]
    (found,) = differing([*before[:2], ["new"], *before[2:]], before)
    assert (found.pointer, found.old, found.what) == ("/2", ["new"], "only in the bundle")


def _deep(levels: int, inside: Any) -> Any:
    for _ in range(levels):
        inside = [inside]
    return inside


def test_what_is_too_deep_to_descend_into_is_compared_as_a_whole() -> None:
    (found,) = differing(_deep(480, 1), _deep(480, 2))
    assert 10 < found.pointer.count("/") < 200


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (1, 1.0, []),
        (True, 1, [Difference("", True, 1)]),
        ({"a": 1}, {"b": 1}, [("/a", "only in the bundle"), ("/b", "missing in the bundle")]),
        ({"a/b": {"~": 1}}, {"a/b": {"~": 2}}, [("/a~1b/~0", "changed")]),
        ([1, 2, 3], [1, 3], [("/1", "only in the bundle")]),
        ([1, 3], [1, 2, 3], [("/1", "missing in the bundle")]),
        ([1, 2], [2, 1], [("/0", "changed"), ("/1", "changed")]),
        ([], {}, [("", "changed")]),
    ],
)
def test_places(old: Any, new: Any, expected: list[Any]) -> None:
    found = list(differing(old, new))
    assert [each if isinstance(each, Difference) else (each[0], each[1]) for each in expected] == [
        each if isinstance(wanted, Difference) else (each.pointer, each.what)
        for each, wanted in zip(found, expected, strict=True)
    ]


@pytest.mark.parametrize(("value", "count"), [(1, 1), (None, 1), ([], 1), ({}, 1), ([1, [2, {}]], 3), ({"a": "bc"}, 1)])
def test_values_are_counted(value: Any, count: int) -> None:
    assert leaves(value) == count
