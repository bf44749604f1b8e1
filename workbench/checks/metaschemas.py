"""
`malformed-keyword`: what the metaschema of a schema's own draft does not allow.

The metaschemas are those of `jsonschema`. Each keyword is held to its part of them by itself, with the schemas below it
taken out, which are looked at in their turn: so nesting costs no stack, each breach is found once, and the time is that of the
size of the schema. Lowering reads such a keyword as saying nothing; a validator may refuse the whole schema for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from workbench.catalog import Tool
from workbench.findings import Finding
from workbench.keywords import KEYWORDS, Draft, Shape
from workbench.lowering.dialects import DEFAULT_DRAFT, Dialect, dialect_of, validator_class
from workbench.regexes import compiles
from workbench.values import freeze, join
from workbench.walk import Path, children
from workbench.wording import kind, quoted

if TYPE_CHECKING:
    from jsonschema import FormatChecker
    from jsonschema.exceptions import ValidationError
    from jsonschema.protocols import Validator

__all__ = ["malformed"]

_FIELDS: Final = ("inputSchema", "outputSchema")
#: Entries of a list that are looked at, and characters of a pattern: nobody writes more.
_MOST: Final = 1_000
_TITLES: Final = {4: "draft 4", 6: "draft 6", 7: "draft 7", 2019: "2019-09", 2020: "2020-12"}
#: What ECMA-262 has and no engine for Python: code points in braces, control letters.
_ECMA_ONLY: Final = re.compile(r"\\(?:u\{[0-9A-Fa-f]+\}|c[A-Za-z])")

_KINDS: Final = {
    "array": "a list",
    "boolean": "true or false",
    "integer": "a whole number",
    "number": "a number",
    "object": "an object",
    "string": "a string",
}
_WRONG: Final = {
    "minItems": "is empty",
    "uniqueItems": "lists something twice",
    "minimum": "is less than 0",
    "exclusiveMinimum": "is not more than 0",
    "pattern": "is not spelled as it has to be",
}

#: Where below a keyword, and what is wrong there.
_Breach: TypeAlias = tuple[tuple[str | int, ...], str]


def malformed(tool: Tool) -> Iterator[Finding]:
    """One finding for each place in the tool's schemas; a schema under a `$schema` that nobody knows is passed over."""
    for field in _FIELDS:
        for path, dialect, schema in _schemas(tool.descriptor.get(field)):
            for keyword, value in schema.items():
                short = isinstance(value, int | float) or (isinstance(value, str) and len(value) < _MOST)
                ask = _of_a_scalar if short else _breaches
                for tokens, message in ask(keyword, value, dialect.draft):
                    pointer = join("", field) + join(str(path), keyword, *tokens)
                    yield Finding("malformed-keyword", "advice", tool.tool_id, pointer, keyword, False, message)


def _schemas(root: Any) -> Iterator[tuple[Path, Dialect, dict[str, Any]]]:
    """Every schema object whose draft is known."""
    stack = [(Path(), Dialect(DEFAULT_DRAFT), root)] if isinstance(root, dict) else []
    while stack:
        path, around, schema = stack.pop()
        dialect = dialect_of(schema, around)
        if dialect.known and not dialect.third:
            yield path, dialect, schema
        for _, tokens, child in children(schema):
            if isinstance(child, dict):
                below = path
                for token in tokens:
                    below = below / token
                stack.append((below, dialect, child))


def _breaches(keyword: str, value: Any, draft: Draft) -> Iterable[_Breach]:
    row = KEYWORDS.get(keyword)
    validator = None if row is None else _validator(keyword, draft)
    if row is None or validator is None:
        return ()
    found: dict[tuple[str | int, ...], str] = {}
    for error in validator.iter_errors(_alone(keyword, row.shape, value)):
        for leaf in _leaves(error):
            found.setdefault(tuple(leaf.absolute_path), _message(keyword, leaf, draft))
    return tuple(found.items())


#: The same again and again: types, flags, limits.
_of_a_scalar = lru_cache(maxsize=1024, typed=True)(_breaches)


def _alone(keyword: str, shape: Shape, value: Any) -> Any:
    """A keyword's value without the schemas in it, which are no part of the question, and of bounded length."""
    if keyword == "enum" and isinstance(value, list):
        # Of the values, the metaschemas ask only whether they are different.
        first: dict[Any, int] = {}
        return [first.setdefault(freeze(each), place) for place, each in enumerate(value[:_MOST])]
    if shape is Shape.DATA:
        return value[:_MOST] if isinstance(value, list) else value
    if isinstance(value, list):
        return [{} if isinstance(each, dict) else each for each in value]
    if isinstance(value, dict) and shape in (Shape.SCHEMA_MAP, Shape.SCHEMA_OR_NAMES_MAP):
        return {name: {} if isinstance(each, dict) else each for name, each in value.items()}
    return {} if isinstance(value, dict) and shape in (Shape.SCHEMA, Shape.SCHEMA_OR_LIST) else value


def _leaves(error: ValidationError) -> Iterator[ValidationError]:
    """An error, or those of the one branch of an `anyOf` that the value was meant for: it fits there, but for what it holds."""
    branches: dict[Any, list[ValidationError]] = {}
    for below in error.context or ():
        branches.setdefault(below.relative_schema_path[0], []).append(below)
    meant = [found for found in branches.values() if all(below.relative_path for below in found)]
    if error.validator == "anyOf" and len(meant) == 1:
        for below in meant[0]:
            yield from _leaves(below)
    else:
        yield error


@cache
def _validator(keyword: str, draft: Draft) -> Validator | None:
    """What a draft asks of the value of a keyword."""
    from referencing.exceptions import Unresolvable

    plain = validator_class(draft)
    metaschema = plain.META_SCHEMA
    base = plain.ID_OF(metaschema).rstrip("#")
    for part in ("", *(each["$ref"] for each in metaschema.get("allOf", ()))):
        uri = f"{base.rpartition('/')[0]}/{part}" if part else base
        validator: Validator = plain({"$ref": f"{uri}#/properties/{keyword}"}, format_checker=_formats())
        try:
            validator.is_valid(None)
        except Unresolvable:  # Another part of the metaschema has the keyword.
            continue
        return validator
    return None


@cache
def _formats() -> FormatChecker:
    """Of the formats in metaschemas, regular expressions."""
    from jsonschema import FormatChecker

    checker = FormatChecker(formats=())
    checker.checks("regex")(lambda value: not isinstance(value, str) or _may_be_a_pattern(value))
    return checker


@lru_cache(maxsize=4096)
def _may_be_a_pattern(pattern: str) -> bool:
    """Whether any engine at hand takes a pattern; ECMA-262, which is meant, has parts that not every one of them has."""
    if len(pattern) > _MOST or compiles(pattern):
        return True
    import regex

    try:
        regex.compile(_ECMA_ONLY.sub("x", pattern))
    except (regex.error, OverflowError, RecursionError):
        return False
    return True


def _message(keyword: str, error: ValidationError, draft: Draft) -> str:
    """In our words, and without the value: it may be huge, or secret."""
    what = keyword if not error.absolute_path else "this"
    asked = str(error.validator)
    wanted: Any = error.validator_value
    if asked == "type":
        names = [wanted] if isinstance(wanted, str) else wanted
        wanted = "a schema" if len(names) > 1 else _KINDS[names[0]]
        wrong = f"is {kind(error.instance)}, not {wanted}"
    elif asked == "format":
        named = "has a name that" if "propertyNames" in error.absolute_schema_path else ""
        wrong = f"{named} is no regular expression".strip()
    elif keyword == "type" and isinstance(error.instance, str):
        wrong = f"is {quoted(error.instance)}, which is no type"
    else:
        wrong = _WRONG.get(asked, f"is {kind(error.instance)}, which does not belong here")
    return f"{what} {wrong} (JSON Schema {_TITLES[draft]})"
