"""Measuring what shortened descriptions of one catalog still tell apart."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence

from workbench.catalog import Catalog, Tool
from workbench.tuning.likeness import nearest, ranks, recall
from workbench.tuning.queries import Query
from workbench.tuning.values import DEPTHS, Measured

__all__ = ["Measuring"]


class Measuring:
    """
    A catalog's full descriptions and task sentences, to measure shortened ones against.

    Self-retrieval and likeness look at descriptions alone, of the tools that have one. For task sentences, a tool is its id, its
    title, its description and the names of its arguments, all of which a model sees.
    """

    def __init__(self, compact: Catalog, full: Sequence[str], queries: Iterable[Query]) -> None:
        self._full = full
        self._places = [place for place, text in enumerate(full) if text]
        self._around = [_around(tool) for tool in compact]
        self._names = [frozenset(_arguments(tool)) for tool in compact]
        self._queries = [(query.text, compact.ids.index(query.tool_id)) for query in queries]
        self._ids = compact.ids
        self._done: dict[tuple[str, ...], Measured] = {}
        self._found = self._first(full)

    def at(self, texts: tuple[str, ...]) -> Measured:
        """What these descriptions, one for each tool, still tell apart; the same ones are measured once."""
        if texts not in self._done:
            self._done[texts] = self._measured(texts)
        return self._done[texts]

    def _measured(self, texts: Sequence[str]) -> Measured:
        found = self._first(texts)
        alike = nearest([texts[place] for place in self._places])
        before = zip(self._places, self._found, found, strict=True)
        return Measured(
            identical=self._merged(texts),
            identical_with_parameters=self._merged(list(zip(texts, self._names, strict=True))),
            nearest=sum(alike) / len(alike) if len(alike) > 1 else None,
            self_recall=_recalls(found),
            task_recall=_recalls(ranks(self._documents(texts), self._queries)) if self._queries else None,
            confused=tuple(self._ids[place] for place, was, now in before if was == 1 and now != 1),
        )

    def _first(self, texts: Sequence[str]) -> list[int | None]:
        queries = [(self._full[place], number) for number, place in enumerate(self._places)]
        return ranks([texts[place] for place in self._places], queries)

    def _documents(self, texts: Sequence[str]) -> list[str]:
        return [f"{around} {text}" for around, text in zip(self._around, texts, strict=True)]

    def _merged(self, now: Sequence[Hashable]) -> int:
        """Tools that are now like one that they were not like before."""
        groups: defaultdict[Hashable, list[str]] = defaultdict(list)
        for place in self._places:
            groups[now[place]].append(self._full[place])
        return sum(len(group) for group in groups.values() if len(set(group)) > 1)


def _recalls(found: Sequence[int | None]) -> tuple[float, float, float]:
    first, third, fifth = (recall(found, depth) for depth in DEPTHS)
    return first, third, fifth


def _around(tool: Tool) -> str:
    """What a model sees of a tool besides its description."""
    title = tool.descriptor.get("title")
    return " ".join([tool.tool_id, title if isinstance(title, str) else "", *_arguments(tool)])


def _arguments(tool: Tool) -> Iterable[str]:
    schema = tool.descriptor.get("inputSchema")
    properties = schema.get("properties") if isinstance(schema, dict) else None
    return properties if isinstance(properties, dict) else ()
