"""
Text from a catalog, shown so that everything in it can be seen.

A character that draws nothing can still act: steer a terminal, turn the reading direction around, or carry words to a model
that no reviewer sees. `hidden_characters` lists them, `visible` writes them as escapes. The set is Unicode's property
Default_Ignorable_Code_Point (UAX 44), the controls but for tab and line ends, the line and paragraph separators, interlinear
annotation, and half surrogate pairs. Where such a character does its proper work (joining emoji or letters, choosing a glyph)
it stays.
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

__all__ = ["Hidden", "hidden_characters", "visible"]

_HIDDEN = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]|\r(?!\n)"
    "|[\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0"
    "\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff\ud800-\udfff]"
)
_FLAG = re.compile("\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f")
_JOINERS = "\u200c\u200d"
_VIRAMA = 9  # The canonical combining class of the sign that joins two Indic consonants.


class Hidden(NamedTuple):
    """One character that does not show: where it is, what it is, and its Unicode name."""

    offset: int
    char: str
    name: str


def hidden_characters(text: str) -> list[Hidden]:
    """
    List the characters of a text that do not show and are not where they belong.

    Joiners between emoji, or in words of Arabic or Indic script, are left out, and so is one variation selector after a character
    that can have one, and a flag spelt in tag characters (UTS 51 sections 1.4.9 and 2.2; Unicode core section 23.2).
    """
    flags = {index for flag in _FLAG.finditer(text) for index in range(*flag.span())}
    return [
        Hidden(
            match.start(), match[0], unicodedata.name(match[0], "CONTROL CHARACTER" if match[0] < "\xa0" else "UNNAMED")
        )
        for match in _HIDDEN.finditer(text)
        if match.start() not in flags and not _belongs(text, match.start())
    ]


def visible(text: str) -> str:
    """Write each of `hidden_characters` as the escape that Python has for it, such as \\u202e, and leave the rest as it is."""
    if not _HIDDEN.search(text):
        return text
    shown = list(text)
    for offset, char, _ in hidden_characters(text):
        shown[offset] = f"\\u{ord(char):04x}" if char <= "\uffff" else f"\\U{ord(char):08x}"
    return "".join(shown)


def _belongs(text: str, index: int) -> bool:
    char, before, after = text[index], text[index - 1 : index], text[index + 1 : index + 2]
    if not before:
        return False
    if char in _JOINERS:
        return _joins_letters(before, after) or (
            char == "\u200d" and _joins_emoji(text[max(0, index - 2) : index], after)
        )
    category = unicodedata.category(before)
    if "\ufe00" <= char <= "\ufe0f":
        return category[0] in "SPN" or category == "Lo"
    if "\U000e0100" <= char <= "\U000e01ef" or "\u180b" <= char <= "\u180f":
        return category == "Lo"
    return False


def _joins_letters(before: str, after: str) -> bool:
    """Say whether a joiner shapes Arabic letters, or stands beside the sign that joins Indic ones."""
    return unicodedata.bidirectional(before) == "AL" or _VIRAMA in (_combining(before), _combining(after))


def _combining(char: str) -> int:
    return unicodedata.combining(char) if char else 0


def _joins_emoji(before: str, after: str) -> bool:
    """Say whether a zero width joiner stands between two pictures, of which the first may have one variation selector."""
    return _is_picture(before.removesuffix("\ufe0f")[-1:]) and _is_picture(after)


def _is_picture(char: str) -> bool:
    """Say whether a character is drawn as a picture; the blocks of emoji grow faster than Python's tables."""
    return bool(char) and (unicodedata.category(char) in ("So", "Sm", "Sk") or "\U0001f000" <= char <= "\U0001faff")
