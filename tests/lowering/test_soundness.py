"""
Soundness: what the original accepts in its own dialect, the lowered schema accepts in 2020-12, whatever the bound.

The judge is jsonschema for both. Where it has no verdict on the original (a reference that leads nowhere or round in a
circle, a malformed keyword under which it stumbles), there is nothing to hold the lowering to.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lowering.oracle import accepts, lowered, original
from lowering.strategies import VALUES, Context, documents, instances, schemas
from workbench.keywords import ALL_DRAFTS, KEYWORDS, Draft
from workbench.lowering import Bound, Lowered, lower
from workbench.values import dumps

#: Sizes that a result is cut to, as shares of its whole: a cut may fall between any two keywords.
SHARES = (0.97, 0.8, 0.65, 0.5, 0.35, 0.2)


def bounded(schema: Any, limit: int) -> Lowered:
    return lower(schema, bound=Bound(len, limit))


def cuts(schema: Any) -> list[Lowered]:
    """The lowering without a bound, and cut to many sizes."""
    whole = lower(schema)
    size = len(dumps(whole.schema))
    return [whole, *(bounded(schema, int(size * share)) for share in SHARES)]


def hold(schema: Any, results: list[Lowered], instance: Any) -> None:
    if accepts(original(schema), instance):
        for result in results:
            assert accepts(lowered(result.schema), instance), result.schema


@given(st.data())
@settings(max_examples=100)
def test_every_accepted_object_stays_accepted(data: st.DataObject) -> None:
    schema = data.draw(documents())
    results = cuts(schema)
    for _ in range(4):
        hold(schema, results, data.draw(instances(schema)))


@pytest.mark.parametrize("draft", ALL_DRAFTS)
@given(st.data())
@settings(max_examples=25)
def test_in_every_dialect(draft: Draft, data: st.DataObject) -> None:
    schema = data.draw(documents(draft, wild=False))
    results = cuts(schema)
    for _ in range(3):
        hold(schema, results, data.draw(instances(schema)))


@given(st.data())
@settings(max_examples=60)
def test_under_not_and_if_nothing_is_loosened(data: st.DataObject) -> None:
    """What is looser inside a negation is stricter outside; so the parts that cannot be said exactly are tried there."""
    inner = data.draw(schemas(Context(2020, 2, references=False)))
    wrapped = data.draw(
        st.sampled_from(
            [
                {"not": inner},
                {"not": {"properties": {"a": inner}, "required": ["a"]}},
                {"if": inner, "then": {"required": ["b"]}, "else": {"minProperties": 2}},
                {"not": {"not": inner}},
                {"oneOf": [inner, {"required": ["a"]}]},
                {"properties": {"a": {"contains": inner, "maxContains": 1}}},
                {"properties": {"a": {"type": "array", "not": {"items": inner}}}},
            ]
        )
    )
    results = cuts(wrapped)
    for _ in range(4):
        hold(wrapped, results, data.draw(instances(wrapped)))


@given(st.data())
@settings(max_examples=40)
def test_profile_v2_is_sound_too(data: st.DataObject) -> None:
    schema = data.draw(documents())
    result = lower(schema, profile="v2")
    assert set(result.schema) == {"type", "properties"}
    for _ in range(3):
        hold(schema, [result], data.draw(instances(schema)))


def test_every_cut_of_one_schema_is_sound() -> None:
    """Every size there is, for a schema in which every item rests on another: none may be kept without what it rests on."""
    schema = {
        "type": "object",
        "properties": {
            "a": {"type": "array", "prefixItems": [{"type": "string"}], "items": {"type": "integer"}},
            "b": {"contains": {"const": 1}, "minContains": 0, "maxContains": 1},
            "c": {"type": "array", "contains": {"enum": [1, 2]}, "minContains": 2, "maxContains": 3},
            "d": {"type": "object", "properties": {"x": {"type": "string"}}, "additionalProperties": False},
            "e": {"patternProperties": {"^x": {"type": "string"}}, "additionalProperties": {"type": "null"}},
        },
        "required": ["a"],
        "additionalProperties": {"type": "boolean"},
    }
    valid = [
        {"a": ["s", 1, 2]},
        {"a": [], "b": [2, 3], "c": [1, 2, 3]},
        {"a": ["s"], "b": [1], "d": {"x": "y"}, "z": True},
        {"a": [], "e": {"x1": "s", "y": None}},
    ]
    for limit in range(30, len(dumps(schema)) + 40):
        hold_all = bounded(schema, limit)
        for instance in valid:
            hold(schema, [hold_all], instance)


def test_the_strategies_reach_every_keyword() -> None:
    assert set(VALUES) == set(KEYWORDS)
