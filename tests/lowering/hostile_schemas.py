"""Schemas made to take time, memory or stack: each is a few lines here and a mountain to whoever follows it naively."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["SCHEMAS"]

SCHEMAS: dict[str, Callable[[], Any]] = {}
#: Deeper than any stack: only what is iterative gets through.
DEEP = 100_000
#: Deep enough to show what is not iterative, where the same code has been at the bottom already.
DEEP_ENOUGH = 15_000


def hostile(make: Callable[[], Any]) -> Callable[[], Any]:
    SCHEMAS[make.__name__] = make
    return make


def obj(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


def ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/$defs/{name}"}


def defined(definitions: dict[str, Any], first: str = "d0") -> dict[str, Any]:
    return {**obj(root=ref(first)), "$defs": definitions}


def nested(depth: int, wrap: Callable[[Any, int], Any], leaf: Any) -> Any:
    for level in range(depth):
        leaf = wrap(leaf, level)
    return leaf


def bomb(make: Callable[[int, dict[str, str]], Any], levels: int = 60) -> dict[str, Any]:
    """Definitions of which each refers to the next, as often as `make` says."""
    definitions = {f"d{level}": make(level, ref(f"d{level + 1}")) for level in range(levels)}
    return defined({**definitions, f"d{levels}": {"type": "string"}})


# Cycles and bombs


@hostile
def circle() -> Any:
    return defined({"d0": ref("d1"), "d1": ref("d0")})


@hostile
def circles_through_not() -> Any:
    return defined({"d0": {"not": ref("d1"), "minLength": 2}, "d1": {"not": ref("d0")}})


@hostile
def circles_through_not_and_properties() -> Any:
    a = {"not": obj(x=ref("d1"), y=ref("d0"))}
    return defined({"d0": a, "d1": {"not": obj(x=ref("d0"), z=ref("d1"))}})


@hostile
def fan_out_of_properties() -> Any:
    return bomb(lambda _, below: obj(a=below, b=below))


@hostile
def fan_out_of_meets() -> Any:
    return bomb(lambda level, below: {"allOf": [below, below, {"minLength": level}]})


@hostile
def fan_out_of_joins() -> Any:
    return bomb(lambda level, below: {"anyOf": [below, obj(**{f"x{level}": below})]})


@hostile
def fan_out_of_meets_of_joins() -> Any:
    def make(level: int, below: dict[str, str]) -> Any:
        return {"allOf": [{"anyOf": [below, obj(**{f"{name}{level}": {"type": "string"}})]} for name in "xy"]}

    return bomb(make)


@hostile
def fan_out_of_complements() -> Any:
    return bomb(lambda _, below: {"not": obj(a=below, b=below)})


@hostile
def fan_out_of_counted_items() -> Any:
    return bomb(lambda _, below: {"prefixItems": [below, below], "contains": below, "maxContains": 2})


@hostile
def recursion_of_many_into_many() -> Any:
    return defined({f"d{i}": obj(**{f"c{j}": ref(f"d{j}") for j in range(20)}) for i in range(20)})


@hostile
def recursion_of_unions_into_unions() -> Any:
    def branch(j: int) -> Any:
        return {**obj(k={"const": j}, v=ref(f"d{j}")), "required": ["k"]}

    return defined({f"d{i}": {"oneOf": [branch(j) for j in range(20)]} for i in range(20)})


@hostile
def sixty_dynamic_scopes() -> Any:
    def resource(i: int) -> Any:
        return {
            "$id": f"http://schemas.test/{i}",
            "$dynamicAnchor": "n",
            **obj(a={"$dynamicRef": "#n"}, b={"$ref": f"http://schemas.test/{i + 1}"}),
        }

    return {
        "$id": "http://schemas.test/0",
        "$dynamicAnchor": "n",
        **obj(a={"$ref": "http://schemas.test/1"}),
        "$defs": {f"d{i}": resource(i) for i in range(1, 60)},
    }


# Depth


@hostile
def deep_properties() -> Any:
    return nested(DEEP, lambda inner, _: obj(a=inner), {"type": "string"})


@hostile
def deep_meets() -> Any:
    return nested(DEEP_ENOUGH, lambda inner, _: {"allOf": [inner]}, {"type": "string"})


@hostile
def deep_meets_of_two() -> Any:
    return nested(DEEP_ENOUGH, lambda inner, level: {"allOf": [inner, {"minLength": level % 7}]}, {"type": "string"})


@hostile
def deep_complements() -> Any:
    return nested(DEEP, lambda inner, _: {"not": inner}, {"type": "string"})


@hostile
def deep_items() -> Any:
    return obj(a=nested(DEEP_ENOUGH, lambda inner, _: {"items": inner}, {"type": "string"}))


@hostile
def deep_data() -> Any:
    value = nested(DEEP_ENOUGH, lambda inner, _: [inner], 1)
    return {
        "default": value,
        **obj(a={"const": value}, b={"enum": [value]}, c=ref("d")),
        "$defs": {"d": {"examples": value}},
    }


@hostile
def deep_behind_a_reference() -> Any:
    below = nested(DEEP_ENOUGH, lambda inner, _: {"properties": {"a": inner}}, {"type": "string"})
    return {"x-kept": below, **obj(a={"$ref": "#/x-kept"})}


@hostile
def chain_of_references() -> Any:
    definitions = {f"d{i}": ref(f"d{i + 1}") for i in range(5_000)}
    schema = defined({**definitions, "d5000": {"type": "string"}})
    schema["properties"]["met"] = {"allOf": [ref("d0"), {"minLength": 1}]}
    return schema


@hostile
def chain_of_conditions() -> Any:
    def step(other: Any, i: int) -> Any:
        return {"if": obj(k={"const": i}), "then": {"required": [f"a{i}"]}, "else": other}

    return {**obj(k={"type": "integer"}), **nested(60, step, {"required": ["z"]})}


@hostile
def conditions_within_conditions() -> Any:
    def step(inner: Any, i: int) -> Any:
        return {"if": inner, "then": {"required": [f"a{i}"]}, "else": {"required": [f"b{i}"]}}

    return nested(60, step, {"required": ["z"]})


# Breadth


@hostile
def a_thousand_branches() -> Any:
    def branch(i: int) -> Any:
        return {**obj(k={"const": f"v{i}"}, **{f"p{i}_{j}": {"type": "string"} for j in range(20)}), "required": ["k"]}

    return {"type": "object", "anyOf": [branch(i) for i in range(1_000)]}


@hostile
def a_thousand_closed_branches() -> Any:
    def branch(i: int) -> Any:
        names = obj(k={"const": f"v{i}"}, **{f"p{j}": {"maxLength": i + j} for j in range(20)})
        return {**names, "required": ["k"], "additionalProperties": False}

    return obj(u={"oneOf": [branch(i) for i in range(1_000)]})


@hostile
def products_of_unions() -> Any:
    objects = [{"anyOf": [obj(**{f"a{i}": {"type": "string"}}), obj(**{f"b{i}": {"type": "null"}})]} for i in range(20)]
    strings = [{"anyOf": [{"pattern": f"a{i}"}, {"pattern": f"b{i}"}]} for i in range(20)]
    arrays = [{"anyOf": [{"contains": {"const": i}}, {"items": {"minLength": i}}]} for i in range(20)]
    return {**obj(s={"allOf": strings}, a={"allOf": arrays}), "allOf": objects}


@hostile
def conditions_side_by_side() -> Any:
    def each(i: int) -> Any:
        asked = {"properties": {"k": {"const": i}}, "required": ["k"]}
        return {"if": asked, "then": {"required": [f"a{i}"]}, "else": obj(**{f"a{i}": False})}

    return {**obj(k={"type": "integer"}), "allOf": [each(i) for i in range(60)]}


@hostile
def five_hundred_conjuncts() -> Any:
    return {"allOf": [obj(**{f"p{i}": {"type": "string"}, "q": {"minLength": i}}) for i in range(500)]}


@hostile
def unevaluated_after_many_unions() -> Any:
    branches = [{"properties": {f"p{i}": True}, "anyOf": [ref("x"), obj(**{f"q{i}": True})]} for i in range(80)]
    return {"allOf": branches, "unevaluatedProperties": False, "$defs": {"x": obj(x=True)}}


@hostile
def ten_thousand_properties() -> Any:
    return {**obj(**{f"n{i}": ref("s") for i in range(10_000)}), "$defs": {"s": {"type": "string"}}}


@hostile
def thousands_of_patterns() -> Any:
    patterns = {f"^p{i}_[a-z]+$": {"type": "string", "maxLength": i} for i in range(5_000)}
    names = {f"n{i}": {"type": "string"} for i in range(1_000)}
    return {"properties": names, "patternProperties": patterns, "additionalProperties": False}


@hostile
def thousands_of_embedded_resources() -> Any:
    definitions = {f"d{i}": {"$id": f"d{i}", "type": "string", "maxLength": i} for i in range(2_000)}
    properties = {f"p{i}": {"$ref": f"d{i}"} for i in range(2_000)}
    return {"$id": "http://schemas.test/", **obj(**properties), "$defs": definitions}


@hostile
def huge_enums() -> Any:
    words = [{"enum": [f"v{i}" for i in range(low, low + 20_000)]} for low in (0, 10_000)]
    objects = [{"enum": [{"a": i, "b": [i]} for i in range(low, low + 2_000)]} for low in (0, 1_000)]
    odd = {"enum": [f"v{i}" for i in range(10_000)], "not": {"enum": [f"v{i}" for i in range(0, 10_000, 2)]}}
    return obj(words={"allOf": words}, objects={"allOf": objects}, odd=odd, all={"anyOf": words})


@hostile
def evil_patterns() -> Any:
    return obj(
        a={"pattern": "(a+)+$", "enum": ["a" * 40 + "b", "c"]},
        b={"pattern": "^(([a-z])+.)+[A-Z]([a-z])+$", "enum": ["x" * 40 + "!"]},
        c={"pattern": "(" * 5_000 + "a" + ")" * 5_000},
        d={"pattern": "(a{1,1000}){1,1000}"},
        e={"properties": {"a" * 40 + "b": {}}, "patternProperties": {"^(a|aa)+$": {"type": "string"}}},
        f={"anyOf": [{"pattern": "|".join(f"word{i}" for i in range(20_000))}, {"enum": ["a"]}]},
    )


@hostile
def huge_numbers() -> Any:
    return obj(
        a={"allOf": [{"multipleOf": each} for each in range(1, 500)]},
        b={"multipleOf": 10**300, "allOf": [{"multipleOf": 1e-300}, {"multipleOf": 3e300}]},
        c={"minimum": 1e308, "allOf": [{"exclusiveMinimum": 10**400}]},
        d={"minItems": 10**18, "prefixItems": [True] * 3, "maxLength": 10**300},
        e={"enum": [10**400, 1.5], "maximum": 10**399},
    )


@hostile
def long_tuples() -> Any:
    prefixes = [
        {"prefixItems": [{"type": "string"}] * 3_000},
        {"prefixItems": [{"minLength": i} for i in range(3_000)]},
    ]
    unions = [{"type": "array", "prefixItems": [{"type": "string"}] * i} for i in range(1, 150)]
    return obj(a={"allOf": prefixes}, b={"anyOf": unions})
