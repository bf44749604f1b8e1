"""The keyword table against the metaschemas of the drafts, and against the lists that RFC 0112 and the design state."""

from __future__ import annotations

from typing import Any

import pytest
from jsonschema.validators import Draft4Validator, Draft6Validator, Draft7Validator
from jsonschema_specifications import REGISTRY

from workbench.keywords import ALL_DRAFTS, BANNED, KEYWORDS, LOOPHOLES, Draft, Role, Shape, named

METASCHEMAS: dict[int, list[dict[str, Any]]] = {
    4: [dict(Draft4Validator.META_SCHEMA)],
    6: [dict(Draft6Validator.META_SCHEMA)],
    7: [dict(Draft7Validator.META_SCHEMA)],
    2019: [
        REGISTRY.contents(f"https://json-schema.org/draft/2019-09/meta/{part}")
        for part in ("core", "applicator", "validation", "meta-data", "format", "content")
    ],
    2020: [
        REGISTRY.contents(f"https://json-schema.org/draft/2020-12/meta/{part}")
        for part in ("core", "applicator", "unevaluated", "validation", "meta-data", "format-annotation", "content")
    ],
}
#: Keywords that a draft's text defines and its metaschema does not list.
FORGOTTEN: dict[int, set[str]] = {4: {"$ref"}, 7: {"writeOnly"}}
#: In metaschemas the root, or what stands for it.
ROOTS = ({"$ref": "#"}, {"$recursiveRef": "#"}, {"$dynamicRef": "#meta"})


def shape_in(value: Any) -> Shape:
    """The shape that a metaschema gives a keyword, read off its subschema."""
    if not isinstance(value, dict):
        return Shape.DATA
    value = {
        key: what for key, what in value.items() if key not in ("default", "propertyNames", "$comment", "deprecated")
    }
    if value in ROOTS:
        return Shape.SCHEMA
    alternatives = value.get("anyOf", [])
    if value.get("type") == "object" and "additionalProperties" in value:
        below = value["additionalProperties"]
        if below in ROOTS:
            return Shape.SCHEMA_MAP
        return Shape.SCHEMA_OR_NAMES_MAP if any(a in ROOTS for a in below.get("anyOf", [])) else Shape.DATA
    if "$ref" in value and value["$ref"].endswith("schemaArray"):
        return Shape.SCHEMA_LIST
    if any(alternative in ROOTS for alternative in alternatives):
        lists = any(str(alternative.get("$ref", "")).endswith("schemaArray") for alternative in alternatives)
        return Shape.SCHEMA_OR_LIST if lists else Shape.SCHEMA
    return Shape.DATA


@pytest.mark.parametrize("draft", ALL_DRAFTS)
def test_a_draft_has_exactly_the_keywords_of_its_metaschema(draft: Draft) -> None:
    expected = {name for metaschema in METASCHEMAS[draft] for name in metaschema["properties"]} | FORGOTTEN.get(
        draft, set()
    )
    assert {name for name, row in KEYWORDS.items() if draft in row.drafts} == expected


@pytest.mark.parametrize("draft", ALL_DRAFTS)
def test_shapes_are_those_of_the_metaschemas(draft: Draft) -> None:
    for metaschema in METASCHEMAS[draft]:
        for name, value in metaschema["properties"].items():
            shape = shape_in(value)
            # `items` holds a list in some drafts only; the table serves all of them at once.
            allowed = {shape, Shape.SCHEMA_OR_LIST} if name == "items" else {shape}
            assert KEYWORDS[name].shape in allowed, name


def test_the_ban_list_is_that_of_the_rfc_in_its_order() -> None:
    assert BANNED == ("$ref", "oneOf", "allOf", "anyOf", "not", "patternProperties", "dependentSchemas")


def test_the_loopholes_are_those_of_the_design() -> None:
    assert set(LOOPHOLES) == {
        "$dynamicRef", "$recursiveRef", "if", "then", "else", "dependencies", "$defs", "definitions",
        "unevaluatedProperties", "unevaluatedItems",
    }  # fmt: skip


def test_the_suite_walks_what_its_walk_names() -> None:
    walked = {name for name, row in KEYWORDS.items() if row.suite_walks}
    assert walked == {"properties", "items", "additionalProperties", "contains", "propertyNames", "prefixItems"}
    assert all(KEYWORDS[name].shape is not Shape.DATA for name in walked)


def test_nothing_kept_is_banned_or_a_loophole() -> None:
    assert not set(named(kept=True)) & (set(BANNED) | set(LOOPHOLES))


def test_description_is_the_only_annotation_that_is_kept() -> None:
    kept = {name for name in named(kept=True) if KEYWORDS[name].role is Role.ANNOTATION}
    assert kept == {"description"}


def test_named_without_marks_names_everything_in_table_order() -> None:
    assert named() == tuple(KEYWORDS)
    assert named(banned=True, kept=False) == BANNED
