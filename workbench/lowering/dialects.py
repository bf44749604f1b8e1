"""
Dialects: from a schema object as it was written, in any draft from 4 to 2020-12, to the keywords of 2020-12.

`normal(schema, draft)` answers with a `Normal`: the keywords that the draft knows and whose values are well-formed,
respelled as 2020-12 has them, and notes on the rest. What a draft does not know it ignores, so leaving that out is exact;
what is malformed has no meaning, so it is freed. Differences between drafts stand in small tables and in one function per
respelling; the rest of the package knows 2020-12 only.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from workbench.keywords import KEYWORDS, Draft, Role, Shape
from workbench.lowering.cleaning import Copy
from workbench.regexes import compiles

__all__ = [
    "DEFAULT_DRAFT",
    "UNKNOWN",
    "Dialect",
    "Normal",
    "Note",
    "dialect_of",
    "is_well_formed",
    "normal",
    "unrepeated",
    "validator_class",
]

DEFAULT_DRAFT: Final[Draft] = 2020

#: What only draft 3 has, or reads in its own way: there `required` is said of the property itself.
_OF_DRAFT_3: Final = frozenset({"extends", "disallow", "divisibleBy", "required"})
_NOT_IN_DRAFT_3: Final = frozenset({"allOf", "anyOf", "oneOf", "not", "minProperties", "maxProperties"})
_REFERENCES: Final = frozenset({"$ref", "$dynamicRef", "$recursiveRef"})

_URIS: Final[Mapping[str, Draft]] = {
    "http://json-schema.org/draft-04/schema": 4,
    "http://json-schema.org/draft-06/schema": 6,
    "http://json-schema.org/draft-07/schema": 7,
    "http://json-schema.org/schema": 2020,
    "https://json-schema.org/draft/2019-09/schema": 2019,
    "https://json-schema.org/draft/2020-12/schema": 2020,
}


@dataclass(frozen=True, slots=True)
class Dialect:
    """A draft, and whether its assertions may be trusted: under a `$schema` that nobody knows, they may not."""

    draft: Draft
    known: bool = True
    #: Draft 3: what draft 4 brought is not known yet, the rest is read as draft 4 has it.
    third: bool = False


UNKNOWN: Final = Dialect(DEFAULT_DRAFT, known=False)


def validator_class(draft: int) -> Any:
    """The class of `jsonschema` that validates by a draft."""
    import jsonschema

    return {
        4: jsonschema.Draft4Validator,
        6: jsonschema.Draft6Validator,
        7: jsonschema.Draft7Validator,
        2019: jsonschema.Draft201909Validator,
        2020: jsonschema.Draft202012Validator,
    }[draft]


def dialect_of(schema: Any, inherited: Dialect) -> Dialect:
    """
    The dialect that a schema object is written in: what its `$schema` says, else the one around it.

    A `$schema` that names no published draft may belong to a vocabulary without validation (core, 8.1.2), under which
    `minimum` rejects nothing; only the structure of such a schema is kept.
    """
    uri = schema.get("$schema") if isinstance(schema, dict) else None
    if not isinstance(uri, str):
        return inherited
    if uri.rstrip("#") == "http://json-schema.org/draft-03/schema":
        return Dialect(4, third=True)
    bare = uri.rstrip("#").replace("https://json-schema.org/draft-", "http://json-schema.org/draft-")
    draft = _URIS.get(bare) or _URIS.get(bare.rstrip("/"))
    return replace(inherited, known=False) if draft is None else Dialect(draft)


@dataclass(frozen=True, slots=True)
class Note:
    """Something that `normal` left out or changed, to become a loss if the place is ever shown."""

    keyword: str
    action: str
    exact: bool
    detail: str = ""


#: Left out without a word, since another function deals with it.
_SILENT: Final = Note("", "", True)


@dataclass(slots=True)
class Normal:
    """A schema object's keywords in the spelling of 2020-12, in the order they were written, and the notes on the rest."""

    keywords: dict[str, Any] = field(default_factory=dict)
    #: Where a respelled keyword's value stands in the original, when that is not under its own name.
    moved: dict[str, tuple[str, ...]] = field(default_factory=dict)
    notes: list[Note] = field(default_factory=list)


def normal(schema: Copy, dialect: Dialect) -> Normal:
    """The keywords of one schema object (not of its subschemas) in the spelling of 2020-12."""
    out = Normal(notes=[Note(name, "freed", False, reason) for name, reason in schema.freed])
    alone = dialect.draft <= 7 and isinstance(schema.get("$ref"), str)
    for name, value in schema.items():
        note = _left_out(name, value, dialect, alone=alone and name != "$ref")
        if note is None:
            out.keywords[name] = value
        elif note is not _SILENT:
            out.notes.append(note)
    for respell in _RESPELLINGS:
        respell(out, dialect.draft)
    if schema.get("nullable") is True:
        _nullable(out)
    return out


def _left_out(name: str, value: Any, dialect: Dialect, *, alone: bool) -> Note | None:
    """Why a keyword is left out, or None where it stays; `alone`: it stands beside a `$ref` that ignores it."""
    row = KEYWORDS.get(name)
    if dialect.third and name in _OF_DRAFT_3:
        return Note(name, "freed", False, "as draft 3 has it")
    if dialect.third and name in _NOT_IN_DRAFT_3:
        return Note(name, "ignored", True, "draft 3 does not have it")
    if row is None:
        return _SILENT if name == "nullable" else Note(name, "annotation removed", True, "not a keyword of JSON Schema")
    if row.role is Role.CORE and name not in _REFERENCES:
        if row.shape is Shape.DATA:
            return Note(name, "identifier removed", True, "references are inlined")
        return Note(name, "definitions removed", True, "what is used of them is inlined")
    if name == "description":
        return None if isinstance(value, str) else Note(name, "annotation removed", True, "not a string")
    if row.role is Role.ANNOTATION:
        return Note(name, "annotation removed", True)
    if alone:
        return Note(name, "ignored", True, f"beside $ref, draft {dialect.draft} ignores it")
    if dialect.draft not in row.drafts:
        return Note(name, "ignored", True, f"draft {_title(dialect.draft)} does not have it")
    if not is_well_formed(name, value, dialect.draft):
        return Note(name, "freed", False, "malformed value")
    if not dialect.known and row.role is Role.ASSERTION:
        return Note(name, "freed", False, "the $schema is not a known dialect")
    return None


def _title(draft: Draft) -> str:
    return {2019: "2019-09", 2020: "2020-12"}.get(draft, str(draft))


# Well-formedness: one predicate per shape of value (validation, section 6; core, section 10).


def is_well_formed(name: str, value: Any, draft: Draft = DEFAULT_DRAFT) -> bool:
    """Whether a keyword's value has the shape that its metaschema asks for; keywords without a rule are always well-formed."""
    if draft == 4 and name in ("exclusiveMinimum", "exclusiveMaximum"):
        return isinstance(value, bool)
    if draft == 4 and name == "enum" and value == []:  # later drafts read it as what no value is in
        return False
    rule = _WELL_FORMED.get(name)
    return rule is None or rule(value)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and _is_writable(value)


def _is_writable(number: Any) -> bool:
    """Whether a number has a JSON text that is read again: finite, and not of thousands of digits."""
    return math.isfinite(number) if isinstance(number, float) else abs(number) < _TOO_LARGE


def _is_count(value: Any) -> bool:
    return _is_number(value) and value >= 0 and value == int(value)


def _is_schema(value: Any) -> bool:
    return isinstance(value, dict | bool)


def _is_list(value: Any) -> bool:
    # An entry that is no schema is freed by itself (`cleaning.py`): the others keep their meaning.
    return isinstance(value, list) and bool(value)


def _is_map(value: Any) -> bool:
    return isinstance(value, dict)


def _is_names(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) for name in value)


def _is_type(value: Any) -> bool:
    names = value if isinstance(value, list) else [value]
    return bool(names) and all(isinstance(name, str) and name in _TYPES for name in names)


def _is_plain(value: Any, limit: int = 100) -> bool:
    """Whether data can be written and nests no deeper than a JSON reader follows; other data is nobody's intention."""
    level = [value]
    while level and limit:
        if not all(_is_writable(each) for each in level if isinstance(each, int | float)):
            return False
        level = [
            below
            for each in level
            if isinstance(each, dict | list)
            for below in (each.values() if isinstance(each, dict) else each)
        ]
        limit -= 1
    return not level


#: Python neither reads nor writes an integer of more digits, unless it is told to.
_TOO_LARGE: Final = 10**4300
_TYPES: Final = frozenset({"null", "boolean", "integer", "number", "string", "array", "object"})

_WELL_FORMED: Final[Mapping[str, Callable[[Any], bool]]] = {
    "type": _is_type,
    "enum": lambda value: isinstance(value, list) and _is_plain(value),
    "const": _is_plain,
    "required": _is_names,
    "dependentRequired": lambda value: isinstance(value, dict) and all(map(_is_names, value.values())),
    "dependencies": lambda value: (
        isinstance(value, dict) and all(_is_schema(v) or _is_names(v) for v in value.values())
    ),
    **dict.fromkeys(
        (
            "minLength",
            "maxLength",
            "minItems",
            "maxItems",
            "minProperties",
            "maxProperties",
            "minContains",
            "maxContains",
        ),
        _is_count,
    ),
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), _is_number),
    "multipleOf": lambda value: _is_number(value) and value > 0,
    "uniqueItems": lambda value: isinstance(value, bool),
    "pattern": lambda value: isinstance(value, str) and compiles(value),
    **dict.fromkeys(("format", "$ref", "$dynamicRef", "$recursiveRef"), lambda value: isinstance(value, str)),
    **dict.fromkeys(("allOf", "anyOf", "oneOf", "prefixItems"), _is_list),
    **dict.fromkeys(("properties", "patternProperties", "dependentSchemas"), _is_map),
    **dict.fromkeys(
        ("additionalProperties", "propertyNames", "contains", "not", "if", "then", "else", "additionalItems"),
        _is_schema,
    ),
    **dict.fromkeys(("unevaluatedProperties", "unevaluatedItems"), _is_schema),
    "items": lambda value: _is_schema(value) or isinstance(value, list),
}


# Respellings: one function per keyword that 2020-12 writes in another way.


def _exclusive_bounds(out: Normal, draft: Draft) -> None:
    """Draft 4: `exclusiveMinimum: true` qualifies `minimum` (draft 4 validation, 5.1.3); from draft 6 it is a number."""
    if draft != 4:
        return
    for name, base in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
        flag = out.keywords.pop(name, False)
        if flag is True and base in out.keywords:
            at = list(out.keywords)
            out.keywords = {(name if key == base else key): out.keywords[key] for key in at}
            out.moved[name] = (base,)


def _integers(out: Normal, draft: Draft) -> None:
    """Draft 4 takes 1.0 for no integer (draft 4 core, 3.5), later drafts do; so `integer` as 2020-12 reads it lets it in."""
    if draft == 4 and "integer" in out.keywords.get("type", ()) and "number" not in out.keywords["type"]:
        out.notes.append(Note("type", "relaxed", False, "1.0 is an integer from draft 6 on"))


def _array_items(out: Normal, draft: Draft) -> None:
    """Up to 2019-09, `items: [..]` with `additionalItems` is what 2020-12 writes as `prefixItems` with `items`."""
    items = out.keywords.get("items")
    extra = out.keywords.pop("additionalItems", None)
    if not isinstance(items, list):
        return
    if draft == 2020:
        del out.keywords["items"]
        out.notes.append(Note("items", "freed", False, "a list, which 2020-12 does not allow here"))
        return
    renamed: dict[str, Any] = {}
    for name, value in out.keywords.items():
        if name != "items":
            renamed[name] = value
            continue
        if items:
            renamed["prefixItems"] = items
            out.moved["prefixItems"] = ("items",)
        if extra is not None:
            renamed["items"] = extra
            out.moved["items"] = ("additionalItems",)
    out.keywords = renamed


def _dependencies(out: Normal, draft: Draft) -> None:
    """Up to draft 7, `dependencies` is what 2019-09 split into `dependentRequired` and `dependentSchemas`."""
    both = out.keywords.pop("dependencies", None)
    if both is None:
        return
    names = {key: value for key, value in both.items() if isinstance(value, list)}
    schemas = {key: value for key, value in both.items() if not isinstance(value, list)}
    for keyword, value in (("dependentRequired", names), ("dependentSchemas", schemas)):
        if value:
            out.keywords[keyword] = value
            out.moved[keyword] = ("dependencies",)


def _orphans(out: Normal, draft: Draft) -> None:
    """Keywords that mean nothing without the one they qualify (validation, 6.4.4; core, 10.2.2)."""
    for orphan, owner in (("minContains", "contains"), ("maxContains", "contains"), ("then", "if"), ("else", "if")):
        if orphan in out.keywords and owner not in out.keywords:
            del out.keywords[orphan]
            out.notes.append(Note(orphan, "ignored", True, f"means nothing without {owner}"))


def unrepeated(name: str, value: Any) -> Any:
    """The well-formed value of a keyword with each name once, as metaschemas want it; a second one says nothing."""
    if name in ("type", "required") and isinstance(value, list):
        return list(dict.fromkeys(value))
    if name == "dependentRequired":
        return {key: list(dict.fromkeys(names)) for key, names in value.items()}
    return value


def _names_once(out: Normal, draft: Draft) -> None:
    for name in ("type", "required", "dependentRequired"):
        if name in out.keywords and (once := unrepeated(name, out.keywords[name])) != out.keywords[name]:
            out.keywords[name] = once
            (written,) = out.moved.get(name, (name,))
            out.notes.append(Note(written, "repetition removed", True, "a name was listed twice"))


def _nullable(out: Normal) -> None:
    """
    OpenAPI 3.0's `nullable: true` is no keyword of JSON Schema, so a plain validator ignores it and an OpenAPI one
    accepts null. Null is let in: that is sound under both readings.
    """
    keywords = out.keywords
    changed = False
    types = keywords.get("type")
    if types is not None and "null" not in types and types != "null":
        keywords["type"] = [*(types if isinstance(types, list) else [types]), "null"]
        changed = True
    if "enum" in keywords and None not in keywords["enum"]:
        keywords["enum"] = [*keywords["enum"], None]
        changed = True
    exact = not changed
    out.notes.append(Note("nullable", "null admitted" if changed else "annotation removed", exact))


_RESPELLINGS: Final = (_exclusive_bounds, _integers, _array_items, _dependencies, _names_once, _orphans)
