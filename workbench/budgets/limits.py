"""
Limits: how many tokens a catalog and its tools may cost, and which of them cost more.

A file of limits is an object in JSON, or TOML, with any of these names; those of `tools` go before `maxTool`.

    maxTotal = 8000
    maxTool = 500
    view = "standard"                    # or "compact"; the view that is held to the limits
    tools = { "mcp:github.create_issue" = 900 }
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

from workbench.budgets.result import Budget
from workbench.budgets.sessions import read_settings
from workbench.catalog import VIEWS, View
from workbench.errors import InputError

__all__ = ["Excess", "Limits", "load_limits"]

_NAMES: Final = MappingProxyType({"maxTotal": "total", "maxTool": "tool", "view": "view", "tools": "tools"})


@dataclass(frozen=True, slots=True)
class Excess:
    """A tool, or with None the whole catalog, that costs more tokens than its limit."""

    tool_id: str | None
    tokens: int
    limit: int

    def to_json(self) -> dict[str, Any]:
        """The same as a JSON object."""
        return {"toolId": self.tool_id, "tokens": self.tokens, "limit": self.limit, "over": self.tokens - self.limit}


@dataclass(frozen=True, slots=True)
class Limits:
    """Tokens that a view of a catalog, each tool, and single tools may cost; None is no limit."""

    total: int | None = None
    tool: int | None = None
    tools: Mapping[str, int] = field(default_factory=dict)
    view: View = "standard"

    def exceeded(self, budget: Budget) -> tuple[Excess, ...]:
        """What costs more than it may: the total first, then tools, the one that is furthest over its limit first."""
        costs: list[tuple[str | None, int, int | None]] = [(None, getattr(budget.total, self.view), self.total)]
        costs += ((row.tool_id, getattr(row, self.view), self.tools.get(row.tool_id, self.tool)) for row in budget.rows)
        over = [Excess(tool_id, tokens, most) for tool_id, tokens, most in costs if most is not None and tokens > most]
        return tuple(sorted(over, key=lambda excess: (excess.tool_id is not None, excess.limit - excess.tokens)))


def load_limits(path: str) -> Limits:
    """
    Read limits from a file, as described above.

    Raises:
        InputError: the file cannot be read, is neither JSON nor TOML, or holds something else than limits.
    """
    found = read_settings(path, _NAMES)
    tools = found.get("tools", {})
    if not isinstance(tools, dict):
        raise InputError("tools is to be an object, with a limit for each tool id", source=path, pointer="/tools")
    if found.get("view", "standard") not in VIEWS:
        raise InputError(f"view is to be one of {', '.join(VIEWS)}", source=path, pointer="/view")
    numbers = [(name, found[name]) for name in ("maxTotal", "maxTool") if name in found]
    for name, value in (*numbers, *tools.items()):
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            raise InputError(f"the limit {name} is to be a whole number of tokens, not negative", source=path)
    return Limits(**{_NAMES[name]: value for name, value in found.items()})
