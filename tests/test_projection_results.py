"""How a projection shows itself: its losses as lines and tables, and both views side by side."""

from __future__ import annotations

import json
from typing import Any

import pytest

from workbench.catalog import Catalog
from workbench.errors import UsageError
from workbench.projection import project
from workbench.resources import sample_names
from workbench.sources import load
from workbench.values import pretty

TOOL: dict[str, Any] = {"toolId": "connector:a", "source": "connector", "safetyTier": "read"}


def test_losses_are_lines_of_json_in_catalog_order() -> None:
    projection = project(load("sample:twenty"), max_description=30)
    lines = projection.losses_lines().splitlines()
    assert [json.loads(line) for line in lines] == [loss.to_json() for loss in projection.losses]
    assert sum(projection.counts.values()) == len(lines)
    order = {tool_id: place for place, tool_id in enumerate(projection.catalog.ids)}
    places = [order[loss.tool_id] for loss in projection.losses]
    assert places == sorted(places)


def test_a_notebook_shows_each_tool_and_text_as_data() -> None:
    tools = [
        TOOL | {"toolId": "<b>", "inputSchema": {"type": "object", "properties": {}}, "<i>": 1},
        TOOL | {"toolId": "c", "inputSchema": None},
        TOOL | {"toolId": "d", "inputSchema": {"type": "object", "properties": {}, "title": "T"}},
        TOOL | {"toolId": "e"},
    ]
    projection = project(Catalog.from_json(tools))
    shown = projection._repr_html_()
    assert "<b>" not in shown
    assert "<i>" not in shown
    assert [row[1] for row in projection.table().rows] == ["as it was", "left out", "same meaning", "none"]
    assert projection.frame()["kind"].tolist() == ["field", "schema", "schema"]


def test_losses_by_tool_and_by_keyword_are_all_the_losses() -> None:
    projection = project(load("sample:large"))
    by_tool = [projection.losses_table(tool_id).rows for tool_id in projection.catalog.ids]
    assert tuple(row for rows in by_tool for row in rows) == projection.losses_table().rows
    assert projection.losses_table("nobody").rows == ()
    changes = projection.changes().rows
    assert sum(int(row[3] or 0) for row in changes) == projection.counts["schema"]
    looser = sum(not loss.exact for loss in projection.losses)
    assert sum(int(row[3] or 0) for row in changes if row[2] == "accepts more") == looser
    fates = {str(row[0]): str(row[1]) for row in projection.table().rows}
    assert projection.looser == tuple(tool for tool, fate in fates.items() if fate.startswith("looser"))
    assert [row[2] for row in changes] == sorted(str(row[2]) for row in changes)


@pytest.mark.parametrize("name", sample_names())
def test_two_views_side_by_side_are_the_whole_of_both(name: str) -> None:
    catalog = load(f"sample:{name}")
    projection = project(catalog)
    for tool, compact in zip(catalog, projection.catalog, strict=True):
        rows = projection.compare(catalog, tool.tool_id).rows
        for column, shown in ((0, tool), (2, compact)):
            assert "\n".join(str(row[column]) for row in rows if row[column]) + "\n" == pretty(shown.descriptor)
        for before, change, after in rows:
            assert bool(change) == (str(before).rstrip(",") != str(after).rstrip(","))


def test_side_by_side_shows_text_as_data() -> None:
    catalog = Catalog.from_json(
        [TOOL | {"toolId": "<b>", "description": "<script>alert(1)</script>", "egress": "none"}]
    )
    shown = project(catalog).compare(catalog, "<b>").html()
    assert "<b>" not in shown
    assert "<script" not in shown
    assert "&lt;script&gt;" in shown


def test_side_by_side_needs_a_tool_of_that_id() -> None:
    catalog = load("sample:small")
    with pytest.raises(UsageError, match=r"sample:small has no tool 'nobody'"):
        project(catalog).compare(catalog, "nobody")


def test_losses_are_looser_places_in_the_table() -> None:
    schema = {"type": "object", "properties": {"a": {"not": {"pattern": "^(a|b)+$"}}}, "outputSchema": "pays"}
    projection = project(Catalog.from_json([TOOL | {"inputSchema": schema, "outputSchema": {}}]))
    assert str(projection.table().rows[0][1]).startswith("looser at 1 place")
