"""Tuning: what is measured at a limit means what it says, the rule chooses by it, and the command keeps its contract."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import workbench as wb
from workbench.catalog import Catalog
from workbench.cli import main
from workbench.descriptions import STRATEGIES
from workbench.errors import InputError, UsageError
from workbench.figures import to_svg, tuning_curves, tuning_front
from workbench.tuning import CAP, FLOOR, Measured, Panel, Query, Row, Tuning, read_queries, retained, tune
from workbench.tuning.choosing import front, knee
from workbench.tuning.likeness import nearest, ranks, recall, terms

ALIKE = "Searches the archive of letters by their sender"
TOOLS: list[dict[str, Any]] = [
    {
        "toolId": "a",
        "description": f"{ALIKE}, newest first.",
        "inputSchema": {"type": "object", "properties": {"q": {}}},
    },
    {
        "toolId": "b",
        "description": f"{ALIKE}, oldest first.",
        "inputSchema": {"type": "object", "properties": {"q": {}}},
    },
    {
        "toolId": "c",
        "description": f"{ALIKE} and country.",
        "inputSchema": {"type": "object", "properties": {"land": {}}},
    },
    {"toolId": "d", "description": "Deletes one letter for good."},
    {"toolId": "e", "title": "No text"},
]
CATALOG = Catalog.from_json(TOOLS)


@pytest.fixture(scope="module")
def tuned() -> Tuning:
    return tune(wb.load("sample:twenty"), strategy="all")


class TestLikeness:
    def test_terms_of_scripts_with_and_without_spaces(self) -> None:
        assert terms("Lists myFiles; queries, classes of APIKeys") == (
            "list",
            "my",
            "file",
            "query",
            "classe",
            "of",
            "apikey",
        )
        assert terms("查询城市天气。ファイル") == ("查询", "询城", "城市", "市天", "天气", "ファ", "ァイ", "イル")
        assert terms("파일을 읽기") == ("파일", "일을", "읽기")
        assert terms("ดู") == ("ดู",) and terms("京") == ("京",) and terms("Größe ÄRGER") == ("größe".casefold(), "ärger")
        assert terms("الملف snake_case v2") == ("الملف", "snake", "case", "v2")
        assert terms("… -- !") == ()

    @given(st.lists(st.sampled_from(["red fox", "blue fox", "red", "", "狐狸跑", "…"]), max_size=5))
    def test_ranks_and_likeness_of_any_texts(self, texts: list[str]) -> None:
        found = ranks(texts, [(text, place) for place, text in enumerate(texts)])
        for text, rank in zip(texts, found, strict=True):
            assert (rank is None) == (not terms(text))
            # Every copy ties with it, and a tie counts against it.
            assert rank is None or rank >= texts.count(text)
        alike = nearest(texts)
        assert all(0 <= share <= 1 for share in alike)
        for place, text in enumerate(texts):
            if len(texts) > 1 and (not terms(text) or texts.count(text) > 1):
                assert alike[place] == pytest.approx(1)
        assert recall(found, 1) <= recall(found, 3) <= recall(found, 5) <= 1

    def test_what_shares_nothing_is_like_nothing(self) -> None:
        assert nearest(["red fox", "blue whale", "狐狸"]) == [0, 0, 0]
        assert nearest(["alone"]) == [0] and nearest([]) == [] and nearest(["", ""]) == [1, 1]
        assert ranks(["red fox", "blue whale"], [("whale", 1), ("whale", 0), ("otter", 0)]) == [1, None, None]


class TestMeasured:
    def test_tools_that_became_one(self) -> None:
        rows = {row.limit: row.measured for row in tune(CATALOG, limits=[0, 7, len(ALIKE), 100], strategy="hard").rows}
        assert all(rows.values())
        short, full = rows[len(ALIKE)], rows[100]
        assert short and full and rows[0]
        assert (short.identical, short.identical_with_parameters) == (3, 2), "the argument of c tells it apart"
        assert (full.identical, full.identical_with_parameters) == (0, 0)
        assert rows[0].identical == 4, "a tool that never had a description became like none"
        assert set(short.confused) == {"a", "b", "c"} and full.confused == ()
        assert short.self_recall == (0.25, 1, 1) and full.self_recall == (1, 1, 1)
        assert rows[0].self_recall == (0, 0, 0) and len(rows[0].confused) == 4
        assert (rows[0].nearest, rows[0].distinctness) == (1, 0) and (full.distinctness or 0) > (
            short.distinctness or 0
        )

    def test_tools_that_always_were_one_are_no_loss(self) -> None:
        twins = Catalog.from_json([{"toolId": name, "description": "The very same words."} for name in "ab"])
        result = tune(twins, limits=[4, 50])
        assert [row.measured and row.measured.identical for row in result.rows] == [0, 0]
        assert result.recommended is None, "full descriptions tell nothing apart either"

    def test_task_sentences_see_names_and_arguments_too(self) -> None:
        queries = [Query("which land", "c"), Query("no text at all", "e"), Query("deletes", "d")]
        result = tune(CATALOG, limits=[0, 100], queries=queries)
        assert result.queries == 3
        assert [row.measured and row.measured.task_recall for row in result.rows] == [(2 / 3,) * 3, (1, 1, 1)]

    def test_a_longer_limit_keeps_more(self, tuned: Tuning) -> None:
        for strategy in ("hard", "word", "sentence", "first-sentence"):
            rows = tuned.of(strategy)
            assert [row.kept for row in rows] == sorted(row.kept for row in rows)
            assert [row.shortened for row in rows] == sorted((row.shortened for row in rows), reverse=True)
        assert (tuned.rows[0].limit, tuned.rows[0].kept, tuned.full.kept, tuned.full.shortened) == (0, 0, 1, 0)

    def test_losses_are_measured_at_four_limits_for_each_doubling(self, tuned: Tuning) -> None:
        limits = tuned.measured_limits
        assert {4, 5, 6, 7, 8, 10, 12, 14, 64, 80, 96, 112, 128, CAP} <= set(limits)
        assert limits[0] == 0 and limits[-1] == tuned.rows[-1].limit and len(limits) < 40
        assert len(tuned.rows) == len(STRATEGIES) * (limits[-1] + 1), "tokens are known at every one"
        odd = tune(CATALOG, limits=range(3, 400, 7))
        assert set(odd.measured_limits) <= set(range(3, 400, 7)) and 3 in odd.measured_limits


def row(tokens: int, found: float, tasks: float | None = None, limit: int = 1) -> Row:
    recalls = None if tasks is None else (0.0, 0.0, tasks)
    return Row(limit, "hard", tokens, 0.0, 0, 1.0, Measured(0, 0, None, (found, 1, 1), recalls, ()))


ROWS = st.lists(st.builds(row, st.integers(100, 200), st.sampled_from([0, 0.5, 0.9, 0.95, 1])), min_size=1, max_size=8)


class TestRule:
    @given(ROWS)
    def test_no_row_is_better_than_one_on_the_front(self, rows: list[Row]) -> None:
        full = row(200, 1)
        best = front(rows, full)
        assert best == sorted(best, key=lambda row: row.tokens)
        for each in best:
            assert not any(
                (other.tokens, -retained(other, full)) != (each.tokens, -retained(each, full))
                and other.tokens <= each.tokens
                and retained(other, full) >= retained(each, full)
                for other in rows
            )
        chosen = knee(rows, full)
        assert chosen is None or (chosen in best and retained(chosen, full) >= FLOOR)
        assert (chosen is None) == all(retained(each, full) < FLOOR for each in rows)

    def test_the_knee(self) -> None:
        full = row(200, 1)
        assert knee([row(100, 0.1), row(110, 0.94), row(120, 0.96), row(150, 1), full], full) == row(120, 0.96)
        assert knee([row(100, 0.1), row(120, 0.95), row(121, 1), full], full) == row(121, 1)
        assert knee([row(100, 0.5), row(150, 0.9)], full) is None

    def test_task_sentences_count_as_much_as_self_retrieval(self) -> None:
        full = row(200, 1, 0.8)
        assert retained(row(100, 1, 0.6), full) == pytest.approx(0.75)
        assert retained(row(100, 0.5, 0.8), full) == 0.5
        assert retained(row(100, 1, 0.9), full) == 1, "finding more than before is no reason to pay more"
        assert retained(replace(full, measured=None), full) == 0

    def test_a_sample_with_sentences_is_cut_less_than_without(self, tuned: Tuning) -> None:
        bare = tune(wb.load("sample:twenty"), queries=[])
        assert bare.recommended and tuned.recommended
        assert bare.recommended.row.tokens < tuned.recommended.row.tokens < tuned.full.tokens
        assert tuned.recommended.row in tuned.front
        assert tuned.recommended.saved == tuned.full.tokens - tuned.recommended.row.tokens


class TestOptions:
    def test_the_cap_is_answered_whatever_is_tried(self) -> None:
        catalog = wb.load("sample:twenty")
        result = tune(catalog, limits=[5], strategy="sentence", unit="tokens")
        budget = wb.budget(catalog, projection=wb.project(catalog, max_description=CAP))
        assert (result.cap.row.limit, result.cap.row.strategy, result.cap.unit) == (256, "hard", "chars")
        assert (result.cap.row.tokens, result.standard) == (budget.total.compact, budget.total.standard)
        assert result.cap.row.saved_ratio == pytest.approx(budget.total.saved_ratio)
        assert result.full.tokens == wb.budget(catalog).total.compact

    def test_tokens_of_what_cannot_be_taken_apart_are_counted_where_losses_are_measured(self) -> None:
        result = tune(wb.load("sample:small"), rendering="harmony", strategy="word")
        assert {row.limit for row in result.rows} == set(result.measured_limits)

    def test_no_tools(self) -> None:
        result = tune(Catalog.from_json([]), strategy="all")
        assert (result.recommended, result.full.kept, len(result.rows)) == (None, 1.0, len(STRATEGIES))
        assert "<table" in result._repr_html_() and len(result.frame()) == len(STRATEGIES)
        tuning_curves(result), tuning_front(result)

    def test_very_long_descriptions_are_tried_up_to_a_bound_and_as_they_are(self) -> None:
        result = tune(Catalog.from_json([{"toolId": "t", "description": "word " * 8_000}]))
        assert len(result.rows) == 16_386 and result.rows[-1].limit == 40_000 and result.rows[-1].shortened == 0

    def test_progress_ends_where_it_said_it_would(self) -> None:
        seen: list[tuple[int, int]] = []
        tune(CATALOG, limits=[0, 5], strategy=["hard", "word"], progress=lambda done, total: seen.append((done, total)))
        assert seen == sorted(seen) and seen[-1][0] == seen[-1][1] and len({total for _, total in seen}) == 1

    @pytest.mark.parametrize(
        ("options", "words"),
        [
            ({"limits": []}, "from 0 up"),
            ({"limits": [-1]}, "from 0 up"),
            ({"strategy": "best"}, "first-sentence"),
            ({"strategy": []}, "at least one"),
            ({"unit": "bytes"}, "chars, tokens"),
            ({"rendering": "none"}, "unknown rendering"),
            ({"encoding": "none"}, "unknown encoding"),
            ({"queries": [Query("x", "none")]}, "no tool 'none'"),
        ],
    )
    def test_what_does_not_fit_is_refused(self, options: dict[str, Any], words: str) -> None:
        with pytest.raises(UsageError, match=words):
            tune(CATALOG, **options)


class TestQueries:
    @pytest.mark.parametrize("name", ["large", "twenty"])
    def test_two_samples_bring_their_own(self, name: str) -> None:
        catalog = wb.load(f"sample:{name}")
        queries = read_queries(Path(__file__).parent.parent / "sample_catalogs" / f"{name}.queries.jsonl", catalog)
        assert len(queries) >= 60 and {query.tool_id for query in queries} == set(catalog.ids)
        assert len({query.text for query in queries}) == len(queries)
        texts = [tool.descriptor["description"].casefold() for tool in catalog]
        assert not [query for query in queries if any(query.text.casefold() in text for text in texts)]

    @pytest.mark.parametrize(
        ("line", "words"),
        [
            ('{"query": "x"}', "line 2: a line is an object"),
            ("[]", "line 2: a line is an object"),
            ('{"query": "x", "toolId": "nobody"}', "line 2: the catalog has no tool"),
            ("{", "line 2"),
        ],
    )
    def test_a_bad_line_is_named(self, tmp_path: Path, line: str, words: str) -> None:
        file = tmp_path / "queries.jsonl"
        file.write_text(f'{{"query": "x", "toolId": "a"}}\n{line}\n')
        with pytest.raises(InputError, match=words):
            read_queries(file, CATALOG)


class TestCommand:
    def test_json_is_the_contract(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert (
            main(
                [
                    "tune",
                    "sample:twenty",
                    "--limits",
                    "0:256:64",
                    "--strategy",
                    "word",
                    "--strategy",
                    "hard",
                    "--format",
                    "json",
                ]
            )
            == 0
        )
        found = json.loads(capsys.readouterr().out)
        assert list(found)[:7] == ["encoding", "rendering", "unit", "queries", "standard", "compact", "rows"]
        assert [(row["strategy"], row["limit"]) for row in found["rows"]] == [
            (strategy, limit) for strategy in ("word", "hard") for limit in (0, 64, 128, 192, 256)
        ]
        assert set(found["rows"][0]) >= {
            "limit",
            "strategy",
            "tokens",
            "savedRatio",
            "shortened",
            "kept",
            "identical",
            "selfRecall1",
        }
        assert set(found["recommended"]) >= {"limit", "strategy", "unit", "tokens", "saved", "confusedTools"}
        assert found["cap"]["limit"] == 256
        catalog = wb.load("sample:twenty")
        assert found == json.loads(
            json.dumps(tune(catalog, limits=range(0, 257, 64), strategy=["word", "hard"]).to_json())
        )

    def test_text_says_what_is_recommended_and_warns_without_sentences(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert main(["tune", "sample:mcp", "--limits", "16", "--unit", "tokens"]) == 0
        text = capsys.readouterr().out
        assert "recommended: strategy hard, 16 tokens" in text and "at the very least" in text
        assert main(["tune", "sample:twenty", "--limits", "0:200:100", "--strategy", "all"]) == 0
        assert "strategy by strategy" in (text := capsys.readouterr().out) and "at the very least" not in text

    @pytest.mark.parametrize("limits", ["5:3", "a", "1:2:3:4", "1:9:0", "-1", "", ":", "1:2:"])
    def test_limits_that_are_none(self, limits: str, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["tune", "sample:small", f"--limits={limits}"]) == 2
        assert capsys.readouterr().err.count("\n") == 1

    def test_queries_of_ones_own(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        file = tmp_path / "q.jsonl"
        file.write_text('{"query": "x", "toolId": "nobody"}\n')
        assert main(["tune", "sample:small", "--limits", "5", "--queries", str(file)]) == 2
        assert "nobody" in capsys.readouterr().err


class TestShown:
    def test_frame_has_the_columns_of_the_json(self, tuned: Tuning) -> None:
        frame = tuned.frame()
        assert list(frame.columns) == list(tuned.rows[0].to_json()) and len(frame) == len(tuned.rows)
        assert frame["selfRecall1"].notna().sum() == len(STRATEGIES) * len(tuned.measured_limits)

    def test_no_number_without_rendering_and_encoding(self, tuned: Tuning) -> None:
        for table in (tuned.answer(), tuned.by_strategy(), tuned.table("hard"), tuned.table()):
            assert "rendering wire" in table.title and "encoding o200k_base" in table.title
        assert "wire, o200k_base" in repr(tuned)

    def test_figures_say_what_they_show_and_draw_the_same_again(self, tuned: Tuning) -> None:
        for draw in (tuning_curves, tuning_front):
            assert f"{tuned.cap.row.tokens:,} tokens" in draw(tuned).alt
            assert to_svg(draw(tuned)) == to_svg(draw(tuned))
        assert [len(axes.lines) for axes in tuning_curves(tuned).axes] == [len(STRATEGIES) + 2] * 3


class TestPanel:
    HOSTILE = "<img src=x onerror=alert(1)> [a](javascript:b) ends here, and goes on for a while"

    def test_everything_changes_at_once(self) -> None:
        panel = Panel(wb.load("sample:small"), limit=64)
        widget = panel.widget()
        (strategy, limit), (encoding, rendering), shown = (
            *(row.children for row in widget.children[:2]),
            widget.children[2],
        )
        before = shown.value
        limit.value = 20
        assert shown.value != before and "20 characters" in shown.value
        strategy.value, encoding.value, rendering.value = "hard", "cl100k_base", "anthropic"
        catalog = wb.load("sample:small")
        compact = wb.project(catalog, max_description=20, encoding="cl100k_base")
        total = wb.budget(catalog, encoding="cl100k_base", rendering="anthropic", projection=compact).total
        assert f">{total.compact:,}<" in shown.value and "rendering anthropic, encoding cl100k_base" in shown.value
        for tool in compact.catalog:
            if tool.tool_id in panel.texts().text():
                assert tool.descriptor["description"] in [row[2] for row in panel.texts().rows]

    def test_text_of_a_catalog_is_data(self) -> None:
        panel = Panel(Catalog.from_json([{"toolId": "<b>t</b>", "description": self.HOSTILE}]), limit=40)
        for shown in (panel.html(), panel.widget().children[2].value):
            assert "<img" not in shown and "<b>" not in shown and "&lt;img" in shown

    def test_a_catalog_that_a_rendering_cannot_have_says_so_and_goes_on(self) -> None:
        tools = [{"toolId": "a b", "description": "One."}, {"toolId": "a_b", "description": "Two."}]
        widget = Panel(Catalog.from_json(tools)).widget()
        rendering, shown = widget.children[1].children[1], widget.children[2]
        before = shown.value
        rendering.value = "openai"
        assert "not to be had" in shown.value and "would both be called" in shown.value
        rendering.value = "wire"
        assert shown.value == before

    def test_it_is_a_page_too(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("WORKBENCH_STATIC", raising=False)  # the Makefile sets it for what is recorded
        panel = Panel(wb.load("sample:small"), tools=["mcp:notes.create"])
        live = panel._repr_mimebundle_()
        assert set(live) == {"application/vnd.jupyter.widget-view+json", "text/html", "text/plain"}
        assert live["text/html"].count("<table") == 2 and "mcp:notes.create" in live["text/plain"]
        monkeypatch.setenv("WORKBENCH_STATIC", "1")
        assert set(panel._repr_mimebundle_()) == {"text/html", "text/plain"}

    def test_a_tool_that_is_not_there(self) -> None:
        with pytest.raises(UsageError, match="no tool 'none'"):
            Panel(CATALOG, tools=["none"])
