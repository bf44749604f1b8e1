"""
What a schema object's own keywords say, type by type: one function per type or keyword, called from one table.

Keywords come in the spelling of 2020-12 (`dialects.normal`) and are well-formed. `own_node` leaves out the keywords that
apply another schema to the same instance (`$ref`, `allOf`, `anyOf`, `if`, ...): those are `expand.py`'s.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from workbench.lowering.shapes import (
    BOTH,
    MOST_EXACT,
    ArrayShape,
    Contains,
    Finite,
    Group,
    Node,
    NumberShape,
    ObjectShape,
    StringShape,
    Words,
)
from workbench.lowering.terms import TRUE, Term

__all__ = ["ChildTerm", "finite_node", "own_node", "typed"]

#: Makes the term of the subschema under a keyword (and its tokens below it).
ChildTerm = Callable[..., Term]
_Keywords = Mapping[str, Any]


def own_node(keywords: _Keywords, child: ChildTerm) -> Node:
    """The node of a schema object's own assertions, before `type`, `enum` and `const` narrow it."""
    return Node(
        True,
        BOTH,
        (_numbers(keywords),),
        (_strings(keywords),),
        _arrays(keywords, child),
        (_objects(keywords, child),),
    )


def typed(node: Node, types: str | Sequence[str]) -> Node:
    """The node, without the types that `type` does not name (validation, 6.1.1)."""
    names = [types] if isinstance(types, str) else types
    numbers = node.numbers if "number" in names else ()
    if not numbers and "integer" in names:
        numbers = tuple(replace(shape, integer=True) for shape in node.numbers)
    return replace(
        node,
        null=node.null and "null" in names,
        booleans=node.booleans if "boolean" in names else frozenset(),
        numbers=numbers,
        strings=node.strings if "string" in names else (),
        arrays=node.arrays if "array" in names else (),
        objects=node.objects if "object" in names else (),
    )


def finite_node(values: Sequence[Any]) -> Node:
    """The node of `enum` and `const` (validation, 6.1.2 and 6.1.3): finite sets, type by type."""
    numbers = [value for value in values if isinstance(value, int | float) and not isinstance(value, bool)]
    strings = [value for value in values if isinstance(value, str)]
    arrays = [value for value in values if isinstance(value, list)]
    objects = [value for value in values if isinstance(value, dict)]
    return Node(
        any(value is None for value in values),
        frozenset(value for value in values if isinstance(value, bool)),
        (NumberShape(values=Finite(numbers)),) if numbers else (),
        (StringShape(values=Finite(strings)),) if strings else (),
        (ArrayShape(values=Finite(arrays)),) if arrays else (),
        (ObjectShape(values=Finite(objects)),) if objects else (),
    )


def _numbers(keywords: _Keywords) -> NumberShape:
    low, low_open = keywords.get("minimum"), False
    high, high_open = keywords.get("maximum"), False
    above, below = keywords.get("exclusiveMinimum"), keywords.get("exclusiveMaximum")
    if above is not None and (low is None or above >= low):
        low, low_open = above, True
    if below is not None and (high is None or below <= high):
        high, high_open = below, True
    multiple = keywords.get("multipleOf")
    multiples = () if multiple is None else (_whole(multiple),)
    return NumberShape(low, low_open, high, high_open, multiples=multiples)


def _whole(multiple: float) -> int | float:
    """A whole number as an integer, as far as floats are exact."""
    return int(multiple) if multiple < MOST_EXACT and multiple == int(multiple) else multiple


def _strings(keywords: _Keywords) -> StringShape:
    return StringShape(
        int(keywords.get("minLength", 0)),
        _count(keywords, "maxLength"),
        (keywords["pattern"],) if "pattern" in keywords else (),
        (keywords["format"],) if "format" in keywords else (),
    )


def _arrays(keywords: _Keywords, child: ChildTerm) -> tuple[ArrayShape, ...]:
    prefix = tuple(child("prefixItems", index) for index in range(len(keywords.get("prefixItems", ()))))
    rest = child("items") if "items" in keywords else TRUE
    contains: tuple[Contains, ...] = ()
    if "contains" in keywords:
        low, high = int(keywords.get("minContains", 1)), _count(keywords, "maxContains")
        if high is not None and low > high:
            return ()
        if low > 0 or high is not None:
            contains = (Contains(child("contains"), low, high),)
    low, high = int(keywords.get("minItems", 0)), _count(keywords, "maxItems")
    return (ArrayShape(prefix, rest, low, high, keywords.get("uniqueItems") is True, contains),)


def _objects(keywords: _Keywords, child: ChildTerm) -> ObjectShape:
    props = Words({name: child("properties", name) for name in keywords.get("properties", ())})
    patterns = tuple(
        (pattern, child("patternProperties", pattern)) for pattern in keywords.get("patternProperties", ())
    )
    rest = child("additionalProperties") if "additionalProperties" in keywords else TRUE
    group = Group(props, patterns, rest)
    return ObjectShape(
        (group,) if props or patterns or rest is not TRUE else (),
        tuple(dict.fromkeys(keywords.get("required", ()))),
        int(keywords.get("minProperties", 0)),
        _count(keywords, "maxProperties"),
        child("propertyNames") if "propertyNames" in keywords else TRUE,
        tuple((name, tuple(calls)) for name, calls in keywords.get("dependentRequired", {}).items() if calls),
    )


def _count(keywords: _Keywords, name: str) -> int | None:
    value = keywords.get(name)
    return None if value is None else int(value)
