"""Shortening: the limit holds in its unit, nothing is cut that has to stay whole, and sentences end where sentences end."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st
from strategies import strings

from workbench.descriptions import STRATEGIES, UNITS, Shortener, Strategy, Unit, measure, shorten
from workbench.descriptions.markup import spans
from workbench.descriptions.sentences import binds, sentence_ends
from workbench.errors import UsageError
from workbench.tokens import Encoding, encoding

O200K = encoding("o200k_base")
#: Pieces that break naive cuts: joined emoji, flags, combining marks, Indic and Thai clusters, right-to-left text, markup, blanks.
PIECES = [
    "Reads a file. ", "It must exist, e.g. a.txt. ", "At most 10.5 MB! ", "word", " ", "\n", "\n\n", "\t", "...", "`code span` ",
    "[a link](https://example.org/a?b=c) ", "**strong text** ", "~~~\nx = 1\n~~~\n", "- item\n", "Args:\n  a: The name.\n",
    "👩‍👩‍👧", "🇩🇪🇫🇷", "e\u0301", "क्षि", "กำ", "한국어 ", "必须提供城市名。", "ファイルを読む。", "يجب أن يكون ", "שלום עולם. ",
    "🦩", "\u200d", "\ufe0f", "\u202e", "\r\n", "…", "x" * 40,
]  # fmt: skip
TEXTS = st.lists(st.sampled_from(PIECES) | strings(), max_size=12).map("".join)
LIMITS = st.integers(0, 60)


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("strategy", STRATEGIES)
@given(text=TEXTS, limit=LIMITS, ellipsis=st.booleans())
def test_the_laws_of_shortening(strategy: Strategy, unit: Unit, text: str, limit: int, ellipsis: bool) -> None:
    def cut(what: str) -> str:
        return shorten(what, limit, unit=unit, strategy=strategy, ellipsis=ellipsis, encoding=O200K)

    short = cut(text)
    size = measure(text, unit, encoding=O200K)
    assert measure(short, unit, encoding=O200K) <= limit or short == text
    assert measure(short, unit, encoding=O200K) <= size
    assert cut(short) == short
    if size <= limit:
        assert short == text
    kept = short.removesuffix("…").removesuffix(" ") if ellipsis and short != text else short
    if strategy != "constraints":
        assert text.startswith(kept)
    if short != text and strategy != "constraints":
        clusters = regex.findall(r"\X", text)
        assert len(kept) in {0, *itertools.accumulate(map(len, clusters))}
    short.encode()


@given(text=TEXTS, limit=LIMITS)
def test_hard_keeps_exactly_the_first_clusters(text: str, limit: int) -> None:
    clusters = regex.findall(r"\X", text)
    assert measure(text) == len(clusters)
    assert shorten(text, limit) == "".join(clusters[:limit])


@given(text=TEXTS, limit=st.integers(0, 20))
def test_hard_keeps_as_many_tokens_as_fit(text: str, limit: int) -> None:
    clusters = regex.findall(r"\X", text)
    starts = ["".join(clusters[:number]) for number in range(len(clusters) + 1)]
    longest = max((start for start in starts if O200K.count(start) <= limit), key=len)
    assert shorten(text, limit, unit="tokens", encoding=O200K) == longest


@given(text=TEXTS)
def test_sentences_are_the_text_in_pieces(text: str) -> None:
    ends = sentence_ends(text, spans(text))
    assert ends == sorted(set(ends))
    assert all(text[start:end].strip() for start, end in itertools.pairwise([0, *ends]))
    assert (ends[-1:] == [len(text)]) == bool(text.strip())


SENTENCES = [
    ("Create a resource, e.g. a file. Then go on.", "Create a resource, e.g. a file."),
    ("Use v1.2 of the API. It costs 10.75.", "Use v1.2 of the API."),
    ("Reads config.json and README.md for you. Fast.", "Reads config.json and README.md for you."),
    ("Compare A vs. B, i.e. both. Done.", "Compare A vs. B, i.e. both."),
    ("Ask Dr. Smith. He knows.", "Ask Dr. Smith."),
    ("Really?! Yes. No.", "Really?!"),
    ("查询城市的天气。返回温度。", "查询城市的天气。"),
    ("ファイルを読みます。必須です。", "ファイルを読みます。"),
    ("هل الملف موجود؟ نعم. لا.", "هل الملف موجود؟"),
    ("यह एक वाक्य है। यह दूसरा है।", "यह एक वाक्य है।"),
    ("Lists the items\n\nMore about it.", "Lists the items"),
    ("Lists the items\n- first\n- second", "Lists the items"),
    ("Gets it.\n\n    Args:\n        name: The name.", "Gets it."),
    ("Call `a. B` first. Then stop.", "Call `a. B` first."),
    ("See [the page. Now](https://x.org/a) first. Then stop.", "See [the page. Now](https://x.org/a) first."),
    ("Write `a\n- b` first. Then stop.", "Write `a\n- b` first."),
    ("One of these:\n- a\n- b\nEnd. More.", "One of these:\n- a"),
    ("  Starts late. Goes on.", "  Starts late."),
]


@pytest.mark.parametrize(("text", "first"), SENTENCES)
def test_the_first_sentence(text: str, first: str) -> None:
    assert shorten(text, measure(text) - 1, strategy="first-sentence") == first


@pytest.mark.parametrize(
    ("text", "limit", "kept"),
    [
        ("One. Two. Three.", 15, "One. Two."),
        ("One. Two. Three.", 9, "One. Two."),
        ("One. Two. Three.", 8, "One."),
        ("Only words here and no end", 12, "Only words"),
        ("Donaudampfschiff", 5, "Donau"),
    ],
)
def test_whole_sentences_else_words_else_a_cut(text: str, limit: int, kept: str) -> None:
    assert shorten(text, limit, strategy="sentence") == kept


@pytest.mark.parametrize(
    ("text", "limit", "kept"),
    [
        ("Searches the web, quickly.", 17, "Searches the web"),
        ("Searches the web, quickly.", 18, "Searches the web"),
        ("Reads a.b.c and 10,000 rows", 20, "Reads a.b.c and"),
        ("Say (hello world)", 5, "Say"),
        ("Use `one two` now", 9, "Use"),
        ("Read [the docs](https://x.org) now", 20, "Read"),
        ("Read https://x.org/a/b now", 15, "Read"),
        ("Is **very important** here", 12, "Is"),
        ("查询城市的天气。返回温度。", 5, "查询城市的"),
        ("Überschrift für Übungen", 15, "Überschrift für"),
        ("קורא קובץ מהדיסק", 10, "קורא קובץ"),
        ("`a span that is too long`", 8, "`a span "),
    ],
)
def test_whole_words(text: str, limit: int, kept: str) -> None:
    assert shorten(text, limit, strategy="word") == kept


@pytest.mark.parametrize(("limit", "mark"), [(31, "~~~"), (67, "`"), (79, "**")])
@pytest.mark.parametrize("strategy", ["word", "sentence", "first-sentence", "constraints"])
def test_no_markup_is_left_open(limit: int, mark: str, strategy: Strategy) -> None:
    text = "Runs a query.\n\n~~~sql\nselect a\nfrom b\nwhere c = 1\n~~~\n\nThen use `name` and **bold** text.\n"
    assert shorten(text, limit, strategy=strategy).count(mark) % 2 == 0


def test_what_binds_the_call_is_kept() -> None:
    text = (
        "Sends a message. It is shown to everyone in the room. The text must not be empty. People like short ones. "
        "At most 500 characters. Have fun."
    )
    assert shorten(text, 90, strategy="constraints") == (
        "Sends a message. The text must not be empty. At most 500 characters."
    )
    assert shorten(text, 50, strategy="constraints") == "Sends a message. The text must not be empty."
    assert shorten(text, 16, strategy="constraints") == "Sends a message."
    assert shorten(text, 12, strategy="constraints") == "Sends a"


@pytest.mark.parametrize(
    "sentence",
    [
        "The id must exist.", "Only admins can call this.", "At most 5.", "Date format is ISO 8601.", "One of a, b.", "Required.",
        "Do not use twice.", "必须是城市名。", "必須です。", "최대 10개", "Muss gesetzt sein.", "Debe ser único.", "Doit exister.",
        "Должно быть задано.", "يجب أن يكون موجودا.", "Max 3.",
    ],
)  # fmt: skip
def test_sentences_that_bind(sentence: str) -> None:
    assert binds(sentence)


@pytest.mark.parametrize("sentence", ["Shows the weather.", "Mustard is nice.", "The commonly used one.", "返回温度。"])
def test_sentences_that_do_not(sentence: str) -> None:
    assert not binds(sentence)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_the_ellipsis_counts(strategy: Strategy) -> None:
    text = "Reads one file. Then it closes the file again."
    short = shorten(text, 20, strategy=strategy, ellipsis=True)
    assert short.endswith("…")
    assert measure(short) <= 20
    assert shorten(text, 0, strategy=strategy, ellipsis=True) == ""


def test_a_character_of_many_tokens_is_kept_or_left_out() -> None:
    text = "結果: 🦩🦩🦩 終わり 🪿🪿"
    assert shorten(text, 10, unit="tokens", encoding=O200K) == "結果: 🦩🦩"
    for limit in range(22):
        short = shorten(text, limit, unit="tokens", encoding=O200K)
        assert "\ufffd" not in short
        assert O200K.count(short) <= limit
    assert shorten(text, 21, unit="tokens", encoding=O200K) == text


@pytest.mark.parametrize("limit", range(6))
def test_a_pair_of_surrogates_is_one_character(limit: int) -> None:
    # Python holds what a careless decoder left: the two halves of one emoji as two code points.
    text = "ab\ud83e\ude81cd"
    assert shorten(text, limit) == ["", "a", "ab", "ab\ud83e\ude81", "ab\ud83e\ude81c", text][limit]
    assert shorten(text, limit, strategy="sentence").count("\ud83e") == shorten(text, limit).count("\ude81")


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize(
    "text",
    ["`" * 40_000, "[" * 40_000, "[a](" * 10_000, "a. " * 20_000, "\n" * 40_000, "必须。" * 10_000, "\u0301" * 40_000,
     "must. " * 10_000, ": \n" * 20_000, "__a" * 20_000, "https://" * 5_000],
    ids=lambda text: ascii(text[:4]),
)  # fmt: skip
def test_hostile_texts_end(text: str, unit: Unit, strategy: Strategy) -> None:
    assert measure(shorten(text, 100, unit=unit, strategy=strategy, encoding=O200K), unit, encoding=O200K) <= 100


@pytest.mark.parametrize(
    ("limit", "unit", "strategy", "enc", "words"),
    [
        (-1, "chars", "hard", None, "from 0 up"),
        (True, "chars", "hard", None, "from 0 up"),
        (5, "bytes", "hard", None, "chars, tokens"),
        (5, "tokens", "hard", None, "an encoding is needed"),
        (5, "chars", "best", None, "first-sentence"),
    ],
)
def test_options_that_do_not_fit(limit: int, unit: Unit, strategy: Strategy, enc: Encoding | None, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        shorten("A text.", limit, unit=unit, strategy=strategy, encoding=enc)


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("strategy", STRATEGIES)
@given(text=TEXTS, ellipsis=st.booleans())
def test_one_shortener_serves_all_limits_in_any_order(
    strategy: Strategy, unit: Unit, text: str, ellipsis: bool
) -> None:
    options: dict[str, Any] = {"unit": unit, "strategy": strategy, "ellipsis": ellipsis, "encoding": O200K}
    shortener = Shortener(text, **options)
    for limit in (*range(0, 40, 3), 7, 0, 1000):
        assert shortener.at(limit) == shorten(text, limit, **options)


def test_links_with_titles_and_references_stay_whole() -> None:
    for link in ('[docs](https://x.org/a_(b) "The title")', "[docs][the reference]", "<https://x.org/a>"):
        text = f"Read {link} before you start."
        for limit in range(5, 5 + len(link)):
            assert shorten(text, limit, strategy="word") == "Read", (link, limit)
        assert shorten(text, 5 + len(link), strategy="word") == f"Read {link}"
