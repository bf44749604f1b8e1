"""The bundled schemas say what the protocol says: laws of the two majors and the two views, then tables."""

from __future__ import annotations

import itertools
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from workbench import resources
from workbench.keywords import BANNED

ROOT = Path(__file__).resolve().parent.parent
MAJORS = ("v1", "v2")
SOURCES = ("node-pack", "workflow", "mcp", "connector", "host-extension")
TIERS = ("pure", "read", "write", "exec")
HEAVY: dict[str, Any] = {
    "outputSchema": {"type": "object"},
    "auth": {"scopes": ["rooms:read"], "credentialRef": True},
    "egress": "safe-fetch",
    "approval": "conditional",
    "replayPolicy": "idempotent",
    "costHint": "low",
    "latencyHint": "high",
}
VALUES = {
    "egress": ("none", "safe-fetch", "host-mediated", "host-owned"),
    "approval": ("never", "conditional", "always"),
    "replayPolicy": ("deterministic", "idempotent", "non-deterministic"),
    "costHint": ("low", "medium", "high"),
    "latencyHint": ("low", "medium", "high"),
}
TOOL = {"toolId": "connector:rooms.list", "source": "connector", "safetyTier": "read"}
EMPTY = {"type": "object", "properties": {}}


@cache
def _validator(name: str) -> Draft202012Validator:
    return Draft202012Validator(resources.schema(name), registry=resources.registry())


def _valid(name: str, instance: Any) -> bool:
    return bool(_validator(name).is_valid(instance))


def _descriptors() -> st.SearchStrategy[dict[str, Any]]:
    """Descriptors of the standard view that keep every rule of 1.x."""
    heavy = {key: st.sampled_from(VALUES.get(key, (value,))) for key, value in HEAVY.items()}
    tiers_and_sources = [(s, t) for s in SOURCES for t in TIERS if t != "exec" or s == "host-extension"]
    return st.builds(
        lambda origin, rest: {"toolId": rest.pop("toolId"), "source": origin[0], "safetyTier": origin[1], **rest},
        st.sampled_from(tiers_and_sources),
        st.fixed_dictionaries(
            {"toolId": st.text(min_size=1, max_size=12)},
            optional={"title": st.text(), "description": st.text(), "inputSchema": st.just(EMPTY), **heavy},
        ),
    )


# Laws


@pytest.mark.parametrize("name", sorted(resources.schemas()))
def test_a_schema_is_valid_against_its_metaschema_and_named_after_its_file(name: str) -> None:
    document = resources.schema(name)
    assert document["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    Draft202012Validator.check_schema(document)
    assert document["$id"] == "urn:compact-tool-workbench:schemas:" + name.replace("/", ":")


@given(descriptor=_descriptors())
def test_two_point_x_takes_every_descriptor_of_one_point_x(descriptor: dict[str, Any]) -> None:
    assert _valid("v1/tool-descriptor", descriptor)
    assert _valid("v2/tool-descriptor", descriptor)


@given(descriptor=_descriptors())
def test_a_descriptor_without_its_heavy_fields_is_compact_and_with_one_it_is_not(descriptor: dict[str, Any]) -> None:
    light = {key: value for key, value in descriptor.items() if key not in HEAVY}
    for major in MAJORS:
        assert _valid(f"{major}/compact-tool-descriptor", light)
        for key, value in HEAVY.items():
            assert not _valid(f"{major}/compact-tool-descriptor", {**light, key: value})


@given(descriptor=_descriptors(), key=st.sampled_from(["toolId", "source", "safetyTier"]))
def test_three_fields_are_required(descriptor: dict[str, Any], key: str) -> None:
    del descriptor[key]
    light = {name: value for name, value in descriptor.items() if name not in HEAVY}
    for major in MAJORS:
        assert not _valid(f"{major}/tool-descriptor", descriptor)
        assert not _valid(f"{major}/compact-tool-descriptor", light)


def _hints(tier: str, replay: str | None, egress: str | None) -> dict[str, bool]:
    """The derivation of RFC 0204, written down a second time."""
    return {
        "readOnlyHint": tier in ("pure", "read"),
        "destructiveHint": tier in ("write", "exec"),
        "idempotentHint": replay in ("deterministic", "idempotent"),
        "openWorldHint": egress != "none",
    }


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("replay", [None, "deterministic", "idempotent", "non-deterministic"])
@pytest.mark.parametrize("egress", [None, "none", "safe-fetch", "host-mediated", "host-owned"])
def test_annotations_of_two_point_x_follow_from_the_descriptor(
    tier: str, replay: str | None, egress: str | None
) -> None:
    optional = {key: value for key, value in (("replayPolicy", replay), ("egress", egress)) if value is not None}
    descriptor = {"toolId": "x", "source": "host-extension", "safetyTier": tier, **optional}
    hints = _hints(tier, replay, egress)
    assert _valid("v2/tool-descriptor", {**descriptor, "annotations": hints})
    for name, value in hints.items():
        contradicted = {**descriptor, "annotations": {**hints, name: not value}}
        assert not _valid("v2/tool-descriptor", contradicted), name


# Tables


@pytest.mark.parametrize("major", MAJORS)
@pytest.mark.parametrize("view", ["tool-descriptor", "compact-tool-descriptor"])
@pytest.mark.parametrize(("source", "tier"), list(itertools.product(SOURCES, TIERS)))
def test_exec_is_for_host_extensions(major: str, view: str, source: str, tier: str) -> None:
    allowed = tier != "exec" or source == "host-extension"
    assert _valid(f"{major}/{view}", {"toolId": "x", "source": source, "safetyTier": tier}) is allowed


@pytest.mark.parametrize("major", MAJORS)
@pytest.mark.parametrize(
    "change",
    [
        {"toolId": ""},
        {"toolId": 7},
        {"source": "plugin"},
        {"source": None},
        {"safetyTier": "safe"},
        {"title": 7},
        {"description": None},
        {"colour": "green"},
        {"apiKey": "EXAMPLE-NOT-A-SECRET-000"},
        {"inputSchema": None},
        {"inputSchema": True},
        {"inputSchema": []},
        {"inputSchema": "object"},
        {"outputSchema": False},
        {"auth": {"scopes": ["a", "a"]}},
        {"auth": {"scopes": "a"}},
        {"auth": {"scopes": [1]}},
        {"auth": ["a"]},
        {"auth": {"credentialRef": "vault:7"}},
        {"auth": {"token": "EXAMPLE-NOT-A-SECRET-000"}},
        {"egress": "internet"},
        {"approval": "sometimes"},
        {"replayPolicy": True},
        {"costHint": "free"},
        {"latencyHint": 20},
    ],
    ids=str,
)
def test_a_standard_descriptor_is_refused(major: str, change: dict[str, Any]) -> None:
    assert _valid(f"{major}/tool-descriptor", TOOL)
    assert not _valid(f"{major}/tool-descriptor", {**TOOL, **change})


@pytest.mark.parametrize("major", MAJORS)
@pytest.mark.parametrize(
    "change",
    [{"toolId": ""}, {"toolId": 7}, {"source": "plugin"}, {"safetyTier": "safe"}, {"title": 7}, {"description": None}],
    ids=str,
)
def test_a_compact_descriptor_is_refused(major: str, change: dict[str, Any]) -> None:
    assert _valid(f"{major}/compact-tool-descriptor", TOOL)
    assert not _valid(f"{major}/compact-tool-descriptor", {**TOOL, **change})


@pytest.mark.parametrize("name", sorted(resources.schemas()))
@pytest.mark.parametrize("value", [None, True, "a", 1, []], ids=str)
def test_only_objects_are_described(name: str, value: Any) -> None:
    assert not _valid(name, value)


@pytest.mark.parametrize("major", MAJORS)
@pytest.mark.parametrize(("key", "value"), [(key, value) for key, values in VALUES.items() for value in values])
def test_a_standard_descriptor_has_the_values_of_the_protocol(major: str, key: str, value: str) -> None:
    assert _valid(f"{major}/tool-descriptor", {**TOOL, key: value})


@pytest.mark.parametrize("status", ["experimental", "deprecated"])
@pytest.mark.parametrize(
    "witness", ["witnessable-unaided", "witnessable-gated", "seam-gated", "claims-check", "negative-existence"]
)
def test_a_capability_of_two_point_x_has_the_values_of_the_protocol(status: str, witness: str) -> None:
    record = {"status": status, "since": "2.0", "until": "2.10", "witness": witness, "sources": list(SOURCES)}
    assert _valid("v2/tool-catalog-capability", record)


def test_a_standard_input_schema_may_be_anything_that_is_an_object() -> None:
    for schema in ({}, {"$ref": "#/$defs/a"}, {"oneOf": []}, {"type": "strng"}):
        assert _valid("v1/tool-descriptor", {**TOOL, "inputSchema": schema})


@pytest.mark.parametrize(
    "annotations",
    [
        {},
        *[{k: v for k, v in _hints("read", None, None).items() if k != gone} for gone in _hints("read", None, None)],
        {"readOnlyHint": True, "destructiveHint": False, "idempotentHint": False, "openWorldHint": 1},
        {**_hints("read", None, None), "title": "Rooms"},
        None,
    ],
    ids=str,
)
def test_annotations_have_all_four_hints_and_nothing_else(annotations: Any) -> None:
    assert _valid("v2/tool-descriptor", {**TOOL, "annotations": _hints("read", None, None)})
    assert not _valid("v2/tool-descriptor", {**TOOL, "annotations": annotations})


@pytest.mark.parametrize("name", ["v1/tool-descriptor", "v1/compact-tool-descriptor", "v2/compact-tool-descriptor"])
def test_annotations_exist_in_the_standard_view_of_two_point_x_only(name: str) -> None:
    assert not _valid(name, {**TOOL, "annotations": _hints("read", None, None)})


@pytest.mark.parametrize("major", MAJORS)
@pytest.mark.parametrize(
    ("schema", "allowed"),
    [
        (EMPTY, True),
        ({"type": "object", "properties": {"oneOf": {"type": "string"}}}, True),
        ({"type": "object", "properties": {"a": {"oneOf": []}}}, True),  # Depth is the checker's, not the schema's.
        ({"type": "object"}, False),
        ({"properties": {}}, False),
        ({"type": ["object"], "properties": {}}, False),
        ({"type": "array", "properties": {}}, False),
        ({"type": "object", "properties": []}, False),
        ({}, False),
        (None, False),
        (True, False),
        *[({**EMPTY, name: {}}, False) for name in sorted(BANNED)],
    ],
    ids=str,
)
def test_a_compact_input_schema_is_held_to_the_top_level_floor(major: str, schema: Any, allowed: bool) -> None:
    assert _valid(f"{major}/compact-tool-descriptor", {**TOOL, "inputSchema": schema}) is allowed


@pytest.mark.parametrize("key", ["required", "description", "additionalProperties", "$defs", "if", "x-vendor"])
def test_only_one_point_x_admits_further_keys_beside_properties(key: str) -> None:
    descriptor = {**TOOL, "inputSchema": {**EMPTY, key: []}}
    assert _valid("v1/compact-tool-descriptor", descriptor)
    assert not _valid("v2/compact-tool-descriptor", descriptor)


V2_CAPABILITY = {"status": "stable", "since": "2.0", "witness": "witnessable-gated"}


@pytest.mark.parametrize(
    ("name", "instance", "allowed"),
    [
        ("v1", {"supported": True}, True),
        ("v1", {"supported": False, "sources": [], "sessionLifecycle": True, "compactView": True}, True),
        ("v1", {"supported": True, "sources": list(SOURCES)}, True),
        ("v1", {}, False),
        ("v1", {"supported": "yes"}, False),
        ("v1", {"supported": True, "compactView": "true"}, False),
        ("v1", {"supported": True, "sources": ["mcp", "mcp"]}, False),
        ("v1", {"supported": True, "sources": ["plugin"]}, False),
        ("v1", {"supported": True, "sources": "mcp"}, False),
        ("v1", {"supported": True, "sessionLifecycle": 1}, False),
        ("v1", {"supported": True, "status": "stable"}, False),
        ("v2", V2_CAPABILITY, True),
        ("v2", {**V2_CAPABILITY, "sources": ["mcp"], "compactView": True, "sessionLifecycle": False}, True),
        ("v2", {**V2_CAPABILITY, "status": "experimental", "until": "2.9"}, True),
        ("v2", {**V2_CAPABILITY, "status": "deprecated", "until": "3.0"}, True),
        ("v2", {**V2_CAPABILITY, "until": "2.9"}, False),
        ("v2", {**V2_CAPABILITY, "status": "experimental"}, False),
        ("v2", {**V2_CAPABILITY, "status": "deprecated"}, False),
        ("v2", {**V2_CAPABILITY, "status": "beta", "until": "2.9"}, False),
        ("v2", {**V2_CAPABILITY, "since": "2"}, False),
        ("v2", {**V2_CAPABILITY, "since": 2.0}, False),
        ("v2", {**V2_CAPABILITY, "status": "deprecated", "until": "3"}, False),
        ("v2", {**V2_CAPABILITY, "status": "deprecated", "until": 3.0}, False),
        ("v2", {**V2_CAPABILITY, "sources": "mcp"}, False),
        ("v2", {**V2_CAPABILITY, "sources": ["mcp", "mcp"]}, False),
        ("v2", {**V2_CAPABILITY, "sources": ["plugin"]}, False),
        ("v2", {**V2_CAPABILITY, "sessionLifecycle": 1}, False),
        ("v2", {**V2_CAPABILITY, "compactView": "true"}, False),
        ("v2", {**V2_CAPABILITY, "since": "2.0.1"}, False),
        ("v2", {**V2_CAPABILITY, "witness": "trust-me"}, False),
        ("v2", {**V2_CAPABILITY, "supported": True}, False),
        ("v2", {"since": "2.0", "until": "2.9", "witness": "claims-check"}, False),
        *[("v2", {k: v for k, v in V2_CAPABILITY.items() if k != gone}, False) for gone in V2_CAPABILITY],
    ],
    ids=str,
)
def test_the_capability_of_each_major(name: str, instance: Any, allowed: bool) -> None:
    assert _valid(f"{name}/tool-catalog-capability", instance) is allowed


def test_all_schemas_know_the_same_vocabularies() -> None:
    schemas = resources.schemas()
    for name, key, values in itertools.product(MAJORS, ("source", "safetyTier"), (SOURCES, TIERS)):
        if (key == "source") == (values is SOURCES):
            for view in ("tool-descriptor", "compact-tool-descriptor"):
                assert schemas[f"{name}/{view}"]["properties"][key]["enum"] == list(values)
    for name in MAJORS:
        assert schemas[f"{name}/tool-catalog-capability"]["properties"]["sources"]["items"]["enum"] == list(SOURCES)


def test_the_readme_lists_every_schema() -> None:
    readme = (ROOT / "schemas" / "README.md").read_text()
    for document in resources.schemas().values():
        assert f"`{document['$id']}`" in readme
