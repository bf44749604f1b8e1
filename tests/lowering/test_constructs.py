"""
Every construct that other converters break on, one row each: inside the subset, no valid call lost, and every invalid one
still rejected that the subset can express.

`constructs.json` holds the rows. `beyond` lists invalid objects that no schema inside the subset rejects without losing a
valid one; they are there so that a row says where its limit is.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lowering.oracle import accepts, check_form, lowered, original
from workbench.lowering import is_lowered, lower
from workbench.subset import inside

ROWS: list[dict[str, Any]] = json.loads((Path(__file__).parent / "constructs.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["construct"])
class TestConstruct:
    def test_probes_are_what_they_say(self, row: dict[str, Any]) -> None:
        validator = original(row["schema"])
        for probe in row["valid"]:
            assert accepts(validator, probe) in (True, None), probe
        for probe in (*row["invalid"], *row.get("beyond", ())):
            assert accepts(validator, probe) in (False, None), probe

    def test_is_inside_the_subset(self, row: dict[str, Any]) -> None:
        schema = lower(row["schema"]).schema
        assert inside(schema) and is_lowered(schema)
        check_form(schema)

    def test_keeps_every_valid_call(self, row: dict[str, Any]) -> None:
        validator = lowered(lower(row["schema"]).schema)
        assert all(accepts(validator, probe) for probe in row["valid"])

    def test_rejects_what_the_subset_can_reject(self, row: dict[str, Any]) -> None:
        validator = lowered(lower(row["schema"]).schema)
        assert [probe for probe in row["invalid"] if accepts(validator, probe)] == []

    def test_says_so_where_it_is_looser(self, row: dict[str, Any]) -> None:
        result = lower(row["schema"])
        let_in = [probe for probe in row.get("beyond", ()) if accepts(lowered(result.schema), probe)]
        assert let_in == row.get("beyond", [])
        assert not (let_in and result.exact)


def test_no_construct_stands_twice() -> None:
    names = [row["construct"] for row in ROWS]
    assert len(set(names)) == len(names) >= 45
