"""Counting starts of a text piece by piece: always what encoding the whole start says."""

from __future__ import annotations

import sys
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import strings

from workbench.pieces import StartCounts, borders
from workbench.resources import sample
from workbench.tokens import encoding
from workbench.values import dumps, read_json

NAMES = ("o200k_base", "cl100k_base", "o200k_harmony")
#: What patterns treat apart: contractions, case, digits, runs of blanks and of marks, line ends (escaped and not), all scripts.
PIECES = [
    "don't", "we'LL ", "camelCaseXML", "ABC", "123456", " 1", "  ", "\t", "\n", "\r\n", " \n ", "\\n", '\\"', '":"', '","', "}},{",
    "...", "//", "/\n", "中文ABC", "、", "。", "ファイル", "\u3000", "한국어", "กำลัง ",
    "क्षि।", "עברית", "العربية؟", "Ünï", "e\u0301", "👩‍🔧",
    "'s", "' ", "_x_", "½", "Ⅷ", "ſ", "\u200b", "\x85", "\xa0", "\u2003", "<|endoftext|>", "a" * 60,
]  # fmt: skip
TEXTS = st.lists(st.sampled_from(PIECES) | strings(), max_size=10).map("".join)


@pytest.mark.parametrize("name", NAMES)
@given(text=TEXTS, after=TEXTS)
def test_every_start_counts_as_if_encoded_alone(name: str, text: str, after: str) -> None:
    counts, whole = StartCounts(text, encoding(name)), encoding(name)
    for end in range(len(text) + 1):
        assert counts.count(end) == whole.count(text[:end])
        assert counts.count(end, after) == whole.count(text[:end] + after)


@pytest.mark.parametrize("name", NAMES[:2])
def test_borders_hold_for_every_character_there_is(name: str) -> None:
    """Python's and the tokeniser's Unicode tables differ in version; a border must be one by both."""
    count = encoding(name).count
    for code in (*range(0xD800), *range(0xE000, 0x32400), *range(0xE0000, 0xE0200), sys.maxunicode):
        for text in (chr(code) + '".', chr(code) + "\\n", chr(code) + " z", f"1{chr(code)}b", f"字{chr(code)}b"):
            for border in borders(text, encoding(name)):
                assert count(text) == count(text[:border]) + count(text[border:]), f"{text!r} at {border}"


@pytest.mark.parametrize("name", ["large", "multilingual"])
def test_a_sample_can_be_counted_in_parts(name: str) -> None:
    text = dumps(read_json(sample(name)))
    places = [0, *borders(text, encoding()), len(text)]
    parts = [text[start:end] for start, end in pairwise(places)]
    assert len(parts) > len(text) / 20
    assert sum(encoding().count_many(parts)) == encoding().count(text)


def test_an_unknown_pattern_has_no_borders_and_the_same_counts() -> None:
    class Unknown:
        splits_words = False
        count = staticmethod(encoding().count)

    assert borders("a b c", Unknown()) == []  # type: ignore[arg-type]
    counts = StartCounts("one two three", Unknown())  # type: ignore[arg-type]
    assert [counts.count(end, "!") for end in (0, 5, 13)] == [
        encoding().count(t + "!") for t in ("", "one t", "one two three")
    ]
