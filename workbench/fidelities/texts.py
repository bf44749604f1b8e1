"""
Texts to try: strings of a given length, and strings that a pattern finds.

A pattern is read as far as `workbench.regexes` decides patterns at all; each text made from one is checked there, so this
reader may be lenient: where it misreads, the text is thrown away.
"""

from __future__ import annotations

import re
import string
from dataclasses import dataclass, field
from functools import lru_cache
from random import Random
from typing import Final

from workbench.regexes import matches

__all__ = ["matching", "of_length"]

#: What strings are made of where nothing says more; one letter takes two bytes in UTF-8.
_LETTERS: Final = "abcdxyzé019 -_"
_PRINTABLE: Final = "".join(map(chr, range(0x20, 0x7F)))
_WORD: Final = string.ascii_letters + string.digits + "_"
_KINDS: Final = {"d": string.digits, "w": _WORD, "s": " "}
_TOKEN: Final = re.compile(
    r"(?P<open>\((?:\?:)?)|(?P<close>\))|(?P<bar>\|)|(?P<edge>[\^$]|\\[bB])|(?P<set>\[\^?(?:\\.|[^\\\]])+\])"
    r"|(?P<repeat>[*+?]\??|\{(?P<low>\d{1,4})(?P<comma>,(?P<high>\d{0,4}))?\}\??)|(?P<single>\\.|[^\\])",
    re.DOTALL,
)
_RANGE: Final = re.compile(r"(\\.|[^\\])(?:-(\\.|[^\\]))?", re.DOTALL)
_TRIES: Final = 12
_LONGEST: Final = 400
#: Pieces of a pattern that are written down for one text.
_STEPS: Final = 2_000
_DEEPEST: Final = 40


def of_length(random: Random, low: int, high: int | None) -> str:
    """A string of `low` to `high` characters, often as short or as long as it may be."""
    top = low + 12 if high is None else min(high, low + 300)
    length = random.choice((low, min(low + 1, top), top, random.randint(low, max(low, top))))
    return "".join(random.choice(_LETTERS) for _ in range(length))


def matching(random: Random, pattern: str, low: int = 0, high: int | None = None) -> str | None:
    """A string of `low` to `high` characters that the pattern finds, or None where some tries do not come to one."""
    node = _read(pattern)
    for number in range(_TRIES if node is not None else 0):
        text = _Writer(random, 0.2 + 0.6 * number / _TRIES, _LONGEST).write(node)
        if not low <= len(text) <= (_LONGEST if high is None else high):
            # Going round until the length is nearly there, what follows the last repeat being some characters long.
            target = random.randint(low, low + 10 if high is None else min(high, low + 10)) - random.choice(
                (0, 0, 1, 2, 3, 5)
            )
            text = _Writer(random, 1.0, target).write(node)
        if low <= len(text) <= (_LONGEST if high is None else high) and matches(pattern, text):
            return text
    return None


@dataclass(slots=True)
class _Node:
    """Alternatives, each a sequence of nodes; or one of some characters. Either may be repeated."""

    branches: list[list[_Node]] = field(default_factory=lambda: [[]])
    characters: str | None = None
    low: int = 1
    high: int | None = 1


@dataclass(slots=True)
class _Writer:
    """Follows a pattern and writes down a text; short of `target` characters, it goes round once more as often as `more` says."""

    random: Random
    more: float
    target: int
    text: list[str] = field(default_factory=list)
    left: int = _STEPS

    def write(self, node: _Node | None) -> str:
        if node is not None:
            self._follow(node)
        return "".join(self.text)

    def _follow(self, node: _Node) -> None:
        times = 0
        while self.left > 0 and (times < node.low or ((node.high is None or times < node.high) and self._goes_on())):
            times += 1
            self.left -= 1
            if node.characters is not None:
                self.text.append(self.random.choice(node.characters) if node.characters else "")
                continue
            for each in self.random.choice(node.branches):
                self._follow(each)

    def _goes_on(self) -> bool:
        return len(self.text) < self.target and self.random.random() < self.more


@lru_cache(maxsize=256)
def _read(pattern: str) -> _Node | None:
    """A pattern as nodes; None where it is no pattern that is read here."""
    open_groups = [_Node()]
    for token in _TOKEN.finditer(pattern):
        sequence = open_groups[-1].branches[-1]
        if token["open"]:
            group = _Node()
            sequence.append(group)
            open_groups.append(group)
        elif token["close"]:
            open_groups.pop()
        elif token["bar"]:
            open_groups[-1].branches.append([])
        elif token["repeat"]:
            if sequence:
                sequence[-1].low, sequence[-1].high = _times(token)
        elif not token["edge"]:
            sequence.append(_Node(characters=_set(token["set"]) if token["set"] else _characters(token["single"])))
        if not 0 < len(open_groups) <= _DEEPEST:
            return None
    return open_groups[0] if len(open_groups) == 1 else None


def _times(token: re.Match[str]) -> tuple[int, int | None]:
    if token["low"] is None:
        return {"*": (0, None), "+": (1, None), "?": (0, 1)}[token["repeat"][0]]
    low = int(token["low"])
    return low, (int(token["high"]) if token["high"] else None) if token["comma"] else low


def _characters(single: str) -> str:
    """The characters that a single one, an escape or the dot stands for."""
    if single == ".":
        return _WORD + " -"
    if len(single) == 1:
        return single
    kind = single[1]
    if kind in "DWS":
        return "".join(each for each in _PRINTABLE if each not in _KINDS[kind.lower()])
    return _KINDS.get(kind, kind)


def _set(text: str) -> str:
    negated = text.startswith("[^")
    found: dict[str, None] = {}
    for first, last in _RANGE.findall(text[2:-1] if negated else text[1:-1]):
        one, other = ("." if first == "." else _characters(first)), (last[-1:] if last else "")
        if other and len(one) == 1:
            found |= dict.fromkeys(map(chr, range(ord(one), min(ord(other), ord(one) + 500) + 1)))
        else:
            found |= dict.fromkeys(one + other)
    return "".join(each for each in _PRINTABLE if each not in found) if negated else "".join(found)
