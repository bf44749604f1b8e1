"""Fidelity: what is claimed of samples holds, whatever the catalog; and what cannot be measured is said."""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from catalog_strategies import catalogs
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import json_values

from workbench.catalog import Catalog
from workbench.errors import UsageError
from workbench.fidelities import Fidelity, ToolFidelity, fidelity
from workbench.fidelities.judge import Judge, Undecided
from workbench.fidelities.measuring import _measured
from workbench.fidelities.near_misses import near_miss
from workbench.fidelities.sampler import NoSample, Sampler
from workbench.fidelities.texts import matching, of_length
from workbench.values import dumps, equal

ROOT = Path(__file__).resolve().parent.parent

DRAFT_4 = {"$schema": "http://json-schema.org/draft-04/schema#"}
DRAFT_7 = {"$schema": "http://json-schema.org/draft-07/schema#"}
CAT = {
    "type": "object",
    "properties": {"kind": {"const": "cat"}, "lives": {"type": "integer"}},
    "required": ["kind", "lives"],
}
DOG = {
    "type": "object",
    "properties": {"kind": {"const": "dog"}, "tricks": {"type": "array"}},
    "required": ["kind", "tricks"],
}
#: In the subset as they are; out of it, but equivalent to one that is; and not expressible in it.
PLAIN = {"type": "object", "properties": {"n": {"type": "integer", "minimum": 1, "maximum": 9}}, "required": ["n"]}
SAME = {"type": "object", "properties": {"x": {"anyOf": [{"type": "string"}, {"type": "null"}]}}, "required": ["x"]}
LOOSER = {
    "type": "object",
    "properties": {"pet": {"oneOf": [CAT, DOG]}},
    "required": ["pet"],
    "additionalProperties": False,
}


def catalog(*schemas: Any) -> Catalog:
    """A catalog with one tool for each schema; the descriptions make room for what lowering writes out."""
    tools = [
        {
            "toolId": f"t{number}",
            "source": "mcp",
            "safetyTier": "write",
            "inputSchema": schema,
            "outputSchema": {"description": "room " * 60},
        }
        for number, schema in enumerate(schemas)
    ]
    return Catalog.from_json({"tools": tools})


def row(schema: Any, **options: Any) -> ToolFidelity:
    (only,) = fidelity(catalog(schema), **options).rows
    return only


def sample(name: str) -> Catalog:
    return Catalog.from_json(json.loads((ROOT / "sample_catalogs" / f"{name}.json").read_text()))


def accepts(schema: Any, instance: Any) -> bool:
    return jsonschema.Draft202012Validator(schema).is_valid(instance)


# What the figures mean


@pytest.mark.parametrize("name", ["small", "twenty", "mcp", "multilingual"])
def test_no_valid_call_is_refused_and_what_lost_nothing_is_exact(name: str) -> None:
    measured = fidelity(sample(name), samples=25)
    assert measured.soundness == 1.0
    for each in measured.rows:
        assert each.wrongly_refused is None
        if not each.losses:
            assert each.precision in (1.0, None) and each.tightness in (1.0, None)


@given(catalogs())
@settings(max_examples=40)
def test_every_tool_has_its_row_whatever_it_is(tools: Catalog) -> None:
    measured = fidelity(tools, samples=3)
    assert tuple(each.tool_id for each in measured.rows) == tools.ids
    for each in measured.rows:
        assert each.soundness in (1.0, None)
        assert each.undecided == (each.soundness is None or each.precision is None)
        assert not each.undecided or each.reason
        assert not each.left_out or each.reason
        assert each.precise <= each.passing and each.tight <= each.invalid
    dumps(measured.to_json())


def test_equivalent_schemas_are_exact_in_every_share() -> None:
    for schema in (PLAIN, SAME):
        measured = row(schema)
        assert (measured.soundness, measured.precision, measured.tightness) == (1.0, 1.0, 1.0)
        assert measured.valid > 20 and measured.invalid > 2
        assert not measured.losses and measured.wrongly_admitted is None


def test_what_the_subset_cannot_say_costs_precision_and_has_a_witness() -> None:
    measured = row(LOOSER)
    assert measured.soundness == 1.0
    assert measured.precision is not None and 0 < measured.precision < 1
    assert measured.tightness is not None and 0 < measured.tightness < 1
    assert [loss.exact for loss in measured.losses] == [False] * len(measured.losses) and measured.losses
    assert not accepts(LOOSER, measured.wrongly_admitted)


def test_a_schema_left_out_refuses_nothing() -> None:
    lowered, omitted = row(LOOSER), row(LOOSER, policy="omit")
    assert (omitted.schema, omitted.soundness, omitted.tightness) == ("omitted", 1.0, 0.0)
    assert omitted.precision is not None and lowered.precision is not None and omitted.precision < lowered.precision


def test_policies_are_compared_on_the_same_objects() -> None:
    tools = catalog(PLAIN, SAME, LOOSER)
    for one, other in zip(fidelity(tools).rows, fidelity(tools, policy="omit").rows, strict=True):
        assert (one.valid, one.invalid) == (other.valid, other.invalid)


def test_a_lowering_that_refuses_a_valid_call_is_found_out() -> None:
    (tool,) = catalog(PLAIN)
    stricter = {"inputSchema": PLAIN | {"properties": {"n": {"type": "integer", "minimum": 2}}}}
    measured = _measured(tool, stricter, stricter, 40, 0)
    assert measured.soundness is not None and measured.soundness < 1
    assert measured.wrongly_refused is not None
    assert accepts(PLAIN, measured.wrongly_refused) and not accepts(stricter["inputSchema"], measured.wrongly_refused)


def test_a_lowering_that_admits_too_much_is_found_out_without_a_loss_to_tell() -> None:
    (tool,) = catalog(PLAIN)
    looser = {"inputSchema": {"type": "object", "properties": {"n": {"type": "integer"}}}}
    measured = _measured(tool, looser, looser, 40, 0)
    assert measured.soundness == 1.0 and measured.precision is not None and measured.precision < 0.9


# The same figures everywhere


def test_hash_seeds_change_nothing() -> None:
    code = (
        "import json; from pathlib import Path; from workbench.catalog import Catalog; from workbench.fidelities import fidelity;"
        "from workbench.values import dumps;"
        "c = Catalog.from_json(json.loads(Path('sample_catalogs/small.json').read_text()));"
        "print(dumps(fidelity(c, samples=15, seed=7).to_json()))"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=ROOT,
            env=os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    (output,) = outputs
    assert json.loads(output) == fidelity(sample("small"), samples=15, seed=7).to_json()


def test_a_tool_has_the_same_figures_in_any_company() -> None:
    tools = catalog(PLAIN, LOOSER)
    alone = Catalog((tools.tools[1],))
    assert fidelity(alone).rows[0] == fidelity(tools).rows[1]


def test_another_seed_tries_other_objects() -> None:
    assert row(LOOSER, seed=1) != row(LOOSER, seed=2)


# What cannot be measured is said


@pytest.mark.parametrize(
    ("schema", "reason"),
    [
        (5, "neither an object nor a boolean"),
        ({"$schema": "https://example.test/of-our-own"}, "no published draft"),
        ({"type": "array"}, "not about objects"),
        ({"enum": [1, "a"]}, "not about objects"),
        (False, "nothing is allowed"),
        ({"properties": {"a": {"type": "string", "minLength": 10**9}}, "required": ["a"]}, "2,000 characters"),
        ({"properties": {"a": {"type": "array", "minItems": 500}}, "required": ["a"]}, "24 items"),
        ({"properties": {"a": {"type": "string", "pattern": r"^\p{Lu}(?<=x)$"}}, "required": ["a"]}, "a pattern"),
        (
            {"properties": {"a": {"type": "string", "pattern": "^a+$", "maxLength": 0}}, "required": ["a"]},
            "for a pattern",
        ),
        ({"$ref": "https://example.test/elsewhere"}, "leads out of the schema"),
        ({"properties": {"a": {"$ref": "#/properties/a"}}, "required": ["a"]}, "refers to itself without end"),
        ({"properties": {"a": {"type": "object", "required": ["a"], "$ref": "#"}}, "required": ["a"]}, "too deeply"),
    ],
)
def test_undecided_tools_say_why(schema: Any, reason: str) -> None:
    measured = row(schema, samples=5)
    assert measured.undecided and reason in measured.reason
    assert measured.soundness in (1.0, None)


def test_a_tool_without_a_schema_is_not_passed_over() -> None:
    (only,) = fidelity(Catalog.from_json([{"toolId": "t", "source": "mcp", "safetyTier": "read"}])).rows
    assert (only.schema, only.undecided, only.reason) == ("absent", True, "the tool has no inputSchema")


def test_objects_that_one_schema_says_nothing_of_are_left_out() -> None:
    schema = {"type": "object", "properties": {"n": {"type": "integer"}, "s": {"pattern": "(?i)^a"}}, "required": ["n"]}
    measured = row(schema)
    assert not measured.undecided
    assert measured.left_out and "pattern" in measured.reason


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


# How it shows


@pytest.fixture(scope="module")
def measured() -> Fidelity:
    hostile = {"type": "object", "properties": {"<b>$x$": {"not": {"type": "string"}}}, "required": ["<b>$x$"]}
    return fidelity(catalog(PLAIN, LOOSER, hostile, {"type": "array"}), samples=20)


def test_json_has_the_keys_that_others_rely_on(measured: Fidelity) -> None:
    found = measured.to_json()
    assert list(found) == [
        "policy",
        "samples",
        "seed",
        "encoding",
        "tools",
        "counts",
        "soundness",
        "precision",
        "tightness",
    ]
    assert list(found["tools"][0]) == [
        *("toolId", "schema", "soundness", "precision", "tightness", "undecided", "samples", "reason", "tokens"),
        *("wronglyRefused", "wronglyAdmitted", "losses"),
    ]
    assert found["counts"] == {"tools": 4, "kept": 4, "omitted": 0, "absent": 0, "undecided": 1}
    assert json.loads(dumps(found)) == found


def test_the_frame_has_a_row_for_each_tool(measured: Fidelity) -> None:
    frame = measured.frame()
    assert list(frame["toolId"]) == [each.tool_id for each in measured.rows]
    assert list(frame["undecided"]) == [False, False, False, True]


def test_the_least_precise_tools_come_first_and_the_undecided_last(measured: Fidelity) -> None:
    shown = measured.table()
    assert [line[0] for line in shown.rows][-1] == "t3"
    precisions = [line[3] for line in shown.rows[:-1]]
    assert precisions == sorted(precisions, key=lambda share: share if isinstance(share, float) else 2.0)
    assert len(measured.table(2).rows) == 2 and measured.table(2).title.startswith("2 of 4 tools")


def test_arguments_of_a_catalog_are_data_where_they_show(measured: Fidelity) -> None:
    assert "<b>" not in measured._repr_html_()
    assert "4 tools under lower: soundness 100.0%" in repr(measured)


def test_the_summary_tells_policies_apart(measured: Fidelity) -> None:
    (cells,) = measured.summary().rows
    assert cells[:6] == ("lower", 4, 4, 0, 0, 1)
    assert fidelity(Catalog(())).summary().rows[0][6:9] == (None, None, None)


@pytest.mark.parametrize("options", [{"samples": 0}, {"policy": "keep"}])
def test_options_that_do_not_fit(options: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        fidelity(catalog(PLAIN), **options)
