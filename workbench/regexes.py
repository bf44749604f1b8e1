"""
Whether a JSON Schema `pattern` matches a text, answered only where every reading of the pattern answers alike.

The keyword means an ECMA-262 expression (JSON Schema validation, 6.3.3), yet Python validators hand it to `re`. The two differ in
`\\d \\w \\s \\b` beyond ASCII, near line ends, in how they count what lies outside the Basic Multilingual Plane, and in pieces of
syntax. Where they might, the answer is None. A catalog's patterns may be hostile, too, and the same input must give the same
answer on every machine: the engine is RE2, which takes linear time, and no clock is asked.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Final

__all__ = ["alternation", "compiles", "literal_set", "matches"]

#: Longer patterns and texts are not looked at, in characters.
_LONGEST_PATTERN: Final = 2_000
_LONGEST_TEXT: Final = 100_000
#: Groups in groups, of which `re` follows only so many before it runs out of stack.
_DEEPEST_GROUP: Final = 100

_SIGN = r"\\[nrtfv!-/:-@\[-^`{-~]"
_KIND = r"\\[dDwWsS]"
_SET = rf"\[\^?+(?!\])(?:{_SIGN}|{_KIND}(?:-(?=\])|(?!-))|\[(?![:.=])|(?!-\\)[^\\\]\[])+\]"
#: What ECMA-262, Python and RE2 read alike: plain groups, no set that begins with `]` or has a range to a class, no repeated edge.
_PORTABLE: Final = re.compile(
    rf"(?:{_SIGN}|{_KIND}|(?:\\[bB]|[\^$])(?![*+?]|{{[0-9])|\((?:\?:|(?!\?))|{_SET}|\{{(?!,)|[^\\(\[{{^$])*", re.DOTALL
)
#: What refers to a group by number or name, and names themselves: beside another pattern it may mean another group.
_COUNTS_GROUPS: Final = re.compile(r"\\[1-9k]|\(\?[<P(]")
_CLASSES: Final = re.compile(r"\\[dDwWsSbB]")


@lru_cache(maxsize=4096)
def matches(pattern: str, text: str) -> bool | None:
    """
    Whether a pattern is found anywhere in a text (patterns are not anchored: JSON Schema core, 6.4).

    None when that cannot be told: the pattern is invalid, not portable or too long, or its readings may differ on this text.
    """
    compiled = _compiled(pattern)
    if compiled is None or not text.isprintable() or len(text) > _LONGEST_TEXT:
        return None
    if _CLASSES.search(pattern) and not (text and text.isascii()):
        return None
    if any(character > "\uffff" for character in text):
        return None
    return compiled.search(text) is not None


def literal_set(values: Iterable[str]) -> str | None:
    """
    A pattern for exactly these texts that both engines read alike, with and without the `u` flag; None when there is none.

    Only what ECMA-262 calls a SyntaxCharacter is escaped: with `u`, escaping anything else is an error. (Python alone lets `$`
    stand before a final line feed too; no value that holds a control character is taken.)
    """
    unique = list(dict.fromkeys(values))
    if not unique or not all(value.isprintable() for value in unique):
        return None
    literals = [re.sub(r"[\^$\\.*+?()\[\]{}|]", r"\\\g<0>", value) for value in unique]
    return f"^{literals[0]}$" if len(literals) == 1 else f"^(?:{'|'.join(literals)})$"


@lru_cache(maxsize=4096)
def compiles(pattern: str) -> bool:
    """
    Whether Python's `re` takes a pattern at all. One that it does not take stops every validator that is built on it, be the
    instance valid or not.
    """
    depth = deepest = 0
    for bracket in re.findall(r"\\.|[()]", pattern, re.DOTALL):
        depth += {"(": 1, ")": -1}.get(bracket, 0)
        deepest = max(deepest, depth)
    if deepest > _DEEPEST_GROUP:
        return False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            re.compile(pattern)
    except (re.error, OverflowError):
        return False
    return True


def alternation(patterns: Iterable[str]) -> str | None:
    """A pattern that is found where one of these is found; None where they cannot stand in one expression."""
    unique = list(dict.fromkeys(patterns))
    joined = "|".join(unique)
    if len(unique) > 1 and any(_COUNTS_GROUPS.search(each) for each in unique):
        return None
    return joined if unique and all(map(compiles, unique)) and compiles(joined) else None


@lru_cache(maxsize=512)
def _compiled(pattern: str) -> Any:
    """The pattern for RE2, or None when it is not one that all engines read alike."""
    if len(pattern) > _LONGEST_PATTERN or any(character > "\uffff" for character in pattern):
        return None
    if _PORTABLE.fullmatch(pattern) is None:
        return None
    import re2

    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(pattern, options)
    except re2.error:
        return None
