"""
How fast the sweep over description limits is, beside encoding the catalog from scratch at each limit.

    python benchmarks/sweep.py CATALOG... [--limits N] [--strategy S] [--encoding E]

Both go over the limits 0 to N - 1 in one run, and their counts have to be equal at each of them. The long way is given the
shortened descriptions; all it does is to write the catalog and to encode it, so what the sweep spends on shortening counts
against the sweep. `once` is what is done before any limit: projecting the catalog, and taking its text apart.
"""

from __future__ import annotations

import argparse
import gc
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from workbench.catalog import Catalog
from workbench.descriptions import STRATEGIES
from workbench.renderings import rendering
from workbench.sources import load
from workbench.tables import Column, Table
from workbench.tokens import encoding
from workbench.tuning import Sweep
from workbench.values import dumps

_Result = TypeVar("_Result")
_COLUMNS = (
    *(Column(name, "thousands") for name in ("tools", "tokens", "limits")),
    *(Column(name, decimals=2) for name in ("scratch s", "once s", "sweep s")),
    *(Column(name, decimals=0) for name in ("scratch / sweep", "scratch / (once + sweep)")),
    Column("equal"),
)


def main() -> None:
    """Measure the catalogs of the command line and print one row for each."""
    parser = argparse.ArgumentParser(description="The sweep over description limits, beside encoding from scratch.")
    parser.add_argument("catalogs", nargs="+", metavar="CATALOG")
    parser.add_argument("--limits", type=int, default=1_024, metavar="N")
    parser.add_argument("--strategy", choices=[*STRATEGIES, "all"], default="hard")
    parser.add_argument("--encoding", default="o200k_base")
    options = parser.parse_args()
    strategies = STRATEGIES if options.strategy == "all" else (options.strategy,)
    rows = []
    for source in options.catalogs:
        catalog = load(source)
        for strategy in strategies:
            rows.append((f"{catalog.source.rsplit('/', 1)[-1]}, {strategy}", *_row(catalog, strategy, options)))
            print(rows[-1], flush=True)
    title = f"Sweep beside encoding from scratch (rendering wire, encoding {options.encoding})"
    print(Table((Column("catalog, strategy"), *_COLUMNS), rows, title).markdown())


def _row(catalog: Catalog, strategy: Any, options: argparse.Namespace) -> tuple[Any, ...]:
    limits = range(options.limits)
    once, sweep = _timed(lambda: Sweep(catalog, rendering("wire"), encoding(options.encoding)))
    swept_in, swept = _timed(lambda: sweep.run(strategy, "chars", limits, []))
    texts = sweep.run(strategy, "chars", limits, limits).texts
    scratch_in, counted = _timed(lambda: [_from_scratch(sweep, texts[limit]) for limit in limits])
    ratios = scratch_in / swept_in, scratch_in / (once + swept_in)
    equal = tuple(counted) == swept.tokens
    return len(catalog), max(counted), len(limits), scratch_in, once, swept_in, *ratios, "yes" if equal else "NO"


def _from_scratch(sweep: Sweep, texts: tuple[str, ...]) -> int:
    tools = [
        replace(tool, descriptor=tool.descriptor | {"description": text}) if "description" in tool.descriptor else tool
        for tool, text in zip(sweep.compact, texts, strict=True)
    ]
    return sweep.counts.count(dumps(replace(sweep.compact, tools=tuple(tools)).to_json()))


def _timed(work: Callable[[], _Result]) -> tuple[float, _Result]:
    gc.collect()
    begun = time.perf_counter()
    result = work()
    return time.perf_counter() - begun, result


if __name__ == "__main__":
    main()
