"""What fidelity is measured with: a judge that always ends, objects drawn from a schema, near-misses, and texts for patterns."""

from __future__ import annotations

import random
import re
from typing import Any

import jsonschema
import pytest
from fidelity_shapes import DRAFT_4, DRAFT_7, LOOSER, PLAIN, SAME, row
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import json_values

from workbench.fidelities.judge import Judge, Undecided
from workbench.fidelities.near_misses import near_miss
from workbench.fidelities.sampler import NoSample, Sampler
from workbench.fidelities.texts import matching, of_length
from workbench.values import dumps, equal

# Bounds


def _bomb(levels: int) -> dict[str, Any]:
    steps = {f"d{n}": {"allOf": [{"$ref": f"#/$defs/d{n + 1}"}, {"$ref": f"#/$defs/d{n + 1}"}]} for n in range(levels)}
    return {"type": "object", "$ref": "#/$defs/d0", "$defs": steps | {f"d{levels}": {"required": ["a"]}}}


#: A reference back to a `$schema` must not lead to a validator that knows no bounds.
BEHIND = {"properties": {"a": {"$ref": "#"}, "b": {"pattern": "(x+x+)+y"}}}


def _nested(levels: int) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(levels):
        schema = {"type": "object", "properties": {"a": schema}, "required": ["a"]}
    return schema


@pytest.mark.parametrize(
    "schema",
    [
        pytest.param(_bomb(60), id="fan-out"),
        pytest.param({"anyOf": [{"properties": {f"p{n}": {"const": n}}, "required": [f"p{n}"]} for n in range(1000)]}, id="union"),
        pytest.param(_nested(150), id="nesting"),
        pytest.param({"properties": {"a": {"pattern": "^(a+)+$"}, "b": {"pattern": "^(a|a)*b$"}}, "required": ["a", "b"]}, id="re"),
        pytest.param(
            BEHIND | DRAFT_7,
            id="guarded-behind-a-reference",
        ),
        pytest.param({"patternProperties": {"^(a|a)*$": False}, "unevaluatedProperties": {"type": "string"}}, id="unevaluated"),
        pytest.param({"properties": {"a": {"type": "array", "items": {"$ref": "#"}, "minItems": 3}}, "required": ["a"]}, id="tree"),
        pytest.param({"properties": {"a": {"minLength": 10**30, "maximum": 10**300, "multipleOf": 1e-300}}}, id="numbers"),
    ],
)  # fmt: skip
def test_hostile_schemas_end_in_a_row(schema: Any) -> None:
    measured = row(schema, samples=10)
    assert measured.soundness in (1.0, None)
    assert not measured.undecided or measured.reason


def test_a_verdict_ends_on_text_that_backtracking_would_not_end_on() -> None:
    judge = Judge({"properties": {"a": {"pattern": "^(a|a)*$"}}, "additionalProperties": False})
    assert not judge.accepts({"a": "a" * 5000 + "b"})
    assert not Judge(BEHIND | DRAFT_7).accepts({"a": {"b": "x" * 5000}})
    assert not Judge({"patternProperties": {"^(a|a)*$": {}}, "additionalProperties": False}).accepts(
        {"a" * 5000 + "b": 1}
    )


def test_unevaluated_properties_are_not_tried_against_a_pattern_that_may_take_long() -> None:
    schema = {"patternProperties": {"^(a|a)*$": True}, "unevaluatedProperties": False}
    with pytest.raises(Undecided, match="unevaluatedProperties"):
        Judge(schema).accepts({"a" * 50 + "b": 1})
    with pytest.raises(Undecided, match="very long name"):
        Judge(schema | {"patternProperties": {"^a*a*b$": True}}).accepts({"a" * 5000: 1})


def test_a_schema_has_an_allowance_of_steps() -> None:
    union = {"anyOf": [{"anyOf": [{"const": [n, m]} for n in range(150)]} for m in range(150)]}
    judge = Judge(union)
    with pytest.raises(Undecided, match="too many steps"):
        judge.accepts({})


# The judge


ABOVE_1 = {"minimum": 1, "exclusiveMinimum": True}
SCHEMAS: list[Any] = [
    True,
    False,
    PLAIN,
    SAME,
    LOOSER,
    DRAFT_4 | {"properties": {"a": ABOVE_1}},
    DRAFT_7
    | {"properties": {"a": {"$ref": "#/definitions/d", "minimum": 5}}, "definitions": {"d": {"type": "integer"}}},
    DRAFT_7 | {"properties": {"a": {"items": [{"type": "string"}], "additionalItems": False}}},
    DRAFT_7 | {"properties": {"a": {"$ref": "#"}, "b": {"type": "string"}}},
    DRAFT_7 | {"dependencies": {"a": ["b"], "c": {"required": ["a"]}}},
    {"$defs": {"old": DRAFT_4 | ABOVE_1 | {"id": "http://s.test/old"}}, "properties": {"a": {"$ref": "#/$defs/old"}}},
    {
        "patternProperties": {"^a": {"type": "integer"}, "b$": {"type": "string"}},
        "additionalProperties": {"type": "null"},
    },
    {"patternProperties": {"^a": {"type": "integer"}}, "unevaluatedProperties": False},
    {"allOf": [{"properties": {"a": True}}], "unevaluatedProperties": False},
    {"if": {"required": ["a"]}, "then": {"properties": {"a": {"type": "integer"}}}, "else": {"required": ["b"]}},
    {"dependentSchemas": {"a": {"required": ["b"]}}, "not": {"required": ["c"]}},
    {"$dynamicAnchor": "n", "properties": {"a": {"$dynamicRef": "#n"}, "b": {"type": "string"}}},
    {"propertyNames": {"pattern": "^[abc]$"}, "properties": {"a": {"contains": {"const": 1}, "uniqueItems": True}}},
]


@given(st.sampled_from(SCHEMAS), st.dictionaries(st.sampled_from("abc"), json_values(3), max_size=3))
@settings(max_examples=200)
def test_the_judge_says_what_jsonschema_says(schema: Any, instance: dict[str, Any]) -> None:
    plain = jsonschema.validators.validator_for(schema, default=jsonschema.Draft202012Validator)(schema)
    assert Judge(schema).accepts(instance) == plain.is_valid(instance)


@pytest.mark.parametrize(
    "schema", [schema for schema in SCHEMAS if schema is not False], ids=lambda schema: dumps(schema)[:50]
)
def test_draws_are_mostly_valid(schema: Any) -> None:
    sampler, judge = Sampler(schema, random.Random(0)), Judge(schema)
    drawn = []
    for _ in range(40):
        try:
            drawn.append(sampler.draw())
        except NoSample:
            continue
    assert sum(map(judge.accepts, drawn)) >= 12
    assert len({dumps(each) for each in drawn}) >= 6


def test_malformed_keywords_count_as_absent() -> None:
    schema = {
        "type": "object",
        "properties": {"a": {"required": True, "type": "strng"}},
        "required": "a",
        "minProperties": -1,
    }
    assert Judge(schema).accepts({"a": 1}) and Judge(schema).accepts({})


# Near-misses and texts


@given(st.dictionaries(st.text(max_size=2), json_values(5), max_size=4), st.integers(0, 2**32))
def test_near_misses_leave_the_instance_alone(instance: dict[str, Any], seed: int) -> None:
    before = dumps(instance)
    changed = near_miss(random.Random(seed), instance, [instance, {"a": [1]}])
    assert dumps(instance) == before
    assert isinstance(changed, dict)
    dumps(changed)


def test_near_misses_change_something_most_of_the_time() -> None:
    instance = {"a": 1, "b": ["x", {"c": None}]}
    changed = [near_miss(random.Random(seed), instance, [instance]) for seed in range(100)]
    assert sum(not equal(each, instance) for each in changed) > 60


@pytest.mark.parametrize(
    "pattern",
    [
        *("^[a-z]+$", "^[0-9a-fA-F]{24}$", "^(?:ab|c)*d?$", "x", "", "^[^a-z]{3}$", "^a|b$", "^[-.]$"),
        *(r"^\d{4}-\d{2}$", r"^\S+@\w+\.[a-z]{2,3}$"),
    ],
)
def test_texts_are_found_by_their_pattern(pattern: str) -> None:
    texts = {matching(random.Random(seed), pattern) for seed in range(20)}
    assert None not in texts
    assert all(re.search(pattern, text) for text in texts if text is not None)


def test_texts_keep_to_their_length() -> None:
    for seed in range(30):
        hexadecimal = matching(random.Random(seed), "^[0-9a-f]+$", 24, 24)
        assert hexadecimal is not None and len(hexadecimal) == 24
        assert 3 <= len(of_length(random.Random(seed), 3, 5)) <= 5


@pytest.mark.parametrize("pattern", ["(", ")", "(?<=a)b", "^a{3}$", "((((", "a{9999}{9999}{9999}", "[b-a]"])
def test_no_text_where_none_is_found(pattern: str) -> None:
    assert matching(random.Random(0), pattern, 4, 8) is None
