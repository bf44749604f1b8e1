"""The command line where it keeps a budget: limits, prices, savings and differences."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import Run, one_line, run

import workbench as wb
from workbench.budgets import difference
from workbench.renderings import RENDERINGS
from workbench.resources import sample

__all__ = ["run"]

PRICES = '{"input": 3, "cacheWrite": 3.75, "cacheRead": 0.3, "currency": "USD"}'


class TestBudget:
    @pytest.mark.parametrize("name", sorted(RENDERINGS))
    def test_every_rendering_says_how_sure_it_is(self, run: Run, name: str) -> None:
        found = run("budget", "sample:small", "--rendering", name, "--format", "json").json
        assert found["certainty"] == RENDERINGS[name].certainty and found["notes"]
        text = run("budget", "sample:small", "--rendering", name).out
        assert f"rendering {name}, encoding o200k_base, {RENDERINGS[name].certainty}" in text
        assert RENDERINGS[name].assurance in text

    def test_harmony_says_what_the_model_does_not_see(self, run: Run) -> None:
        assert "are shown to the model as `any`" in run("budget", "sample:small", "--rendering", "harmony").out

    @pytest.mark.parametrize(
        ("options", "code"),
        [
            (["--max-total", "0"], 1),
            (["--max-tool", "0"], 1),
            (["--max-total", "999999", "--max-tool", "999999"], 0),
            (["--max-total", "0", "--gate", "compact"], 1),
            (["--limits", "limits.json"], 1),
            (["--limits", "limits.json", "--max-tool", "999999"], 0),
        ],
    )
    def test_offenders_are_named(self, run: Run, tmp_path: Path, options: list[str], code: int) -> None:
        (tmp_path / "limits.json").write_text('{"maxTool": 1, "tools": {"openwop:units.convert": 999999}}')
        done = run("budget", "sample:small", "--format", "json", *options)
        assert done.code == code
        assert len(done.err.splitlines()) == len(done.json["over"])
        assert bool(done.json["over"]) == bool(code)
        assert all("over its limit" in line for line in done.err.splitlines())
        assert "units.convert" not in done.err or options[0] != "--limits"

    def test_no_limit_no_list(self, run: Run) -> None:
        assert "over" not in run("budget", "sample:small", "--format", "json").json

    def test_the_gated_view(self, run: Run) -> None:
        total = run("budget", "sample:twenty", "--format", "json").json["total"]
        between = str((total["standard"] + total["compact"]) // 2)
        assert run("budget", "sample:twenty", "--max-total", between).code == 1
        assert run("budget", "sample:twenty", "--max-total", between, "--gate", "compact").code == 0

    def test_prices(self, run: Run, tmp_path: Path) -> None:
        (tmp_path / "p.json").write_text(PRICES)
        asked = ["budget", "sample:small", "--turns", "5", "--sessions", "3", "--prices", "p.json"]
        found = run(*asked, "--format", "json").json
        assert found["bill"]["uncached"]["compact"] == pytest.approx(found["total"]["compact"] * 15 * 3 / 1_000_000)
        assert "cached after the first turn" in run(*asked).out
        assert run("budget", "sample:small", "--prices", "none.json").code == 2

    def test_savings(self, run: Run) -> None:
        found = run("budget", "sample:small", "--savings", "--format", "json").json
        assert found["savings"] == wb.budget(wb.load("sample:small")).savings().to_json()
        assert "Savings not yet taken" in run("budget", "sample:small", "--savings").out


class TestDiff:
    def test_json_is_the_contract(self, run: Run) -> None:
        done = run("diff", "sample:small", "sample:twenty", "--format", "json", "--encoding", "cl100k_base")
        assert done.code == 0 and one_line(done.out)
        expected = difference(wb.load("sample:small"), wb.load("sample:twenty"), encoding="cl100k_base").to_json()
        assert done.json == json.loads(json.dumps(expected))

    @pytest.mark.parametrize(("allowance", "code"), [("0", 1), ("100%", 1), ("1000%", 0), ("99999", 0), ("x", 2)])
    def test_the_allowance_decides_the_exit_code(self, run: Run, allowance: str, code: int) -> None:
        done = run("diff", "sample:small", "sample:twenty", "--fail-over", allowance)
        assert done.code == code
        assert bool(done.err) == bool(code) and (not code or one_line(done.err))

    def test_fewer_tokens_are_always_allowed(self, run: Run) -> None:
        assert run("diff", "sample:twenty", "sample:small", "--fail-over", "0").code == 0

    def test_markdown_is_a_comment_in_which_names_are_data(self, run: Run, tmp_path: Path) -> None:
        (tmp_path / "old.json").write_bytes(sample("small"))
        (tmp_path / "new.json").write_text('{"tools": [{"toolId": "@all <img src=x> | `a` [b](c)"}]}')
        out = run("diff", "old.json", "new.json", "--format", "markdown").out
        assert "| tool | change |" in out and "Stable prefix: " in out
        assert "<img" not in out and "@all" not in out and "[b](c)" not in out

    def test_text_names_rendering_and_encoding(self, run: Run) -> None:
        out = run("diff", "sample:small", "sample:small", "--rendering", "openai").out
        assert "rendering openai, encoding o200k_base, lower bound" in out
        assert "none changed" in out
