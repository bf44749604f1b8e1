"""
The projection: standard view to compact view (RFC 0112).

The same tools in the same order, fewer fields, each `inputSchema` inside the compact structural subset. It is a pure function
of the catalog and the policy, no tool of its result costs more tokens than before, projecting twice changes nothing, and whatever
it gave up is in the losses.
"""

from __future__ import annotations

from workbench.projection.losses import LossKind, ToolLoss
from workbench.projection.policy import Policy, SchemaPolicy
from workbench.projection.projecting import COMPACT_FIELDS, project
from workbench.projection.result import Projection

__all__ = ["COMPACT_FIELDS", "LossKind", "Policy", "Projection", "SchemaPolicy", "ToolLoss", "project"]
