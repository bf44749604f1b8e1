"""Fidelity: what is claimed of samples holds, whatever the catalog; and what cannot be measured is said."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from catalog_strategies import catalogs
from fidelity_shapes import LOOSER, PLAIN, SAME, catalog, row
from hypothesis import given, settings

from workbench.catalog import Catalog
from workbench.errors import UsageError
from workbench.fidelities import Fidelity, fidelity
from workbench.fidelities.measuring import _measured
from workbench.values import dumps

ROOT = Path(__file__).resolve().parent.parent


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
