"""Losses: where, which keyword, what was done, and whether it changed what is accepted."""

from __future__ import annotations

from typing import Any

import pytest

from workbench.lowering import Loss, lower

HERE = "/properties/v"


def losses_of(value: Any, **root: Any) -> set[tuple[str, str, str, bool]]:
    result = lower({"type": "object", "properties": {"v": value}, **root})
    return {(loss.pointer, loss.keyword, loss.action, loss.exact) for loss in result.losses}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"title": "T"}, {(f"{HERE}/title", "title", "annotation removed", True)}),
        ({"default": 1, "examples": [1]}, {
            (f"{HERE}/default", "default", "annotation removed", True),
            (f"{HERE}/examples", "examples", "annotation removed", True),
        }),
        ({"x/y~z": 1}, {(f"{HERE}/x~1y~0z", "x/y~z", "annotation removed", True)}),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, {(f"{HERE}/anyOf", "anyOf", "branches joined", True)}),
        ({"anyOf": [{"type": "string", "minLength": 3}, {"type": "string", "maxLength": 1}]}, {
            (f"{HERE}/anyOf", "anyOf", "branches joined", False),
        }),
        ({"oneOf": [{"const": 1}, {"const": 2}]}, {(f"{HERE}/oneOf", "oneOf", "branches joined", True)}),
        ({"oneOf": [{"minimum": 1}, {"maximum": 5}]}, {(f"{HERE}/oneOf", "oneOf", "branches joined", False)}),
        ({"type": "string", "allOf": [{"pattern": "^a"}, {"pattern": "z$"}]}, {
            (HERE, "pattern", "relaxed", False),
        }),
        ({"pattern": "^a", "allOf": [{"pattern": "z$"}]}, {(f"{HERE}/pattern", "pattern", "relaxed", False)}),
        ({"type": "object", "patternProperties": {"^a": {"type": "string"}}}, {
            (f"{HERE}/patternProperties", "patternProperties", "relaxed", False),
        }),
        ({"type": "string", "not": {"pattern": "^a"}}, {(f"{HERE}/not", "not", "relaxed", False)}),
        ({"type": "string", "not": {"const": "a"}}, {(f"{HERE}/not", "not", "freed", False)}),
        ({"minContains": 2}, {(f"{HERE}/minContains", "minContains", "ignored", True)}),
        ({"type": "strng"}, {(f"{HERE}/type", "type", "freed", False)}),
        ({"properties": {"a": 5}}, {(f"{HERE}/properties/a", "", "freed", False)}),
    ],
)  # fmt: skip
def test_of_one_construct(value: Any, expected: set[tuple[str, str, str, bool]]) -> None:
    assert losses_of(value) == expected


def test_behind_a_reference_the_pointer_leads_to_the_definition() -> None:
    store = {"$defs": {"d": {"type": "string", "title": "T", "not": {"pattern": "a"}}}}
    found = losses_of({"$ref": "#/$defs/d"}, **store)
    assert ("/$defs/d/title", "title", "annotation removed", True) in found
    assert ("/$defs/d/not", "not", "relaxed", False) in found


def test_a_respelled_keyword_is_named_where_it_stands() -> None:
    draft_7 = "http://json-schema.org/draft-07/schema#"
    value = {"items": [{"oneOf": [{"const": 1}]}, {"x": 1}], "dependencies": {"a": {"properties": {"b": {"const": 1}}}}}
    pointers = {pointer for pointer, *_ in losses_of(value, **{"$schema": draft_7})}
    assert {f"{HERE}/items/1/x", f"{HERE}/dependencies"} <= pointers


def test_what_no_call_can_reach_loses_nothing() -> None:
    store = {"$defs": {"unused": {"type": "strng", "not": {"pattern": "a"}, "anyOf": [{"minimum": 1}, {"minimum": 2}]}}}
    assert all(exact for *_, exact in losses_of({"type": "string"}, **store))


def test_a_loss_is_one_json_object() -> None:
    loss = Loss("/a", "not", "relaxed", False, "why")
    assert loss.to_json() == {"pointer": "/a", "keyword": "not", "action": "relaxed", "exact": False, "detail": "why"}
