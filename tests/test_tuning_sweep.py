"""Sweeps: at every limit exactly what a projection with that limit costs when it is encoded from scratch."""

from __future__ import annotations

from typing import Any

import pytest
from catalog_strategies import catalogs
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import strings

import workbench as wb
from workbench.catalog import Catalog
from workbench.descriptions import STRATEGIES, UNITS, Strategy, Unit
from workbench.projection import project
from workbench.renderings import RENDERINGS, rendering
from workbench.resources import sample_names
from workbench.tokens import encoding
from workbench.tuning.layout import layout_of
from workbench.tuning.sweep import Sweep
from workbench.values import dumps

O200K = encoding()
LIMITS = [*range(12), 20, 33, 64, 500]
#: What cuts are dear in: words in halves, escapes, contractions, markup, all kinds of scripts.
PIECES = [
    "Reads a file. ", "It's only for ", 'the "quoted" part', "\\n", "\n", "C:\\temp ", "don't ", "1234567 ", "…",
    "必须提供城市名。", "ファイル", "กำลัง", "क्षि", "عربي ", "👩‍🔧", "e\u0301", "camelCase", "`a b` ", "At most 5. ",
    "<|endoftext|>", "gap000000000",
]  # fmt: skip
TEXTS = st.lists(st.sampled_from(PIECES) | strings(), max_size=8).map("".join)


def scratch(
    catalog: Catalog, limit: int, strategy: Strategy, unit: Unit, name: str = "wire", encoded: str = "o200k_base"
) -> tuple[int, tuple[str, ...]]:
    """The long way: project, write, encode."""
    compact = project(catalog, max_description=limit, strategy=strategy, unit=unit, encoding=encoded).catalog
    found = (tool.descriptor.get("description") for tool in compact)
    texts = tuple(text if isinstance(text, str) else "" for text in found)
    return rendering(name).count(compact, encoding(encoded)), texts


def agrees(
    catalog: Catalog, strategy: Strategy, unit: Unit, limits: list[int], name: str = "wire", encoded: str = "o200k_base"
) -> None:
    swept = Sweep(catalog, rendering(name), encoding(encoded)).run(strategy, unit, limits, limits)
    for place, limit in enumerate(limits):
        tokens, texts = scratch(catalog, limit, strategy, unit, name, encoded)
        assert (swept.tokens[place], swept.texts[limit]) == (tokens, texts), limit
        whole = [tool.descriptor.get("description") for tool in catalog]
        assert swept.shortened[place] == sum(isinstance(a, str) and a != b for a, b in zip(whole, texts, strict=True))
        assert swept.characters[place] == sum(map(len, texts))


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("strategy", STRATEGIES)
@settings(max_examples=12)
@given(catalog=catalogs())
def test_any_catalog_costs_what_its_projection_costs(strategy: Strategy, unit: Unit, catalog: Catalog) -> None:
    agrees(catalog, strategy, unit, LIMITS[::2])


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("strategy", STRATEGIES)
@settings(max_examples=25)
@given(texts=st.lists(TEXTS, min_size=1, max_size=3), last=st.booleans())
def test_tools_that_save_nothing_never_get_dearer(strategy: Strategy, unit: Unit, texts: list[str], last: bool) -> None:
    """Nothing is dropped from these, so any cut that costs a token has to go on; the text may be the end of the descriptor."""
    tools = [
        {"toolId": f"t{place}", "description": text} | ({} if last else {"title": "T"})
        for place, text in enumerate(texts)
    ]
    agrees(Catalog.from_json(tools), strategy, unit, LIMITS)


@pytest.mark.parametrize("name", sample_names())
def test_samples_in_every_script(name: str) -> None:
    catalog = wb.load(f"sample:{name}")
    agrees(catalog, "hard", "chars", [*range(0, 60, 7), 123, 256, 10_000])
    agrees(catalog, "constraints", "tokens", [3, 17, 40], encoded="cl100k_base")
    agrees(catalog, "word", "chars", [50])


@pytest.mark.parametrize("name", sorted(RENDERINGS))
def test_every_rendering(name: str) -> None:
    agrees(wb.load("sample:small"), "sentence", "chars", [0, 30, 90, 1_000], name)


@pytest.mark.parametrize("name", sorted(set(RENDERINGS) - {"harmony"}))
def test_a_rendering_of_json_is_taken_apart(name: str) -> None:
    """Else a sweep is right, and slow."""
    assert Sweep(wb.load("sample:multilingual"), rendering(name), O200K).layout is not None


def test_every_limit_of_a_sample_without_encoding_it_again(monkeypatch: pytest.MonkeyPatch) -> None:
    sweep = Sweep(wb.load("sample:large"), rendering("wire"), O200K)
    texts: list[int] = []
    count = type(O200K).count
    monkeypatch.setattr(type(O200K), "count", lambda self, text: texts.append(len(text)) or count(self, text))
    sweep.run("hard", "chars", range(1024), [])
    # Relief cuts, near the ends of a few texts, count a descriptor; all else counts a few words.
    assert sum(texts) < 20 * len(rendering("wire").text(sweep.compact))


class TestLayout:
    @given(texts=st.lists(TEXTS, max_size=3), other=st.lists(TEXTS, min_size=3, max_size=3), key=strings())
    def test_parts_add_up(self, texts: list[str], other: list[str], key: str) -> None:
        def write(these: Any) -> str:
            return dumps([{key: 1, "description": text, "end": key} for text in these])

        layout = layout_of(write, texts, O200K)
        assert layout is not None
        for these in (texts, other[: len(texts)], [text[:3] for text in texts]):
            tokens = layout.fixed + sum(gap.count(text) for gap, text in zip(layout.gaps, these, strict=True))
            assert tokens == O200K.count(write(these))

    @pytest.mark.parametrize(
        "write",
        [
            lambda texts: "".join(f"tool: {text.strip()} end;" for text in texts),
            lambda texts: "".join(f"tool: {text}{text} end;" for text in texts),
            lambda texts: "".join(f"tool: {text} end;" for text in reversed(texts)),
            lambda texts: "".join(f"tool: {text} end;" if text else "tool" for text in texts),
            "|".join,
        ],
    )
    def test_what_does_more_than_escape_is_left_alone(self, write: Any) -> None:
        assert layout_of(write, ["one two ", "three four "], O200K) is None

    @pytest.mark.parametrize("ascii_only", [True, False])
    def test_both_ways_to_write_a_json_string(self, ascii_only: bool) -> None:
        import json

        layout = layout_of(lambda texts: json.dumps({"d": texts[0]}, ensure_ascii=ascii_only), ["日本 äöü"], O200K)
        assert layout is not None
        assert layout.fixed + layout.gaps[0].count("日本") == O200K.count(
            json.dumps({"d": "日本"}, ensure_ascii=ascii_only)
        )


def test_a_text_that_no_cut_makes_cheap_enough_is_left_to_the_projection(monkeypatch: pytest.MonkeyPatch) -> None:
    """`"description":"'"}` costs less than `"description":""}`: with nothing left of it, a text of an argument has to go."""
    schema = {"type": "object", "properties": {"a": {"description": "x y"}}}
    catalog = Catalog.from_json(
        [{"toolId": "t", "inputSchema": schema, "description": "'"}, {"toolId": "u", "description": "Reads"}]
    )
    asked: list[int] = []
    scratched = Sweep._from_scratch
    monkeypatch.setattr(Sweep, "_from_scratch", lambda self, *given: asked.append(given[-1]) or scratched(self, *given))
    agrees(catalog, "hard", "chars", [0, 1, 3, 9])
    assert asked == [0]


def test_no_tools_and_no_descriptions() -> None:
    agrees(Catalog.from_json([]), "hard", "chars", [0, 9])
    agrees(Catalog.from_json([{"toolId": "a"}, {"toolId": "a", "description": 5}]), "word", "tokens", [0, 9])
