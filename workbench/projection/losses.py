"""What a projection gave up, tool by tool."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from workbench.lowering import Loss

__all__ = ["LossKind", "ToolLoss", "of_field", "of_schema", "of_text"]

LossKind: TypeAlias = Literal["schema", "text", "field"]
"""`schema`: what lowering did to `inputSchema`. `text`: a description that was shortened. `field`: one the compact view has not."""


@dataclass(frozen=True, slots=True)
class ToolLoss:
    """
    One place of one descriptor where the compact view says less than the standard view.

    `pointer` counts from the root of the standard descriptor; for a shortened parameter description from that of the compact
    one, since lowering may have moved it. `exact` says that the tool accepts the same arguments as before, which is always so
    for fields and texts; what a tool owner wants to look at are the others.
    """

    tool_id: str
    kind: LossKind
    pointer: str
    keyword: str
    action: str
    exact: bool
    detail: str = ""

    def to_json(self) -> dict[str, Any]:
        """The loss as one line of a losses file."""
        return {
            "toolId": self.tool_id,
            "kind": self.kind,
            "pointer": self.pointer,
            "keyword": self.keyword,
            "action": self.action,
            "exact": self.exact,
            "detail": self.detail,
        }


def of_schema(tool_id: str, loss: Loss) -> ToolLoss:
    """A loss of lowering, with its pointer from the root of the descriptor."""
    pointer = f"/inputSchema{loss.pointer}"
    return ToolLoss(tool_id, "schema", pointer, loss.keyword, loss.action, loss.exact, loss.detail)


def of_text(tool_id: str, pointer: str, before: int, after: int, unit: str) -> ToolLoss:
    """A shortened description, with its sizes in the unit of the limit."""
    return ToolLoss(tool_id, "text", pointer, "description", "shortened", True, f"{before:,} {unit} to {after:,}")


def of_field(tool_id: str, pointer: str, name: str) -> ToolLoss:
    """A field of the standard view that the compact view is closed to."""
    return ToolLoss(tool_id, "field", pointer, name, "field dropped", True, "the compact view has no such field")
