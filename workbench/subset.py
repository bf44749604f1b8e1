"""
The compact structural subset of RFC 0112: what breaks it, where, and which of that the official suite's walk would see.

The specification bans seven keywords "at any nesting depth". The published schema looks at the top level and the suite's walk
goes into six keywords, so a host can pass both and still send what is banned. The verdict here is strict: every position that
holds a schema counts, and every occurrence is a finding, below another one too. `suite` marks those on the suite's way.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

from workbench.findings import Finding
from workbench.keywords import BANNED, KEYWORDS, LOOPHOLES
from workbench.places import in_order
from workbench.values import join
from workbench.walk import walk
from workbench.wording import kind, quoted

__all__ = ["findings", "inside", "unknown_required"]

#: Keywords beside `properties` through which a name could get its schema after all.
_SUPPLIERS = (set(BANNED) | set(LOOPHOLES)) - {"not", "$defs", "definitions", "unevaluatedItems"}


def inside(schema: Any) -> bool:
    """Say whether a value is a schema of the compact structural subset, under the strict walk."""
    return not list(_root(schema, "", "")) and not any(
        name in visit.schema for visit in walk(schema) if isinstance(visit.schema, dict) for name in BANNED
    )


def findings(schema: Any, *, tool_id: str = "", base: str = "/inputSchema") -> list[Finding]:
    """
    Everything that keeps a value out of the subset or slips through its letter, in document order.

    Rules: `compact-root`, `compact-keyword`, `loophole`, `required-unknown`. Pointers start with `base`. A value that is no
    JSON object breaks the root rule and has nothing else to find.

    Raises:
        LimitError: the pointers of the findings would have more than 20 million characters.
    """
    found = chain(_root(schema, tool_id, base), _keywords(schema, tool_id, base), _unknown(schema, tool_id, base))
    return in_order(found, schema, base)


def unknown_required(schema: Any, *, tool_id: str = "", base: str = "/inputSchema") -> list[Finding]:
    """
    Names in `required` that no schema of the object describes: the trace of a projection that lost an argument.

    A host that deletes keys by name (`title`, `default`) deletes arguments of that name and leaves them required. Only places
    where nothing else can supply the name are looked at: no typed `additionalProperties`, no pattern, reference, branch or
    condition beside `properties` or on the way from the root. Raises LimitError as `findings` does.
    """
    return in_order(_unknown(schema, tool_id, base), schema, base)


def _root(schema: Any, tool_id: str, base: str) -> Iterator[Finding]:
    """The floor: `type` is the string "object", and `properties` is an object (RFC 0112)."""

    def finding(pointer: str, keyword: str | None, message: str) -> Finding:
        return Finding("compact-root", "must", tool_id, pointer, keyword, True, message)

    if not isinstance(schema, dict):
        yield finding(base, None, f"inputSchema is {kind(schema)}; it is an object with type and properties, or absent")
        return
    if "type" not in schema:
        yield finding(base, "type", 'the root has no type; it has to say "object"')
    elif schema["type"] != "object":
        yield finding(join(base, "type"), "type", 'the type of the root is the string "object" and nothing else')
    if "properties" not in schema:
        yield finding(base, "properties", "the root has no properties; it lists them, if only as {}")
    elif not isinstance(schema["properties"], dict):
        yield finding(join(base, "properties"), "properties", "properties is an object, from names to schemas")


def _keywords(schema: Any, tool_id: str, base: str) -> Iterator[Finding]:
    """Every banned keyword and every loophole, in every schema position."""
    for visit in walk(schema):
        if not isinstance(visit.schema, dict):
            continue
        for name in visit.schema:
            row = KEYWORDS.get(name)
            if row is None or not (row.banned or row.loophole):
                continue
            pointer = join(base + visit.pointer, name)
            if row.banned:
                message = f"{name} is banned at any depth of a compact inputSchema"
                yield Finding("compact-keyword", "must", tool_id, pointer, name, visit.suite, message)
            else:
                message = f"{name} is not banned by name, yet it brings back what the compact view exists to drop"
                yield Finding("loophole", "advice", tool_id, pointer, name, False, message)


def _unknown(schema: Any, tool_id: str, base: str) -> Iterator[Finding]:
    # The suite's walk goes exactly through the keywords that describe a value of their own, never through a branch of another.
    for visit in walk(schema):
        if not (visit.suite and isinstance(visit.schema, dict)):
            continue
        for index, name in _lost(visit.schema):
            pointer = join(base + visit.pointer, "required", index)
            message = f"required names {quoted(name)}, which properties does not list: was an argument lost?"
            yield Finding("required-unknown", "advice", tool_id, pointer, "required", False, message)


def _lost(schema: dict[str, Any]) -> Iterator[tuple[int, str]]:
    required, properties, others = (schema.get(key) for key in ("required", "properties", "additionalProperties"))
    if not isinstance(required, list) or not isinstance(properties, dict) or not _SUPPLIERS.isdisjoint(schema):
        return
    if isinstance(others, dict) and others:
        return
    for index, name in enumerate(required):
        if isinstance(name, str) and name not in properties:
            yield index, name
