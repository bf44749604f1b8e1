"""`matches` never contradicts an engine; `literal_set` means the same to all; hostile patterns end."""

from __future__ import annotations

import re
import warnings

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.regexes import literal_set, matches

_PIECES = (
    *(
        "a",
        "b",
        "é",
        "🦩",
        "1",
        " ",
        "\n",
        "-",
        "}",
        "{",
        ".",
        "^",
        "$",
        r"\d",
        r"\D",
        r"\w",
        r"\W",
        r"\s",
        r"\S",
        r"\b",
        r"\B",
    ),
    *(
        "[ab]",
        "[^a]",
        "[a-c]",
        r"[\w-]",
        r"[^\s🦩]",
        r"[\d\S]",
        "[a-]",
        r"[\b]",
        r"\.",
        r"\-",
        r"\/",
        r"\_",
        r"\u00e9",
        r"\x61",
    ),
)
_REPEATS = ("", "", "", "*", "+", "?", "{2}", "{1,}", "{0,2}", "*?", "{2,3}?", "{0}")
_TEXTS = st.text(alphabet="abcé🦩1_ \n-\r\u2028١}{\x85\ufeff\x1c", max_size=6)


def _patterns() -> st.SearchStrategy[str]:
    def grouped(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        opened = st.tuples(st.sampled_from(["(", "(?:", "(?=", "(?!"]), inner, st.sampled_from(["", "|"]), inner)
        group = st.tuples(opened.map("".join).map(lambda text: text + ")"), st.sampled_from(_REPEATS)).map("".join)
        return st.lists(st.one_of(inner, group), max_size=3).map("".join)

    repeatable = st.sampled_from([piece for piece in _PIECES if piece not in ("^", "$", r"\b", r"\B")])
    atom = st.tuples(repeatable, st.sampled_from(_REPEATS)).map("".join)
    return st.recursive(st.one_of(atom, st.sampled_from(_PIECES)), grouped, max_leaves=8)


def _python(pattern: str, text: str) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        return re.search(pattern, text) is not None


class TestMatches:
    @given(_patterns(), _TEXTS)
    def test_never_contradicts_re(self, pattern: str, text: str) -> None:
        assert matches(pattern, text) in (None, _python(pattern, text))

    @given(_patterns(), st.text(alphabet="abc1_ -}{", min_size=1, max_size=6))
    def test_plain_text_is_decided_wherever_the_pattern_is_portable(self, pattern: str, text: str) -> None:
        for special in ("🦩", "(?=", "(?!", "\\u00e9", "\\x61", "[\\b]", "\\_", "{0}"):
            pattern = pattern.replace(special, "(?:" if special.startswith("(") else "é")
        assert matches(pattern, text) is _python(pattern, text)

    @pytest.mark.parametrize(
        ("pattern", "text", "expected"),
        [
            ("b", "abc", True),  # found anywhere
            ("^b", "abc", False),
            ("", "", True),
            ("^[a-z][a-z0-9_-]*$", "snake_case-1", True),
            ("^[\\w.+-]+@[\\w-]+\\.[a-z]{2,}$", "a.b+c@example.org", True),
            ("^\\d{4}-\\d{2}-\\d{2}$", "2024-05-31", True),
            ("[\\s\\S]{3}", "a b", True),
            ("^{[a-z]+}$", "{id}", True),  # braces that are no repeat are literal
            ("^[a-z-9]$", "-", True),  # a hyphen after a range is literal
            ("[a&&b]", "&", True),  # and no set operations
        ],
    )
    def test_engines_agree(self, pattern: str, text: str, expected: bool) -> None:
        assert matches(pattern, text) is expected

    @pytest.mark.parametrize(
        ("pattern", "text"),
        [
            ("^a$", "a\n"),  # Python's `$` stands before a final line feed
            ("^\\d$", "١"),  # only Python's digits go beyond ASCII
            ("^\\w$", "é"),
            ("^\\s$", "\x85"),  # a space to Python alone
            ("^\\s$", "\ufeff"),  # a space to ECMA-262 alone
            ("^.$", "\u2028"),  # a line end to ECMA-262 alone
            ("^.$", "🦩"),  # two UTF-16 units without the `u` flag
            ("^[🦩]$", "🦩"),
            ("^🦩{2}$", "🦩🦩"),
            ("\\B", ""),  # Python before 3.14 finds none
        ],
    )
    def test_readings_that_differ_cannot_be_told(self, pattern: str, text: str) -> None:
        assert matches(pattern, text) is None

    @pytest.mark.parametrize(
        "pattern",
        [
            *("[", "(", ")", "a)", "*a", "^*", "a{2,1}", "a++", "a{,3}", "\\", "[b-a]", "[\\w-z]"),
            *(
                "[]",
                "[^]",
                "[]a]",
                "[^]a]",
                "[^]{1,3}[ab]",
                "\\Aa",
                "a\\Z",
                "\\p{L}",
                "\\a",
                "\\cA",
                "(a)\\1",
                "\\01",
                "\\ud83e",
            ),
            *("(?=a)", "(?!b)a", "[[:alpha:]]", "[\\b]", "\\u0061", "\\x61", "\\_"),
            *("(?i)a", "(?<n>a)", "(?P<n>a)", "(?<=b)a", "(?<!b)a", "(?#a)", "(?>a)", "(?(1)a)"),
        ],
    )
    def test_what_is_invalid_or_not_portable_cannot_be_told(self, pattern: str) -> None:
        assert matches(pattern, "a") is None

    @pytest.mark.parametrize(
        ("pattern", "text", "expected"),
        [
            ("^(a+)+$", "a" * 40 + "b", False),  # exponential for a backtracking engine
            ("^(a|a)*$", "a" * 5000 + "b", False),
            ("(.*){30}x", "a" * 5000, False),
            ("((a{999}){999}){999}", "a", None),  # written out it would take all memory
            ("^.{1,999}$", "a" * 999, True),
            ("(?=(?=(?=.*x).*x).*x)", "a" * 2000, None),
            ("(" * 100_000, "a", None),
            ("|" * 100_000, "a", None),
            ("[" + "ab" * 100_000 + "]*$", "c" * 1000, None),
            ("(?:a{999})" * 1000, "a", None),
            ("^(?:a?){900}a{900}$", "a" * 900, True),
            ("a", "b" * 10_000_000, None),
        ],
    )
    def test_hostile_patterns_end_alike_on_every_machine(self, pattern: str, text: str, expected: bool | None) -> None:
        assert matches(pattern, text) is expected


class TestLiteralSet:
    @given(
        st.lists(st.text(alphabet="ab1-/ .^$*+?()[]{}|\\é🦩_#&~\"'<>=!:,;@%", max_size=4), min_size=1, max_size=4),
        st.data(),
    )
    def test_accepts_its_values_and_nothing_else(self, values: list[str], data: st.DataObject) -> None:
        pattern = literal_set(values)
        assert pattern is not None
        other = data.draw(st.one_of(st.sampled_from(values), st.text(alphabet="ab.-|()\\é🦩", max_size=4)))
        assert matches(pattern, other) in (None, other in values)
        assert _python(pattern, other) is (other in values)

    def test_escapes_only_what_the_u_flag_allows(self) -> None:
        every_ascii = "".join(chr(code) for code in range(0x20, 0x7F))
        escaped = set(re.findall(r"\\(.)", literal_set([every_ascii]) or ""))
        assert escaped == set("^$\\.*+?()[]{}|")

    def test_shortest_form(self) -> None:
        assert literal_set(["a.b"]) == r"^a\.b$"
        assert literal_set(["b", "a", "b"]) == "^(?:b|a)$"
        assert literal_set(["", "a"]) == "^(?:|a)$"

    @pytest.mark.parametrize("values", [[], ["a\n"], ["a", "\u2028"], ["\ud83e"], ["\x00"], ["tab\t"]])
    def test_refuses_what_cannot_be_read_alike(self, values: list[str]) -> None:
        assert literal_set(values) is None

    def test_serves_as_a_pattern_of_a_schema(self) -> None:
        schema = {"propertyNames": {"pattern": literal_set(["a.b", "c"])}}
        assert jsonschema.Draft202012Validator(schema).is_valid({"a.b": 1, "c": 2})
        assert not jsonschema.Draft202012Validator(schema).is_valid({"axb": 1})
