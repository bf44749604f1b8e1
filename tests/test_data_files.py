"""The sample catalogs show what their README promises, and the broken ones break what their table says."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from jsonschema.validators import validator_for

from workbench import resources
from workbench.catalog import Catalog
from workbench.errors import CatalogError, InputError
from workbench.keywords import BANNED
from workbench.values import dumps, pretty, read_json
from workbench.visible import hidden_characters
from workbench.walk import walk

ROOT = Path(__file__).resolve().parent.parent
SAMPLES = ROOT / "sample_catalogs"
EXPECTED: dict[str, dict[str, Any]] = json.loads((SAMPLES / "broken" / "expected.json").read_text())["files"]
MAJORS = ("v1", "v2")
SOURCES = ("node-pack", "workflow", "mcp", "connector", "host-extension")
TIERS = ("pure", "read", "write", "exec")
HEAVY = {"outputSchema", "auth", "egress", "approval", "replayPolicy", "costHint", "latencyHint"}


@cache
def _validator(name: str) -> Draft202012Validator:
    return Draft202012Validator(resources.schema(name), registry=resources.registry())


def _valid(name: str, instance: Any) -> bool:
    return bool(_validator(name).is_valid(instance))


# Whole catalogs


def _catalog(name: str) -> Catalog:
    return Catalog.from_json(read_json(resources.sample(name), source=f"sample:{name}"), source=f"sample:{name}")


def _keywords(name: str) -> set[str]:
    """Every keyword that stands in a schema position of a sample's input schemas."""
    schemas = [tool.descriptor["inputSchema"] for tool in _catalog(name) if "inputSchema" in tool.descriptor]
    return {
        key for schema in schemas for visit in walk(schema) if isinstance(visit.schema, dict) for key in visit.schema
    }


@pytest.mark.parametrize("name", resources.sample_names())
def test_a_sample_conforms_to_both_majors(name: str) -> None:
    for tool in _catalog(name):
        for major in MAJORS:
            errors = [error.message for error in _validator(f"{major}/tool-descriptor").iter_errors(tool.descriptor)]
            assert errors == [], tool.tool_id


@pytest.mark.parametrize("name", resources.sample_names())
def test_the_schemas_in_a_sample_are_valid_in_their_dialect(name: str) -> None:
    for tool in _catalog(name):
        for key in {"inputSchema", "outputSchema"} & set(tool.descriptor):
            schema = tool.descriptor[key]
            validator_for(schema, default=Draft202012Validator).check_schema(schema)


@pytest.mark.parametrize("name", resources.sample_names())
def test_a_sample_is_unique_visible_and_written_one_way(name: str) -> None:
    catalog = _catalog(name)
    assert len(set(catalog.ids)) == len(catalog)
    text = resources.sample(name).decode()
    assert hidden_characters(text) == []
    assert pretty(read_json(text)) == text


@pytest.mark.parametrize(
    ("name", "count"), [("small", 5), ("twenty", 20), ("large", 64), ("multilingual", 15), ("mcp", 8)]
)
def test_a_sample_has_the_size_that_its_readme_names(name: str, count: int) -> None:
    assert len(_catalog(name)) == count
    assert f"| `{name}` | {count} |" in (SAMPLES / "README.md").read_text()


@pytest.mark.parametrize("name", ["small", "large"])
def test_all_sources_and_tiers_occur(name: str) -> None:
    tools = _catalog(name).tools
    assert {tool.descriptor["source"] for tool in tools} == set(SOURCES)
    assert {tool.descriptor["safetyTier"] for tool in tools} == set(TIERS)


@pytest.mark.parametrize("name", ["small", "twenty", "large"])
def test_all_heavy_fields_occur(name: str) -> None:
    assert {key for tool in _catalog(name) for key in tool.descriptor} >= HEAVY


def test_the_large_sample_has_the_constructs_that_make_lowering_hard() -> None:
    hard = {
        "additionalItems",
        "const",
        "contains",
        "definitions",
        "dependentRequired",
        "discriminator",
        "else",
        "examples",
    }
    hard |= {"format", "if", "items", "minContains", "multipleOf", "pattern", "prefixItems", "propertyNames", "then"}
    hard |= {"$defs", "$dynamicAnchor", "$dynamicRef", "unevaluatedProperties", "uniqueItems"}
    assert hard | set(BANNED) <= _keywords("large")


def _recursive(schema: Any) -> bool:
    """Whether a definition of the schema leads back to itself through local references."""
    edges = {
        name: set(re.findall(r'"\$ref":"#/\$defs/([A-Za-z]+)"', dumps(body)))
        for name, body in schema.get("$defs", {}).items()
    }
    for _ in edges:
        edges = {name: heads.union(*(edges.get(head, set()) for head in heads)) for name, heads in edges.items()}
    return any(name in heads for name, heads in edges.items())


@pytest.mark.parametrize(("name", "least"), [("twenty", 1), ("large", 5), ("mcp", 1)])
def test_recursion_occurs(name: str, least: int) -> None:
    found = [tool.tool_id for tool in _catalog(name) if _recursive(tool.descriptor.get("inputSchema", {}))]
    assert len(found) >= least, found


def test_the_large_sample_has_long_descriptions_a_root_union_and_an_opaque_tool() -> None:
    tools = [tool.descriptor for tool in _catalog("large")]
    assert sum(len(tool["description"]) > 500 for tool in tools) >= 5
    assert any("\n- " in tool["description"] for tool in tools)
    assert any("oneOf" in tool.get("inputSchema", {}) for tool in tools)
    assert any("inputSchema" not in tool for tool in tools)


def test_the_multilingual_sample_has_its_scripts_in_text_and_in_names() -> None:
    blocks = [r"[\u3040-\u309f]", r"[\u4e00-\u9fff]", r"[\u0600-\u06ff]", r"[\u0590-\u05ff]", r"[\u0900-\u097f]"]
    blocks += [
        r"[\u0400-\u04ff]",
        r"[\u0370-\u03ff]",
        r"[\u0e00-\u0e7f]",
        r"[\uac00-\ud7a3]",
        "[äöüß]",
        "[ãçõíú]",
        "[ıİşğ]",
        "[\U0001f300-\U0001faff]",
    ]
    tools = [tool.descriptor for tool in _catalog("multilingual")]
    for block in blocks:
        assert any(re.search(block, tool["description"]) for tool in tools), block
    named = [
        block
        for block in blocks
        if any(re.search(block, name) for tool in tools for name in tool["inputSchema"]["properties"])
    ]
    assert len(named) >= 12


def test_the_multilingual_sample_has_graphemes_of_several_characters() -> None:
    text = resources.sample("multilingual").decode()
    for cluster in ("👨‍👩‍👧‍👦", "👩🏽‍🌾", "🇯🇵", "a\u0323"):
        assert cluster in text


def test_the_mcp_sample_has_what_servers_send() -> None:
    raw = read_json(resources.sample("mcp"))
    assert isinstance(raw, dict)
    assert raw["server"] == "bookshelf"
    keys = {key for tool in raw["tools"] for key in tool}
    assert {"name", "title", "description", "inputSchema", "outputSchema", "annotations", "_meta", "execution"} <= keys
    arguments = {name for tool in raw["tools"] for name in tool["inputSchema"]["properties"]}
    assert {"title", "default"} <= arguments
    assert _catalog("mcp").form == "mcp"


def test_the_readme_names_no_tool_that_does_not_exist() -> None:
    readme = (SAMPLES / "README.md").read_text().partition("## Broken")[0]
    known = {tool_id for name in resources.sample_names() for tool_id in _catalog(name).ids}
    named = set(re.findall(r"`((?:connector|mcp|openwop|x-host-[a-z-]+)[:.][^`]+)`", readme))
    assert named
    assert named <= known


# Broken catalogs


def test_the_table_lists_exactly_the_broken_files() -> None:
    found = {path.name for path in (SAMPLES / "broken").iterdir()} - {"expected.json"}
    assert set(EXPECTED) == found


def test_the_readme_shows_every_broken_file_with_its_first_finding() -> None:
    rows = (SAMPLES / "README.md").read_text().partition("## Broken")[2].splitlines()
    for name, entry in EXPECTED.items():
        [row] = [row for row in rows if row.startswith(f"| `{name.removesuffix('.json')}` |")]
        assert entry["shows"] in row
        if "error" in entry:
            assert entry["error"] in row
        else:
            first = entry["findings"][0]
            assert f"`{first['rule']}` ({first['level']})" in row
            assert f"`{first['pointer']}`" in row or first["pointer"] == ""


def test_every_rule_of_check_is_broken_at_its_level() -> None:
    levels = {
        (finding["rule"], finding["level"]) for entry in EXPECTED.values() for finding in entry.get("findings", [])
    }
    must = {
        "descriptor-schema",
        "compact-field",
        "compact-root",
        "compact-keyword",
        "exec-source",
        "duplicate-tool-id",
        "secret",
    }
    advice = {"malformed-keyword", "required-unknown", "loophole", "hidden-text"}
    # Where the stored 2.x schema alone refuses what RFC 0112 allows, a breach of it is advice.
    advice.add("descriptor-schema")
    assert levels == {(rule, "must") for rule in must} | {("tier-1", "should")} | {(rule, "advice") for rule in advice}


@pytest.mark.parametrize("name", sorted(name for name, entry in EXPECTED.items() if "error" in entry))
def test_a_catalog_that_cannot_be_used_is_refused_with_its_place(name: str) -> None:
    entry = EXPECTED[name]
    with pytest.raises(InputError) as caught:
        _catalog(f"broken/{name.removesuffix('.json')}")
    assert type(caught.value) is {"InputError": InputError, "CatalogError": CatalogError}[entry["error"]]
    assert caught.value.pointer == entry.get("pointer", caught.value.pointer)
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize("name", sorted(name for name, entry in EXPECTED.items() if "error" not in entry))
def test_a_broken_catalog_loads_and_breaks_the_schema_exactly_where_it_says_so(name: str) -> None:
    entry = EXPECTED[name]
    catalog = _catalog(f"broken/{name.removesuffix('.json')}")
    view = "compact-tool-descriptor" if entry["view"] == "compact" else "tool-descriptor"
    broken = {tool.tool_id for tool in catalog if not _valid(f"v{entry['major']}/{view}", tool.descriptor)}
    rules = {"descriptor-schema", "compact-field", "compact-root", "exec-source"}
    says = {finding["toolId"] for finding in entry["findings"] if finding["rule"] in rules}
    says |= {
        f["toolId"]
        for f in entry["findings"]
        if re.fullmatch(r"/inputSchema/[^/]+", f["pointer"]) and f["rule"] == "compact-keyword"
    }
    says |= {f["toolId"] for f in entry["findings"] if "descriptor-schema" in entry["besides"]}
    assert broken == says
    assert {finding["toolId"] for finding in entry["findings"]} <= set(catalog.ids)
