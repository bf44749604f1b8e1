"""Keeping a budget: sessions and their price, limits, differences, and the claims of the specification."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from catalog_strategies import catalogs
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.budgets import Cost, Limits, Prices, budget, claims, difference, load_limits, load_prices, stable_prefix
from workbench.budgets.sessions import Bill
from workbench.catalog import Catalog
from workbench.errors import InputError, UsageError
from workbench.projection import project
from workbench.renderings import RENDERINGS, rendering
from workbench.resources import sample_names
from workbench.sources import load
from workbench.tokens import encoding

PRICES = Prices(input=3, cache_write=3.75, cache_read=0.3, currency="USD")


def catalog(**tools: str) -> Catalog:
    return Catalog.from_json([{"toolId": name, "description": text} for name, text in tools.items()])


def written(tmp_path: Path, value: Any, name: str = "settings.json") -> str:
    path = tmp_path / name
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    return str(path)


class TestPrices:
    def test_every_turn_is_paid_or_the_first_written_and_the_others_read(self) -> None:
        assert PRICES.uncached(2_000_000, 10) == pytest.approx(60)
        assert PRICES.cached(2_000_000, 10) == pytest.approx(2 * (3.75 + 9 * 0.3))
        assert Prices(3, None, 0.3).cached(1_000_000, 1) == pytest.approx(3)
        assert Prices(3).cached(1, 1) is None

    @given(st.integers(0, 10**6), st.integers(1, 100), st.integers(1, 20))
    def test_sessions_cost_so_often_what_one_does(self, tokens: int, turns: int, sessions: int) -> None:
        one, many = (Bill(Cost(tokens, tokens // 2), PRICES, turns, count) for count in (1, sessions))
        assert many.uncached()[0] == pytest.approx(sessions * one.uncached()[0])
        assert many.cached()[1] == pytest.approx(sessions * one.cached()[1])  # type: ignore[index]

    def test_a_bill_shows_itself(self) -> None:
        result = budget(load("sample:small"), turns=20)
        bill = result.bill(PRICES, sessions=2)
        assert [row[0] for row in bill.table().rows] == ["sent anew on every turn", "cached after the first turn"]
        assert "USD" in bill.table().title
        found = bill.to_json()
        assert found["uncached"]["standard"] == pytest.approx(result.total.standard * 40 * 3 / 1_000_000)
        assert (found["currency"], found["sessions"], found["turns"]) == ("USD", 2, 20)
        assert budget(load("sample:small")).bill(Prices(1)).to_json()["cached"] is None

    def test_no_session_is_refused(self) -> None:
        with pytest.raises(UsageError, match="not 0"):
            budget(load("sample:small")).bill(PRICES, sessions=0)

    def test_a_file_in_json_or_toml(self, tmp_path: Path) -> None:
        value = {"input": 3, "cacheWrite": 3.75, "cacheRead": 0.3, "currency": "USD"}
        toml = 'input = 3\ncacheWrite = 3.75\ncacheRead = 0.3\ncurrency = "USD"\n'
        assert load_prices(written(tmp_path, value)) == load_prices(written(tmp_path, toml, "p.toml")) == PRICES

    @pytest.mark.parametrize(
        ("value", "message"),
        [
            ({}, "input is missing"),
            ({"input": -1}, "not negative"),
            ({"input": True}, "not negative"),
            ({"input": "3"}, "not negative"),
            ({"input": 3, "currency": 1}, "name of a currency"),
            ({"input": 3, "output": 15}, "unknown setting 'output'; there are input, cacheWrite"),
            ([3], "no object"),
            ("input = ", "not JSON|expected"),
        ],
    )
    def test_what_is_no_price_is_refused(self, tmp_path: Path, value: Any, message: str) -> None:
        with pytest.raises(InputError, match=message):
            load_prices(written(tmp_path, value))

    @pytest.mark.parametrize("text", ["input = ", "input = inf", "input = nan"])
    def test_toml_that_says_no_price_is_refused(self, tmp_path: Path, text: str) -> None:
        with pytest.raises(InputError):
            load_prices(written(tmp_path, text, "p.toml"))


class TestPrefix:
    @settings(max_examples=30)
    @given(catalogs(), catalogs())
    def test_it_is_common_and_no_token_more_is(self, before: Catalog, after: Catalog) -> None:
        found = stable_prefix(before, after)
        old, new = (encoding().encode(rendering("wire").text(each)) for each in (before, after))
        assert old[: found.tokens] == new[: found.tokens]
        assert old[found.tokens : found.tokens + 1] != new[found.tokens : found.tokens + 1] or old == new
        assert (found.before, found.after) == (len(old), len(new))

    def test_it_says_where_texts_part(self) -> None:
        before, after = catalog(a="same", b="The old text"), catalog(a="same", b="The new text")
        found = stable_prefix(before, after)
        assert (found.tool_id, found.pointer) == ("b", "/description")
        assert stable_prefix(before, before).tool_id is None
        assert stable_prefix(before, before).tokens == found.before

    def test_a_tool_in_front_costs_the_whole_cache_and_one_at_the_end_none(self) -> None:
        old = catalog(a="one", b="two")
        front = stable_prefix(old, catalog(z="new", a="one", b="two"))
        end = stable_prefix(old, catalog(a="one", b="two", z="new"))
        assert front.tokens < 10 < end.tokens and end.tokens >= end.before - 3


class TestLimits:
    def test_what_costs_more_is_named_the_total_first(self) -> None:
        result = budget(catalog(short="x", long="word " * 50, longer="word " * 90))
        over = Limits(total=10, tool=30).exceeded(result)
        assert [excess.tool_id for excess in over] == [None, "longer", "long"]
        assert all(excess.tokens > excess.limit for excess in over)

    def test_a_limit_is_met_when_it_is_reached(self) -> None:
        result = budget(load("sample:small"))
        highest = max(row.compact for row in result.rows)
        assert Limits(result.total.compact, highest, view="compact").exceeded(result) == ()
        assert len(Limits(result.total.compact - 1, highest - 1, view="compact").exceeded(result)) == 2
        assert Limits().exceeded(result) == ()

    def test_a_tool_s_own_limit_goes_before_that_of_all(self) -> None:
        result = budget(catalog(a="word " * 50, b="word " * 50))
        assert [excess.tool_id for excess in Limits(tool=30, tools={"a": 900}).exceeded(result)] == ["b"]
        assert [excess.tool_id for excess in Limits(tools={"a": 30}).exceeded(result)] == ["a"]

    def test_a_file(self, tmp_path: Path) -> None:
        value = {"maxTotal": 8000, "maxTool": 500, "view": "compact", "tools": {"a": 900}}
        toml = 'maxTotal = 8000\nmaxTool = 500\nview = "compact"\ntools = { "a" = 900 }\n'
        expected = Limits(8000, 500, {"a": 900}, "compact")
        assert load_limits(written(tmp_path, value)) == load_limits(written(tmp_path, toml, "l.toml")) == expected

    @pytest.mark.parametrize(
        "value",
        [
            {"maxTotal": 1.5},
            {"maxTool": -1},
            {"maxTool": True},
            {"tools": 3},
            {"tools": {"a": "b"}},
            {"view": "x"},
            {"a": 1},
        ],
    )
    def test_what_is_no_limit_is_refused(self, tmp_path: Path, value: Any) -> None:
        with pytest.raises(InputError):
            load_limits(written(tmp_path, value))


class TestDifference:
    @settings(max_examples=30)
    @given(catalogs(), catalogs())
    def test_tools_and_overhead_add_up_to_the_total(self, before: Catalog, after: Catalog) -> None:
        found = difference(before, after)
        for side, tools in (("before", before), ("after", after)):
            rows = sum(getattr(change, side) for change in found.tools)
            assert rows + getattr(found.overhead, side) == getattr(found.total, side)
            assert getattr(found.total, side) == rendering("wire").count(tools, encoding())
        assert sum(change.what != "removed" for change in found.tools) == len(after)
        assert sum(change.what != "added" for change in found.tools) == len(before)

    @pytest.mark.parametrize("name", sorted(RENDERINGS))
    def test_nothing_changed(self, name: str) -> None:
        tools = load("sample:small")
        found = difference(tools, tools, rendering=name)
        assert {change.what for change in found.tools} == {"same"}
        assert found.total.delta == 0 and not found.exceeds("0") and not found.exceeds("0%")

    def test_kinds_and_order(self) -> None:
        before = catalog(gone="word " * 9, kept="x", grown="x", turned="aa")
        after = catalog(kept="x", grown="word " * 50, turned="bb", new="word " * 20)
        found = difference(before, after)
        what = {change.tool_id: change.what for change in found.tools}
        assert what == {"gone": "removed", "kept": "same", "grown": "changed", "turned": "changed", "new": "added"}
        sizes = [abs(change.delta) for change in found.tools]
        assert sizes == sorted(sizes, reverse=True) and found.tools[0].tool_id == "grown"

    def test_one_id_twice_is_matched_in_order(self) -> None:
        twice = Catalog.from_json([{"toolId": "t"}, {"toolId": "t", "description": "more"}])
        assert [change.what for change in difference(twice, twice).tools] == ["same", "same"]
        once = Catalog.from_json([{"toolId": "t"}])
        assert sorted(change.what for change in difference(once, twice).tools) == ["added", "same"]

    @pytest.mark.parametrize(
        ("allowance", "over"),
        [("0", True), ("5%", True), ("1000%", False), ("100000", False), ("0.5%", True), (".5%", True)],
    )
    def test_allowances(self, allowance: str, over: bool) -> None:
        small, more = catalog(a="word " * 20), catalog(a="word " * 20, b="word " * 20)
        assert difference(small, more).exceeds(allowance) is over
        assert difference(more, small).exceeds(allowance) is False, "what is saved is never too much"

    def test_an_allowance_is_met_when_it_is_reached(self) -> None:
        found = difference(catalog(a="x"), catalog(a="x", b="word " * 9))
        assert not found.exceeds(str(found.total.delta)) and found.exceeds(str(found.total.delta - 1))

    @pytest.mark.parametrize("allowance", ["", "-1", "5 %", "%", "many", "1e3", "٣"])
    def test_what_is_no_allowance_is_refused(self, allowance: str) -> None:
        with pytest.raises(UsageError, match="an allowance is"):
            difference(catalog(a="x"), catalog(a="x")).exceeds(allowance)

    def test_json(self) -> None:
        found = difference(catalog(a="x"), catalog(a="x", b="y")).to_json()
        assert list(found) == ["encoding", "rendering", "certainty", "tools", "overhead", "total", "prefix"]
        assert [list(tool) for tool in found["tools"]] == [["toolId", "before", "after", "delta", "change"]] * 2
        assert list(found["total"]) == ["before", "after", "delta"]

    def test_names_are_data_in_a_comment(self) -> None:
        found = difference(catalog(a="x"), catalog(a="x", **{"<b>|@team": "y"})).table().markdown()
        assert "<b>" not in found and "@team" not in found


class TestClaims:
    def test_rules_by_hand(self) -> None:
        tools = load("sample:twenty")
        found = {row.claim: row for row in claims([tools]).rows}
        compact = project(tools).catalog
        texts = [rendering("wire").text(each) for each in (tools, compact)]
        tokens = encoding().count_many(texts)
        lean = found["20 tools compact: about 5,000 tokens"]
        assert lean.measured == pytest.approx(tokens[1] / len(tools) * 20)
        assert lean.holds == (2_500 <= lean.measured <= 10_000)
        naive = found["20 tools standard: about 50,000 tokens"]
        assert naive.measured == pytest.approx(tokens[0] / len(tools) * 20)
        assert naive.holds == (25_000 <= naive.measured <= 100_000)
        fewer = found["compact, schemas lowered: 27.1 % fewer bytes"]
        assert fewer.measured == pytest.approx(1 - len(texts[1].encode()) / len(texts[0].encode()))
        assert fewer.holds == (fewer.measured >= 0.271)

    def test_all_samples_and_a_summary(self) -> None:
        found = claims([*(load(f"sample:{name}") for name in sample_names()), Catalog.from_json([])])
        assert len(found.rows) == 4 * len(sample_names())
        assert [row[1].partition(" of ")[2] for row in found.summary().rows] == [str(len(sample_names()))] * 4
        assert "rendering wire, encoding o200k_base" in found.summary().title
        assert len(found.to_json()["claims"]) == len(found.rows)
