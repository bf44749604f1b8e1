"""
Whether a JSON Schema `pattern` matches a text, answered only where every reading of the pattern answers alike.

The keyword means an ECMA-262 expression (JSON Schema validation, section 6.3.3), yet Python validators hand it to `re`. The two
differ in `\\d \\w \\s \\b`, in `.` and `$` near line ends, and ECMA-262 without its `u` flag counts UTF-16 units. Pieces on which
they differ in kind (back-references, look-behind, `\\Z`, `\\p{..}`, named groups, possessive repeats) are never guessed at.

A catalog's patterns may be hostile, and the same input must give the same answer on every machine, so no engine with a time-out
is asked: a pattern becomes a small program (K. Thompson, 1968) whose paths are all followed at once, and whose steps are counted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

__all__ = ["literal_set", "matches"]

#: Instructions followed and ranges looked at per reading; each takes well under a microsecond.
_MAX_STEPS = 400_000
#: Instructions and ranges that a pattern may be built of, group by group; counted repeats are written out.
_MAX_PROGRAM = 50_000
#: Groups in groups.
_MAX_DEPTH = 50

_SINGLE = r"\\(?:[tnrfv]|0(?![0-9])|x[0-9A-Fa-f]{2}|u(?![dD][89A-Fa-f])[0-9A-Fa-f]{4}|[!-/:-@\[-`{-~])"
_TOKEN = re.compile(
    rf"""(?P<set>\[\^?+(?:\\.|[^\]\\])+\])
    |(?P<repeat>[*+?]\??|\{{(?P<low>[0-9]{{1,9}})(?P<comma>,(?P<high>[0-9]{{0,9}}))?\}}\??)
    |(?P<open>\((?:\?[:=!])?)
    |(?P<close>\))
    |(?P<bar>\|)
    |(?P<edge>[\^$]|\\[bB])
    |(?P<kind>\\[dDwWsS]|\.)
    |(?P<single>{_SINGLE}|[^\\^$.|?*+()\[{{]|\{{(?![0-9]+(?:,[0-9]*)?\}}|,[0-9]*\}}))""",
    re.VERBOSE | re.DOTALL,
)
_SET_ITEM = re.compile(rf"(?P<kind>\\[dDwWsS])|(?P<single>{_SINGLE}|\\b|[^\\])", re.DOTALL)
_CONTROLS = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "v": "\v", "0": "\0", "b": "\b"}
_ECMA_SPACES = frozenset(
    "\t\n\v\f\r \xa0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff" + "".join(map(chr, range(0x2000, 0x200B)))
)


@dataclass(frozen=True, slots=True)
class _Dialect:
    """How one engine reads the pieces that both have."""

    kinds: Mapping[str, Callable[[str], bool]]
    #: `$` also holds before a final line feed, and `\B` fails in an empty text (Python before 3.14).
    is_python: bool


_PYTHON = _Dialect(
    {"d": str.isdecimal, "s": str.isspace, "w": lambda c: c.isalnum() or c == "_", ".": lambda c: c != "\n"}, True
)
_ECMA = _Dialect(
    {
        "d": lambda c: c.isascii() and c.isdecimal(),
        "s": _ECMA_SPACES.__contains__,
        "w": lambda c: c.isascii() and (c.isalnum() or c == "_"),
        ".": lambda c: c not in "\n\r\u2028\u2029",
    },
    False,
)


@dataclass(frozen=True, slots=True)
class _Character:
    """Takes one character that is in one of the ranges or of one of the kinds (a capital letter: not of that kind)."""

    ranges: tuple[tuple[str, str], ...] = ()
    kinds: str = ""
    negated: bool = False

    def takes(self, character: str, dialect: _Dialect) -> bool:
        found = any(low <= character <= high for low, high in self.ranges) or any(
            dialect.kinds[kind.lower()](character) != kind.isupper() for kind in self.kinds
        )
        return found != self.negated


@dataclass(frozen=True, slots=True)
class _Edge:
    """Holds at a place: `^`, `$`, `b` or `B`."""

    kind: str

    def holds(self, text: str, at: int, dialect: _Dialect) -> bool:
        if self.kind == "^":
            return at == 0
        if self.kind == "$":
            return at == len(text) or (dialect.is_python and at == len(text) - 1 and text[at] == "\n")
        word = dialect.kinds["w"]
        if dialect.is_python and not text:
            return False
        border = (at > 0 and word(text[at - 1])) != (at < len(text) and word(text[at]))
        return border == (self.kind == "b")


@dataclass(frozen=True, slots=True)
class _Ahead:
    """Holds where the text goes on (or, negated, does not go on) as another program says."""

    program: _Program
    negated: bool


#: A tuple holds the distances to the instructions at which to go on.
_Step = _Character | _Edge | _Ahead | tuple[int, ...]
_Program = tuple[_Step, ...]


class _NotPortable(Exception):
    """A piece of a pattern that not every engine has, that they read differently, or that is too large."""


class _TooManySteps(Exception):
    """The allowance of a run is used up."""


@lru_cache(maxsize=1024)
def matches(pattern: str, text: str) -> bool | None:
    """
    Whether a pattern is found anywhere in a text (patterns are not anchored: JSON Schema core, section 6.4).

    None when that cannot be told: the pattern is invalid or not portable, its readings disagree on this text, or it takes too long.
    """
    programs = _programs(pattern)
    if programs is None or len(text) > _MAX_STEPS:
        return None
    program, unit_program = programs
    readings = ((program, text, _PYTHON), (program, text, _ECMA), (unit_program, _utf16_units(text), _ECMA))
    try:
        found = {_Run(where, dialect).found(each, 0, anywhere=True) for each, where, dialect in readings}
    except _TooManySteps:
        return None
    return found.pop() if len(found) == 1 else None


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


@lru_cache(maxsize=128)
def _programs(pattern: str) -> tuple[_Program, _Program] | None:
    """The program of a pattern over characters, and the one over UTF-16 units; None when there is no portable one."""
    try:
        program = _parse(pattern)
        return program, program if pattern.isascii() else _parse(_utf16_units(pattern))
    except _NotPortable:
        return None


class _Group:
    """A group whose end has not been read yet: alternatives, each a sequence of programs."""

    def __init__(self, opening: str) -> None:
        self.opening = opening
        self.branches: list[list[_Program]] = [[]]

    def add(self, piece: _Program) -> int:
        """Appends a program to the alternative that is being read; returns its length."""
        self.branches[-1].append(piece)
        return len(piece)

    def program(self) -> _Program:
        bodies = [[step for piece in branch for step in piece] for branch in self.branches]
        steps: list[_Step] = []
        remaining = sum(len(body) + 2 for body in bodies) - 2
        for body in bodies[:-1]:
            remaining -= len(body) + 2
            steps += [(1, len(body) + 2), *body, (remaining + 1,)]
        whole = (*steps, *bodies[-1])
        return (_Ahead(whole, self.opening == "(?!"),) if self.opening in {"(?=", "(?!"} else whole


def _parse(pattern: str) -> _Program:
    groups = [_Group("(")]
    at = built = 0
    repeatable = False
    while at < len(pattern):
        token = _TOKEN.match(pattern, at)
        if token is None or (token["repeat"] and not repeatable):
            raise _NotPortable(pattern[at:])
        built += _take(token, groups)
        if built > _MAX_PROGRAM or not 0 < len(groups) <= _MAX_DEPTH:
            raise _NotPortable(pattern[at:])
        repeatable = token.lastgroup in {"set", "close", "kind", "single"}
        at = token.end()
    if len(groups) != 1:
        raise _NotPortable(pattern)
    return groups[0].program()


def _take(token: re.Match[str], groups: list[_Group]) -> int:
    """Reads one token into the innermost group; returns how many instructions were built."""
    group, text = groups[-1], token[0]
    match token.lastgroup:
        case "open":
            groups.append(_Group(text))
            return 1
        case "bar":
            group.branches.append([])
            return 1
        case "close":
            groups.pop()
            return groups[-1].add(group.program()) if groups else 0
        case "repeat":
            return group.add(_repeated(group.branches[-1].pop(), *_bounds(token)))
        case "edge":
            return group.add((_Edge(text[-1]),))
        case "set":
            return group.add((_set(text),)) + len(text)
        case "kind":
            return group.add((_Character(kinds=text[-1]),))
        case _:
            return group.add((_Character((_range(text, text),)),))


def _bounds(repeat: re.Match[str]) -> tuple[int, int | None]:
    """The least and the greatest number of times, None without end."""
    if repeat["low"] is None:
        return {"*": (0, None), "+": (1, None), "?": (0, 1)}[repeat[0][0]]
    low = int(repeat["low"])
    high = int(repeat["high"]) if repeat["high"] else None if repeat["comma"] else low
    if high is not None and high < low:
        raise _NotPortable(repeat[0])
    return low, high


def _repeated(piece: _Program, low: int, high: int | None) -> _Program:
    size = len(piece)
    if (size + 1) * max(low, high or 0) > _MAX_PROGRAM:
        raise _NotPortable
    if high is None:
        return (*piece * low, (1, size + 2), *piece, (-size - 1,))
    optional: list[_Step] = []
    for left in range(high - low, 0, -1):
        optional += [(1, left * (size + 1)), *piece]
    return (*piece * low, *optional)


def _set(text: str) -> _Character:
    negated = text.startswith("[^")
    items = list(_SET_ITEM.finditer(text, 2 if negated else 1, len(text) - 1))
    if "".join(item[0] for item in items) != text[2 if negated else 1 : -1]:
        raise _NotPortable(text)
    ranges: list[tuple[str, str]] = []
    kinds = ""
    at = 0
    while at < len(items):
        is_range = at + 2 < len(items) and items[at + 1][0] == "-"
        first, last = items[at], items[at + 2 if is_range else at]
        at += 3 if is_range else 1
        if not (first["kind"] or last["kind"]):
            ranges.append(_range(first[0], last[0]))
        elif is_range:
            raise _NotPortable(text)
        else:
            kinds += first[0][-1]
    return _Character(tuple(dict.fromkeys(ranges)), "".join(dict.fromkeys(kinds)), negated)


def _range(first: str, last: str) -> tuple[str, str]:
    low, high = _character(first), _character(last)
    if high < low:
        raise _NotPortable(first + last)
    return low, high


def _character(single: str) -> str:
    if len(single) == 1:
        return single
    if single[1] in "xu":
        digits = single[2:]
        return chr(int(digits, 16))
    return _CONTROLS.get(single[1], single[1])


class _Run:
    """Programs followed over one text in one reading, all within one allowance of steps."""

    def __init__(self, text: str, dialect: _Dialect) -> None:
        self._text = text
        self._dialect = dialect
        self._left = _MAX_STEPS

    def found(self, program: _Program, start: int, *, anywhere: bool) -> bool:
        """Whether the program comes to its end when it begins at `start`, or anywhere from there on."""
        places = [0]
        for at in range(start, len(self._text) + 1):
            following = self._advance(program, places, at)
            if following is None:
                return True
            if not anywhere and not following:
                return False
            places = [*following, 0] if anywhere else following
        return False

    def _advance(self, program: _Program, places: list[int], at: int) -> list[int] | None:
        """The places in a program after the character at `at`; None when its end is reached before that character."""
        following: list[int] = []
        seen: set[int] = set()
        while places:
            place = places.pop()
            if place in seen:
                continue
            if place == len(program):
                return None
            seen.add(place)
            self._left -= 1
            step = program[place]
            if isinstance(step, tuple):
                places += [place + offset for offset in step]
            elif isinstance(step, _Character):
                self._left -= len(step.ranges)
                if at < len(self._text) and step.takes(self._text[at], self._dialect):
                    following.append(place + 1)
            elif self._holds(step, at):
                places.append(place + 1)
        if self._left < 0:
            raise _TooManySteps
        return following

    def _holds(self, step: _Edge | _Ahead, at: int) -> bool:
        if isinstance(step, _Edge):
            return step.holds(self._text, at, self._dialect)
        return self.found(step.program, at, anywhere=False) != step.negated


def _utf16_units(text: str) -> str:
    """One character per UTF-16 code unit, as ECMA-262 without the `u` flag sees a text."""
    if text.isascii():
        return text
    data = text.encode("utf-16-le", "surrogatepass")
    return "".join(chr(int.from_bytes(data[at : at + 2], "little")) for at in range(0, len(data), 2))
