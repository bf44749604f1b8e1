"""What holds of every lowering, whatever came in: its form, its size, its losses, and that nothing else can change it."""

from __future__ import annotations

import copy
import json
import os
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from schema_shapes import ANYTHING
from strategies import json_values

from lowering.oracle import accepts, check_form, lowered, original
from lowering.strategies import documents, instances
from workbench.lowering import Bound, Lowered, is_lowered, lower
from workbench.subset import inside
from workbench.values import dumps, resolve

FLOOR = {"type": "object", "properties": {}}


def doubled(value: Any) -> Any:
    """A value in which whatever may list names lists each of them twice."""
    if isinstance(value, dict):
        return {name: doubled(below) for name, below in value.items()}
    if isinstance(value, list):
        return value * 2 if all(isinstance(each, str) for each in value) else [doubled(each) for each in value]
    return value


#: Schemas, values that look like schemas, and values that do not.
ANY_JSON = documents() | ANYTHING | json_values()


def units(limit: int, around: tuple[str, str] = ("", "")) -> Bound:
    """A bound in an odd unit: two characters count one, and a text around the schema counts too."""
    return Bound(lambda text: (len(text) + 1) // 2, limit, lambda text: text.join(around))


class TestForm:
    @given(ANY_JSON)
    def test_any_value_lowers_into_the_subset(self, value: Any) -> None:
        schema = lower(value).schema
        assert is_lowered(schema) and inside(schema)
        check_form(schema)

    @given(ANY_JSON, st.integers(0, 120))
    def test_so_it_does_under_a_bound(self, value: Any, limit: int) -> None:
        schema = lower(value, bound=units(limit)).schema
        assert is_lowered(schema) and inside(schema)
        check_form(schema)

    @given((documents() | ANYTHING).map(doubled), st.none() | st.integers(0, 200))
    @settings(max_examples=150)
    def test_so_it_does_with_every_name_listed_twice(self, value: Any, limit: int | None) -> None:
        schema = lower(value, bound=None if limit is None else Bound(len, limit)).schema
        assert is_lowered(schema) and inside(schema)
        check_form(schema)

    @pytest.mark.parametrize("profile", ["v1", "v2"])
    @pytest.mark.parametrize(
        ("keyword", "value"),
        [
            ("required", ["a", "a", "b", "a"]),
            ("type", ["object", "null", "object"]),
            ("dependentRequired", {"a": ["b", "b"]}),
            ("dependencies", {"a": ["b", "b"]}),
        ],
    )
    def test_what_lists_names_lists_each_once(self, keyword: str, value: Any, profile: Any) -> None:
        draft = {"$schema": "http://json-schema.org/draft-07/schema#"} if keyword == "dependencies" else {}
        schema = draft | {"type": "object", "properties": {"o": {"properties": {}, keyword: value}}, "required": ["o"]}
        result = lower(schema, profile=profile)
        check_form(result.schema)
        (loss,) = [loss for loss in result.losses if loss.action == "repetition removed"]
        assert resolve(schema, loss.pointer) is value and loss.exact
        assert not is_lowered(schema)

    @given(ANY_JSON)
    def test_profile_v2_has_a_root_of_two_keywords(self, value: Any) -> None:
        result = lower(value, profile="v2")
        assert set(result.schema) == {"type", "properties"} and is_lowered(result.schema, "v2")

    @pytest.mark.parametrize("value", [None, True, 0, 1.5, "object", [], [{}], {}, {"type": "object"}, {"$ref": "#"}])
    def test_what_asks_nothing_becomes_the_floor(self, value: Any) -> None:
        assert lower(value).schema == FLOOR

    @pytest.mark.parametrize("value", [False, {"type": "string"}, {"not": {}}, {"enum": [1]}, {"allOf": [False]}])
    def test_what_accepts_no_object_still_has_the_floor(self, value: Any) -> None:
        result = lower(value)
        assert result.exact and not accepts(lowered(result.schema), {})
        assert not accepts(lowered(result.schema), {"a": 1})


class TestBound:
    @given(ANY_JSON, st.integers(0, 200), st.sampled_from([("", ""), ('{"inputSchema":', "}"), ("é" * 30, "")]))
    def test_never_dearer_than_allowed(self, value: Any, limit: int, around: tuple[str, str]) -> None:
        bound = units(limit, around)
        result = lower(value, bound=bound)
        size = bound.count(bound.wrap(dumps(result.schema)))
        assert size <= limit if result.fits else result.schema == FLOOR and size > limit

    @given(documents(wild=False))
    def test_a_bound_that_leaves_room_changes_nothing(self, schema: Any) -> None:
        free = lower(schema)
        roomy = lower(schema, bound=Bound(len, len(dumps(free.schema))))
        assert len(dumps(roomy.schema)) <= len(dumps(free.schema))
        if not any(loss.detail.startswith("after") for loss in free.losses):  # recursion takes what room there is
            assert roomy == free


class TestStability:
    @given(ANY_JSON)
    def test_lowering_twice_changes_nothing(self, value: Any) -> None:
        once = lower(value)
        assert lower(once.schema) == Lowered(once.schema, ())

    @given(ANY_JSON, st.integers(16, 120))
    def test_nor_does_it_under_the_bound(self, value: Any, limit: int) -> None:
        once = lower(value, bound=units(limit))
        assert lower(once.schema, bound=units(limit)).schema == once.schema
        own_size = units(0).count(dumps(once.schema))
        assert lower(once.schema, bound=units(own_size)) == Lowered(once.schema, ())

    @given(ANY_JSON, st.integers(0, 120))
    def test_the_input_stays_and_is_not_shared(self, value: Any, limit: int) -> None:
        before = copy.deepcopy(value)
        for result in (lower(value), lower(value, bound=units(limit))):
            assert value == before and dumps(value) == dumps(before)
            scramble(result.schema)
            assert value == before and dumps(value) == dumps(before)

    @given(documents())
    def test_the_same_again(self, schema: Any) -> None:
        assert dumps(lower(schema).schema) == dumps(lower(copy.deepcopy(schema)).schema)
        assert lower(schema).losses == lower(schema).losses

    def test_no_address_shows(self) -> None:
        """Terms hash by identity: whatever iterated over a set of them would change with the addresses of objects."""
        patterns = {f"^{letter}": {"type": "array", "minItems": index} for index, letter in enumerate("abcdefgh", 2)}
        value = {
            "type": "object",
            "patternProperties": patterns,
            "additionalProperties": {"type": "array", "items": {}},
        }
        schema = {"type": "object", "properties": {"v": value}}
        results = [lower(schema, bound=Bound(len, limit)) for limit in (80, 200, 4000) for _ in range(20)]
        assert len({dumps([r.schema, [loss.to_json() for loss in r.losses]]) for r in results}) <= 3

    def test_no_hash_seed_shows(self) -> None:
        """Texts and losses of some schemas in processes whose sets and dicts of strings iterate in other orders."""
        answers = {_in_a_process(seed) for seed in ("0", "1", "4711")}
        assert len(answers) == 1


class TestLosses:
    @given(documents(), st.integers(0, 200))
    def test_every_pointer_leads_somewhere_in_the_original(self, schema: Any, limit: int) -> None:
        for result in (lower(schema), lower(schema, bound=Bound(len, limit)), lower(schema, profile="v2")):
            for loss in result.losses:
                resolve(schema, loss.pointer)
            assert len(set(result.losses)) == len(result.losses)

    @given(ANYTHING)
    def test_in_malformed_schemas_too(self, value: Any) -> None:
        for loss in lower(value).losses:
            resolve(value, loss.pointer)

    @given(st.data())
    @settings(max_examples=120)
    def test_without_an_inexact_loss_nothing_is_let_in(self, data: st.DataObject) -> None:
        schema = data.draw(documents())
        results = [lower(schema), lower(schema, bound=Bound(len, data.draw(st.integers(30, 200))))]
        results = [result for result in results if result.exact]
        validator = original(schema)
        for _ in range(4 if results else 0):
            instance = data.draw(instances(schema))
            if accepts(validator, instance) is False:
                assert not any(accepts(lowered(result.schema), instance) for result in results)


def scramble(schema: Any) -> None:
    """Changes every list and object of a schema in place."""
    for each in list(schema.values() if isinstance(schema, dict) else schema):
        if isinstance(each, dict | list):
            scramble(each)
    if isinstance(schema, dict):
        schema["changed"] = True
    else:
        schema.append("changed")


PROBE = """
import json, sys
from workbench.lowering import Bound, lower
for schema in json.load(sys.stdin):
    for bound in (None, Bound(len, 150)):
        result = lower(schema, bound=bound)
        print(json.dumps([result.schema, [loss.to_json() for loss in result.losses]]))
"""
PROBED: list[Any] = [
    {"anyOf": [{"properties": {n: {"type": "string"}}, "required": [n, "k"]} for n in ("a", "b", "c", "d")]},
    {"allOf": [{"required": [n], "patternProperties": {f"^{n}": {"minLength": 1}}} for n in ("a", "b", "c")]},
    {"properties": {"v": {"type": ["string", "null", "integer"], "enum": ["b", None, 1, "a"]}}, "title": "t"},
    {"$ref": "#/$defs/n", "$defs": {"n": {"properties": {x: {"$ref": "#/$defs/n"} for x in ("left", "right")}}}},
    {"oneOf": [{"properties": {"k": {"const": k}}, "dependentSchemas": {"k": {"required": [k]}}} for k in ("x", "y")]},
]


def _in_a_process(seed: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", PROBE],
        input=json.dumps(PROBED),
        env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    return done.stdout
