"""Cutting long texts: parts encode apart exactly as they do together, and what comes again is encoded once."""

from __future__ import annotations

import tiktoken
from hypothesis import given, settings
from hypothesis import strategies as st
from test_pieces import NAMES, TEXTS

import workbench as wb
from workbench import tokens
from workbench.borders import BORDER, LONG, parts
from workbench.tokens import encoding


@given(TEXTS | st.text(), st.integers(1, 40), st.sampled_from(NAMES))
@settings(max_examples=200)
def test_parts_encode_apart_as_they_do_together(text: str, size: int, name: str) -> None:
    cut = list(parts(text, size))
    assert "".join(cut) == text
    assert all(len(part) <= size or BORDER.search(part, 1) is None for part in cut[:-1])
    whole = tiktoken.get_encoding(name).encode_ordinary(text) if encoding(name) else []
    assert [token for part in cut for token in tiktoken.get_encoding(name).encode_ordinary(part)] == whole


@given(TEXTS, TEXTS, st.integers(5, 40))
def test_a_part_without_borders_is_the_same_in_every_text(before: str, after: str, size: int) -> None:
    long = "x" * 100
    found = {part for part in parts(f"{before}. {long}.{after}", size) if long in part}
    assert found == {f" {long}"}


def test_long_texts_of_every_kind_are_counted_exactly() -> None:
    kinds = ["Reads the file. ", "a", "必须提供城市名。", "必须", " ", "é😀ß", 'x":"', "\n \n", "1234 ", "Ab"]
    for kind in kinds:
        text = f'{{"description":"{kind * (LONG // len(kind) + 9_000)}","x":1}}'
        for name in ("o200k_base", "cl100k_base"):
            counts = encoding(name)
            found = counts.encode(text)
            assert counts.decode_bytes(found).decode() == text
            starts = counts.starts(text)
            assert len(starts) == len(found) == counts.count(text) and starts == sorted(starts)
            if kind != " ":  # Of so many blanks, tiktoken alone takes long.
                assert found == counts._core.encode_ordinary(text)


def test_a_long_part_is_encoded_once_for_all_texts_that_hold_it() -> None:
    tokens._kept.cache_clear()
    tool = {"name": "a", "description": "a" * (2 * LONG), "inputSchema": {"type": "object", "properties": {"x": {}}}}
    assert wb.budget(wb.load([tool])).total.standard > 2 * LONG // 8
    assert tokens._kept.cache_info().misses == 1
    assert tokens._kept.cache_info().hits >= 3
