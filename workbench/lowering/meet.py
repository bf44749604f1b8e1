"""
The meet of shapes: what two alternatives accept together, keyword by keyword.

One function per type, all of one form: `meet_x(a, b, space)` answers with the alternative that accepts just what both do,
or None when nothing can meet both. They are exact but for `multipleOf` of fractions, whose common multiples cannot be told
exactly in floating point: there both are kept side by side, and `plan.py` writes one and says so.

Laws (tested): commutative and associative up to order, idempotent, and sound: an instance of both is an instance of the meet.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final, TypeVar, cast

from workbench.lowering.members import shape_admits
from workbench.lowering.shapes import (
    MOST_EXACT,
    SHAPED,
    ArrayShape,
    Finite,
    Group,
    Look,
    Node,
    NumberShape,
    ObjectShape,
    StringShape,
    Words,
)
from workbench.lowering.terms import FALSE, TRUE, Term, Terms
from workbench.regexes import matches

__all__ = ["meet_arrays", "meet_nodes", "meet_numbers", "meet_objects", "meet_strings"]

T = TypeVar("T")
S = TypeVar("S", NumberShape, StringShape, ArrayShape, ObjectShape)

#: More pairs of alternatives than this, and the larger side is joined first (`collapse`), so that a product of unions
#: stays bounded.
_MOST_PAIRS: Final = 512
#: The same for objects, times the names that each pair brings together.
_MOST_NAMES: Final = 20_000
#: Names times patterns that are compared before two groups are left apart.
_MOST_MATCHES: Final = 2_000


def meet_nodes(a: Node, b: Node, terms: Terms, look: Look, collapse: Callable[[Node, str], Node]) -> Node:
    """The meet of two nodes; `collapse` joins the alternatives of a field into one when there would be too many pairs."""
    met: dict[str, Any] = {}
    for name in SHAPED:
        sides = len(getattr(a, name)), len(getattr(b, name))
        if min(sides) > 1 and sides[0] * sides[1] > _most_pairs(a, b, name):
            if sides[0] >= sides[1]:
                a = collapse(a, name)
            else:
                b = collapse(b, name)
        pairs = (_MEETS[name](x, y, terms, look) for x in getattr(a, name) for y in getattr(b, name))
        met[name] = tuple(dict.fromkeys(shape for shape in pairs if shape is not None))
    return Node(
        null=a.null and b.null,
        booleans=a.booleans & b.booleans,
        descriptions=a.descriptions or b.descriptions,
        losses=_merged(a.losses, b.losses),
        unions=_merged(a.unions, b.unions),
        **met,
    )


def _most_pairs(a: Node, b: Node, name: str) -> int:
    """How many pairs of alternatives are made: fewer where each is large."""
    if name != "objects":
        return _MOST_PAIRS
    most = max(len(shape.known) for shape in (*a.objects, *b.objects))
    return min(_MOST_PAIRS, _MOST_NAMES // (most + 1))


def meet_numbers(a: NumberShape, b: NumberShape, terms: Terms, look: Look) -> NumberShape | None:
    """Numbers: the tighter bound on either side; whole multiples by their least common multiple."""
    low, low_open = _tighter((a.low, a.low_open), (b.low, b.low_open), lower=True)
    high, high_open = _tighter((a.high, a.high_open), (b.high, b.high_open), lower=False)
    if low is not None and high is not None and (low > high or (low == high and (low_open or high_open))):
        return None
    shape = NumberShape(
        low,
        low_open,
        high,
        high_open,
        a.integer or b.integer,
        _common_multiples(a.multiples + b.multiples),
        _merged(a.formats, b.formats),
        excluded=Finite(a.excluded + b.excluded),
    )
    return _with_values(shape, a, b, look)


def meet_strings(a: StringShape, b: StringShape, terms: Terms, look: Look) -> StringShape | None:
    """Strings: the tighter lengths, and every pattern of both, each searched for by itself."""
    high = _least(a.high, b.high)
    low = max(a.low, b.low)
    if high is not None and low > high:
        return None
    shape = StringShape(
        low,
        high,
        _merged(a.patterns, b.patterns),
        _merged(a.formats, b.formats),
        excluded=Finite(a.excluded + b.excluded),
    )
    return _with_values(shape, a, b, look)


def meet_arrays(a: ArrayShape, b: ArrayShape, terms: Terms, look: Look) -> ArrayShape | None:
    """Arrays: item by item; every `contains` of both stays one of its own."""
    length = max(len(a.prefix), len(b.prefix))
    prefix = tuple(terms.all((a.item(index), b.item(index))) for index in range(length))
    rest = terms.all((a.rest, b.rest))
    low, high = max(a.low, b.low), _least(a.high, b.high)
    closed_at = next((index for index, term in enumerate((*prefix, rest)) if term is FALSE), None)
    if closed_at is not None:
        high = _least(high, closed_at)
        prefix = prefix[:closed_at]
        rest = FALSE
    if high is not None and low > high:
        return None
    contains = _merged(a.contains, b.contains)
    if any(c.low > 0 and c.term is FALSE for c in contains):
        return None
    shape = ArrayShape(prefix, rest, low, high, a.unique or b.unique, contains)
    return _with_values(shape, a, b, look)


def meet_objects(a: ObjectShape, b: ObjectShape, terms: Terms, look: Look) -> ObjectShape | None:
    """Objects: groups without patterns become one, others stand side by side, since each has its own rest."""
    groups = _merged_groups(tuple(dict.fromkeys((*a.groups, *b.groups))), terms)
    required = _merged(a.required, b.required)
    high = _least(a.high, b.high)
    low = max(a.low, b.low)
    if high is not None and max(low, len(required)) > high:
        return None
    calls: dict[str, tuple[str, ...]] = dict(a.dependents)
    for name, called in b.dependents:
        calls[name] = _merged(calls.get(name, ()), called)
    shape = ObjectShape(groups, required, low, high, terms.all((a.names, b.names)), tuple(calls.items()))
    if any(group.sure(name) is FALSE for group in groups for name in required):
        return None
    return _with_values(shape, a, b, look)


_MEETS: Final[Mapping[str, Callable[[Any, Any, Terms, Look], Any]]] = {
    "numbers": meet_numbers,
    "strings": meet_strings,
    "arrays": meet_arrays,
    "objects": meet_objects,
}


def _merged_groups(groups: tuple[Group, ...], terms: Terms) -> tuple[Group, ...]:
    """As few groups as say the same: all without patterns as one, and those with patterns that fit together."""
    plain = [group for group in groups if not group.patterns]
    merged = [_one_group(plain, terms)] if len(plain) > 1 else plain
    for group in (each for each in groups if each.patterns):
        for index, other in enumerate(merged):
            both = _patterned(other, group, terms) if other.patterns else None
            if both is not None:
                merged[index] = both
                break
        else:
            merged.append(group)
    return tuple(merged)


def _patterned(a: Group, b: Group, terms: Terms) -> Group | None:
    """
    Two groups with patterns as one, or None: a pattern that only one of them has must not stop what the other asks of the
    rest, and of every name that one of them lists it must be known whether a pattern of the other finds it.
    """
    if (len(a.patterns) + len(b.patterns)) * (len(a.props) + len(b.props)) > _MOST_MATCHES:
        return None
    sides = ((a, dict(a.patterns), b), (b, dict(b.patterns), a))
    if any(own.rest is not TRUE and any(p not in known for p, _ in other.patterns) for own, known, other in sides):
        return None
    props: dict[str, Term] = {}
    for name in dict.fromkeys((*a.props, *b.props)):
        asked = []
        for own in (a, b):
            found = [matches(pattern, name) for pattern, _ in own.patterns] if name not in own.props else []
            if None in found:
                return None
            asked.append(own.props.get(name, TRUE if any(found) else own.rest))
        props[name] = terms.all(asked)
    patterns: dict[str, Term] = dict(a.patterns)
    for pattern, term in b.patterns:
        patterns[pattern] = terms.all((patterns[pattern], term)) if pattern in patterns else term
    return Group(Words(props), tuple(patterns.items()), terms.all((a.rest, b.rest)))


def _one_group(groups: list[Group], terms: Terms) -> Group:
    """Groups without patterns, as one: a name that one of them lists comes under the rest of the others."""
    names = dict.fromkeys(name for group in groups for name in group.props)
    props = Words({name: terms.all([group.props.get(name, group.rest) for group in groups]) for name in names})
    return Group(props, (), terms.all([group.rest for group in groups]))


def _with_values(shape: S, a: S, b: S, look: Look) -> S | None:
    """
    The shape with the finite set of either side, cut down to what the whole shape admits; None when nothing is left.

    What a value may have got the benefit of the doubt for stays beside the set.
    """
    if a.values is None and b.values is None:
        return shape
    values = Finite((a.values if a.values is not None else b.values) or ())
    for side in (shape, a, b):
        values = Finite(value for value in values if shape_admits(side, value, look))
    if not values:
        return None
    doubtful: Any = shape
    if isinstance(doubtful, NumberShape):
        fractions = tuple(each for each in doubtful.multiples if not isinstance(each, int))
        doubtful = NumberShape(multiples=fractions, formats=doubtful.formats)
    elif isinstance(doubtful, StringShape):
        unread = tuple(each for each in doubtful.patterns if any(matches(each, value) is None for value in values))
        doubtful = StringShape(patterns=unread, formats=doubtful.formats)
    return cast("S", replace(doubtful, values=values))


def _tighter(
    a: tuple[int | float | None, bool], b: tuple[int | float | None, bool], *, lower: bool
) -> tuple[int | float | None, bool]:
    if a[0] is None or b[0] is None:
        return b if a[0] is None else a
    if a[0] == b[0]:
        return a[0], a[1] or b[1]
    return a if (a[0] > b[0]) == lower else b


def _common_multiples(multiples: tuple[int | float, ...]) -> tuple[int | float, ...]:
    """Whole numbers are joined into their least common multiple, where floats tell it exactly; all others stay as they are."""
    whole = [each for each in multiples if isinstance(each, int)]
    common = math.lcm(*whole)
    if not whole or common > MOST_EXACT:
        return tuple(dict.fromkeys(multiples))
    return (common, *dict.fromkeys(each for each in multiples if not isinstance(each, int)))


def _least(a: int | None, b: int | None) -> int | None:
    return a if b is None else b if a is None else min(a, b)


def _merged(a: tuple[T, ...], b: tuple[T, ...]) -> tuple[T, ...]:
    if not a or not b:
        return a or b
    return a if a == b else tuple(dict.fromkeys((*a, *b)))
