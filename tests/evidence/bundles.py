"""Bundles to look at and to tamper with: every kind of value that a bundle of files can hold is in one of them."""

from __future__ import annotations

import copy
import os
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import workbench as wb
from workbench.evidence import Evidence, Options, collect
from workbench.evidence.bundle import seal
from workbench.resources import schema
from workbench.sample_host import serve
from workbench.values import join, split

__all__ = ["KEYS", "SMALL", "bundle", "copied", "leaves", "place", "shape", "shapes_of_the_schema"]

#: Little of everything, so that a bundle is computed in a moment.
SMALL = Options(samples=6, limits=(0, 24), strategies=("hard", "sentence"))
#: Of the two principals of the host.
KEYS = {"alice": "the-key-of-alice-is-none", "bob": "the-key-of-bob-is-none"}
#: Objects with names of any kind.
OPEN = ("wronglyRefused", "wronglyAdmitted", "packages", "vocabularies", "timings", "bodies")

_SAME = (
    "Finds the rooms that are free. It looks at all the houses, and at the days around the one that was asked for. " * 3
)
#: Two ids that are one name for a provider, a schema that cannot be kept as it is, a duplicate and an unknown field.
_MIXED = [
    {
        "toolId": "mcp:rooms.find",
        "source": "mcp",
        "safetyTier": "read",
        "title": "Rooms",
        "description": f"{_SAME}It only looks, and touches nothing.",
        "inputSchema": {
            "type": "object",
            "properties": {
                "when": {"oneOf": [{"type": "string", "pattern": "^x"}, {"type": "integer", "minimum": 3}]},
                "rest": {"not": {"required": ["floor"]}, "type": "object"},
            },
            "required": ["when", "who"],
        },
        "costHint": "low",
    },
    {
        "toolId": "mcp:rooms_find",
        "source": "mcp",
        "safetyTier": "read",
        "description": f"{_SAME}A booking follows at once.",
        "inputSchema": {"type": "object", "properties": {}, "additionalProperties": False},
    },
    {"toolId": "mcp:rooms.find", "source": "mcp", "safetyTier": "exec"},
]
#: Descriptions that tell tools apart, so that a limit is recommended, and an alternative that the compact view loses.
_MCP = {
    "server": "office",
    "nextCursor": "2",
    "tools": [
        {
            "name": "book",
            "description": "Books a room for a meeting of several people.",
            "inputSchema": {
                "type": "object",
                "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
                "oneOf": [{"required": ["a"]}, {"required": ["b"]}],
            },
        },
        {"name": "weather", "description": "Tells the weather of tomorrow in any city."},
        {"name": "mail", "description": "Sends mail to everybody who is concerned by it."},
    ],
}


_HOSTED = [
    {"toolId": "mcp:rooms.list", "source": "mcp", "safetyTier": "read", "description": "Lists rooms."},
    {"toolId": "connector:mail.send", "source": "connector", "safetyTier": "write"},
    {"toolId": "host:shell", "source": "host-extension", "safetyTier": "exec"},
]


@cache
def _bundle(embed: bool) -> Evidence:
    if not embed:
        document = copied(bundle())
        for part in document["sources"]:
            part["embedded"] = None
        document["seal"] = seal(document)
        return Evidence(document)
    # Of a host without fault every answer is as it should be, and no outcome of its probe needs to show one.
    with serve(wb.load(_HOSTED), faults=["exec-mislabelled", "unstable-order"], keys=KEYS) as host:
        sources = [_MIXED, _MCP, host.url]
        os.environ |= {"FIRST": KEYS["alice"], "SECOND": KEYS["bob"]}
        try:
            return collect(sources, options=SMALL, embed=True, token_env="FIRST", other_token_env="SECOND")
        finally:
            del os.environ["FIRST"], os.environ["SECOND"]


def bundle(embed: bool = True) -> Evidence:
    """A bundle of two catalogs and a host; not to be changed."""
    return _bundle(embed)


def copied(evidence: Evidence) -> dict[str, Any]:
    """Its document, to be changed."""
    return copy.deepcopy(evidence.document)


def leaves(value: Any, pointer: str = "") -> Iterator[tuple[str, Any]]:
    """Every value in a document that is neither object nor list, by its pointer; empty ones are values too."""
    if isinstance(value, dict | list) and value:
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for name, inner in items:
            yield from leaves(inner, join(pointer, name))
    else:
        yield pointer, value


def place(document: Any, pointer: str) -> tuple[Any, str | int]:
    """The object or list that a pointer leads into, and the last step."""
    *steps, last = split(pointer)
    for step in steps:
        document = document[int(step) if isinstance(document, list) else step]
    return document, int(last) if isinstance(document, list) else last


def shape(pointer: str) -> str:
    """A pointer without its indices, and without what stands in open objects."""
    general = re.sub(r"/\d+(?=/|$)", "/*", pointer)
    for name in OPEN:
        general = re.sub(rf"/{name}/.*", f"/{name}", general)
    return general


def shapes_of_the_schema() -> set[str]:
    """The shape of every value that the schema allows, whatever its type."""
    document = schema("evidence")
    return {shape(pointer) for pointer in _shapes(document, document["$defs"])}


def _shapes(each: dict[str, Any], known: dict[str, Any], pointer: str = "") -> Iterator[str]:
    name = each.get("$ref", "").rpartition("/")[2]
    branches = [known[name]] if name else [each[key] for key in ("then", "else") if key in each]
    branches += [branch for branch in each.get("anyOf", []) if branch != {"type": "null"}]
    for branch in branches:
        yield from _shapes(branch, known, pointer)
    for name, inner in each.get("properties", {}).items():
        yield from _shapes(inner, known, f"{pointer}/{name}")
    for inner in each.get("prefixItems", []):
        yield from _shapes(inner, known, f"{pointer}/*")
    if each.get("items"):
        yield from _shapes(each["items"], known, f"{pointer}/*")
    if not branches and "properties" not in each and not {"items", "prefixItems"} & each.keys():
        yield pointer
