"""The check of a catalog: each rule asked of each tool, and the answers put in order."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import get_args

from workbench.catalog import VIEWS, Catalog, Tool, View
from workbench.checks.credentials import secrets, secrets_beside
from workbench.checks.descriptors import Major, breaches
from workbench.checks.metaschemas import malformed
from workbench.checks.result import CheckResult
from workbench.checks.texts import hidden_text
from workbench.checks.tier1 import outside_tier_1
from workbench.errors import InputError, UsageError
from workbench.findings import Finding
from workbench.places import in_order
from workbench.subset import findings, unknown_required
from workbench.values import dumps, join

__all__ = ["check"]


def check(catalog: Catalog, view: View = "standard", major: Major | None = None) -> CheckResult:
    """
    Check every tool of a catalog as a descriptor of a view, under the schemas of a protocol major.

    Without a major it is that of the host which the catalog was read from, and 1 for a catalog of no host.

    Raises:
        UsageError: an unknown view or major.
        LimitError: a descriptor nested deeper than 500 levels, or one with more to find than can be reported.
    """
    if view not in VIEWS:
        raise UsageError(f"unknown view {view!r}; views are {', '.join(VIEWS)}")
    if major is None:
        major = catalog.major or 1
    if major not in get_args(Major):
        raise UsageError(f"unknown protocol major {major!r}; majors are 1 and 2")
    found: list[Finding] = []
    first: dict[str, int] = {}
    for tool in catalog:
        try:
            dumps(tool.descriptor)  # No later step has to fear nesting, half a surrogate pair or NaN.
            found += in_order(chain(_twice(tool, first), _findings(tool, view, major)), tool.descriptor)
        except InputError as error:
            error.source = error.source or catalog.source
            error.pointer = join("", "tools", tool.index) + (error.pointer or "")
            raise
    return CheckResult(view, len(catalog), tuple(found), major)


def _findings(tool: Tool, view: View, major: Major) -> Iterator[Finding]:
    required = list(_of_the_view(tool, view, major))
    yield from required
    said = {finding.pointer for finding in required if finding.level == "must"}
    yield from (finding for finding in malformed(tool) if finding.pointer not in said)
    yield from secrets(tool)
    if view == "standard":  # A projection does not carry it.
        yield from secrets_beside(tool)
    yield from hidden_text(tool)


def _of_the_view(tool: Tool, view: View, major: Major) -> Iterator[Finding]:
    yield from breaches(tool, view, major)
    if "inputSchema" in tool.descriptor:
        schema = tool.descriptor["inputSchema"]
        if view == "compact":
            yield from findings(schema, tool_id=tool.tool_id)
        else:
            yield from outside_tier_1(schema, tool.tool_id)
            yield from unknown_required(schema, tool_id=tool.tool_id)


def _twice(tool: Tool, first: dict[str, int]) -> Iterator[Finding]:
    """RFC 0078: a `toolId` is unique within the catalog. The first tool that has it is not to blame."""
    before = first.setdefault(tool.tool_id, tool.index)
    if before != tool.index:
        message = f"tool {before + 1} of the catalog has this toolId too; this is tool {tool.index + 1}"
        yield Finding("duplicate-tool-id", "must", tool.tool_id, "/toolId", None, False, message)
