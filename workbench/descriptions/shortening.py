"""The strategies: what is kept of a text that is over its limit."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping
from functools import cached_property
from itertools import islice, pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, get_args

import regex

from workbench.descriptions.markup import Spans, spans
from workbench.descriptions.measures import Sizes, Unit, sizes_of
from workbench.descriptions.sentences import binds, sentence_ends
from workbench.errors import UsageError

if TYPE_CHECKING:
    from workbench.tokens import Encoding

__all__ = ["STRATEGIES", "Shortener", "Strategy", "shorten"]

Strategy: TypeAlias = Literal["hard", "word", "sentence", "first-sentence", "constraints"]
"""
`hard` keeps as much of the start as the limit admits; `word` ends it after a whole word, `sentence` after a whole sentence.
`first-sentence` keeps no more than that. `constraints` keeps the first sentence and those that bind the call.
"""

STRATEGIES: Final[tuple[Strategy, ...]] = get_args(Strategy)

#: After part of a sentence, and after a whole one.
_ELLIPSIS, _SPACED_ELLIPSIS = "…", " …"
#: Scripts that put no space between words; there, a word ends where UAX 29 says.
_UNSPACED = r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Tibetan}]"
_WORD_END = regex.compile(rf"(?<=\S)(?=\s|$)|(?:(?<={_UNSPACED})|(?={_UNSPACED}))\b", regex.WORD)
#: What should not be the last thing said.
_LOOSE_ENDS = " \t\r\n\f\v\u3000,;:([{<-–—、，；：（「『【"
#: Binding sentences that are looked at; a text with more is no description.
_MOST_BINDING = 100


class Shortener:
    """
    One text, to be cut to any number of limits; whatever does not depend on the limit is found once.

    Raises UsageError for an unknown unit or strategy, or for tokens without an encoding.
    """

    def __init__(
        self,
        text: str,
        *,
        unit: Unit = "chars",
        strategy: Strategy = "hard",
        ellipsis: bool = False,
        encoding: Encoding | None = None,
    ) -> None:
        keep = _KEEP.get(strategy)
        if keep is None:
            raise UsageError(f"unknown strategy {strategy!r}; strategies are {', '.join(STRATEGIES)}")
        self.text = text
        self.sizes = sizes_of(text, unit, encoding)
        self._unit = unit
        self._keep = keep
        self._mark = _mark(strategy) if ellipsis else ""
        self._cut = _Cut(text, self.sizes)

    def at(self, limit: int) -> str:
        """The text within a limit, as `shorten` says. Raises UsageError for a negative limit."""
        if isinstance(limit, bool) or limit < 0:
            raise UsageError(f"a limit is a number of {self._unit} from 0 up, not {limit!r}")
        if self.sizes.whole <= limit:
            return self.text
        mark = self._mark if self.sizes.of(self._mark) <= limit else ""
        self._cut.limit, self._cut.mark = limit, mark
        return self._keep(self._cut) + mark


class _Cut:
    """A text, the limit it has to be cut to, and the mark that has to follow within it."""

    def __init__(self, text: str, sizes: Sizes) -> None:
        self.text = text
        self.sizes = sizes
        self.limit = 0
        self.mark = ""
        #: What the last choice of sentences came to; it is the same up to the least limit that one left out would fit in.
        self.held = (0, 0, "", "")

    def fits(self, kept: str) -> bool:
        """Whether a start of the text is within the limit, together with the mark."""
        return self.sizes.of_start(len(kept), self.mark) <= self.limit

    def reach(self) -> int:
        """The length of the longest start, in whole characters, that fits."""
        limit = self.limit - (self.sizes.of(self.mark) if self.mark else 0)
        end = self.sizes.reach(limit)
        while end and not self.fits(self.text[:end]):
            limit -= 1
            end = self.sizes.reach(limit)
        return end

    @cached_property
    def spans(self) -> Spans:
        """What should stay whole."""
        return spans(self.text)

    @cached_property
    def word_ends(self) -> list[int]:
        return [match.start() for match in _WORD_END.finditer(self.text)]

    @cached_property
    def sentence_ends(self) -> list[int]:
        return sentence_ends(self.text, self.spans)

    @cached_property
    def sentences(self) -> list[str]:
        """The first sentence, then those that bind the call."""
        first, *others = (self.text[start:end] for start, end in pairwise([0, *self.sentence_ends]))
        return [first, *islice(filter(binds, others), _MOST_BINDING)]


def shorten(
    text: str,
    limit: int,
    *,
    unit: Unit = "chars",
    strategy: Strategy = "hard",
    ellipsis: bool = False,
    encoding: Encoding | None = None,
) -> str:
    """
    A text within `limit` units as it is; a longer one cut down to at most that, an ellipsis included if one is asked for.

    A strategy that finds nothing to keep within the limit gives way to the next simpler one: sentences to words, words to a
    hard cut. `hard` without an ellipsis keeps exactly the first `limit` characters, or as many as have `limit` tokens. An
    ellipsis for which the limit has no room is left out.

    Raises:
        UsageError: a negative limit, an unknown unit or strategy, or tokens without an encoding.
    """
    return Shortener(text, unit=unit, strategy=strategy, ellipsis=ellipsis, encoding=encoding).at(limit)


def _mark(strategy: Strategy) -> str:
    return _ELLIPSIS if strategy in ("hard", "word") else _SPACED_ELLIPSIS


def _hard(cut: _Cut) -> str:
    return cut.text[: cut.reach()]


def _word(cut: _Cut) -> str:
    reach = cut.reach()
    place = bisect_right(cut.word_ends, reach)
    while place:
        end = cut.word_ends[place - 1]
        start = cut.spans.start_of(end)
        kept = cut.text[:start].rstrip(_LOOSE_ENDS)
        if kept and cut.fits(kept):
            return kept
        # No end inside a stretch that has to stay whole is worth a try.
        place = min(place - 1, bisect_right(cut.word_ends, start))
    return cut.text[:reach]


def _sentence(cut: _Cut) -> str:
    for end in reversed(cut.sentence_ends):
        kept = cut.text[:end].rstrip()
        if kept and cut.fits(kept):
            return kept
    return _word(cut)


def _first_sentence(cut: _Cut) -> str:
    first = cut.text[: cut.sentence_ends[0]].rstrip() if cut.sentence_ends else ""
    return first if first and cut.fits(first) else _word(cut)


def _constraints(cut: _Cut) -> str:
    if not cut.sentence_ends or not cut.fits(cut.sentences[0].rstrip()):
        return _word(cut)
    since, until, mark, kept = cut.held
    if mark == cut.mark and since <= cut.limit < until:
        return kept
    kept, *others = cut.sentences
    until = cut.sizes.whole
    for sentence in others:
        size = cut.sizes.of((kept + sentence).rstrip() + cut.mark)
        if size <= cut.limit:
            kept += sentence
        else:
            until = min(until, size)
    kept = kept.rstrip()
    cut.held = (cut.limit, until, cut.mark, kept)
    return kept


_KEEP: Mapping[Strategy, Callable[[_Cut], str]] = MappingProxyType(
    {
        "hard": _hard,
        "word": _word,
        "sentence": _sentence,
        "first-sentence": _first_sentence,
        "constraints": _constraints,
    }
)
