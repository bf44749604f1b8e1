"""
The keyword table: what is known here about each keyword of JSON Schema, drafts 4 to 2020-12, as data.

The walk, the subset checker, the lowering and the token attribution all read this one table; no second list of keywords
exists. To teach the package a keyword, add a row.

Sources: JSON Schema Core and Validation, 2020-12 (draft-bhutton-json-schema-01, draft-bhutton-json-schema-validation-01)
and their predecessors; the ban list is RFC 0112, "The compact structural subset"; the positions that the official
conformance suite walks are those of its `findBannedInputSchemaKeyword`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import Final, Literal

__all__ = ["ALL_DRAFTS", "BANNED", "KEYWORDS", "LOOPHOLES", "Draft", "Keyword", "Role", "Shape", "named"]

Draft = Literal[4, 6, 7, 2019, 2020]
ALL_DRAFTS: Final[tuple[Draft, ...]] = (4, 6, 7, 2019, 2020)


class Shape(Enum):
    """What a keyword's value holds; everything but `DATA` holds schemas, and `DATA` never does, whatever it looks like."""

    SCHEMA = "a schema"
    SCHEMA_LIST = "a list of schemas"
    SCHEMA_MAP = "a map from names to schemas"
    SCHEMA_OR_LIST = "a schema, or a list of schemas (`items` up to 2019-09)"
    SCHEMA_OR_NAMES_MAP = "a map from names to schemas or lists of names (`dependencies`)"
    DATA = "data"


class Role(Enum):
    """What a keyword does to an instance."""

    APPLICATOR = "applies subschemas"
    ASSERTION = "accepts or rejects"
    ANNOTATION = "says something, rejects nothing"
    CORE = "identifies, refers or stores"


@dataclass(frozen=True, slots=True)
class Keyword:
    """One row of the table."""

    name: str
    shape: Shape
    role: Role
    #: The drafts whose metaschema has it.
    drafts: tuple[Draft, ...] = ALL_DRAFTS
    #: The JSON type it constrains, `"any"` when it looks at every type.
    constrains: str = "any"
    #: RFC 0112 bans it from the compact structural subset, at any depth.
    banned: bool = False
    #: Not banned by the letter, yet able to carry in what the ban keeps out (design: the `loophole` rule).
    loophole: bool = False
    #: The official suite's walk goes into the schemas it holds.
    suite_walks: bool = False
    #: A lowered schema may have it.
    kept: bool = False


_A, _S, _N, _C = Role.APPLICATOR, Role.ASSERTION, Role.ANNOTATION, Role.CORE
_ONE, _LIST, _MAP, _DATA = Shape.SCHEMA, Shape.SCHEMA_LIST, Shape.SCHEMA_MAP, Shape.DATA
_FROM6: tuple[Draft, ...] = (6, 7, 2019, 2020)
_FROM7: tuple[Draft, ...] = (7, 2019, 2020)
_FROM2019: tuple[Draft, ...] = (2019, 2020)
_ONLY2019: tuple[Draft, ...] = (2019,)
_ONLY2020: tuple[Draft, ...] = (2020,)
_TO7: tuple[Draft, ...] = (4, 6, 7)
_TO2019: tuple[Draft, ...] = (4, 6, 7, 2019)

_ROWS: Final = (
    # Banned by RFC 0112, in the order of its list.
    Keyword("$ref", _DATA, _C, banned=True),
    Keyword("oneOf", _LIST, _A, banned=True),
    Keyword("allOf", _LIST, _A, banned=True),
    Keyword("anyOf", _LIST, _A, banned=True),
    Keyword("not", _ONE, _A, banned=True),
    Keyword("patternProperties", _MAP, _A, constrains="object", banned=True),
    Keyword("dependentSchemas", _MAP, _A, _FROM2019, "object", banned=True),
    # Applicators that the subset admits.
    Keyword("properties", _MAP, _A, constrains="object", suite_walks=True, kept=True),
    Keyword("additionalProperties", _ONE, _A, constrains="object", suite_walks=True, kept=True),
    Keyword("propertyNames", _ONE, _A, _FROM6, "object", suite_walks=True, kept=True),
    Keyword("items", Shape.SCHEMA_OR_LIST, _A, constrains="array", suite_walks=True, kept=True),
    Keyword("prefixItems", _LIST, _A, _ONLY2020, "array", suite_walks=True, kept=True),
    Keyword("contains", _ONE, _A, _FROM6, "array", suite_walks=True, kept=True),
    # Applicators that the letter admits and the intent does not.
    Keyword("if", _ONE, _A, _FROM7, loophole=True),
    Keyword("then", _ONE, _A, _FROM7, loophole=True),
    Keyword("else", _ONE, _A, _FROM7, loophole=True),
    Keyword("dependencies", Shape.SCHEMA_OR_NAMES_MAP, _A, _TO7, "object", loophole=True),
    Keyword("unevaluatedProperties", _ONE, _A, _FROM2019, "object", loophole=True),
    Keyword("unevaluatedItems", _ONE, _A, _FROM2019, "array", loophole=True),
    Keyword("additionalItems", _ONE, _A, _TO2019, "array"),
    # Assertions.
    Keyword("type", _DATA, _S, kept=True),
    Keyword("enum", _DATA, _S, kept=True),
    Keyword("const", _DATA, _S, _FROM6, kept=True),
    Keyword("required", _DATA, _S, constrains="object", kept=True),
    Keyword("dependentRequired", _DATA, _S, _FROM2019, "object", kept=True),
    Keyword("minProperties", _DATA, _S, constrains="object", kept=True),
    Keyword("maxProperties", _DATA, _S, constrains="object", kept=True),
    Keyword("minItems", _DATA, _S, constrains="array", kept=True),
    Keyword("maxItems", _DATA, _S, constrains="array", kept=True),
    Keyword("uniqueItems", _DATA, _S, constrains="array", kept=True),
    Keyword("minContains", _DATA, _S, _FROM2019, "array", kept=True),
    Keyword("maxContains", _DATA, _S, _FROM2019, "array", kept=True),
    Keyword("minLength", _DATA, _S, constrains="string", kept=True),
    Keyword("maxLength", _DATA, _S, constrains="string", kept=True),
    Keyword("pattern", _DATA, _S, constrains="string", kept=True),
    Keyword("format", _DATA, _S, kept=True),
    Keyword("minimum", _DATA, _S, constrains="number", kept=True),
    Keyword("maximum", _DATA, _S, constrains="number", kept=True),
    Keyword("exclusiveMinimum", _DATA, _S, constrains="number", kept=True),
    Keyword("exclusiveMaximum", _DATA, _S, constrains="number", kept=True),
    Keyword("multipleOf", _DATA, _S, constrains="number", kept=True),
    # Annotations: the description is what a model reads; the rest is what the compact view exists to drop.
    Keyword("description", _DATA, _N, kept=True),
    Keyword("title", _DATA, _N),
    Keyword("default", _DATA, _N),
    Keyword("examples", _DATA, _N, _FROM6),
    Keyword("deprecated", _DATA, _N, _FROM2019),
    Keyword("readOnly", _DATA, _N, _FROM7),
    Keyword("writeOnly", _DATA, _N, _FROM7),
    Keyword("contentEncoding", _DATA, _N, _FROM7, "string"),
    Keyword("contentMediaType", _DATA, _N, _FROM7, "string"),
    Keyword("contentSchema", _ONE, _N, _FROM2019, "string"),
    # Identifiers, references and stores.
    Keyword("$schema", _DATA, _C),
    Keyword("$id", _DATA, _C, _FROM6),
    Keyword("id", _DATA, _C, (4,)),
    Keyword("$anchor", _DATA, _C, _FROM2019),
    Keyword("$dynamicAnchor", _DATA, _C, _ONLY2020),
    Keyword("$recursiveAnchor", _DATA, _C, _ONLY2019),
    Keyword("$dynamicRef", _DATA, _C, _ONLY2020, loophole=True),
    Keyword("$recursiveRef", _DATA, _C, _ONLY2019, loophole=True),
    Keyword("$vocabulary", _DATA, _C, _FROM2019),
    Keyword("$comment", _DATA, _N, _FROM7),
    Keyword("$defs", _MAP, _C, _FROM2019, loophole=True),
    Keyword("definitions", _MAP, _C, _TO7, loophole=True),
)

#: Every known keyword by name, in table order.
KEYWORDS: Final[Mapping[str, Keyword]] = MappingProxyType({row.name: row for row in _ROWS})


def named(*, banned: bool | None = None, loophole: bool | None = None, kept: bool | None = None) -> tuple[str, ...]:
    """The names of the keywords with these marks, in table order."""
    wanted = (("banned", banned), ("loophole", loophole), ("kept", kept))
    return tuple(
        name
        for name, row in KEYWORDS.items()
        if all(want is None or getattr(row, mark) == want for mark, want in wanted)
    )


#: The seven keywords that RFC 0112 bans, in its order.
BANNED: Final = named(banned=True)
#: Keywords that the letter of RFC 0112 admits and its intent does not.
LOOPHOLES: Final = named(loophole=True)
