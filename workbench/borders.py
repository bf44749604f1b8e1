"""
Places in a text at which its two sides surely encode apart exactly as they do together, for all published tiktoken patterns.

A tokeniser splits text into pieces with a regular expression before it encodes each piece. Where a piece surely ends, whatever
stands on either side, the text may be cut, so that a long one is never in memory as tokens as a whole, and what comes again is
encoded once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

__all__ = ["BORDER", "LONG", "parts", "run_pattern", "split_runs"]

#: Unicode White_Space without the line ends CR and LF; this is what `\\s` means to tiktoken, and less than what it means to `re`.
_BLANKS: Final = "\t\v\f \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
#: Characters. Shorter texts are left whole. tiktoken 0.14 aborts on 999,999 blanks in a row; runs so long are handed over apart.
LONG: Final = 100_000
#: Characters of a part of a longer text, where there is a border to end it at.
_PART: Final = 50_000
#: Characters before the end of a part that are looked at first: in most texts there is a border.
_NEAR: Final = 500
#: Characters that surely are neither letters, marks nor digits, in whatever version of Unicode; the apostrophe is left out.
_BREAKS: Final = re.escape(' !"#$%&()*+,-./:;<=>?@[\\]^_`{|}~\u3000、。，；：！？（）「」『』【】《》…—“”·،؟।')
#: In every published pattern, a space starts a piece unless white space precedes it; in a piece, a letter is followed only by
#: letters, marks and an apostrophe, a digit only by digits; and none looks behind, or ahead beyond the run that a piece ends in.
BORDER: Final = re.compile(rf"(?<=\S)(?=[ \u3000])|(?<=[^\W_])(?=[{_BREAKS}])")


def parts(text: str, size: int = _PART) -> Iterator[str]:
    """
    A text in parts of up to `size` characters that encode apart; a longer one has no border inside.

    Where such a part begins and ends depends on the text around its own borders alone: the same one in two texts is the same.
    """
    start = 0
    while len(text) - start > size:
        end = _last(text, max(start, start + size - _NEAR), start + size) or _last(text, start, start + size)
        if end is None:
            following = BORDER.search(text, start + size)
            if following is None:
                break
            end = following.start()
        yield text[start:end]
        start = end
    yield text[start:]


def _last(text: str, start: int, end: int) -> int | None:
    """The last border between two places, which are none themselves."""
    return max((found.start() for found in BORDER.finditer(text, start + 1, end)), default=None)


def split_runs(text: str, runs: re.Pattern[str]) -> Iterator[tuple[str, bool]]:
    """
    The text in parts that encode apart exactly as they do together; True marks a part that is one piece of white space.

    In every tiktoken pattern, white space that no line end follows is one piece, less its last character when text follows
    (that one may join the next word). A piece before it cannot reach into it, and no pattern looks behind: so both its ends
    are borders of pieces. Where CR or LF are told apart, a run before one belongs to the line end's piece and is left alone.
    """
    done = 0
    for run in runs.finditer(text):
        end = run.end()
        if end < len(text):
            if text[end] in "\r\n":
                continue
            end -= 1
        yield text[done : run.start()], False
        yield text[run.start() : end], True
        done = end
    yield text[done:], False


def run_pattern(line_blind: bool, shortest: int = LONG) -> re.Pattern[str]:
    """What finds long white space, in linear time; `line_blind` patterns do not tell line ends from other white space."""
    blanks = f"[{_BLANKS}\r\n]" if line_blind else f"[{_BLANKS}]"
    return re.compile(f"(?<!{blanks}){blanks}{{{shortest},}}")
