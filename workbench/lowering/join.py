"""
The join of shapes: one alternative that accepts all that several accept.

This is where precision is lost, since the subset has no `anyOf`. One function per type, all of one form:
`join_x(shapes, terms)` answers with the alternative and whether it accepts *only* what they accept. For objects it keeps

- the names of all alternatives, each with the join of what they ask of it: an alternative that leaves a name free frees it,
  one that forbids it does not count, and a discriminator keeps the values of all;
- the names that all require, and the least number of properties that any of them can have;
- closedness, where all are closed, and then the most properties that any of them can have;
- and what can be said of a union by `dependentRequired`: a property that only some alternatives allow calls for
  whatever all of those require.

Laws (tested): commutative up to order, idempotent, and sound: an instance of any alternative is an instance of the join.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from workbench.lowering.members import distinct
from workbench.lowering.shapes import (
    ArrayShape,
    Contains,
    Finite,
    Group,
    NumberShape,
    ObjectShape,
    StringShape,
    Words,
)
from workbench.lowering.sides import Sides
from workbench.lowering.terms import TRUE, Term, Terms
from workbench.regexes import alternation, literal_set

__all__ = ["JOINS", "as_range", "join_arrays", "join_numbers", "join_objects", "join_strings"]

#: Up to how many patterns are written as one alternation; more would no longer tell a reader anything.
_MOST_PATTERNS: Final = 4


def join_numbers(shapes: Sequence[NumberShape], terms: Terms) -> tuple[NumberShape, bool]:
    """Numbers: the hull of the ranges, whole where all are, multiples of the greatest common divisor."""
    if len(shapes) == 1:
        return shapes[0], True
    formats = _common([shape.formats for shape in shapes])
    if all(shape.values is not None for shape in shapes):
        joined = NumberShape(formats=formats, values=_united(shapes))
        return joined, not any(shape.multiples or shape.formats for shape in shapes)
    ranges = [as_range(shape) for shape in shapes]
    joined = NumberShape(
        *_outer([(shape.low, shape.low_open) for shape in ranges], lower=True),
        *_outer([(shape.high, shape.high_open) for shape in ranges], lower=False),
        integer=all(shape.integer for shape in ranges),
        multiples=_common_divisor(ranges),
        formats=formats,
    )
    return joined, joined in shapes


def as_range(shape: NumberShape) -> NumberShape:
    """A finite set of numbers as the range it spans."""
    if shape.values is None:
        return shape
    whole = all(value == int(value) for value in shape.values)
    return NumberShape(min(shape.values), False, max(shape.values), False, whole)


def _outer(bounds: list[tuple[int | float | None, bool]], *, lower: bool) -> tuple[int | float | None, bool]:
    """The bound that lies outside all others; none where one side is open-ended."""
    if any(bound is None for bound, _ in bounds):
        return None, False
    edge = (min if lower else max)(bound for bound, _ in bounds if bound is not None)
    return edge, all(is_open for bound, is_open in bounds if bound == edge)


def _common_divisor(shapes: Sequence[NumberShape]) -> tuple[int | float, ...]:
    multiples = {shape.multiples for shape in shapes}
    if len(multiples) == 1:
        return multiples.pop()
    whole = [[each for each in shape.multiples if isinstance(each, int)] for shape in shapes]
    divisor = math.gcd(*(each[0] for each in whole)) if all(whole) else 1
    return (divisor,) if divisor > 1 else ()


def join_strings(shapes: Sequence[StringShape], terms: Terms) -> tuple[StringShape, bool]:
    """Strings: the hull of the lengths; the patterns that all share, else one alternation of single patterns."""
    if len(shapes) == 1:
        return shapes[0], True
    formats = _common([shape.formats for shape in shapes])
    if all(shape.values is not None for shape in shapes):
        joined = StringShape(patterns=_common([s.patterns for s in shapes]), formats=formats, values=_united(shapes))
        return joined, not any(shape.patterns or shape.formats for shape in shapes)
    patterns = _joined_patterns(shapes)
    joined = StringShape(*_lengths(shapes, told=bool(patterns)), patterns, formats)
    return joined, joined in shapes or _only_patterns(shapes)


def _lengths(shapes: Sequence[StringShape], *, told: bool) -> tuple[int, int | None]:
    """The hull of the lengths; nothing where only finite sets limit them and a pattern has `told` what those are."""
    if told and not any(shape.low or shape.high is not None for shape in shapes if shape.values is None):
        return 0, None
    lows = [shape.low if shape.values is None else min(map(len, shape.values)) for shape in shapes]
    highs = [shape.high if shape.values is None else max(map(len, shape.values)) for shape in shapes]
    return min(lows), None if any(high is None for high in highs) else max(high for high in highs if high is not None)


def _joined_patterns(shapes: Sequence[StringShape]) -> tuple[str, ...]:
    shared = _common([shape.patterns for shape in shapes if shape.values is None])
    if shared and all(shape.values is None for shape in shapes):
        return shared
    patterns = []
    for shape in shapes:
        pattern = literal_set(shape.values) if shape.values is not None else (shape.patterns or (None,))[0]
        if pattern is None:
            return ()
        patterns.append(pattern)
    patterns = list(dict.fromkeys(patterns))
    joined = alternation(patterns) if len(patterns) <= _MOST_PATTERNS else None
    return () if joined is None else (joined,)


def _only_patterns(shapes: Sequence[StringShape]) -> bool:
    """Whether each says nothing but one pattern, so that the alternation of them says it all."""
    plain = all(shape == StringShape(patterns=shape.patterns) and len(shape.patterns) == 1 for shape in shapes)
    return plain and bool(_joined_patterns(shapes))


def join_arrays(shapes: Sequence[ArrayShape], terms: Terms) -> tuple[ArrayShape, bool]:
    """Arrays: item by item; of `contains`, what all share, else that each has some item of its own kind."""
    if len(shapes) == 1:
        return shapes[0], True
    if all(shape.values is not None for shape in shapes):
        values = _united(shapes)
        return ArrayShape(values=values), all(shape == ArrayShape(values=shape.values) for shape in shapes)
    length = max(len(shape.prefix) for shape in shapes)
    prefix = tuple(terms.any([shape.item(index) for shape in shapes]) for index in range(length))
    high = None if any(shape.high is None for shape in shapes) else max(shape.high or 0 for shape in shapes)
    joined = ArrayShape(
        prefix,
        terms.any([shape.rest for shape in shapes]),
        min(shape.low for shape in shapes),
        high,
        all(shape.unique for shape in shapes),
        _joined_contains(shapes, terms),
    )
    return joined, joined in shapes


def _joined_contains(shapes: Sequence[ArrayShape], terms: Terms) -> tuple[Contains, ...]:
    shared = _common([shape.contains for shape in shapes])
    firsts = [next((each for each in shape.contains if each.low > 0), None) for shape in shapes]
    if shared or any(first is None for first in firsts):
        return shared
    found = [first for first in firsts if first is not None]
    return (Contains(terms.any([each.term for each in found]), min(each.low for each in found)),)


def join_objects(shapes: Sequence[ObjectShape], terms: Terms) -> tuple[ObjectShape, bool]:
    """Objects: see the module."""
    if len(shapes) == 1:
        return shapes[0], True
    if all(shape.values is not None for shape in shapes):
        return ObjectShape(values=_united(shapes)), all(shape == ObjectShape(values=shape.values) for shape in shapes)
    sides = Sides(shapes, terms)
    rest = terms.any(sides.unknown)
    required = tuple(name for name in shapes[0].required if all(name in each for each in sides.required))
    highs = [sides.most(index) for index in range(len(shapes))]
    joined = ObjectShape(
        (Group(Words({name: _either(sides.asked(name), terms) for name in sides.knowing}), (), rest),),
        required,
        min(max(shape.low, len(shape.required)) for shape in shapes),
        None if any(high is None for high in highs) else max(high for high in highs if high is not None),
        terms.any([shape.names for shape in shapes]),
        _joined_calls(sides, required),
    )
    return joined, _one_difference(sides)


def _either(asked: Sequence[Term], terms: Terms) -> Term:
    """The join of what alternatives ask of one name; where one asks nothing, what the others say of it is still told."""
    joined = terms.any(asked)
    return terms.free(asked) if joined is TRUE else joined


def _joined_calls(sides: Sides, required: tuple[str, ...]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """What each name calls for: whatever all alternatives that allow the name require beside it."""
    calls: dict[str, tuple[str, ...]] = {}
    for name in dict.fromkeys((*sides.knowing, *sides.calling)):
        common = [n for n in sides.called(name) if n != name and n not in required]
        if common:
            calls[name] = tuple(common)
    return tuple(calls.items())


def _one_difference(sides: Sides) -> bool:
    """
    Whether the alternatives are the same but for what they ask of one property: then the join is exact, since an instance
    of it meets the alternative whose turn it is.
    """
    if any(group.patterns or shape.values is not None for shape in sides.shapes for group in shape.groups):
        return False
    frames = {
        (
            frozenset(shape.required),
            shape.low,
            shape.high,
            shape.names,
            frozenset((name, frozenset(calls)) for name, calls in shape.dependents),
            frozenset(group.rest for group in shape.groups),
        )
        for shape in sides.shapes
    }
    return len(frames) == 1 and sum(len(set(sides.asked(name))) > 1 for name in sides.knowing) <= 1


def _united(shapes: Sequence[Any]) -> Finite:
    return Finite(distinct(value for shape in shapes for value in shape.values))


def _common(sides: Sequence[tuple[Any, ...]]) -> tuple[Any, ...]:
    return tuple(each for each in sides[0] if all(each in side for side in sides)) if sides else ()


JOINS: Final[Mapping[str, Callable[[Any, Terms], tuple[Any, bool]]]] = {
    "numbers": join_numbers,
    "strings": join_strings,
    "arrays": join_arrays,
    "objects": join_objects,
}
