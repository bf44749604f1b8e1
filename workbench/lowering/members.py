"""Membership: whether a value can be in a shape, and what a shape says of one property name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from workbench.lowering.shapes import ArrayShape, Group, Look, Node, NumberShape, ObjectShape, StringShape
from workbench.lowering.terms import FALSE, TRUE, Term, Terms
from workbench.regexes import matches
from workbench.values import freeze

__all__ = ["admits", "distinct", "named", "unlisted"]

#: How deep a value is looked into before it gets the benefit of the doubt; enum values are shallow.
_FUEL: Final = 12
#: More patterns than this in one schema are not held against the names in an enum value.
_MOST_PATTERNS: Final = 200


def admits(term: Term, value: Any, look: Look, fuel: int = _FUEL) -> bool:
    """Whether a term may accept a JSON value; False is certain, True gives the benefit of the doubt."""
    if term is TRUE or term is FALSE:
        return term is TRUE
    return fuel <= 0 or node_admits(look(term), value, look, fuel - 1)


def node_admits(node: Node, value: Any, look: Look, fuel: int = _FUEL) -> bool:
    """As `admits`, for a node."""
    if value is None:
        return node.null
    if isinstance(value, bool):
        return value in node.booleans
    if isinstance(value, int | float):
        return any(shape_admits(shape, value, look, fuel) for shape in node.numbers)
    if isinstance(value, str):
        return any(shape_admits(shape, value, look, fuel) for shape in node.strings)
    alternatives: Iterable[Any] = node.arrays if isinstance(value, list) else node.objects
    return any(shape_admits(shape, value, look, fuel) for shape in alternatives)


def shape_admits(shape: Any, value: Any, look: Look, fuel: int = _FUEL) -> bool:
    """As `admits`, for one alternative and a value of its type."""
    if shape.values is not None and not shape.values.has(value):
        return False
    return bool(_ADMITS[type(shape)](shape, value, look, fuel))


def _number(shape: NumberShape, value: Any, look: Look, fuel: int) -> bool:
    if shape.low is not None and (value < shape.low or (shape.low_open and value == shape.low)):
        return False
    if shape.high is not None and (value > shape.high or (shape.high_open and value == shape.high)):
        return False
    if shape.integer and isinstance(value, float) and not value.is_integer():
        return False
    # By a whole number the remainder is exact, of a fraction too (1.5 is no multiple of 2); by a fraction it is not.
    if any(isinstance(each, int) and value % each for each in shape.multiples):
        return False
    return not shape.excluded.has(value)


def _string(shape: StringShape, value: str, look: Look, fuel: int) -> bool:
    if len(value) < shape.low or (shape.high is not None and len(value) > shape.high):
        return False
    return not shape.excluded.has(value) and all(matches(pattern, value) is not False for pattern in shape.patterns)


def _array(shape: ArrayShape, value: list[Any], look: Look, fuel: int) -> bool:
    if len(value) < shape.low or (shape.high is not None and len(value) > shape.high):
        return False
    if shape.unique and len({freeze(each) for each in value}) < len(value):
        return False
    if any(sum(admits(c.term, each, look, fuel) for each in value) < c.low for c in shape.contains):
        return False
    return all(admits(shape.item(index), each, look, fuel) for index, each in enumerate(value))


def _object(shape: ObjectShape, value: dict[str, Any], look: Look, fuel: int) -> bool:
    if len(value) < shape.low or (shape.high is not None and len(value) > shape.high):
        return False
    if any(name not in value for name in shape.required):
        return False
    if any(name in value and any(call not in value for call in calls) for name, calls in shape.dependents):
        return False
    for name, each in value.items():
        if not admits(shape.names, name, look, fuel):
            return False
        for group in shape.groups:
            certain, possible = _covering(group, name, ask=len(group.patterns) <= _MOST_PATTERNS)
            if not all(admits(term, each, look, fuel) for term in certain):
                return False
            if not certain and not any(admits(term, each, look, fuel) for term in possible):
                return False
    return True


_ADMITS: Final[Mapping[type, Callable[..., bool]]] = {
    NumberShape: _number,
    StringShape: _string,
    ArrayShape: _array,
    ObjectShape: _object,
}


def _covering(group: Group, name: str, *, ask: bool) -> tuple[list[Term], list[Term]]:
    """The terms of a group that surely hold for a name, and where none does, those of which one does."""
    certain = [group.props[name]] if name in group.props else []
    possible = []
    for pattern, term in group.patterns:
        match matches(pattern, name) if ask else None:
            case True:
                certain.append(term)
            case None:
                possible.append(term)
    return certain, [group.rest, *possible]


def named(shape: ObjectShape, name: str, terms: Terms) -> Term:
    """What a shape asks of the property of this name: the meet over its groups."""
    asked = []
    for group in shape.groups:
        certain, possible = _covering(group, name, ask=shape.asks_patterns)
        asked.append(terms.all(certain) if certain else terms.any(possible))
    return terms.all(asked)


def unlisted(shape: ObjectShape, terms: Terms) -> Term:
    """What a shape asks of the properties whose names it does not list: the meet over its groups."""
    return terms.all([terms.any(group.others) for group in shape.groups])


def distinct(values: Iterable[Any]) -> tuple[Any, ...]:
    """The values without repetition (by JSON equality), the first of each kept."""
    return tuple({freeze(value): value for value in reversed(tuple(values))}.values())[::-1]
