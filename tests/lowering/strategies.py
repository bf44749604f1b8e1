"""
Schemas that reach every keyword of the table in every dialect, and instances that come close to them.

A schema is drawn keyword by keyword from `VALUES`, one strategy a keyword, so a new keyword is reached by one entry here.
Names, constants and patterns come from small pools, because what is interesting is how keywords meet: a name that is listed
here and patterned there, a constant that one branch has and the other has not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from hypothesis import strategies as st

from workbench.errors import InputError
from workbench.keywords import ALL_DRAFTS, KEYWORDS, Draft
from workbench.values import resolve

__all__ = ["CONSTANTS", "NAMES", "URIS", "VALUES", "Context", "documents", "instances", "near", "schemas"]

NAMES = ("a", "b", "ab", "x-1", "oneOf")
CONSTANTS: tuple[Any, ...] = (
    None, True, False, 0, 1, 1.0, 2, 1.5, -3, 6, "", "a", "ab", "b1", "x-1", [], [1], ["a", 1], [1, 1.0], {}, {"a": 1},
    {"a": "ab", "x-1": None},
)  # fmt: skip
PATTERNS = ("^a", "b$", "^x-", "[0-9]", "^(?:a|b)$", "^[a-z]*$", "")
#: Patterns that a text cannot be held against safely: engines differ on them, or none reads them.
ODD_PATTERNS = (r"^(a)\1$", "(?i)^A", r"^\p{L}+$", r"\d$", r"^\W", "a|(b)", "(", "*", "(?P<n>a)(?P=n)")
TYPES = ("null", "boolean", "integer", "number", "string", "array", "object")
URIS: Mapping[Draft, str] = {
    4: "http://json-schema.org/draft-04/schema#",
    6: "http://json-schema.org/draft-06/schema#",
    7: "http://json-schema.org/draft-07/schema#",
    2019: "https://json-schema.org/draft/2019-09/schema",
    2020: "https://json-schema.org/draft/2020-12/schema",
}
#: The definitions of every document; one of the names has to be escaped in a pointer.
DEFINITIONS = ("D0", "D1", "a/b")
REFERENCES = (
    "#", "#/$defs/D0", "#/$defs/D1", "#/$defs/a~1b", "#D0", "#D1", "d1.json", "http://schemas.test/root", "root#D0",
    "#/properties/a", "#/$defs/missing", "http://elsewhere.test/schema", "#/enum/0", "#/x-kept/a",
)  # fmt: skip
MALFORMED: tuple[Any, ...] = (None, 5, -1, "strng", [], ["a", 7], {}, {"a": 5}, True, [{}], 1.5)


@dataclass(frozen=True)
class Context:
    """What a subschema may say: its draft, how much deeper it may go, and how wild it may be."""

    draft: Draft = 2020
    depth: int = 2
    #: Whether malformed values, keywords of other drafts and patterns that engines read differently may occur.
    wild: bool = False
    references: bool = True

    def below(self) -> Context:
        return replace(self, depth=self.depth - 1)


Values = Callable[[Context], st.SearchStrategy[Any]]


def _sub(ctx: Context) -> st.SearchStrategy[Any]:
    return schemas(ctx.below())


def _sub_list(ctx: Context) -> st.SearchStrategy[Any]:
    return st.lists(_sub(ctx), min_size=1, max_size=3)


def _sub_map(keys: st.SearchStrategy[str]) -> Values:
    return lambda ctx: st.dictionaries(keys, _sub(ctx), max_size=3)


def _patterns(ctx: Context) -> st.SearchStrategy[str]:
    return st.sampled_from(PATTERNS + (ODD_PATTERNS if ctx.wild else ()))


def _items(ctx: Context) -> st.SearchStrategy[Any]:
    return _sub(ctx) if ctx.draft == 2020 and not ctx.wild else _sub(ctx) | _sub_list(ctx)


def _exclusive(ctx: Context) -> st.SearchStrategy[Any]:
    return st.booleans() if ctx.draft == 4 else _BOUNDS


_names = st.sampled_from(NAMES)
_NAME_LISTS = st.lists(_names, max_size=3, unique=True)
_BOUNDS = st.sampled_from([-3, 0, 1, 1.0, 1.5, 2, 6])
_COUNTS = st.sampled_from([0, 1, 2, 2.0, 3])
_TEXTS = st.sampled_from(["what it is", "x"])


def _constant(strategy: st.SearchStrategy[Any]) -> Values:
    return lambda _: strategy


#: One strategy for the value of each keyword.
VALUES: Mapping[str, Values] = {
    "$ref": _constant(st.sampled_from(REFERENCES)),
    "$dynamicRef": _constant(st.sampled_from(["#node", "#D0", "#/$defs/D1", "#nowhere"])),
    "$recursiveRef": _constant(st.just("#")),
    **dict.fromkeys(("oneOf", "allOf", "anyOf", "prefixItems"), _sub_list),
    **dict.fromkeys(
        (
            "not", "additionalProperties", "contains", "if", "then", "else", "unevaluatedProperties",
            "unevaluatedItems", "additionalItems", "contentSchema",
        ),
        _sub,
    ),
    "propertyNames": lambda ctx: _sub(ctx) | _patterns(ctx).map(lambda text: {"pattern": text}) | _NAME_ENUMS,
    "items": _items,
    **dict.fromkeys(("properties", "dependentSchemas"), _sub_map(_names)),
    "patternProperties": lambda ctx: st.dictionaries(_patterns(ctx), _sub(ctx), max_size=2),
    "dependencies": lambda ctx: st.dictionaries(_names, _NAME_LISTS | _sub(ctx), max_size=2),
    "$defs": _sub_map(st.sampled_from(DEFINITIONS)),
    "definitions": _sub_map(st.sampled_from(DEFINITIONS)),
    "type": _constant(st.sampled_from(TYPES) | st.lists(st.sampled_from(TYPES), min_size=1, max_size=3, unique=True)),
    "enum": lambda ctx: st.lists(st.sampled_from(CONSTANTS), min_size=0 if ctx.wild else 1, max_size=4),
    "const": _constant(st.sampled_from(CONSTANTS)),
    "required": _constant(_NAME_LISTS),
    "dependentRequired": _constant(st.dictionaries(_names, _NAME_LISTS, max_size=2)),
    **dict.fromkeys(
        (
            "minProperties", "maxProperties", "minItems", "maxItems", "minLength", "maxLength", "minContains",
            "maxContains",
        ),
        _constant(_COUNTS),
    ),
    **dict.fromkeys(("uniqueItems", "deprecated", "readOnly", "writeOnly", "$recursiveAnchor"), _constant(st.booleans())),
    "pattern": _patterns,
    "format": _constant(st.sampled_from(["date", "email", "int64", "odd"])),
    **dict.fromkeys(("minimum", "maximum"), _constant(_BOUNDS)),
    **dict.fromkeys(("exclusiveMinimum", "exclusiveMaximum"), _exclusive),
    "multipleOf": _constant(st.sampled_from([1, 2, 3, 2.0, 0.5, 1.5])),
    **dict.fromkeys(("description", "title", "$comment"), _constant(_TEXTS)),
    "default": _constant(st.sampled_from(CONSTANTS)),
    "examples": _constant(st.just([{"$ref": "#/$defs/D0"}])),
    "contentEncoding": _constant(st.just("base64")),
    "contentMediaType": _constant(st.just("application/json")),
    "$schema": lambda ctx: st.just(URIS[ctx.draft]),
    **dict.fromkeys(("$id", "id"), _constant(st.sampled_from(["d1.json", "http://other.test/"]))),
    "$anchor": _constant(st.sampled_from(["D0", "D1"])),
    "$dynamicAnchor": _constant(st.just("node")),
    "$vocabulary": _constant(st.just({})),
}  # fmt: skip

_NAME_ENUMS = st.lists(_names, min_size=1, max_size=3, unique=True).map(lambda names: {"enum": names})
#: Keywords that identify make sense on definitions; elsewhere they only make references ambiguous, so they are rare.
_IDENTIFIERS = frozenset({"$id", "id", "$anchor", "$dynamicAnchor", "$recursiveAnchor", "$schema", "$vocabulary"})
_STORES = frozenset({"$defs", "definitions"})
_REFERENCES = frozenset({"$ref", "$dynamicRef", "$recursiveRef"})


def _keywords(ctx: Context) -> list[str]:
    rows = [row for row in KEYWORDS.values() if row.name not in _STORES and (ctx.wild or row.name not in _IDENTIFIERS)]
    known = [row.name for row in rows if ctx.wild or ctx.draft in row.drafts]
    if not ctx.references:
        known = [name for name in known if name not in _REFERENCES]
    deep = [row.name for row in KEYWORDS.values() if row.shape.name != "DATA"]
    return [name for name in known if ctx.depth > 0 or name not in deep]


@st.composite
def schemas(draw: st.DrawFn, ctx: Context) -> Any:
    """A schema of the context's draft: a boolean now and then, else some keywords."""
    if draw(st.integers(0, 9)) == 0:
        return draw(st.booleans())
    chosen = draw(st.lists(st.sampled_from(_keywords(ctx)), min_size=1, max_size=5 if ctx.depth else 2, unique=True))
    for main, orphans in (
        ("if", ("then", "else")),
        ("contains", ("minContains", "maxContains")),
        ("items", ("additionalItems",)),
    ):
        if main in chosen and ctx.depth > 0:
            chosen += [name for name in orphans if name not in chosen and draw(st.booleans())]
    schema = {name: draw(VALUES[name](ctx)) for name in chosen}
    if ctx.wild and schema and draw(st.integers(0, 7)) == 0:
        schema[draw(st.sampled_from(sorted(schema)))] = draw(st.sampled_from(MALFORMED))
    if draw(st.integers(0, 19)) == 0:
        schema["nullable"] = True
    return schema


@st.composite
def documents(draw: st.DrawFn, draft: Draft | None = None, *, wild: bool | None = None) -> Any:
    """A whole schema document: definitions that refer to each other, and a root that mostly describes objects."""
    draft = draw(st.sampled_from(ALL_DRAFTS)) if draft is None else draft
    wild = draw(st.sampled_from([False, False, True])) if wild is None else wild
    ctx = Context(draft, draw(st.sampled_from([1, 2, 2, 3])), wild)
    root: dict[str, Any] = {"$schema": URIS[draft]} if draft != 2020 or draw(st.booleans()) else {}
    if draw(st.integers(0, 3)) == 0:
        root["id" if draft == 4 else "$id"] = "http://schemas.test/root"
    body = draw(schemas(ctx))
    if draw(st.integers(0, 3)):
        root["properties"] = draw(st.dictionaries(_names, schemas(ctx.below()), min_size=1, max_size=3))
    root |= body if isinstance(body, dict) else {"additionalProperties": body}
    if draw(st.booleans()):
        root.setdefault("type", "object")
    if "#/" in (text := repr(root)) or "$dynamicRef" in text or "#D" in text or "d1.json" in text:
        store = "$defs" if draft >= 2019 or draw(st.booleans()) else "definitions"
        root[store] = {name: draw(_definition(ctx.below(), name)) for name in DEFINITIONS}
        if store == "definitions":
            root = _renamed(root)
    if wild and draw(st.integers(0, 4)) == 0:
        root["x-kept"] = {"a": draw(schemas(ctx.below()) | st.sampled_from(MALFORMED))}
    return root


@st.composite
def _definition(draw: st.DrawFn, ctx: Context, name: str) -> Any:
    schema = draw(schemas(replace(ctx, depth=max(1, ctx.depth))))
    if not isinstance(schema, dict) or name == "a/b":
        return schema
    match draw(st.integers(0, 3)):
        case 0 if ctx.draft >= 2019:
            schema = {"$anchor": name, **schema}
        case 0:
            schema = {"id" if ctx.draft == 4 else "$id": f"#{name}", **schema}
        case 1 if name == "D1":
            schema = {"id" if ctx.draft == 4 else "$id": "d1.json", **schema}
        case 2 if ctx.draft == 2020:
            schema = {"$dynamicAnchor": "node", **schema}
        case 2 if ctx.draft == 2019:
            schema = {"$recursiveAnchor": True, **schema}
    return schema


def _renamed(value: Any) -> Any:
    """The document, with references into `$defs` led into `definitions`."""
    if isinstance(value, dict):
        return {name: _renamed(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_renamed(each) for each in value]
    return value.replace("#/$defs/", "#/definitions/") if isinstance(value, str) else value


# Instances


@st.composite
def instances(draw: st.DrawFn, document: Any) -> dict[str, Any]:
    """An object near what the document describes: built along one way through it, then perhaps changed in one place."""
    value = draw(near(document, document, objects=True))
    if not isinstance(value, dict):
        value = {draw(_names): value}
    if draw(st.integers(0, 3)) == 0:
        value = draw(_changed(value))
    return value


@st.composite
def near(draw: st.DrawFn, schema: Any, document: Any, fuel: int = 4, *, objects: bool = False) -> Any:
    """A JSON value near what a schema of the document describes; `objects`: an object in any case."""
    if not isinstance(schema, dict) or fuel <= 0:
        return draw(st.sampled_from(CONSTANTS))
    listed = schema.get("enum")
    if "const" in schema and draw(st.integers(0, 3)):
        return schema["const"]
    if isinstance(listed, list) and listed and draw(st.integers(0, 3)):
        return draw(st.sampled_from(listed))
    through = _alternatives(schema, document)
    base: Any = None
    if through and draw(st.integers(0, 2)):
        base = draw(near(draw(st.sampled_from(through)), document, fuel - 1, objects=objects))
        if not isinstance(base, dict):
            return base
    kind = "object" if objects or isinstance(base, dict) else draw(st.sampled_from(_kinds(schema)))
    match kind:
        case "object":
            return {**draw(_object(schema, document, fuel)), **(base or {})}
        case "array":
            return draw(_array(schema, document, fuel))
        case "string":
            return draw(st.sampled_from(["", "a", "b", "ab", "b1", "x-1", "abc", "A", "\u00e9"]))
        case "number" | "integer":
            return draw(st.sampled_from([-4, -3, -1, 0, 0.5, 1, 1.0, 1.5, 2, 3, 4, 5, 6, 7, 12]))
        case "boolean":
            return draw(st.booleans())
        case _:
            return None


def _kinds(schema: dict[str, Any]) -> list[str]:
    types = schema.get("type")
    names = [types] if isinstance(types, str) else types if isinstance(types, list) else []
    telling = [KEYWORDS[name].constrains for name in schema if name in KEYWORDS]
    found = [name for name in (*names, *telling) if name in TYPES]
    return found or list(TYPES)


def _alternatives(schema: dict[str, Any], document: Any) -> list[Any]:
    """The schemas that apply to the same instance, references followed where a plain pointer leads."""
    found: list[Any] = []
    for name in ("allOf", "anyOf", "oneOf"):
        found += schema[name] if isinstance(schema.get(name), list) else []
    found += [schema[name] for name in ("if", "then", "else", "not") if name in schema]
    for name in ("dependentSchemas", "dependencies"):
        found += list(schema[name].values()) if isinstance(schema.get(name), dict) else []
    for name in _REFERENCES:
        reference = schema.get(name)
        if isinstance(reference, str):
            found.append(_followed(document, reference))
    return [each for each in found if isinstance(each, dict)]


def _followed(document: Any, reference: str) -> Any:
    if reference.startswith("#"):
        try:
            return resolve(document, reference[1:])
        except InputError:
            pass
    store = document.get("$defs", document.get("definitions", {}))
    return store.get("D1" if "1" in reference else "D0") if isinstance(store, dict) else None


@st.composite
def _object(draw: st.DrawFn, schema: dict[str, Any], document: Any, fuel: int) -> dict[str, Any]:
    listed = schema.get("properties")
    props = dict(listed) if isinstance(listed, dict) else {}
    required = [name for name in schema.get("required") or () if isinstance(name, str)] if isinstance(
        schema.get("required"), list
    ) else []  # fmt: skip
    extra = draw(st.lists(_names, max_size=2, unique=True))
    chosen = dict.fromkeys(name for name in (*required, *props, *extra) if draw(st.integers(0, 4)))
    below = [schema.get("additionalProperties"), schema.get("unevaluatedProperties")]
    patterned = schema.get("patternProperties")
    below += list(patterned.values()) if isinstance(patterned, dict) else []
    return {
        name: draw(near(props.get(name, draw(st.sampled_from(below))), document, fuel - 1)) for name in chosen
    }  # fmt: skip


@st.composite
def _array(draw: st.DrawFn, schema: dict[str, Any], document: Any, fuel: int) -> list[Any]:
    prefix = schema.get("prefixItems")
    items = schema.get("items")
    listed = prefix if isinstance(prefix, list) else items if isinstance(items, list) else []
    rest = [each for each in (items, schema.get("contains"), schema.get("additionalItems")) if isinstance(each, dict)]
    size = draw(st.integers(0, 4))
    held = [listed[index] if index < len(listed) else draw(st.sampled_from(rest or [True])) for index in range(size)]
    return [draw(near(each, document, fuel - 1)) for each in held]


@st.composite
def _changed(draw: st.DrawFn, value: dict[str, Any]) -> dict[str, Any]:
    """The object with one property dropped, added or replaced, at the top or one level down."""
    names = [*value, draw(_names)]
    name = draw(st.sampled_from(names))
    inner = value.get(name)
    if isinstance(inner, dict) and draw(st.booleans()):
        return {**value, name: draw(_changed(inner))}
    if isinstance(inner, list) and draw(st.booleans()):
        return {**value, name: [*inner, draw(st.sampled_from(CONSTANTS))]}
    if name in value and draw(st.booleans()):
        return {key: each for key, each in value.items() if key != name}
    return {**value, name: draw(st.sampled_from(CONSTANTS))}
