"""
The projection of a catalog, one tool at a time.

The bound on the tokens of a schema is what it costs in the standard view, with the tool's description as it stands there: so the
lowered schema does not depend on how far descriptions are shortened afterwards.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from workbench.catalog import Catalog, Tool
from workbench.descriptions import Strategy, Unit
from workbench.errors import InputError
from workbench.lowering import Bound, Loss, lower
from workbench.projection.keeping import kept
from workbench.projection.losses import ToolLoss, of_field, of_schema
from workbench.projection.policy import Policy, Profile, SchemaPolicy
from workbench.projection.result import Projection
from workbench.projection.texts import shortened
from workbench.tokens import DEFAULT_ENCODING, Encoding
from workbench.tokens import encoding as encoding_of
from workbench.values import dumps, join
from workbench.wording import kind

__all__ = ["COMPACT_FIELDS", "project"]

#: The fields of a CompactToolDescriptor, which is closed (RFC 0112).
COMPACT_FIELDS: Final = ("toolId", "source", "safetyTier", "title", "description", "inputSchema")


def project(
    catalog: Catalog,
    *,
    schemas: SchemaPolicy = "lower",
    max_description: int | None = None,
    max_parameter_description: int | None = None,
    unit: Unit = "chars",
    strategy: Strategy = "hard",
    profile: Profile = "v1",
    encoding: str = DEFAULT_ENCODING,
) -> Projection:
    """
    The compact view of a catalog, and what it gave up. The catalog is not changed and shares no schema with the result.

    Limits count `unit` (user-perceived characters, or tokens of `encoding`); None leaves descriptions as they are. No compact
    descriptor costs more tokens of `encoding` than the one it came from: where a shortened text would (a cut can cost a token),
    it is shortened further. An `inputSchema` that is no schema (`null`, a list, a string, a number) is left out.

    Raises:
        UsageError: an option that does not fit.
        EncodingUnavailable: the vocabulary cannot be loaded.
        LimitError: a descriptor nested deeper than 500 levels.
    """
    policy = Policy(schemas, max_description, max_parameter_description, unit, strategy, profile)
    counts = encoding_of(encoding)
    tools, losses = [], []
    for tool in catalog:
        try:
            descriptor, lost = _projected(tool, policy, counts)
        except InputError as error:
            error.source = error.source or catalog.source
            error.pointer = f"/tools/{tool.index}{error.pointer or ''}"
            raise
        tools.append(replace(tool, descriptor=descriptor))
        losses += lost
    compact = Catalog(tuple(tools), "compact", catalog.source, "openwop", catalog.notes)
    return Projection(compact, tuple(losses), policy)


def _projected(tool: Tool, policy: Policy, counts: Encoding) -> tuple[dict[str, Any], list[ToolLoss]]:
    limit = counts.count(dumps(tool.descriptor))
    compact = {name: value for name, value in tool.descriptor.items() if name in COMPACT_FIELDS}
    fields = [of_field(tool.tool_id, join("", name), name) for name in tool.descriptor if name not in COMPACT_FIELDS]
    lost: list[Loss] = []
    if "inputSchema" in compact:
        schema, lost = _schema(compact, policy, Bound(counts.count, limit, _around(compact)))
        if schema is None:
            del compact["inputSchema"]
        else:
            compact["inputSchema"] = schema
    texts = shortened(compact, tool.tool_id, policy, counts, limit)
    return compact, [*(of_schema(tool.tool_id, loss) for loss in lost), *texts, *fields]


def _around(compact: dict[str, Any]) -> Callable[[str], str]:
    """The text of a descriptor with another text in the place of its schema."""
    members = [(f"{dumps(name)}:", None if name == "inputSchema" else dumps(value)) for name, value in compact.items()]
    before, after = "{", ""
    for number, (name, value) in enumerate(members):
        comma = "," if number else ""
        if value is None:
            before, after = before + after + comma + name, ""
        else:
            after += comma + name + value
    return lambda schema: f"{before}{schema}{after}}}"


def _schema(compact: dict[str, Any], policy: Policy, bound: Bound) -> tuple[dict[str, Any] | None, list[Loss]]:
    """What stands for `inputSchema` in the compact view, or None for nothing; and what was lost."""
    schema = compact["inputSchema"]
    if not isinstance(schema, dict | bool):
        detail = f"{kind(schema)} is no schema; without one, arguments are as opaque as with it"
        return None, [Loss("", "", "left out", True, detail)]
    if policy.schemas == "omit":
        result, losses = kept(schema, policy.profile)
        fits = result is None or bound.count(bound.wrap(dumps(result))) <= bound.limit
        return (result, losses) if fits else (None, [Loss("", "", "left out", False, "it costs more than before")])
    # Inlining must not eat up what dropping the heavy fields saves, so the schema itself may cost no more than it did. Only where
    # not even the smallest one fits (`{"type":"object"}` has no floor) may it take what the other fields leave.
    own = bound.count(bound.wrap(dumps(schema)))
    lowered = lower(schema, bound=replace(bound, limit=min(bound.limit, own)), profile=policy.profile)
    if not lowered.fits and own < bound.limit:
        lowered = lower(schema, bound=bound, profile=policy.profile)
    if lowered.fits:
        return lowered.schema, list(lowered.losses)
    exact = lowered.exact
    detail = "the smallest schema of the subset costs more than the standard view"
    return None, [*lowered.losses, Loss("", "", "left out", exact, detail)]
