"""
Where sentences end, in any script.

`sentencex` (Wikimedia) knows abbreviations, decimals, file names and the full stops of some 300 languages. Two things are added:
in the text of tools, lines that start a list, a heading or a named part end what was before them; and no sentence ends inside a
code span or a link.
"""

from __future__ import annotations

import re

from workbench.descriptions.markup import Spans

__all__ = ["binds", "sentence_ends"]

#: A line end before a list item, a heading, a quotation, a table row, a fence, a tag, or a named part (`Args:`, `name (int): ...`).
_LINE_BREAK = re.compile(
    r"\n(?=[ \t]*(?:[-*+•·|#>]|\d{1,3}[.)][ \t]|~~~|```|<\w"
    r"|\w[\w ]{0,30}:[ \t]*(?:\n|$)|\w[\w.-]{0,40}(?: ?\([^()\n]{0,60}\))?:[ \t]))"
)
#: What says that more belongs to it.
_ANNOUNCES = (":", "：")
_SURROGATES = re.compile("[\ud800-\udfff]")

#: Words of a sentence that binds the call, by language; stems where a language inflects.
_WORDS = (
    r"must|shall|only|required?|requires|requirements?|mandatory|never|always|at (?:most|least)|up to|no (?:more|less|fewer) than",
    r"do(?:es)? not|don't|cannot|can't|may not|should not|shouldn't|not (?:allowed|supported|permitted)|forbidden|unless",
    r"max(?:imum)?|min(?:imum)?|limit(?:s|ed)?|exactly|between \d|one of|either|format(?:ted)?|unique|valid|allowed",
    r"accepts|case.sensitive|iso[ -]?\d+|rfc[ -]?\d+|before (?:calling|using)|instead",
    r"muss|müssen|nur|höchstens|mindestens|erforderlich|pflicht\w*|darf nicht|dürfen nicht|niemals|entweder|zulässig\w*",
    r"debe[ns]?|s[oó]lo|como (?:máximo|mínimo)|máximo|mínimo|obligatori[oa]s?|requerid[oa]s?|nunca|formato|uno de|una de",
    r"doit|doivent|uniquement|seulement|au plus|au moins|obligatoires?|requise?s?|jamais|interdite?s?|parmi",
    r"deve[m]?|somente|apenas|no máximo|no mínimo|obrigatóri[oa]s?|massimo|minimo|obbligatori[oae]|soltanto|vietat[oa]",
    r"долж\w+|только|не более|не менее|обязател\w+|нельзя|никогда|запрещ\w+|формат\w*|требует\w*|один из",
    r"يجب|فقط|على الأكثر|على الأقل|مطلوب|إلزامي|لا يمكن|חייב\w*|רק|חובה|לכל היותר|לפחות|אסור",
)
_UNSPACED = (
    r"必须|必須|只能|仅|僅|最多|至少|不得|不能|不可|禁止|必填|格式|之一|不超过|不超過|限制|唯一|请勿|請勿",
    r"必ず|のみ|だけ|以内|以下|以上|最大|最小|形式|いずれか|ください|できません|なければ",
    r"필수|반드시|최대|최소|이하|이상|해야|금지|형식|중 하나|없습니다",
    r"अनिवार्य|केवल|अधिकतम|न्यूनतम|चाहिए|प्रारूप|ต้อง|เท่านั้น|ไม่เกิน|อย่างน้อย|ห้าม",
)
_BINDING = re.compile(rf"\b(?:{'|'.join(_WORDS)})\b|{'|'.join(_UNSPACED)}", re.IGNORECASE)


def sentence_ends(text: str, spans: Spans) -> list[int]:
    """
    The indexes at which sentences end, in order, the last one at the end of the text.

    White space after a sentence belongs to it, and white space before the first one too.
    """
    import sentencex  # type: ignore[import-untyped]

    # Half a surrogate pair has no UTF-8 form, which the segmenter reads; any other character keeps the indexes right.
    readable = _SURROGATES.sub("\ufffd", text)
    candidates = {boundary["end_index"] for boundary in sentencex.get_sentence_boundaries("en", readable)}
    candidates |= {match.end() for match in _LINE_BREAK.finditer(text)} | {len(text)}
    ends: list[int] = []
    for candidate in sorted(candidates):
        if candidate > len(text) or spans.holds(candidate):
            continue
        sentence = text[ends[-1] if ends else 0 : candidate].strip()
        if sentence and (candidate == len(text) or not sentence.endswith(_ANNOUNCES)):
            ends.append(candidate)
        elif not sentence and ends:
            ends[-1] = candidate
    return ends


def binds(sentence: str) -> bool:
    """Say whether a sentence limits how the tool may be called: must, only, at most, required, one of, a format ..."""
    return _BINDING.search(sentence) is not None
