"""Differences: what a change to a catalog costs, tool by tool, and whether that is within an allowance."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from workbench.budgets.attribution import attribute
from workbench.budgets.sessions import Prefix, stable_prefix
from workbench.catalog import Catalog
from workbench.errors import UsageError
from workbench.renderings import Certainty
from workbench.renderings import rendering as named_rendering
from workbench.tables import Cell, Column, Table
from workbench.tokens import DEFAULT_ENCODING
from workbench.tokens import encoding as named_encoding
from workbench.values import dumps

__all__ = ["Change", "Difference", "What", "difference"]

What: TypeAlias = Literal["added", "removed", "changed", "same"]

_ALLOWANCE = re.compile(r"(?P<tokens>\d+)|(?P<percent>\d+(?:\.\d+)?|\.\d+)%", re.ASCII)


@dataclass(frozen=True, slots=True)
class Change:
    """
    Tokens of one thing before and after; 0 where it was not there.

    A tool that is the same can still move by a token, where a neighbour's text joins its own in another way.
    """

    before: int
    after: int
    what: What = "changed"
    tool_id: str | None = None

    @property
    def delta(self) -> int:
        """After minus before: positive where it has become dearer."""
        return self.after - self.before

    def to_json(self) -> dict[str, Any]:
        """The three numbers."""
        return {"before": self.before, "after": self.after, "delta": self.delta}


@dataclass(frozen=True, slots=True, repr=False)
class Difference:
    """Two catalogs beside each other; `tools` and `overhead` add up to `total`, before and after."""

    #: The largest effect first, whether it costs or saves.
    tools: tuple[Change, ...]
    #: Tokens that start between the tools.
    overhead: Change
    total: Change
    #: How much of the text a prompt cache still holds.
    prefix: Prefix
    encoding: str
    rendering: str
    certainty: Certainty

    def exceeds(self, allowance: str) -> bool:
        """
        Whether the total grows by more than `allowance`: tokens (`500`), or a share of what it was (`5%`).

        Raises:
            UsageError: it is neither.
        """
        found = _ALLOWANCE.fullmatch(allowance)
        if found is None:
            raise UsageError(f"an allowance is a number of tokens (500) or a share (5%), not {allowance!r}")
        if found["tokens"]:
            return self.total.delta > int(found["tokens"])
        return self.total.delta * 100 > float(found["percent"]) * self.total.before

    def table(self) -> Table:
        """What changed, the largest effect first; the tools that cost what they did share one row."""
        changed = [change for change in self.tools if change.what != "same"]
        same = [change for change in self.tools if change.what == "same"]
        rows = [_cells(change.tool_id or "", change, change.what) for change in changed]
        if same:
            kept = Change(sum(change.before for change in same), sum(change.after for change in same))
            rows.append(_cells(f"({len(same)} tools that are the same)", kept))
        rows += [_cells("(between the tools)", self.overhead), _cells("total", self.total)]
        counts = tuple(Column(name, "thousands") for name in ("before", "after", "delta"))
        return Table((Column("tool"), Column("change"), *counts, Column("delta %", "percent")), rows, self._title())

    def _title(self) -> str:
        return f"Tokens per turn (rendering {self.rendering}, encoding {self.encoding}, {self.certainty})"

    def headline(self) -> str:
        """The change of the total in one sentence."""
        kinds = Counter(change.what for change in self.tools)
        tools = ", ".join(f"{kinds[what]} {what}" for what in ("added", "removed", "changed") if kinds[what])
        share = f" ({self.total.delta / self.total.before:+.1%})" if self.total.before else ""
        moved = f"{self.total.before:,} to {self.total.after:,} tokens: {self.total.delta:+,}{share}"
        return f"{moved}; tools: {tools or 'none changed'}"

    def __repr__(self) -> str:
        return f"<Difference: {self.headline()}; rendering {self.rendering}, encoding {self.encoding}>"

    def _repr_html_(self) -> str:
        return self.table().html()

    def to_json(self) -> dict[str, Any]:
        """The JSON object that `workbench diff` prints."""
        return {
            "encoding": self.encoding,
            "rendering": self.rendering,
            "certainty": self.certainty,
            "tools": [{"toolId": tool.tool_id, **tool.to_json(), "change": tool.what} for tool in self.tools],
            "overhead": self.overhead.to_json(),
            "total": self.total.to_json(),
            "prefix": self.prefix.to_json(),
        }


def difference(
    before: Catalog, after: Catalog, *, rendering: str = "wire", encoding: str = DEFAULT_ENCODING
) -> Difference:
    """
    What a change costs, both catalogs taken as they are. Tools belong together by their ids; of one id, by their order.

    Raises as `budget` does.
    """
    writes, counts = named_rendering(rendering), named_encoding(encoding)
    old, new = (attribute(catalog, writes, counts) for catalog in (before, after))
    sides = [
        {key: (cost, tool.descriptor) for key, tool, cost in zip(_keys(catalog), catalog, found.tools, strict=True)}
        for catalog, found in ((before, old), (after, new))
    ]
    tools = [_change(key, sides[0].get(key), sides[1].get(key)) for key in dict.fromkeys([*sides[0], *sides[1]])]
    tools.sort(key=lambda change: (-abs(change.delta), change.what == "same"))
    return Difference(
        tuple(tools),
        Change(old.overhead, new.overhead),
        Change(old.total, new.total),
        stable_prefix(before, after, rendering=rendering, encoding=encoding),
        counts.name,
        writes.name,
        writes.certainty,
    )


def _keys(catalog: Catalog) -> list[tuple[str, int]]:
    """An id, and how often it came before."""
    seen: Counter[str] = Counter()
    keys = []
    for tool in catalog:
        keys.append((tool.tool_id, seen[tool.tool_id]))
        seen[tool.tool_id] += 1
    return keys


def _change(key: tuple[str, int], old: tuple[int, Any] | None, new: tuple[int, Any] | None) -> Change:
    what: What = "changed"
    if old is None or new is None:
        what = "added" if old is None else "removed"
    elif dumps(old[1]) == dumps(new[1]):
        what = "same"
    return Change(old[0] if old else 0, new[0] if new else 0, what, key[0])


def _cells(name: str, change: Change, what: str = "") -> list[Cell]:
    share = change.delta / change.before if change.before else None
    return [name, what, change.before, change.after, change.delta, share]
