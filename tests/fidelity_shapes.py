"""Schemas whose fidelity is known, and catalogs of them."""

from __future__ import annotations

from typing import Any

from workbench.catalog import Catalog
from workbench.fidelities import ToolFidelity, fidelity

__all__ = ["DRAFT_4", "DRAFT_7", "LOOSER", "PLAIN", "SAME", "catalog", "row"]

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
