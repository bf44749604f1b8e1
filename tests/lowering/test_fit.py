"""Fitting: what is kept when the bound does not pay for everything, and what the losses say of the rest."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lowering.oracle import accepts, lowered
from lowering.strategies import documents
from workbench.lowering import Bound, Lowered, is_lowered, lower
from workbench.values import dumps

ORDER = {
    "type": "object",
    "properties": {
        "id": {"type": "string", "description": "What it is called everywhere."},
        "size": {"enum": ["s", "m", "l"]},
        "note": {"type": "string", "pattern": "^[A-Za-z][A-Za-z0-9 ,.;:!?'-]{0,200}$", "format": "idn-email"},
    },
    "required": ["id"],
    "additionalProperties": False,
}


def cut(schema: Any, limit: int) -> Lowered:
    return lower(schema, bound=Bound(len, limit))


def test_what_fits_is_written_whole() -> None:
    assert cut(ORDER, len(dumps(ORDER))) == Lowered(ORDER, ())


def test_what_does_not_fit_at_all_is_the_floor() -> None:
    floor = {"type": "object", "properties": {}}
    size = len(dumps(floor))
    assert cut(ORDER, size - 1) == Lowered(floor, cut(ORDER, size - 1).losses, fits=False)
    assert cut(ORDER, size).schema == floor and cut(ORDER, size).fits


def test_types_and_names_are_worth_more_than_a_long_pattern() -> None:
    schema = cut(ORDER, 200).schema
    assert schema["required"] == ["id"] and set(schema["properties"]) == {"id", "size", "note"}
    assert schema["properties"]["id"]["type"] == "string" and schema["properties"]["note"]["type"] == "string"
    assert "pattern" not in schema["properties"]["note"]


def test_a_description_is_bought_once() -> None:
    text = "How to write a place: latitude, longitude, both in degrees."
    place = {"type": "object", "description": text, "properties": {"lat": {"type": "number"}}, "required": ["lat"]}
    schema = {
        "type": "object",
        "properties": {name: {"$ref": "#/$defs/place"} for name in ("from", "to", "by_way_of")},
        "$defs": {"place": place},
    }
    whole = dumps(lower(schema).schema)
    assert whole.count(text) == 3
    result = cut(schema, len(whole) - len(text) - 10)
    assert dumps(result.schema).count(text) == 2 and dumps(result.schema).count("number") == 3
    result = cut(schema, len(whole) - 2 * len(text) - 20)
    assert dumps(result.schema).count(text) == 1 and dumps(result.schema).count("number") == 3
    again = [loss for loss in result.losses if loss.keyword == "description"]
    assert again and all(loss.exact and loss.pointer == "/$defs/place/description" for loss in again)


@pytest.mark.parametrize("limit", range(34, 420, 9))
def test_what_rests_on_something_is_never_kept_without_it(limit: int) -> None:
    schema = {
        "properties": {
            "closed": {"properties": {"x": {"type": "string"}}, "additionalProperties": False},
            "tuple": {"prefixItems": [{"type": "string"}], "items": False},
            "counted": {"contains": {"const": 1}, "minContains": 0, "maxContains": 2},
            "many": {"contains": {"const": 1}, "minContains": 3},
        },
        "additionalProperties": {"type": "null"},
    }
    kept = cut(schema, limit).schema
    properties = kept["properties"]
    assert "additionalProperties" not in kept or set(properties) == set(schema["properties"])
    assert "additionalProperties" not in properties.get("closed", {}) or "properties" in properties["closed"]
    assert "items" not in properties.get("tuple", {}) or "prefixItems" in properties["tuple"]
    counted = properties.get("counted", {})
    assert "contains" not in counted or counted["minContains"] == 0
    for each in (counted, properties.get("many", {})):
        assert "contains" in each or not {"minContains", "maxContains"} & set(each)


def test_what_was_cut_is_in_the_losses() -> None:
    result = cut(ORDER, 200)
    assert "/properties/note/pattern" in {loss.pointer for loss in result.losses if not loss.exact}
    assert all(loss.action for loss in result.losses)
    assert not result.exact


def test_cutting_a_root_that_accepts_nothing_is_a_loss() -> None:
    whole, bare = lower(False), cut(False, 40)
    assert whole.exact and not accepts(lowered(whole.schema), {})
    assert bare.schema == {"type": "object", "properties": {}} and not bare.exact


def test_more_room_is_never_used_for_less() -> None:
    kept = [len(dumps(cut(ORDER, limit).schema)) for limit in range(33, len(dumps(ORDER)) + 1, 10)]
    assert kept == sorted(kept)


@given(documents(), st.integers(1, 60), st.sampled_from(["", '{"inputSchema":', "é" * 20]))
def test_any_way_of_counting_is_obeyed(schema: Any, limit: int, before: str) -> None:
    """A count that is not the length: of bytes that are no letters, as tokens roughly are."""

    def count(text: str) -> int:
        return sum(not character.isalpha() for character in text)

    result = lower(schema, bound=Bound(count, limit, lambda text: before + text))
    assert is_lowered(result.schema)
    assert not result.fits or count(before + dumps(result.schema)) <= limit


def test_recursion_takes_what_room_there_is() -> None:
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {"value": {"type": "integer"}, "next": {"$ref": "#"}},
        "required": ["value"],
    }
    sizes = [dumps(cut(schema, limit).schema).count("integer") for limit in (100, 200, 300, 2_000)]
    assert sizes == sorted(sizes) and sizes[0] < sizes[-1]
    deep = {"value": 1, "next": {"value": 1, "next": {"value": "x"}}}
    assert not accepts(lowered(cut(schema, 2_000).schema), deep)
