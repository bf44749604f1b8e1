"""What a check gives back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from workbench.catalog import View
from workbench.findings import Finding, Level, counts
from workbench.tables import Table

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["CheckResult"]

#: Findings that a notebook shows; the frame has all of them.
_SHOWN = 100
_COLUMNS = ("level", "rule", "toolId", "pointer", "keyword", "suite", "message")


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The findings of one catalog under one view, in catalog order and, within a tool, in document order."""

    view: View
    #: How many tools were looked at.
    tools: int
    findings: tuple[Finding, ...]
    #: The protocol major whose schemas were used.
    major: int = 1

    @property
    def counts(self) -> dict[Level, int]:
        """The number of findings of each level."""
        return counts(self.findings)

    @property
    def ok(self) -> bool:
        """True when nothing that is required is broken."""
        return self.counts["must"] == 0

    def to_json(self) -> dict[str, Any]:
        """The result as `workbench check --format json` prints it."""
        return {
            "view": self.view,
            "tools": self.tools,
            "findings": [finding.to_json() for finding in self.findings],
            "counts": dict(self.counts),
        }

    def table(self, most: int | None = None) -> Table:
        """The findings as a table, at most so many of them."""
        shown = self.findings[:most]
        rows = [[finding.to_json()[column] for column in _COLUMNS] for finding in shown]
        title = f"{self.tools} tools, {self.view} view: " + ", ".join(
            f"{n} {level}" for level, n in self.counts.items()
        )
        if len(shown) < len(self.findings):
            title += f"; the first {len(shown)} findings"
        return Table(_COLUMNS, rows, title)

    def frame(self) -> pd.DataFrame:
        """All findings as a pandas frame, one row each."""
        return self.table().frame()

    def _repr_html_(self) -> str:
        return self.table(_SHOWN).html()
