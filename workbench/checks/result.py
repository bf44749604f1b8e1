"""What a check gives back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from workbench.catalog import View
from workbench.findings import LEVELS, Finding, Level, counts
from workbench.tables import Table

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["CheckResult"]

#: Findings that a notebook shows; the frame has all of them.
_SHOWN = 100
_EXTENT = ("places", "tools", "places the suite sees", "tools the suite faults")
_COLUMNS = ("level", "rule", "toolId", "pointer", "keyword", "suite", "message")


@dataclass(frozen=True, slots=True, repr=False)
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

    def __repr__(self) -> str:
        return f"<CheckResult of {self.tools} tools, {self.view} view; findings: {self._counted()}>"

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
        title = f"{self.tools} tools, {self.view} view: {self._counted()}"
        if len(shown) < len(self.findings):
            title += f"; the first {len(shown)} findings"
        return Table(_COLUMNS, rows, title)

    def summary(self) -> Table:
        """
        One row for each rule that something breaks, the most binding first, and in how many places and tools.

        Of the compact view it says also how much of that the official suite's walk sees.
        """
        by_rule: dict[tuple[Level, str], list[Finding]] = {}
        for finding in sorted(self.findings, key=lambda finding: LEVELS.index(finding.level)):
            by_rule.setdefault((finding.level, finding.rule), []).append(finding)
        rows = [(rule, level, *_extent(found)) for (level, rule), found in by_rule.items()]
        title = f"{self.tools} tools, {self.view} view: what they break"
        if self.view == "compact":
            return Table(("rule", "level", *_EXTENT), rows, title)
        return Table(("rule", "level", *_EXTENT[:2]), [row[:4] for row in rows], title)

    def banned(self) -> Table:
        """The rule `compact-keyword` by keyword, the most frequent first, and the total: strictly, and as the suite walks."""
        by_keyword: dict[str, list[Finding]] = {}
        found = [finding for finding in self.findings if finding.rule == "compact-keyword"]
        for finding in found:
            by_keyword.setdefault(finding.keyword or "", []).append(finding)
        rows = [(keyword, *_extent(places)) for keyword, places in by_keyword.items()]
        rows.sort(key=lambda row: (-row[1], row[0]))
        return Table(("keyword", *_EXTENT), [*rows, ("total", *_extent(found))], f"{self.tools} tools: banned keywords")

    def frame(self) -> pd.DataFrame:
        """All findings as a pandas frame, one row each."""
        return self.table().frame()

    def _repr_html_(self) -> str:
        return self.table(_SHOWN).html()

    def _counted(self) -> str:
        return ", ".join(f"{count} {level}" for level, count in self.counts.items())


def _extent(found: list[Finding]) -> tuple[int, int, int, int]:
    """How many findings there are and in how many tools: all of them, and those that the official suite's walk reaches."""
    seen = [finding for finding in found if finding.suite]
    return len(found), len({each.tool_id for each in found}), len(seen), len({each.tool_id for each in seen})
