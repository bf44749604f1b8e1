"""
Claims: what RFC 0112 and its witness say about cost, put to the test on real catalogs.

RFC 0112 (Motivation) estimates about 5,000 tokens a turn for a catalog of 20 tools, and about 50,000 for a naive one, without
data. It is read here as the compact and the standard view of 20 tools of a catalog's average, and `about` as within a factor of
two. Its reference host reports 27.1 % fewer bytes; that holds where the compact view has at least so many fewer, once with
schemas lowered and once by that host's own rule, which leaves schemas out that are not in the subset.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from workbench.catalog import Catalog
from workbench.projection import project
from workbench.renderings import rendering as named_rendering
from workbench.tables import Column, Table
from workbench.tokens import DEFAULT_ENCODING
from workbench.tokens import encoding as named_encoding

__all__ = ["Claim", "Claims", "claims"]

_TOOLS: Final = 20
_LEAN, _NAIVE, _FEWER = 5_000, 50_000, 0.271
_FACTOR: Final = 2
_ABOUT: Final = ("20 tools compact: about 5,000 tokens", "20 tools standard: about 50,000 tokens")
_BYTES: Final = ("compact, schemas lowered: 27.1 % fewer bytes", "compact, schemas omitted: 27.1 % fewer bytes")


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim on one catalog: tokens, or a share of bytes saved (1 is all), and whether it holds."""

    catalog: str
    claim: str
    measured: float
    holds: bool


@dataclass(frozen=True, slots=True, repr=False)
class Claims:
    """All claims on all catalogs, catalog by catalog."""

    rows: tuple[Claim, ...]
    rendering: str
    encoding: str

    def table(self) -> Table:
        """One row for each claim and catalog."""
        rows = [[row.catalog, row.claim, _shown(row), "holds" if row.holds else "does not hold"] for row in self.rows]
        return Table(("catalog", "claim", "measured", "verdict"), rows, self._title("Claims"))

    def summary(self) -> Table:
        """One row for each claim: how many catalogs it holds on, and what was measured at the ends and in the middle."""
        rows = []
        for claim in (*_ABOUT, *_BYTES):
            found = sorted((row for row in self.rows if row.claim == claim), key=lambda row: row.measured)
            if found:
                ends = (found[0], found[(len(found) - 1) // 2], found[-1])
                rows.append([claim, f"{sum(row.holds for row in found)} of {len(found)}", *map(_shown, ends)])
        columns = (Column("claim"), Column("holds on"), "least", "middle", "most")
        return Table(columns, rows, self._title("Claims of RFC 0112 and its reference host"))

    def _title(self, what: str) -> str:
        return f"{what} (rendering {self.rendering}, encoding {self.encoding}; about: within a factor of {_FACTOR})"

    def __repr__(self) -> str:
        return self.summary().text()

    def _repr_html_(self) -> str:
        return f"{self.summary().html()}\n{self.table().html()}"

    def to_json(self) -> dict[str, Any]:
        """The rows, and what they were measured under."""
        names = ("catalog", "claim", "measured", "holds")
        rows = [{name: getattr(row, name) for name in names} for row in self.rows]
        return {"rendering": self.rendering, "encoding": self.encoding, "claims": rows}


def claims(catalogs: Iterable[Catalog], *, rendering: str = "wire", encoding: str = DEFAULT_ENCODING) -> Claims:
    """
    Test the claims on each catalog that has a tool, by the rules above. Bytes are those of the rendering, in UTF-8.

    Raises as `budget` does.
    """
    writes, counts = named_rendering(rendering), named_encoding(encoding)
    rows = []
    for catalog in catalogs:
        if not catalog.tools:
            continue
        lowered = project(catalog, encoding=encoding).catalog
        omitted = project(catalog, schemas="omit", encoding=encoding).catalog
        name = catalog.source or "a catalog in memory"
        for claim, view, about in zip(_ABOUT, (lowered, catalog), (_LEAN, _NAIVE), strict=True):
            tokens = writes.count(view, counts) / len(view) * _TOOLS
            rows.append(Claim(name, claim, tokens, about / _FACTOR <= tokens <= about * _FACTOR))
        size = len(writes.text(catalog).encode())
        for claim, view in zip(_BYTES, (lowered, omitted), strict=True):
            fewer = 1 - len(writes.text(view).encode()) / size
            rows.append(Claim(name, claim, fewer, fewer >= _FEWER))
    return Claims(tuple(rows), writes.name, counts.name)


def _shown(row: Claim) -> str:
    return f"{row.measured:.1%} fewer" if row.claim in _BYTES else f"{row.measured:,.0f} tokens"
