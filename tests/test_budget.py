"""Budgets: every token counted once, and numbers that add up."""

from __future__ import annotations

import json
from typing import Any

import pytest
import tiktoken
from catalog_strategies import catalogs
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.budgets import WINDOWS, Budget, budget, compared, places, quantile
from workbench.catalog import Catalog
from workbench.errors import UsageError
from workbench.projection import project
from workbench.renderings import RENDERINGS
from workbench.renderings import rendering as named_rendering
from workbench.resources import sample, sample_names
from workbench.sources import load
from workbench.tokens import encoding
from workbench.values import read_json

ENCODINGS = ["o200k_base", "cl100k_base"]


WEATHER = [
    {
        "toolId": "host:weather",
        "title": "Weather",
        "description": "Tells the weather.",
        "inputSchema": {
            "type": "object",
            "properties": {"title": {"type": "string", "title": "City", "description": "Which city", "enum": ["Ulm"]}},
        },
        "outputSchema": {"type": "object", "description": "What comes out"},
        "costHint": "low",
    }
]


def read(name: str) -> Catalog:
    return Catalog.from_json(read_json(sample(name)), source=f"sample:{name}")


def wire(tools: list[Any]) -> str:
    return json.dumps({"tools": tools}, ensure_ascii=False, separators=(",", ":"))


def tiktoken_of(name: str) -> tiktoken.Encoding:
    encoding(name)  # Loads the bundled vocabulary, which tiktoken alone would look for in the network.
    return encoding(name)._core


def counted(catalog: Catalog, name: str = "o200k_base") -> int:
    """The obvious count: JSON text into tiktoken."""
    return len(tiktoken_of(name).encode_ordinary(wire([tool.descriptor for tool in catalog])))


def counted_per_tool(catalog: Catalog, name: str = "o200k_base") -> list[int]:
    """The obvious attribution: where each token's first byte falls, among the bytes of the tools one after the other."""
    core = tiktoken_of(name)
    text = wire([tool.descriptor for tool in catalog])
    borders, end = [], len('{"tools":[')
    for tool in catalog:
        size = len(json.dumps(tool.descriptor, ensure_ascii=False, separators=(",", ":")).encode())
        borders.append((end, end + size))
        end += size + 1
    position, starts = 0, []
    for token in core.encode_ordinary(text):
        starts.append(position)
        position += len(core.decode_single_token_bytes(token))
    return [sum(start <= at < stop for at in starts) for start, stop in borders]


def adds_up(result: Budget) -> None:
    for view in ("standard", "compact"):
        total = getattr(result.total, view)
        assert sum(getattr(row, view) for row in result.rows) + getattr(result.overhead, view) == total
        for by in ("tool", "field", "keyword", "depth"):
            assert sum(getattr(part, view) for part in result.parts(by)) == total
        for row, fields in zip(result.rows, result.tool_fields, strict=True):
            assert sum(getattr(part, view) for part in fields) == getattr(row, view)


class TestLaws:
    @settings(max_examples=40)
    @given(catalogs(), st.sampled_from(ENCODINGS))
    def test_rows_and_parts_add_up_to_the_independent_count(self, catalog: Catalog, name: str) -> None:
        projection = project(catalog, encoding=name)
        result = budget(catalog, encoding=name, projection=projection)
        adds_up(result)
        assert result.total.standard == counted(catalog, name)
        assert result.total.compact == counted(projection.catalog, name)

    @settings(max_examples=40)
    @given(catalogs())
    def test_a_tool_has_the_tokens_that_start_inside_it(self, catalog: Catalog) -> None:
        projection = project(catalog)
        result = budget(catalog, projection=projection)
        # A token may start in the middle of a character; the character's tool has it, and tools begin and end with ASCII.
        assert [row.standard for row in result.rows] == counted_per_tool(catalog)
        assert [row.compact for row in result.rows] == counted_per_tool(projection.catalog)

    @given(st.lists(st.integers(0, 10_000), min_size=1), st.floats(0, 1))
    def test_quantiles_are_those_of_pandas(self, counts: list[int], q: float) -> None:
        import pandas as pd

        assert quantile(counts, q) == pytest.approx(pd.Series(counts).quantile(q), abs=1e-6)


@pytest.mark.parametrize("rendering", sorted(RENDERINGS))
@pytest.mark.parametrize("name", sample_names())
def test_samples_add_up_in_every_rendering(name: str, rendering: str) -> None:
    catalog = load(f"sample:{name}")
    result = budget(catalog, rendering=rendering)
    adds_up(result)
    writes, framing = named_rendering(rendering), 4 if rendering == "harmony" else 0
    assert result.total.standard == encoding().count(writes.text(catalog)) + framing
    placed = places(catalog, rendering=rendering)
    assert sum(row[-1] for row in placed.rows) == result.total.standard
    assert (result.certainty, result.assurance) == (writes.certainty, writes.assurance)


@pytest.mark.parametrize("name", sample_names())
def test_samples_add_up_and_agree_with_tiktoken(name: str) -> None:
    catalog = read(name)
    result = budget(catalog)
    adds_up(result)
    assert result.total.standard == counted(catalog)
    assert result.total.compact == counted(project(catalog).catalog)
    assert [row.tool_id for row in result.rows] == [tool.tool_id for tool in catalog]
    assert sum(row.share for row in result.rows) == pytest.approx(1, abs=0.01)


class TestEdges:
    def test_no_tools(self) -> None:
        result = budget(Catalog.from_json([]))
        adds_up(result)
        assert result.total.saved_ratio == 0.0
        assert result.spread(0.5) is None
        found = result.to_json()
        assert found["tools"] == []
        assert found["total"] == {"standard": 4, "compact": 4, "saved": 0, "savedRatio": 0.0}
        assert found["perTool"]["median"] == {"standard": None, "compact": None}
        assert "between the tools" in result._repr_html_()

    def test_text_of_special_tokens_is_ordinary(self) -> None:
        tools = [{"toolId": "t", "source": "mcp", "safetyTier": "read", "description": "<|endoftext|><|im_start|>"}]
        assert budget(Catalog.from_json(tools)).total.standard == counted(Catalog.from_json(tools)) > 20

    def test_one_id_twice_gives_two_rows(self) -> None:
        """Regression guard: rows are kept by place, never by id."""
        tools = [{"toolId": "t", "description": "short"}, {"toolId": "t", "description": "a good deal longer"}]
        first, second = budget(Catalog.from_json(tools)).rows
        assert first.standard < second.standard

    def test_a_field_named_like_a_part_is_another_field(self) -> None:
        tools = [{"toolId": "t", "punctuation": "xyz", "overhead": 1, "inputSchema.names": [], "": {}}]
        parts = {part.key: part.standard for part in budget(Catalog.from_json(tools)).parts("field")}
        assert set(parts) == {"toolId", "other fields", "punctuation", "overhead"}
        assert parts["other fields"] > parts["toolId"]

    def test_an_unknown_keyword_is_one_among_the_unknown(self) -> None:
        tools = [{"toolId": "t", "inputSchema": {"type": "object", "overhead": 1, "x-y": {"type": "string"}}}]
        parts = {part.key: part.standard for part in budget(Catalog.from_json(tools)).parts("keyword")}
        # The compact schema has to have `properties`, whether or not the standard one does.
        assert set(parts) - {"properties"} == {"type", "unknown keywords", "outside schemas", "overhead"}


class TestSplits:
    def test_by_field(self) -> None:
        parts = {part.key: part for part in budget(Catalog.from_json(WEATHER)).parts("field")}
        assert list(parts) == [
            "toolId",
            "title",
            "description",
            "inputSchema.structure",
            "inputSchema.names",
            "inputSchema.descriptions",
            "inputSchema.enums",
            "inputSchema.annotations",
            "outputSchema",
            "costHint",
            "punctuation",
            "overhead",
        ]
        assert parts["inputSchema.names"].compact >= 1, "an argument named like an annotation stays"
        assert parts["inputSchema.annotations"].compact == 0
        assert parts["outputSchema"].compact == parts["costHint"].compact == 0

    def test_by_keyword_counts_all_schemas(self) -> None:
        parts = {part.key: part for part in budget(Catalog.from_json(WEATHER)).parts("keyword")}
        assert parts["description"].standard > parts["description"].compact > 0
        assert parts["title"].compact == 0 < parts["title"].standard

    def test_by_depth_counts_the_schemas_around(self) -> None:
        schema = {"type": "object", "properties": {"a": {"items": {"items": {"type": "string"}}}}}
        found = places(Catalog.from_json([{"toolId": "t", "inputSchema": schema}])).rows
        parts = budget(Catalog.from_json([{"toolId": "t", "inputSchema": schema}])).parts("depth")
        assert [part.key for part in parts] == ["outside schemas", *(f"depth {n}" for n in (1, 2, 3, 4)), "overhead"]
        deepest = sum(row[-1] for row in found if row[2].startswith("/inputSchema/properties/a/items/items/"))
        assert parts[4].standard == deepest

    def test_places_say_where(self) -> None:
        rows = {(row[0], row[2]): row for row in places(Catalog.from_json(WEATHER)).rows}
        assert rows["host:weather", "/inputSchema/properties/title/description"][1:4] == (
            "inputSchema",
            "/inputSchema/properties/title/description",
            "description",
        )
        assert (None, "") in rows

    def test_an_unknown_split_is_refused(self) -> None:
        with pytest.raises(UsageError, match=r"'server'; there are: tool, field, keyword, depth"):
            budget(Catalog.from_json([])).parts("server")  # type: ignore[arg-type]


class TestContract:
    def test_json(self) -> None:
        result = budget(read("small"), turns=10, context=[8_000])
        found = result.to_json(by="field")
        assert list(found) == [
            *("encoding", "rendering", "certainty", "notes", "tools", "overhead", "total", "parts"),
            *("turns", "context", "perTool"),
        ]
        assert (found["encoding"], found["rendering"]) == ("o200k_base", "wire")
        assert (found["certainty"], found["notes"]) == ("exact", ["exact: every token of this text"])
        assert [list(tool) for tool in found["tools"]] == [["toolId", "standard", "compact", "saved"]] * len(
            result.rows
        )
        assert list(found["total"]) == ["standard", "compact", "saved", "savedRatio"]
        assert all(list(part) == ["key", "standard", "compact"] for part in found["parts"])
        assert found["turns"] == {
            "count": 10,
            "standard": 10 * found["total"]["standard"],
            "compact": 10 * found["total"]["compact"],
            "saved": 10 * found["total"]["saved"],
        }
        assert found["context"] == [
            {
                "window": 8_000,
                "standard": found["total"]["standard"] / 8_000,
                "compact": found["total"]["compact"] / 8_000,
            }
        ]
        assert found["total"]["savedRatio"] == found["total"]["saved"] / found["total"]["standard"]

    def test_parts_only_when_asked_for(self) -> None:
        assert "parts" not in budget(read("small")).to_json()

    def test_windows_in_wide_use_unless_told(self) -> None:
        result = budget(read("small"))
        assert tuple(share.window for share in result.shares) == WINDOWS
        assert tuple(share.window for share in budget(read("small"), context=32_000).shares) == (32_000,)

    def test_a_model_stands_for_its_encoding(self) -> None:
        assert budget(read("small"), encoding="gpt-4").encoding == "cl100k_base"

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"turns": 0}, "not on 0"),
            ({"context": 0}, "not 0"),
            ({"context": [128_000, -1]}, "not -1"),
            ({"encoding": "none"}, "unknown encoding"),
            ({"rendering": "none"}, "unknown rendering"),
            ({"projection": project(Catalog.from_json([{"toolId": "another"}]))}, "other tools"),
        ],
    )
    def test_what_does_not_fit_is_refused(self, options: dict[str, Any], message: str) -> None:
        with pytest.raises(UsageError, match=message):
            budget(read("small"), **options)


class TestShown:
    def test_frames_hold_the_numbers(self) -> None:
        result = budget(read("twenty"))
        frame = result.frame()
        assert list(frame.columns) == ["toolId", "standard", "compact", "saved", "savedRatio", "share"]
        assert frame["standard"].sum() + result.overhead.standard == result.total.standard
        assert frame["standard"].quantile(0.9) == pytest.approx(result.spread(0.9).standard)
        assert result.parts_frame("keyword")["compact"].sum() == result.total.compact

    def test_a_long_table_still_adds_up(self) -> None:
        result = budget(read("large"))
        rows = result.table(limit=5).rows
        assert len(rows) == 5 + 3
        assert sum(row[1] for row in rows[:-1]) == rows[-1][1] == result.total.standard
        assert [row[1] for row in rows[:5]] == sorted((row.standard for row in result.rows), reverse=True)[:5]

    def test_a_single_tool_is_never_hidden_behind_a_sum_row(self) -> None:
        result = budget(read("small"))
        assert len(result.table(limit=len(result.rows) - 1).rows) == len(result.rows) + 2

    @pytest.mark.parametrize("shown", ["table", "summary", "parts_table"])
    def test_no_number_without_rendering_and_encoding(self, shown: str) -> None:
        result = budget(read("small"), encoding="cl100k_base")
        title = getattr(result, shown)().title
        assert "rendering wire, encoding cl100k_base, exact" in title
        assert "rendering wire" in repr(result) and "encoding cl100k_base" in repr(result)

    def test_how_sure_a_count_is_stands_beside_it(self) -> None:
        result = budget(read("small"), rendering="anthropic")
        assert "rendering anthropic, encoding o200k_base, lower bound" in result.table().title
        assert "does not publish" in result._repr_html_()

    def test_catalog_text_is_data_in_a_notebook(self) -> None:
        shown = budget(Catalog.from_json([{"toolId": "<script>alert(1)</script>"}]))._repr_html_()
        assert "<script>" not in shown and "&lt;script&gt;" in shown


class TestCompared:
    def test_one_row_for_each_budget(self) -> None:
        small, none = budget(read("small")), budget(Catalog(()))
        table = compared({"small": small, "none": none}, "sample")
        assert table.columns[0].name == "sample"
        total, median = small.total, small.spread(0.5)
        assert median
        assert table.rows[0][:5] == ("small", 5, total.standard, total.compact, total.saved)
        assert table.rows[0][5:] == (total.saved_ratio, median.standard, median.compact)
        assert table.rows[1][6:] == (None, None)

    def test_no_number_without_rendering_and_encoding(self) -> None:
        budgets = {name: budget(read("small"), encoding=name) for name in ENCODINGS}
        mixed = compared({name[:2]: each for name, each in budgets.items()})
        assert [row[1] for row in mixed.rows] == ENCODINGS
        assert mixed.title == "Tokens per turn (rendering wire, exact)"
        named = compared(budgets)
        assert [row[:2] for row in named.rows] == [(name, 5) for name in ENCODINGS], "the names say it already"
        same = compared({"a": budgets["o200k_base"]})
        assert same.title.endswith("(rendering wire, encoding o200k_base, exact)")
        assert compared({}).rows == ()
