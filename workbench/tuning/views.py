"""A tuning as tables; each says under which rendering and encoding its tokens hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from workbench.descriptions import Strategy
from workbench.renderings import rendering
from workbench.tables import Cell, Column, Table
from workbench.tuning.values import Row

if TYPE_CHECKING:
    from workbench.tuning.result import Tuning

__all__ = ["answer_table", "compared", "rows_table", "strategies_table", "under"]

_COSTS: Final = (
    Column("tokens", "thousands"),
    Column("saved %", "percent"),
    Column("shortened"),
    Column("text kept", "percent", 0),
    Column("finds itself", "percent", 0),
    Column("confused"),
    Column("identical"),
    Column("distinctness", decimals=2),
)
_TASKS: Final = Column("tasks in 5", "percent", 0)


def answer_table(tuning: Tuning) -> Table:
    """Three ways to have descriptions: as they are, as recommended, under a hard cap of 256 characters."""
    rows = [("as they are", tuning.full)]
    if tuning.recommended:
        chosen = tuning.recommended
        rows.append((f"recommended: {chosen.row.strategy}, {chosen.row.limit} {chosen.unit}", chosen.row))
    rows.append((f"cap: {tuning.cap.row.strategy}, {tuning.cap.row.limit} {tuning.cap.unit}", tuning.cap.row))
    return _table(tuning, "descriptions", rows, f"Descriptions of {tuning.tools} tools")


def strategies_table(tuning: Tuning) -> Table:
    """The recommended row of each strategy."""
    best = [(strategy, tuning.best(strategy)) for strategy in tuning.strategies]
    rows = [(f"{strategy}, {row.limit} {tuning.unit}", row) for strategy, row in best if row]
    return _table(tuning, "strategy", rows, "What the rule recommends, strategy by strategy")


def rows_table(tuning: Tuning, strategies: Sequence[Strategy]) -> Table:
    """The measured rows of some strategies."""
    measured = [row for each in strategies for row in tuning.of(each) if row.measured]
    if len(strategies) == 1:
        rows: list[tuple[Cell, Row]] = [(row.limit, row) for row in measured]
        return _table(tuning, f"limit in {tuning.unit}", rows, f"Descriptions at each measured limit, {strategies[0]}")
    rows = [(f"{row.strategy}, {row.limit:,}", row) for row in measured]
    return _table(tuning, f"limit in {tuning.unit}", rows, "Descriptions at each measured limit")


def compared(tunings: Mapping[str, Tuning], what: str = "catalog") -> Table:
    """One row for each tuning, under its name: what is recommended, what that does, and what a cap of 256 characters would do."""
    columns = (
        *(
            Column(what),
            Column("tools"),
            Column("compact", "thousands"),
            Column("recommended"),
            Column("saved", "percent"),
        ),
        *(Column("finds itself, before", "percent", 0), Column("after", "percent", 0)),
        *(Column("cap touches"), Column("cap saves", "percent"), Column("cap confuses")),
    )
    held = " / ".join(dict.fromkeys(under(tuning) for tuning in tunings.values()))
    return Table(columns, [(name, *_summed(tuning)) for name, tuning in tunings.items()], f"Limits ({held})")


def _summed(tuning: Tuning) -> list[Cell]:
    chosen, cap, full = tuning.recommended, tuning.cap, tuning.full
    span = max(1, full.tokens)
    row = chosen.row if chosen else full
    before, after, capped = (each.measured for each in (full, row, cap.row))
    cells: list[Cell] = [
        tuning.tools,
        full.tokens,
        f"{row.strategy}, {row.limit:,} {chosen.unit}" if chosen else "none",
    ]
    cells += [(full.tokens - row.tokens) / span, *(each.self_recall[0] if each else None for each in (before, after))]
    return [*cells, cap.row.shortened, cap.saved / span, len(capped.confused) if capped else None]


def _table(tuning: Tuning, head: str, rows: Sequence[tuple[Cell, Row]], title: str) -> Table:
    tasks = (_TASKS,) if tuning.queries else ()
    cells = [(name, *_cells(row, bool(tasks))) for name, row in rows]
    return Table((Column(head), *_COSTS, *tasks), cells, f"{title} ({under(tuning)})")


def under(tuning: Tuning) -> str:
    """Under what a tuning's tokens hold, and how sure they are."""
    certainty = rendering(tuning.rendering).certainty
    return f"rendering {tuning.rendering}, encoding {tuning.encoding}, {certainty}"


def _cells(row: Row, tasks: bool) -> list[Cell]:
    cells: list[Cell] = [row.tokens, row.saved_ratio, row.shortened, row.kept]
    measured = row.measured
    if measured is None:
        return [*cells, None, None, None, None, *([None] if tasks else [])]
    cells += [measured.self_recall[0], len(measured.confused), measured.identical, measured.distinctness]
    if tasks:
        cells.append(measured.task_recall[-1] if measured.task_recall else None)
    return cells
