"""One breach found in data, as `check` reports it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

__all__ = ["LEVELS", "Finding", "Level", "counts"]

Level: TypeAlias = Literal["must", "should", "advice"]
"""How binding the broken rule is: RFC 2119 MUST and SHOULD, or ours alone."""

LEVELS: tuple[Level, ...] = get_args(Level)


@dataclass(frozen=True, slots=True)
class Finding:
    """
    One breach: the rule and its level, the tool, the place counted from the descriptor's root, and what is wrong there.

    `keyword` is the schema keyword at fault, or nothing. `suite` says whether the walk of the official suite sees it too.
    """

    rule: str
    level: Level
    tool_id: str
    pointer: str
    keyword: str | None
    suite: bool
    message: str

    def to_json(self) -> dict[str, Any]:
        """Give the finding as it stands in the output of `check`."""
        return {
            "rule": self.rule,
            "level": self.level,
            "toolId": self.tool_id,
            "pointer": self.pointer,
            "keyword": self.keyword,
            "suite": self.suite,
            "message": self.message,
        }


def counts(findings: Iterable[Finding]) -> dict[Level, int]:
    """Count findings by level, a level without any included."""
    found = dict.fromkeys(LEVELS, 0)
    for finding in findings:
        found[finding.level] += 1
    return found
