from __future__ import annotations

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.visible import hidden_characters, visible

ACTING = (
    "❤👩葛\x1b\x07\x00\x7f\x9b\r\u202e\u2066\u200b\u00ad\u2028\ufeff\u3164\U000e0041\U000e01ef\ufe0f\u200d\u034f\ufffa"
)


@given(st.text(st.sampled_from("ab\n\t " + ACTING) | st.characters(), max_size=20))
def test_what_is_shown_hides_nothing_and_can_be_encoded(text: str) -> None:
    shown = visible(text)
    assert hidden_characters(shown) == []
    assert visible(shown) == shown
    shown.encode()
    assert all(c.isprintable() or c in "\n\t\r" or unicodedata.category(c) in ("Cf", "Co", "Cn", "Zs") for c in shown)


@given(st.text(st.sampled_from("ab\n\t " + ACTING), max_size=20))
def test_what_is_listed_is_what_is_escaped(text: str) -> None:
    hidden = hidden_characters(text)
    assert [text[offset] for offset, _, _ in hidden] == [char for _, char, _ in hidden]
    assert [offset for offset, _, _ in hidden] == sorted({offset for offset, _, _ in hidden})
    if not hidden:
        assert visible(text) == text


@pytest.mark.parametrize("char", [*ACTING[3:].replace("\r", ""), "\u200e", "\u061c", "\u2060", "\ud800"])
def test_each_acting_character_is_listed_and_escaped(char: str) -> None:
    assert [hidden[:2] for hidden in hidden_characters(f"a{char}b")] == [(1, char)]
    escape = f"\\u{ord(char):04x}" if char <= "\uffff" else f"\\U{ord(char):08x}"
    assert visible(f"a{char}b") == f"a{escape}b"


@pytest.mark.parametrize(
    "text",
    [
        "plain, with\ttab,\nline feed\r\nand Windows line end",
        "日本語 العربية עברית ไทย한국어",
        "👨‍👩‍👧 👩🏽‍🔧 🏳️‍🌈 🙂‍↔️ ❤️ ⛓️‍💥 👁️‍🗨️ 1️⃣ ©️",
        "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
        "می\u200cخواهم",  # Persian: a non-joiner inside the verb
        "क्\u200dष ক্\u200cষ র\u200d্য ශ්\u200dරී",  # Indic: joiners beside the sign that joins consonants
        "葛\U000e0100城",  # a variant of an ideograph, in a name
        "ᠪᠠᠢ᠌ᠨ\u180eᠠ",  # Mongolian
    ],
)
def test_characters_in_their_proper_place_stay(text: str) -> None:
    assert hidden_characters(text) == []
    assert visible(text) == text


@pytest.mark.parametrize(
    ("text", "offsets"),
    [
        ("\ufeffa", [0]),
        ("a\u200d👩", [1]),
        ("👩\u200da", [1]),
        ("👩\u200d", [1]),
        ("می\u200c\u200c\u200d", [3, 4]),
        ("a\ufe0f", [1]),
        ("❤\ufe0f\ufe0f\ufe01", [2, 3]),
        ("❤\ufe0f\ufe0f\u200d👩", [2, 3]),  # once the second selector is an escape, the joiner joins nothing
        ("葛\U000e0100\U000e0101", [2]),
        ("🏴\U000e0067", [1]),
        ("🏴\U000e007f", [1]),
        ("🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f\U000e0041", [7]),
        ("\U000e0068\U000e0069", [0, 1]),
        ("one\rtwo", [3]),
        ("one\r\r\n", [3]),
    ],
)
def test_the_same_characters_out_of_place_are_listed(text: str, offsets: list[int]) -> None:
    assert [hidden.offset for hidden in hidden_characters(text)] == offsets


def test_names_are_those_of_unicode() -> None:
    names = [hidden.name for hidden in hidden_characters("\u202e\x1b\U000e0041\ue000")]
    assert names == ["RIGHT-TO-LEFT OVERRIDE", "CONTROL CHARACTER", "TAG LATIN CAPITAL LETTER A"]


def test_every_control_and_bidirectional_character_of_unicode_is_listed() -> None:
    turning = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
    for char in map(chr, range(sys.maxunicode + 1)):
        acts = unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp") or unicodedata.bidirectional(char) in turning
        if acts and char not in "\t\n":
            assert hidden_characters(char), f"U+{ord(char):04X}"
