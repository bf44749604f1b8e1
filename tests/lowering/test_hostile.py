"""
Hostile schemas: cycles, bombs, depth and breadth end in a bounded result, with and without a bound.

They run in a process of its own, so that one that ran out of stack or never ended would be a failure here and no crash. The
time allowed is generous; what is asked is that they end at all.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from lowering.hostile_schemas import SCHEMAS

#: Minutes on a slow machine; all of them together take some ten seconds on an idle one.
SECONDS = 600
#: Without a bound the output is bounded by this, or by a few times the input where that is larger.
MOST_CHARACTERS = 120_000
LIMIT = 3_000
RUN = """
import json, sys
sys.path.insert(0, sys.argv[1])
from lowering.hostile_schemas import SCHEMAS
from workbench.errors import LimitError
from workbench.lowering import Bound, is_lowered, lower
from workbench.values import dumps

def size(schema):
    try:
        return len(dumps(schema))
    except LimitError:
        return 0

for name, make in SCHEMAS.items():
    schema = make()
    free, cut = lower(schema), lower(schema, bound=Bound(len, int(sys.argv[2])))
    told = {
        "input": size(schema),
        "free": len(dumps(free.schema)),
        "cut": len(dumps(cut.schema)),
        "losses": len(free.losses),
        "form": is_lowered(free.schema) and is_lowered(cut.schema),
        "again": lower(free.schema).schema == free.schema and lower(cut.schema).schema == cut.schema,
    }
    print(json.dumps([name, told]), flush=True)
"""


def outcomes() -> dict[str, dict[str, Any]]:
    """What became of each schema."""
    here = str(Path(__file__).parent.parent)
    done = subprocess.run(
        [sys.executable, "-c", RUN, here, str(LIMIT)], capture_output=True, text=True, timeout=SECONDS, check=False
    )
    assert done.returncode == 0, done.stdout[-200:] + done.stderr[-2_000:]
    return dict(map(json.loads, done.stdout.splitlines()))


def broken(told: dict[str, Any]) -> list[str]:
    """The bounds that an outcome breaks."""
    most = max(MOST_CHARACTERS, 5 * told["input"])
    kept = {
        "in the form of a lowered schema": told["form"],
        "lowering it again changes nothing": told["again"],
        "within the bound": told["cut"] <= LIMIT,
        "not much larger than the input": told["free"] <= most,
        "losses that somebody can read": told["losses"] <= 25_000,
    }
    return [claim for claim, holds in kept.items() if not holds]


def test_every_one_ends_within_its_bounds() -> None:
    found = outcomes()
    assert list(found) == list(SCHEMAS)
    assert {name: claims for name, told in found.items() if (claims := broken(told))} == {}
