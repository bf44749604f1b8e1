"""
What shortened descriptions still tell apart, measured without any model: retrieval and likeness of texts.

Both see texts as bags of terms: words of the scripts that put spaces between words, and pairs of neighbouring characters of those
that do not (and of Korean, whose particles cling to words), as Lucene's CJK analysis does. scikit-learn and bm25s do the sums.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final

import regex

__all__ = ["nearest", "ranks", "recall", "terms"]

_UNSPACED: Final = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Tibetan}"
_RUN = regex.compile(rf"[{_UNSPACED}ー]+|[[\p{{L}}\p{{M}}\p{{N}}]--[{_UNSPACED}ー]]+", regex.VERSION1)
_CAMEL = regex.compile(r"(?<=\p{Ll})(?=\p{Lu})")
_IS_UNSPACED = regex.compile(rf"[{_UNSPACED}]")
#: English endings, so that "sends files" finds "send a file" (Harman 1991, the S stemmer).
_PLURALS: Final = (("ies", ("eies", "aies"), "y"), ("es", ("aes", "ees", "oes"), "e"), ("s", ("us", "ss"), ""))
_STEMMED: Final = 4
#: Scores this near to each other are a tie; sums of floats differ in their last bits from machine to machine.
_TIE: Final = 1e-5


@lru_cache(maxsize=1 << 14)
def terms(text: str) -> tuple[str, ...]:
    """The terms of a text: words in lower case without plural endings, `camelCase` in two, and pairs of characters."""
    found: list[str] = []
    for run in _RUN.findall(_CAMEL.sub(" ", text)):
        if _IS_UNSPACED.match(run):
            found += map("".join, pairwise(run)) if len(run) > 1 else [run]
        else:
            found.append(_singular(run.casefold()))
    return tuple(found)


def _singular(word: str) -> str:
    if len(word) < _STEMMED or not word.isascii():
        return word
    for ending, exceptions, instead in _PLURALS:
        if word.endswith(ending):
            return word if word.endswith(exceptions) else word.removesuffix(ending) + instead
    return word


def ranks(documents: Sequence[str], queries: Sequence[tuple[str, int]]) -> list[int | None]:
    """
    For each query the rank, from 1, of the document that it should find, by BM25 (k1 1.5, b 0.75, Lucene's variant).

    A tie counts against it. None where the document has nothing of the query.
    """
    import bm25s  # type: ignore[import-untyped]

    bags = [list(terms(document)) for document in documents]
    if not any(bags):
        return [None] * len(queries)
    index = bm25s.BM25()
    index.index(bags, show_progress=False)
    known = {term for bag in bags for term in bag}
    found: list[int | None] = []
    for query, right in queries:
        wanted = [term for term in terms(query) if term in known]
        scores = index.get_scores(wanted) if wanted else None
        if scores is None or scores[right] <= 0:
            found.append(None)
        else:
            found.append(int((scores >= scores[right] * (1 - _TIE)).sum()))
    return found


def recall(found: Sequence[int | None], depth: int) -> float:
    """The share of ranks that are at most `depth`; 0 where there are none."""
    return sum(rank is not None and rank <= depth for rank in found) / len(found) if found else 0.0


def nearest(documents: Sequence[str]) -> list[float]:
    """
    For each document the cosine of its TF-IDF vector with the most similar other one, from 0 to 1.

    A document without terms is like any other: 1. One that is alone is like none: 0.
    """
    from sklearn.feature_extraction.text import TfidfVectorizer  # type: ignore[import-untyped]

    bags = [terms(document) for document in documents]
    if not any(bags):
        return [1.0 if len(bags) > 1 else 0.0] * len(bags)
    # sublinear: a word that a text repeats does not make it another text.
    vectors = TfidfVectorizer(analyzer=list, sublinear_tf=True).fit_transform(bags)
    cosines = (vectors @ vectors.T).tolil()
    cosines.setdiag(0)
    most = cosines.tocsr().max(axis=1).toarray().ravel()
    return [min(1.0, float(cosine)) if bag else 1.0 for bag, cosine in zip(bags, most, strict=True)]
