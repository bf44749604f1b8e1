"""The projection: the guarantees that hold whatever comes in, and what becomes of each part of a descriptor."""

from __future__ import annotations

import copy
import json
import os
import subprocess
import sys
from typing import Any

import pytest
from catalog_strategies import catalogs
from hypothesis import given
from hypothesis import strategies as st

from workbench.catalog import Catalog
from workbench.checks import check
from workbench.descriptions import STRATEGIES, UNITS
from workbench.errors import LimitError, UsageError
from workbench.projection import COMPACT_FIELDS, Projection, ToolLoss, project
from workbench.resources import sample_names, schema
from workbench.sources import load
from workbench.subset import inside
from workbench.tokens import encoding
from workbench.values import dumps, resolve

TOOL: dict[str, Any] = {"toolId": "connector:a", "source": "connector", "safetyTier": "read"}
POLICIES = st.fixed_dictionaries(
    {},
    optional={
        "schemas": st.sampled_from(["lower", "omit"]),
        "max_description": st.integers(0, 40),
        "max_parameter_description": st.integers(0, 40),
        "unit": st.sampled_from(UNITS),
        "strategy": st.sampled_from(STRATEGIES),
        "profile": st.sampled_from(["v1", "v2"]),
        "encoding": st.sampled_from(["o200k_base", "cl100k_base"]),
    },
)
#: What projections are asked for on the samples.
ASKED: list[dict[str, Any]] = [
    {},
    {"schemas": "omit"},
    {"profile": "v2"},
    {"max_description": 60, "strategy": "sentence"},
    {"max_description": 12, "max_parameter_description": 6, "unit": "tokens", "strategy": "constraints"},
    {"max_description": 0, "max_parameter_description": 0, "encoding": "cl100k_base"},
]


def hold_guarantees(catalog: Catalog, policy: dict[str, Any]) -> None:
    before = copy.deepcopy(catalog.to_json())
    projection = project(catalog, **policy)
    compact = projection.catalog
    assert catalog.to_json() == before
    # 1: the same tools in the same order, and what the compact view is called.
    assert compact.ids == catalog.ids
    assert compact.view == "compact"
    counts = encoding(policy.get("encoding", "o200k_base"))
    for old, new in zip(catalog, compact, strict=True):
        assert list(new.descriptor) == [name for name in old.descriptor if name in new.descriptor]
        assert set(new.descriptor) <= set(COMPACT_FIELDS)
        # 2: inside the subset, strictly.
        if "inputSchema" in new.descriptor:
            assert inside(new.descriptor["inputSchema"])
            if policy.get("profile") == "v2":
                assert set(new.descriptor["inputSchema"]) == {"type", "properties"}
        # 4: never dearer.
        assert counts.count(dumps(new.descriptor)) <= counts.count(dumps(old.descriptor))
    hold_losses(catalog, projection)
    # 6: the same bytes again, and from its own result.
    assert project(catalog, **policy) == projection
    again = project(compact, **policy)
    assert dumps(again.to_json()) == dumps(compact.to_json())


def hold_losses(catalog: Catalog, projection: Projection) -> None:
    """Guarantee 5: what differs between the two views is named in the losses."""
    for old, new in zip(catalog, projection.catalog, strict=True):
        lost = [loss for loss in projection.losses if loss.tool_id == old.tool_id]
        for name in old.descriptor:
            if name not in COMPACT_FIELDS:
                assert any(loss.kind == "field" and loss.keyword == name for loss in lost)
            elif name == "inputSchema" and name not in new.descriptor:
                assert any(loss.action == "left out" for loss in lost)
            elif name == "description" and new.descriptor[name] != old.descriptor[name]:
                assert any((loss.kind, loss.pointer) == ("text", "/description") for loss in lost)
            elif name != "inputSchema":
                assert new.descriptor[name] == old.descriptor[name]


@given(catalog=catalogs(), policy=POLICIES)
def test_the_guarantees_hold_whatever_comes_in(catalog: Catalog, policy: dict[str, Any]) -> None:
    hold_guarantees(catalog, policy)


@pytest.mark.parametrize("policy", ASKED, ids=json.dumps)
@pytest.mark.parametrize("name", sample_names())
def test_the_guarantees_hold_on_the_samples(name: str, policy: dict[str, Any]) -> None:
    hold_guarantees(load(f"sample:{name}"), policy)


@pytest.mark.parametrize("major", [1, 2])
@pytest.mark.parametrize("name", sample_names())
def test_a_projected_sample_conforms(name: str, major: Any) -> None:
    result = check(project(load(f"sample:{name}"), profile=f"v{major}").catalog, "compact", major)  # type: ignore[arg-type]
    assert [finding for finding in result.findings if finding.rule != "hidden-text"] == []


@pytest.mark.parametrize("name", sample_names())
def test_lowering_keeps_nearly_every_schema(name: str) -> None:
    catalog = load(f"sample:{name}")
    compact = project(catalog).catalog
    there = sum("inputSchema" in tool.descriptor for tool in catalog)
    assert sum("inputSchema" in tool.descriptor for tool in compact) >= there - 1


def test_the_fields_are_those_of_the_compact_schema() -> None:
    for major in ("v1", "v2"):
        assert list(schema(f"{major}/compact-tool-descriptor")["properties"]) == list(COMPACT_FIELDS)


def one(tool: dict[str, Any], **policy: Any) -> tuple[dict[str, Any], list[ToolLoss]]:
    projection = project(Catalog.from_json([TOOL | tool]), **policy)
    return projection.catalog.tools[0].descriptor, list(projection.losses)


@pytest.mark.parametrize("policy", ["lower", "omit"])
def test_annotations_go_and_arguments_of_their_name_stay(policy: Any) -> None:
    schema = {
        "title": "Arguments",
        "type": "object",
        "properties": {
            "title": {"type": "string", "title": "Title", "default": "x", "description": "The title."},
            "default": {"type": "boolean", "examples": [True]},
            "examples": {"type": "array", "items": {"type": "string", "title": "Item"}},
        },
        "required": ["title", "default"],
    }
    before = copy.deepcopy(schema)
    descriptor, losses = one({"inputSchema": schema}, schemas=policy)
    assert descriptor["inputSchema"] == {
        "type": "object",
        "properties": {
            "title": {"type": "string", "description": "The title."},
            "default": {"type": "boolean"},
            "examples": {"type": "array", "items": {"type": "string"}},
        },
        "required": ["title", "default"],
    }
    assert schema == before
    assert {(loss.pointer, loss.keyword, loss.exact) for loss in losses} == {
        ("/inputSchema/title", "title", True),
        ("/inputSchema/properties/title/title", "title", True),
        ("/inputSchema/properties/title/default", "default", True),
        ("/inputSchema/properties/default/examples", "examples", True),
        ("/inputSchema/properties/examples/items/title", "title", True),
    }
    assert all(resolve({"inputSchema": schema}, loss.pointer) is not None for loss in losses)


@pytest.mark.parametrize(
    ("schema", "stays"),
    [
        ({"type": "object", "properties": {"not": {"type": "string"}, "if": {}, "$defs": {}}}, True),
        ({"type": "object", "properties": {"a": {"enum": [{"oneOf": []}]}}}, True),
        ({"type": "object", "properties": {"a": {"oneOf": [{}]}}}, False),
        ({"type": "object", "properties": {}, "if": {}}, False),
        ({"type": "object", "properties": {}, "$defs": {}}, False),
        ({"type": "object"}, False),
        ({"type": ["object"], "properties": {}}, False),
        (True, False),
    ],
)
def test_omit_keeps_what_is_inside_and_leaves_out_the_rest(schema: Any, stays: bool) -> None:
    descriptor, losses = one({"inputSchema": schema}, schemas="omit")
    assert ("inputSchema" in descriptor) == stays
    assert descriptor.get("inputSchema", schema) == schema
    assert [(loss.pointer, loss.action, loss.exact) for loss in losses] == (
        [] if stays else [("/inputSchema", "left out", False)]
    )


@pytest.mark.parametrize("policy", ["lower", "omit"])
@pytest.mark.parametrize("value", [None, [], "object", 3, 1.5, [{"type": "object"}]])
def test_what_is_no_schema_is_left_out_and_nothing_is_lost(value: Any, policy: Any) -> None:
    descriptor, (loss,) = one({"inputSchema": value}, schemas=policy)
    assert descriptor == TOOL
    assert (loss.kind, loss.pointer, loss.action, loss.exact) == ("schema", "/inputSchema", "left out", True)
    assert "is no schema" in loss.detail


def test_true_costs_less_than_any_schema_of_the_subset_and_absence_says_the_same() -> None:
    descriptor, losses = one({"inputSchema": True})
    assert descriptor == TOOL
    assert [(loss.action, loss.exact) for loss in losses] == [("left out", True)]


def test_false_is_left_out_too_and_that_is_no_longer_exact() -> None:
    descriptor, losses = one({"inputSchema": False})
    assert descriptor == TOOL
    assert not all(loss.exact for loss in losses)


def test_other_fields_pay_for_a_schema() -> None:
    descriptor, _ = one(
        {"inputSchema": True, "outputSchema": {"type": "object", "properties": {"a": {"type": "string"}}}}
    )
    assert descriptor["inputSchema"] == {"type": "object", "properties": {}}


def test_an_absent_schema_stays_absent() -> None:
    assert one({"title": "T"}) == (TOOL | {"title": "T"}, [])


def test_fields_dropped_are_losses_of_their_own_kind() -> None:
    _, losses = one({"egress": "none", "x/y": 1})
    assert [loss.to_json() for loss in losses] == [
        {
            "toolId": "connector:a",
            "kind": "field",
            "pointer": pointer,
            "keyword": name,
            "action": "field dropped",
            "exact": True,
            "detail": "the compact view has no such field",
        }
        for name, pointer in (("egress", "/egress"), ("x/y", "/x~1y"))
    ]


def test_descriptions_are_as_they_are_unless_a_limit_is_asked_for() -> None:
    text = "Reads  a file.\n\n  Then it closes it. " * 20
    schema = {"type": "object", "properties": {"a": {"type": "string", "description": text}}}
    descriptor, losses = one({"description": text, "inputSchema": schema})
    assert descriptor["description"] == text
    assert descriptor["inputSchema"] == schema
    assert losses == []


def test_the_two_limits_are_separate() -> None:
    text = "Reads a file. Then it closes the file again."
    schema = {
        "type": "object",
        "description": text,
        "properties": {"description": {"items": {"type": "string", "description": text}}},
    }
    tool = {"description": text, "inputSchema": schema, "outputSchema": {"description": text}}
    descriptor, losses = one(tool, max_description=20, strategy="sentence")
    assert descriptor["description"] == "Reads a file."
    assert descriptor["inputSchema"] == schema
    assert [(loss.kind, loss.pointer, loss.detail) for loss in losses[:1]] == [
        ("text", "/description", "44 chars to 13")
    ]
    descriptor, losses = one(tool, max_parameter_description=7)
    assert descriptor["description"] == text
    assert descriptor["inputSchema"]["description"] == "Reads a"
    assert descriptor["inputSchema"]["properties"]["description"]["items"]["description"] == "Reads a"
    assert [loss.pointer for loss in losses if loss.kind == "text"] == [
        "/inputSchema/description",
        "/inputSchema/properties/description/items/description",
    ]


def test_limits_in_tokens_are_those_of_the_encoding_asked_for() -> None:
    text = "必须提供城市名。" * 10
    for name in ("o200k_base", "cl100k_base"):
        descriptor, _ = one({"description": text}, max_description=9, unit="tokens", encoding=name)
        assert 7 <= encoding(name).count(descriptor["description"]) <= 9


def test_a_cut_that_costs_a_token_goes_further() -> None:
    tool = TOOL | {"description": "Internationalization"}
    counts = encoding("o200k_base")
    cut = tool | {"description": "Internationalizatio"}
    assert counts.count(dumps(cut)) > counts.count(dumps(tool)), "the premise: the shorter text is dearer"
    descriptor, (loss,) = one(tool, max_description=19)
    assert counts.count(dumps(descriptor)) <= counts.count(dumps(tool))
    assert len(descriptor["description"]) < 19
    assert loss.kind == "text"


def test_a_cut_parameter_is_paid_for_by_itself() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string", "description": "Internationalization"}}}
    tool = {"description": "Reads a file.", "inputSchema": schema}
    descriptor, (loss,) = one(tool, max_parameter_description=19)
    assert descriptor["description"] == "Reads a file."
    assert len(descriptor["inputSchema"]["properties"]["a"]["description"]) < 19
    assert loss.pointer == "/inputSchema/properties/a/description"


def test_the_schema_does_not_depend_on_the_limit_of_descriptions() -> None:
    catalog = load("sample:large")
    without = project(catalog).catalog
    for limit in (0, 5, 50):
        limited = project(catalog, max_description=limit).catalog
        for tool, other in zip(without, limited, strict=True):
            assert tool.descriptor.get("inputSchema") == other.descriptor.get("inputSchema")


def test_a_shared_schema_is_not_shared_with_the_result() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string", "description": "Long text."}}}
    catalog = Catalog.from_json([TOOL | {"inputSchema": schema}, TOOL | {"toolId": "b", "inputSchema": schema}])
    compact = project(catalog).catalog
    compact.tools[0].descriptor["inputSchema"]["properties"]["a"]["description"] = ""
    assert schema["properties"]["a"]["description"] == "Long text."  # type: ignore[index]
    assert compact.tools[1].descriptor["inputSchema"] == schema


def test_the_bytes_do_not_depend_on_the_hash_seed() -> None:
    program = (
        "from workbench.projection import project; from workbench.sources import load; from workbench.values import dumps; "
        "p = project(load('sample:large'), max_description=40); print(dumps(p.to_json())); print(p.losses_lines())"
    )
    runs = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={
                **os.environ,
                "PYTHONHASHSEED": seed,
                "PYTHONPATH": os.pathsep.join(sys.path),
                "PYTHONIOENCODING": "utf-8",
            },
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1")
    }
    assert len(runs) == 1


@pytest.mark.parametrize(
    ("policy", "words"),
    [
        ({"schemas": "drop"}, "lower, omit"),
        ({"unit": "bytes"}, "chars, tokens"),
        ({"strategy": "best"}, "first-sentence"),
        ({"profile": "v3"}, "v1, v2"),
        ({"max_description": -1}, "from 0 up"),
        ({"max_parameter_description": True}, "from 0 up"),
        ({"encoding": "none"}, "o200k_base"),
    ],
)
def test_options_that_do_not_fit(policy: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        project(Catalog.from_json([]), **policy)


def test_nesting_without_end_is_an_error_that_names_the_tool() -> None:
    deep: Any = {}
    for _ in range(100_000):
        deep = {"not": deep}
    with pytest.raises(LimitError) as caught:
        project(Catalog.from_json([TOOL, TOOL | {"toolId": "b", "inputSchema": deep}], source="tools.json"))
    assert (caught.value.pointer, caught.value.source) == ("/tools/1", "tools.json")
