from __future__ import annotations

import copy
from collections.abc import Hashable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import BIG, json_values, numbers

from workbench.values import dumps, equal, freeze, read_json


def by_definition(a: Any, b: Any) -> bool:
    """JSON Schema core section 4.2.2, word for word and by recursion; numbers as exact fractions."""
    if isinstance(a, dict) and isinstance(b, dict):
        return sorted(a) == sorted(b) and all(by_definition(a[key], b[key]) for key in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(by_definition, a, b))
    if isinstance(a, bool) or isinstance(b, bool) or a is None or b is None:
        return a is b
    if isinstance(a, int | float) and isinstance(b, int | float):
        return Fraction(a) == Fraction(b)
    return isinstance(a, str) and isinstance(b, str) and a == b


def respelled(value: Any) -> Any:
    """An equal value whose members stand the other way round and whose whole numbers are of the other type, where exact."""
    if isinstance(value, dict):
        return {key: respelled(value[key]) for key in reversed(value)}
    if isinstance(value, list):
        return [respelled(item) for item in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if type(value) is int and abs(value) <= BIG:
        return float(value)
    return copy.copy(value)


pairs = (
    st.tuples(json_values(), json_values())
    | json_values().map(lambda v: (v, respelled(v)))
    | st.tuples(numbers(), numbers())
)


@given(pairs)
def test_equality_is_as_defined_and_symmetric(pair: tuple[Any, Any]) -> None:
    a, b = pair
    assert equal(a, b) == equal(b, a) == by_definition(a, b)


@given(pairs)
def test_frozen_values_are_equal_exactly_when_values_are(pair: tuple[Any, Any]) -> None:
    a, b = pair
    assert (freeze(a) == freeze(b)) == equal(a, b)
    if equal(a, b):
        assert hash(freeze(a)) == hash(freeze(b))


@given(json_values())
def test_a_value_equals_its_copy_and_its_respelling(value: Any) -> None:
    assert equal(value, copy.deepcopy(value))
    assert equal(value, respelled(value))


@given(json_values())
def test_nothing_is_changed(value: Any) -> None:
    before = dumps(value)
    freeze(value)
    equal(value, respelled(value))
    assert dumps(value) == before


SAME = [(1, 1.0), (0.0, -0.0), (0, -0.0), (BIG, float(BIG)), ({"a": 1, "b": 2}, {"b": 2.0, "a": 1.0}), ("é", "\u00e9")]
DIFFERENT = [
    (True, 1),
    (False, 0),
    (False, 0.0),
    (None, False),
    (None, "None"),
    (True, "True"),
    ("1", 1),
    ([], {}),
    ("", []),
    ([], ""),
    ([[]], [[], []]),
    ([[], [[]]], [[[]], []]),
    (["[", "]"], [[]]),
    (["{", "}"], [{}]),
    ({"a": []}, ["a", []]),
    ({"a": {}, "b": 1}, {"a": {"b": 1}}),
    ({"a": None}, {}),
    ({"a": None}, {"b": None}),
    ([1, 2], [2, 1]),
    (BIG + 1, float(BIG)),
    (10**400, 1e308),
    (10**300, 1e300),
    ("é", "e\u0301"),
    ("a", "A"),
    ([True], [1]),
    ({"a": [True]}, {"a": [1]}),
]


@pytest.mark.parametrize(("a", "b", "same"), [(*pair, True) for pair in SAME] + [(*pair, False) for pair in DIFFERENT])
def test_by_example(a: Any, b: Any, same: bool) -> None:
    assert equal(a, b) is equal(b, a) is same
    assert (freeze(a) == freeze(b)) is same


def test_depth_is_no_matter() -> None:
    def deep(last: Any) -> Any:
        for _ in range(100_000):
            last = [{"a": last}]
        return last

    one, other, third = deep(1), deep(1.0), deep(2)
    assert equal(one, other)
    assert not equal(one, third)
    key: Hashable = freeze(one)
    assert key == freeze(other) != freeze(third)
    assert hash(key) == hash(freeze(other))


def test_numbers_as_they_are_read() -> None:
    assert equal(read_json("[1.0,1e2,-0]"), [1, 100, 0])
    assert len({freeze(read_json(text)) for text in ("1", "1.0", "10e-1", "true", '"1"')}) == 3


@pytest.mark.parametrize("value", [{1}, [b""], {"a": object()}])
def test_what_is_no_json_value_has_no_key(value: Any) -> None:
    with pytest.raises(TypeError, match="no JSON type"):
        freeze(value)
