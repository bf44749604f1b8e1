"""Tuning: a catalog in, every limit tried, a recommendation out."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from os import PathLike
from typing import Any, Final, Literal, get_args

from workbench.catalog import Catalog
from workbench.descriptions import STRATEGIES, UNITS, Strategy, Unit, measure
from workbench.errors import UsageError
from workbench.renderings import rendering as named_rendering
from workbench.tokens import DEFAULT_ENCODING, Encoding
from workbench.tokens import encoding as named_encoding
from workbench.tuning.choosing import front, knee
from workbench.tuning.measuring import Measuring
from workbench.tuning.queries import Query, queries_of, read_queries
from workbench.tuning.result import Tuning
from workbench.tuning.sweep import Sweep, Swept
from workbench.tuning.values import Cap, Row

__all__ = ["CAP", "MOST", "tune"]

#: Characters: the cap that RFC 0112 floats (Unresolved questions, 1).
CAP: Final = 256
#: Limits that are tried where none are given; a longer description is tried at its own length as well.
MOST: Final = 16_384
#: So many limits are all measured; of more, these and their multiples by powers of two, which makes four for each doubling.
_ALL: Final = 32
_STEPS: Final = (4, 5, 6, 7)


def tune(
    catalog: Catalog,
    *,
    limits: Iterable[int] | None = None,
    strategy: Strategy | Literal["all"] | Sequence[Strategy] = "hard",
    unit: Unit = "chars",
    encoding: str = DEFAULT_ENCODING,
    rendering: str = "wire",
    queries: str | PathLike[str] | Iterable[Query] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Tuning:
    """
    What the compact view costs at every limit of its tool descriptions, and what shortened ones still tell apart.

    `limits` are in `unit` (every one from 0 to the longest description unless given). A row's `tokens` is exactly the compact
    total of a projection with that limit, strategy and unit. What is lost is measured at all limits if there are few, else at
    four for each doubling (`Tuning.measured_limits`); so are tokens under a rendering that does more to descriptions than to
    write them as JSON strings. `queries` are task sentences, or the path of a file of them; bundled samples bring their own.
    `progress` is called with the steps that are done and their number.

    Raises:
        UsageError: an option that does not fit.
        InputError: the task sentences cannot be read.
        EncodingUnavailable: the vocabulary cannot be loaded.
    """
    strategies = _strategies(strategy)
    writes, counts = named_rendering(rendering), named_encoding(encoding)
    wanted = _limits(catalog, limits, unit, counts)
    measured = _measured(wanted)
    asked = _queries(catalog, queries)
    steps = _Steps(len(catalog) + len(strategies) * (len(catalog) + len(measured)), progress)

    sweep = Sweep(catalog, writes, counts, steps.done)
    measuring = Measuring(sweep.compact, sweep.full(), asked)
    standard, compact = (writes.count(view, counts) for view in (catalog, sweep.compact))
    rows: list[Row] = []
    for each in strategies:
        swept = sweep.run(each, unit, wanted if sweep.layout else measured, measured, steps.done)
        rows += _rows(swept, each, standard, sweep, measuring, steps.done)
    (full,) = _rows(
        sweep.run("hard", "chars", [_longest(catalog)], [_longest(catalog)]), "hard", standard, sweep, measuring
    )
    (capped,) = _rows(sweep.run("hard", "chars", [CAP], [CAP]), "hard", standard, sweep, measuring)
    chosen = knee(rows, full)
    steps.finish()
    return Tuning(
        encoding=counts.name,
        rendering=writes.name,
        unit=unit,
        tools=len(catalog),
        queries=len(asked),
        standard=standard,
        full=full,
        rows=tuple(rows),
        front=tuple(front(rows, full)),
        recommended=Cap(chosen, unit, compact - chosen.tokens) if chosen else None,
        cap=Cap(capped, "chars", compact - capped.tokens),
    )


def _rows(
    swept: Swept,
    strategy: Strategy,
    standard: int,
    sweep: Sweep,
    measuring: Measuring,
    watch: Callable[[], None] = lambda: None,
) -> list[Row]:
    whole = sum(map(len, sweep.full()))
    rows = []
    for limit, tokens, shortened, characters in zip(
        swept.limits, swept.tokens, swept.shortened, swept.characters, strict=True
    ):
        texts = swept.texts.get(limit)
        rows.append(
            Row(
                limit=limit,
                strategy=strategy,
                tokens=tokens,
                saved_ratio=(standard - tokens) / standard,
                shortened=shortened,
                kept=characters / whole if whole else 1.0,
                measured=measuring.at(texts) if texts is not None else None,
            )
        )
        if texts is not None:
            watch()
    return rows


def _strategies(strategy: Strategy | Literal["all"] | Sequence[Strategy]) -> tuple[Strategy, ...]:
    if strategy == "all":
        return STRATEGIES
    chosen: tuple[Any, ...] = (strategy,) if isinstance(strategy, str) else tuple(dict.fromkeys(strategy))
    for each in chosen:
        if each not in get_args(Strategy):
            raise UsageError(f"unknown strategy {each!r}; strategies are {', '.join(STRATEGIES)}, or all")
    if not chosen:
        raise UsageError(f"name at least one strategy of {', '.join(STRATEGIES)}")
    return chosen


def _limits(catalog: Catalog, limits: Iterable[int] | None, unit: Unit, counts: Encoding) -> list[int]:
    if unit not in UNITS:
        raise UsageError(f"unknown unit {unit!r}; units are {', '.join(UNITS)}")
    if limits is None:
        texts = (tool.descriptor.get("description") for tool in catalog)
        longest = max((measure(text, unit, encoding=counts) for text in texts if isinstance(text, str)), default=0)
        return [*range(min(longest, MOST) + 1), *([longest] if longest > MOST else [])]
    wanted = sorted(set(limits))
    if not wanted or isinstance(wanted[0], bool) or wanted[0] < 0:
        raise UsageError(f"limits are numbers of {unit} from 0 up, and at least one is needed")
    return wanted


def _longest(catalog: Catalog) -> int:
    """A number of characters that no description has more of."""
    texts = (tool.descriptor.get("description") for tool in catalog)
    return max((len(text) for text in texts if isinstance(text, str)), default=0)


def _measured(limits: Sequence[int]) -> list[int]:
    """The limits at which losses are measured: all of a few; else those next to four steps for each doubling, and the last one."""
    if len(limits) <= _ALL:
        return list(limits)
    chosen = {limits[0], limits[-1]}
    step = 1
    while step <= limits[-1]:
        chosen |= {limits[bisect_right(limits, part * step) - 1] for part in _STEPS if part * step >= limits[0]}
        step *= 2
    return sorted(chosen)


def _queries(catalog: Catalog, queries: str | PathLike[str] | Iterable[Query] | None) -> tuple[Query, ...]:
    if queries is None:
        return queries_of(catalog)
    if isinstance(queries, str | PathLike):
        return read_queries(queries, catalog)
    asked = tuple(queries)
    for query in asked:
        if query.tool_id not in catalog.ids:
            raise UsageError(f"the catalog has no tool {query.tool_id!r}, which a task sentence asks for")
    return asked


class _Steps:
    """Counts what is done, and says so."""

    def __init__(self, total: int, say: Callable[[int, int], None] | None) -> None:
        self.total = total
        self.count = 0
        self._say = say

    def done(self) -> None:
        self.count = min(self.count + 1, self.total)
        if self._say:
            self._say(self.count, self.total)

    def finish(self) -> None:
        """What was not needed is done too."""
        self.count = self.total - 1
        self.done()
