"""What counts as a shortened description: whatever an honest host may make of one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import workbench as wb
from workbench.conformance.deciders.fields import is_shortened
from workbench.descriptions import STRATEGIES, Strategy, shorten

WHOLE = "Reads a **file** from `disk`. It must exist. Never reads [links](http://x), unless asked (see `follow`)."
TEXTS = [text for tool in wb.load("sample:multilingual") if (text := tool.descriptor.get("description"))]


@pytest.mark.parametrize(
    "text",
    [
        WHOLE,
        "",
        "…",
        "Reads a file from disk.",
        "reads a FILE from disk",
        "Reads a **file** fr…",
        "Reads a **file** from `disk`...",
        "Reads a **file** from `disk`. Never reads [links](http://x), unless asked.",
        "Reads  a\n**file** from `disk`.\n\nIt must exist.",
        "It must exist.",
    ],
)
def test_an_honest_form_is_one(text: str) -> None:
    assert is_shortened(text, WHOLE)


@pytest.mark.parametrize(
    "text", ["Writes a file.", "Reads a file from disk, quickly.", WHOLE + " Really.", "disk from file"]
)
def test_other_words_or_another_order_are_none(text: str) -> None:
    assert not is_shortened(text, WHOLE)


@given(st.sampled_from(TEXTS) | st.text(max_size=80), st.sampled_from(STRATEGIES), st.integers(0, 60), st.booleans())
def test_each_of_our_own_strategies_gives_one(text: str, strategy: Strategy, limit: int, mark: bool) -> None:
    assert is_shortened(shorten(text, limit, strategy=strategy, ellipsis=mark), text)
