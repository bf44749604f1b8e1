"""
Sweeps: what the compact view of a catalog costs at every limit of its tool descriptions, exactly.

The result is that of a projection at each limit, counted from scratch; the work is done once. Schemas do not depend on the
limit, shorteners know their text, and of the written text only what lies around the cuts is counted again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from workbench.catalog import Catalog, Tool
from workbench.descriptions import Shortener, Strategy, Unit
from workbench.projection import Policy, project
from workbench.projection.texts import relieved
from workbench.renderings import Rendering
from workbench.tokens import Encoding
from workbench.tuning.layout import Gap, Layout, layout_of
from workbench.values import dumps

__all__ = ["Sweep", "Swept"]


@dataclass(frozen=True, slots=True)
class Swept:
    """What a strategy makes of a catalog, limit by limit."""

    limits: tuple[int, ...]
    #: Tokens of the whole rendering at each limit.
    tokens: tuple[int, ...]
    #: Tools whose description is shorter than it was, at each limit.
    shortened: tuple[int, ...]
    #: Characters of tool descriptions that are left, at each limit.
    characters: tuple[int, ...]
    #: At the limits asked for, the description of each tool; "" for a tool without one.
    texts: dict[int, tuple[str, ...]]


class _Described:
    """A tool with a description: what it may cost, and what it costs with another text."""

    __slots__ = ("fixed", "gap", "most", "place", "text")

    def __init__(self, place: int, standard: Tool, compact: dict[str, Any], counts: Encoding) -> None:
        self.place = place
        self.text: str = compact["description"]
        self.most = counts.count(dumps(standard.descriptor))
        own = layout_of(lambda texts: dumps(compact | {"description": texts[0]}), [self.text], counts)
        self.fixed = own.fixed if own else 0
        self.gap = own.gaps[0] if own else None

    def fits(self, text: str) -> bool:
        """Whether the descriptor with a text costs at most what the standard one does."""
        return self.gap is not None and self.fixed + self.gap.count(text) <= self.most

    def share(self, gap: Gap) -> None:
        """Counts at a gap in a longer text instead, where that one has the same edges: what costs the same is counted once."""
        if self.gap is not None and self.gap.edges == gap.edges:
            self.gap = gap


class Sweep:
    """
    A catalog projected once, ready to be shortened to any number of limits.

    Raises as `workbench.project` does; `watch` is called after each tool.
    """

    def __init__(
        self, catalog: Catalog, rendering: Rendering, counts: Encoding, watch: Callable[[], None] = lambda: None
    ) -> None:
        self.catalog = catalog
        self.rendering = rendering
        self.counts = counts
        tools, described, whole = [], [], True
        for place, tool in enumerate(catalog):
            projection = project(replace(catalog, tools=(tool,)), encoding=counts.name)
            (compact,) = projection.catalog
            tools.append(compact)
            whole = whole and not projection.counts["text"]
            if isinstance(compact.descriptor.get("description"), str):
                described.append(_Described(place, tool, compact.descriptor, counts))
            watch()
        self.compact = Catalog(tuple(tools), "compact", catalog.source, "openwop", catalog.notes)
        self.described: tuple[_Described, ...] = tuple(described)
        # Where a description had to be cut without any limit, its whole text is not known here.
        known = whole and all(tool.gap is not None for tool in described)
        self.layout: Layout | None = layout_of(self._written, self.texts, counts) if known else None
        if self.layout:
            for each, gap in zip(described, self.layout.gaps, strict=True):
                each.share(gap)

    @property
    def texts(self) -> list[str]:
        """The descriptions as they are, of the tools that have one."""
        return [tool.text for tool in self.described]

    def full(self) -> tuple[str, ...]:
        """The description of each tool as it is; "" for a tool without one."""
        return self._spread(self.texts)

    def run(
        self,
        strategy: Strategy,
        unit: Unit,
        limits: Sequence[int],
        keep: Sequence[int],
        watch: Callable[[], None] = lambda: None,
    ) -> Swept:
        """
        Shorten to each of some ascending limits; texts are kept at those in `keep` alone. `watch` is called after each tool.

        A rendering that cannot be taken apart is written and counted anew at each limit.
        """
        total = _Totals(limits, frozenset(keep))
        columns = []
        for place, tool in enumerate(self.described):
            gap = self.layout.gaps[place] if self.layout else None
            columns.append(self._tool(tool, gap, strategy, unit, total))
            watch()
        fixed = self.layout.fixed + self.rendering.framing if self.layout else 0
        tokens = [fixed + cost for cost in total.tokens]
        kept = [limit for limit in limits if limit in total.keep]
        texts = {limit: self._spread([column[place] for column in columns]) for place, limit in enumerate(kept)}
        for place in range(len(limits)) if self.layout is None else sorted(total.odd):
            tokens[place], odd_texts = self._from_scratch(strategy, unit, limits[place])
            if limits[place] in texts:
                texts[limits[place]] = odd_texts
        return Swept(tuple(limits), tuple(tokens), tuple(total.shortened), tuple(total.characters), texts)

    def _tool(self, tool: _Described, gap: Gap | None, strategy: Strategy, unit: Unit, total: _Totals) -> list[str]:
        """Adds one tool to the totals, and gives its texts at the limits that are kept."""
        shortener = Shortener(tool.text, unit=unit, strategy=strategy, encoding=self.counts)
        further = partial(relieved, policy=Policy(unit=unit, strategy=strategy), counts=self.counts)
        texts: list[str] = []
        cut = text = tool.text
        tokens = gap.count(text) if gap else 0
        for place, limit in enumerate(total.limits):
            now = shortener.at(limit)
            if now != cut:
                cut = text = now
                if not tool.fits(now):
                    text = further(now, tool.fits)
                tokens = gap.count(text) if gap else 0
            if not text and not tool.fits(text):
                # Nothing is left of the text and the descriptor is still too dear: others of its texts are cut then.
                total.odd.add(place)
            total.tokens[place] += tokens
            total.characters[place] += len(text)
            total.shortened[place] += text is not tool.text
            if limit in total.keep:
                texts.append(text)
        return texts

    def _from_scratch(self, strategy: Strategy, unit: Unit, limit: int) -> tuple[int, tuple[str, ...]]:
        options: dict[str, Any] = {"max_description": limit, "unit": unit, "strategy": strategy}
        compact = project(self.catalog, encoding=self.counts.name, **options).catalog
        found = (tool.descriptor.get("description") for tool in compact)
        texts = tuple(text if isinstance(text, str) else "" for text in found)
        return self.rendering.count(compact, self.counts), texts

    def _written(self, texts: Sequence[str]) -> str:
        tools = list(self.compact)
        for described, text in zip(self.described, texts, strict=True):
            tool = tools[described.place]
            tools[described.place] = replace(tool, descriptor=tool.descriptor | {"description": text})
        return self.rendering.text(replace(self.compact, tools=tuple(tools)))

    def _spread(self, texts: Sequence[str]) -> tuple[str, ...]:
        spread = [""] * len(self.catalog)
        for tool, text in zip(self.described, texts, strict=True):
            spread[tool.place] = text
        return tuple(spread)


class _Totals:
    """Sums over tools, limit by limit."""

    def __init__(self, limits: Sequence[int], keep: frozenset[int]) -> None:
        self.limits = limits
        self.keep = keep
        self.tokens = [0] * len(limits)
        self.characters = [0] * len(limits)
        self.shortened = [0] * len(limits)
        #: Places of limits at which the short way does not hold.
        self.odd: set[int] = set()
