"""What a projection gives back."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from workbench.catalog import Catalog, Tool
from workbench.errors import UsageError
from workbench.projection.comparing import side_by_side
from workbench.projection.losses import LossKind, ToolLoss
from workbench.projection.policy import Policy
from workbench.tables import Table
from workbench.values import dumps
from workbench.wording import quoted

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Projection"]

_COLUMNS = ("toolId", "kind", "pointer", "keyword", "action", "exact", "detail")


@dataclass(frozen=True, slots=True, repr=False)
class Projection:
    """The compact view of a catalog, and what it gave up: in catalog order, schema before text before fields."""

    catalog: Catalog
    losses: tuple[ToolLoss, ...]
    policy: Policy

    @property
    def counts(self) -> dict[LossKind, int]:
        """The number of losses of each kind."""
        found = Counter(loss.kind for loss in self.losses)
        return {kind: found[kind] for kind in ("schema", "text", "field")}

    @property
    def looser(self) -> tuple[str, ...]:
        """The ids of the tools that accept more arguments than before, in catalog order."""
        return tuple(dict.fromkeys(loss.tool_id for loss in self.losses if not loss.exact))

    def __repr__(self) -> str:
        losses = ", ".join(f"{count} {kind}" for kind, count in self.counts.items())
        return f"<Projection of {len(self.catalog)} tools; losses: {losses}>"

    def to_json(self) -> dict[str, Any]:
        """The compact catalog itself, as `workbench project` prints it."""
        return self.catalog.to_json()

    def losses_lines(self) -> str:
        """The losses as JSON Lines: one object a line, each line ended."""
        return "".join(f"{dumps(loss.to_json())}\n" for loss in self.losses)

    def table(self) -> Table:
        """One row for each tool: what became of its schema, and how much else it lost."""
        by_tool: dict[str, list[ToolLoss]] = {}
        for loss in self.losses:
            by_tool.setdefault(loss.tool_id, []).append(loss)
        rows = []
        for tool in self.catalog:
            lost = by_tool.get(tool.tool_id, [])
            fields = ", ".join(loss.keyword for loss in lost if loss.kind == "field")
            texts = sum(loss.kind == "text" for loss in lost)
            rows.append((tool.tool_id, _fate("inputSchema" in tool.descriptor, lost), texts, fields))
        title = f"{len(self.catalog)} tools, compact view"
        return Table(("toolId", "inputSchema", "texts shortened", "fields dropped"), rows, title)

    def compare(self, standard: Catalog, tool_id: str) -> Table:
        """
        One tool in both views, side by side: `standard` is the catalog that was projected.

        Raises:
            UsageError: one of the two has no tool of that id.
        """
        return side_by_side(_named(standard, tool_id), _named(self.catalog, tool_id))

    def losses_table(self, tool_id: str | None = None) -> Table:
        """The losses, one row each: all of them, or those of one tool (none where no tool has that id)."""
        lost = [loss for loss in self.losses if tool_id in (None, loss.tool_id)]
        rows = [[loss.to_json()[column] for column in _COLUMNS] for loss in lost]
        return Table(_COLUMNS, rows, f"{len(lost):,} losses" + ("" if tool_id is None else f" of {tool_id}"))

    def changes(self) -> Table:
        """What lowering did to schemas, by keyword, and how often; what makes them accept more comes first."""
        kinds = Counter((loss.exact, loss.keyword, loss.action) for loss in self.losses if loss.kind == "schema")
        rows = [
            (keyword or "(the schema)", action, "same meaning" if exact else "accepts more", places)
            for (exact, keyword, action), places in sorted(kinds.items(), key=lambda kind: (kind[0][0], -kind[1]))
        ]
        return Table(
            ("keyword", "what was done", "effect", "places"), rows, "Changes in schemas (the losses name each place)"
        )

    def frame(self) -> pd.DataFrame:
        """All losses as a pandas frame, one row each."""
        return self.losses_table().frame()

    def _repr_html_(self) -> str:
        return self.table().html()


def _named(catalog: Catalog, tool_id: str) -> Tool:
    for tool in catalog:
        if tool.tool_id == tool_id:
            return tool
    raise UsageError(f"{catalog.source or 'the catalog'} has no tool {quoted(tool_id)}")


def _fate(is_there: bool, lost: list[ToolLoss]) -> str:
    schema = [loss for loss in lost if loss.kind == "schema"]
    looser = sum(not loss.exact for loss in schema)
    if not is_there:
        return "left out" if schema else "none"
    if looser:
        return f"looser at {looser} place{'s' * (looser > 1)}"
    return "same meaning" if schema else "as it was"
