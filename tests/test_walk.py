"""The walk: every position that holds a schema and none that holds data, once each, in document order, at any depth."""

from __future__ import annotations

import copy
from collections import deque
from typing import Any

import pytest
from hypothesis import given
from schema_shapes import ANYTHING, by_hand

from workbench.values import join, resolve
from workbench.walk import Path, children, walk


@given(ANYTHING)
def test_it_visits_what_a_plain_recursion_visits_in_the_same_order(schema: Any) -> None:
    before = copy.deepcopy(schema)
    assert [(visit.pointer, visit.suite) for visit in walk(schema)] == list(by_hand(schema))
    assert schema == before


@given(ANYTHING)
def test_every_pointer_leads_to_the_schema_it_came_with(schema: Any) -> None:
    visits = list(walk(schema))
    assert all(resolve(schema, visit.pointer) is visit.schema for visit in visits)
    assert len({visit.pointer for visit in visits}) == len(visits)


@given(ANYTHING)
def test_children_are_one_step_of_the_walk(schema: Any) -> None:
    below = [join("", *tokens) for _, tokens, _ in children(schema)]
    assert below == [visit.pointer for visit in walk(schema) if visit.depth == 1]


@pytest.mark.parametrize("no_schema", [None, 1, 1.5, "object", [], [{"type": "object"}]])
def test_what_is_no_schema_has_no_positions(no_schema: Any) -> None:
    assert list(walk(no_schema)) == []


@pytest.mark.parametrize("data", ["enum", "const", "default", "examples", "required", "x-vendor", "$ref", "type"])
def test_data_is_never_entered(data: str) -> None:
    looks_like_a_schema = {"oneOf": [{}], "properties": {"a": {}}}
    assert [visit.pointer for visit in walk({data: looks_like_a_schema})] == [""]
    assert [visit.pointer for visit in walk({data: [looks_like_a_schema]})] == [""]


def test_a_property_named_like_a_keyword_is_a_name() -> None:
    schema = {"properties": {"oneOf": {"type": "array"}, "enum": {"properties": {"not": {}}}}}
    assert [visit.pointer for visit in walk(schema)] == [
        "",
        "/properties/oneOf",
        "/properties/enum",
        "/properties/enum/properties/not",
    ]


def test_booleans_are_schemas() -> None:
    schema = {"properties": {"a": True}, "items": False, "prefixItems": [True], "$defs": {"x": False}}
    assert len(list(walk(schema))) == 5


def test_dependencies_hold_schemas_beside_lists_of_names() -> None:
    schema = {"dependencies": {"a": ["b"], "c": {"required": ["d"]}, "e": True}}
    assert [visit.pointer for visit in walk(schema)] == ["", "/dependencies/c", "/dependencies/e"]


@pytest.mark.parametrize("keyword", ["properties", "items", "anyOf", "not", "$defs", "if"])
def test_a_hundred_thousand_levels_are_walked(keyword: str) -> None:
    wrap = {"properties": lambda s: {"a": s}, "$defs": lambda s: {"a": s}, "anyOf": lambda s: [s]}.get(
        keyword, lambda s: s
    )
    schema: Any = {}
    for _ in range(100_000):
        schema = {keyword: wrap(schema)}
    last = deque(walk(schema), maxlen=1).pop()
    assert last.depth == 100_000
    assert last.pointer.count(f"/{keyword}") == 100_000


def test_a_path_shows_itself_as_a_pointer_at_any_depth() -> None:
    path = Path()
    assert (str(path), path.tokens()) == ("", [])
    assert str(path / "a/b" / 0 / "c~d" / "") == "/a~1b/0/c~0d/"
    for _ in range(100_000):
        path = path / "a"
    assert repr(path).startswith("Path('/a/a")
