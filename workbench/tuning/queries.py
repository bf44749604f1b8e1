"""Task sentences: what users say, each with the id of the tool that should be found for it, as JSON Lines."""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike, fspath

from workbench.catalog import Catalog
from workbench.errors import InputError
from workbench.resources import sample_queries
from workbench.sources.files import from_file
from workbench.values import read_json
from workbench.wording import quoted

__all__ = ["Query", "queries_of", "read_queries"]

_SAMPLE = "sample:"


@dataclass(frozen=True, slots=True)
class Query:
    """A task in a user's words, and the id of the tool for it."""

    text: str
    tool_id: str


def queries_of(catalog: Catalog) -> tuple[Query, ...]:
    """The task sentences that come with a bundled sample; none for any other catalog."""
    if not catalog.source.startswith(_SAMPLE):
        return ()
    data = sample_queries(catalog.source.removeprefix(_SAMPLE))
    return () if data is None else _parsed(data, f"{catalog.source}, task sentences", catalog)


def read_queries(path: str | PathLike[str], catalog: Catalog) -> tuple[Query, ...]:
    """
    The task sentences of a file, one JSON object a line: `{"query": ..., "toolId": ...}`.

    Raises:
        InputError: the file cannot be read, a line is no such object, or the catalog has no tool of that id.
    """
    return _parsed(*from_file(fspath(path)), catalog)


def _parsed(data: bytes, source: str, catalog: Catalog) -> tuple[Query, ...]:
    known = set(catalog.ids)
    queries = []
    for number, line in enumerate(data.splitlines(), 1):
        if not line.strip():
            continue
        where = f"{source}, line {number}"
        value = read_json(line, source=where)
        text, tool_id = (value.get("query"), value.get("toolId")) if isinstance(value, dict) else (None, None)
        if not isinstance(text, str) or not isinstance(tool_id, str):
            raise InputError('a line is an object {"query": "...", "toolId": "..."}', source=where)
        if tool_id not in known:
            raise InputError(f"the catalog has no tool {quoted(tool_id)}", source=where)
        queries.append(Query(text, tool_id))
    return tuple(queries)
