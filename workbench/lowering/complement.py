"""
The complement of a node: what `not` and the other side of `if` accept.

The complement of a union is the meet of the complements, and that of one alternative is the union of the complements of
the single things it asks. Some of those have no schema inside the subset (the strings that a pattern does not find); then
every value of that type has to pass, and the answer says that it is not exact. Only a node that is exact itself may be
complemented: a looser condition would make a stricter complement.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from workbench.lowering.shapes import (
    BOTH,
    SHAPED,
    TOP,
    ArrayShape,
    Contains,
    Group,
    Node,
    NumberShape,
    ObjectShape,
    StringShape,
    Words,
)
from workbench.lowering.terms import FALSE, TRUE, Terms

__all__ = ["complement"]

#: In place of a list of alternatives: what is asked has no complement inside the subset.
_INEXPRESSIBLE: Final = None
_Pieces = list[Any] | None


def complement(node: Node, terms: Terms, meet: Callable[[Node, Node], Node]) -> tuple[Node, bool]:
    """What `node` does not accept, or more than that; the flag says whether it is just that."""
    result = Node(not node.null, BOTH - node.booleans, TOP.numbers, TOP.strings, TOP.arrays, TOP.objects)
    exact = True
    for name in SHAPED:
        for shape in getattr(node, name):
            pieces = _PIECES[name](shape, terms)
            if pieces is _INEXPRESSIBLE:
                exact = False
            else:
                result = meet(result, _only(name, tuple(dict.fromkeys(pieces))))
    return result, exact


def _only(name: str, pieces: tuple[Any, ...]) -> Node:
    """A node that asks something of one field and lets every other type pass."""
    fields: dict[str, Any] = {each: getattr(TOP, each) for each in SHAPED}
    fields[name] = pieces
    return Node(True, BOTH, **fields)


def _numbers(shape: NumberShape, terms: Terms) -> _Pieces:
    if shape.integer or shape.multiples or shape.formats or shape.excluded:
        return _INEXPRESSIBLE
    if shape.values is not None:
        return [NumberShape(excluded=shape.values)]
    pieces = []
    if shape.low is not None:
        pieces.append(NumberShape(high=shape.low, high_open=not shape.low_open))
    if shape.high is not None:
        pieces.append(NumberShape(low=shape.high, low_open=not shape.high_open))
    return pieces


def _strings(shape: StringShape, terms: Terms) -> _Pieces:
    if shape.patterns or shape.formats or shape.excluded:
        return _INEXPRESSIBLE
    if shape.values is not None:
        return [StringShape(excluded=shape.values)]
    pieces = [StringShape(high=shape.low - 1)] if shape.low else []
    if shape.high is not None:
        pieces.append(StringShape(low=shape.high + 1))
    return pieces


def _arrays(shape: ArrayShape, terms: Terms) -> _Pieces:
    if shape.unique or shape.values is not None or (shape.rest is not TRUE and shape.prefix):
        return _INEXPRESSIBLE
    pieces = [ArrayShape(high=shape.low - 1)] if shape.low else []
    if shape.high is not None:
        pieces.append(ArrayShape(low=shape.high + 1))
    for index, term in enumerate(shape.prefix):
        if term is not TRUE:
            there = (*(TRUE,) * index, terms.negate(term))
            pieces.append(ArrayShape(prefix=there, low=index + 1))
    if shape.rest is not TRUE:
        pieces.append(ArrayShape(contains=(Contains(terms.negate(shape.rest)),)))
    for each in shape.contains:
        if each.high is not None or each.low > 1:
            return _INEXPRESSIBLE
        if each.low:
            pieces.append(ArrayShape(rest=terms.negate(each.term)))
    return pieces


def _objects(shape: ObjectShape, terms: Terms) -> _Pieces:
    if shape.values is not None or shape.names is not TRUE:
        return _INEXPRESSIBLE
    if any(group.patterns or group.rest is not TRUE for group in shape.groups):
        return _INEXPRESSIBLE
    pieces = [ObjectShape(high=shape.low - 1)] if shape.low else []
    if shape.high is not None:
        pieces.append(ObjectShape(low=shape.high + 1))
    pieces += [_without(name) for name in shape.required]
    for group in shape.groups:
        for name, term in group.props.items():
            if term is not TRUE:
                pieces.append(_with(name, Words({name: terms.negate(term)})))
    for name, calls in shape.dependents:
        pieces += [_with(name, Words({call: FALSE})) for call in calls if call != name]
    return pieces


def _without(name: str) -> ObjectShape:
    return ObjectShape((Group(Words({name: FALSE})),))


def _with(name: str, props: Words) -> ObjectShape:
    return ObjectShape((Group(props),), required=(name,))


_PIECES: Final[Mapping[str, Callable[[Any, Terms], _Pieces]]] = {
    "numbers": _numbers,
    "strings": _strings,
    "arrays": _arrays,
    "objects": _objects,
}
