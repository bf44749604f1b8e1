"""
The lattice by itself: meet, join and complement of nodes, held against jsonschema and against the laws of a lattice.

A node stands for a set of JSON values. `node_admits` reads one: False is certain, True gives the benefit of the doubt, which
is the side on which the lowering may err.
"""

from __future__ import annotations

from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from lowering.oracle import accepts, original
from lowering.strategies import CONSTANTS, Context, near, schemas
from workbench.lowering.complement import complement
from workbench.lowering.document import Document
from workbench.lowering.expand import Space
from workbench.lowering.join import JOINS
from workbench.lowering.members import node_admits
from workbench.lowering.shapes import BOTTOM, SHAPED, TOP, Node, ObjectShape
from workbench.lowering.terms import FALSE, TRUE, At, Constant, Not, Several, Term, Terms

PLAIN = Context(2020, 2, references=False)


class Two:
    """Two schemas in one document, their terms and their nodes."""

    def __init__(self, *schemas: Any) -> None:
        self.document = {"allOf": list(schemas)}
        self.space = Space(Document(self.document))
        self.terms = [self.space.child(self.space.document.root, "allOf", index) for index in range(len(schemas))]
        self.nodes = [self.space.look(term) for term in self.terms]
        self.judges = [original(schema) for schema in schemas]

    def admits(self, node: Node, value: Any) -> bool:
        return node_admits(node, value, self.space.look)

    def accepted(self, value: Any) -> list[bool | None]:
        return [accepts(judge, value) for judge in self.judges]


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Two, list[Any]]:
    """Two schemas, and values near either."""
    drawn = [draw(schemas(PLAIN)) for _ in range(2)]
    values = [draw(near(schema, schema)) for schema in drawn for _ in range(2)]
    return Two(*drawn), [*values, draw(st.sampled_from(CONSTANTS))]


def shape_key(shape: Any) -> Any:
    """A shape without the order of what is a set."""
    if isinstance(shape, ObjectShape):
        groups = {
            (
                frozenset((name, term_key(term)) for name, term in group.props.items()),
                frozenset((pattern, term_key(term)) for pattern, term in group.patterns),
                term_key(group.rest),
            )
            for group in shape.groups
        }
        calls = frozenset((name, frozenset(called)) for name, called in shape.dependents)
        sizes = (shape.low, shape.high, shape.values and frozenset(shape.values.keys))
        return frozenset(groups), frozenset(shape.required), sizes, term_key(shape.names), calls
    fields = {name: getattr(shape, name) for name in shape.__slots__}
    return frozenset((name, field_key(value)) for name, value in fields.items())


def field_key(value: Any) -> Any:
    if isinstance(value, Constant | At | Not | Several):
        return term_key(value)
    if hasattr(value, "keys") and isinstance(value, tuple):
        return frozenset(value.keys)
    if isinstance(value, tuple) and all(isinstance(each, Constant | At | Not | Several) for each in value):
        return tuple(map(term_key, value))
    if isinstance(value, tuple):
        return frozenset(
            (each.low, each.high, term_key(each.term)) if hasattr(each, "term") else each for each in value
        )
    return value


def term_key(term: Term) -> Any:
    if isinstance(term, Several):
        return term.kind, frozenset(map(term_key, term.terms))
    return ("not", term_key(term.term)) if isinstance(term, Not) else term


def node_key(node: Node) -> Any:
    """A node without the order of what is a set, and without what only tells about it."""
    return node.null, node.booleans, tuple(frozenset(map(shape_key, getattr(node, name))) for name in SHAPED)


class TestMeet:
    @given(pairs())
    @settings(max_examples=100)
    def test_admits_what_both_accept_and_nothing_that_either_rejects_for_sure(self, drawn: Any) -> None:
        two, values = drawn
        met = two.space.meet(*two.nodes)
        for value in values:
            if all(two.accepted(value)):
                assert two.admits(met, value)
            if two.admits(met, value):
                assert all(two.admits(node, value) for node in two.nodes)

    @given(pairs())
    def test_is_commutative_up_to_order(self, drawn: Any) -> None:
        two, _ = drawn
        a, b = two.nodes
        assert node_key(two.space.meet(a, b)) == node_key(two.space.meet(b, a))

    @given(pairs())
    def test_is_idempotent(self, drawn: Any) -> None:
        two, _ = drawn
        a = two.space.meet(*two.nodes)  # a meet, so that it is in the form of one
        assert node_key(two.space.meet(a, a)) == node_key(a)

    @given(pairs())
    def test_everything_is_its_unit_and_nothing_its_zero(self, drawn: Any) -> None:
        two, _ = drawn
        for node in two.nodes:
            assert two.space.meet(TOP, node) == two.space.meet(node, TOP) == node
            assert two.space.meet(node, BOTTOM).empty and two.space.meet(BOTTOM, node).empty


class TestJoin:
    @given(pairs())
    @settings(max_examples=100)
    def test_admits_just_what_either_does(self, drawn: Any) -> None:
        two, values = drawn
        joined = two.space.join(two.nodes)
        for value in values:
            if any(two.accepted(value)):
                assert two.admits(joined, value)
            assert two.admits(joined, value) == any(two.admits(node, value) for node in two.nodes)

    @given(pairs())
    @settings(max_examples=100)
    def test_as_one_alternative_it_loses_nothing_and_says_whether_it_is_exact(self, drawn: Any) -> None:
        two, values = drawn
        joined = two.space.join(two.nodes)
        for name in SHAPED:
            shapes = getattr(joined, name)
            if shapes:
                one, exact = JOINS[name](shapes, two.space.terms)
                narrow, wide = (replaced(joined, name, each) for each in (shapes, (one,)))
                for value in values:
                    assert two.admits(wide, value) or not two.admits(narrow, value)
                    if exact and accepts_none(two, value):
                        assert not two.admits(wide, value) or two.admits(narrow, value)

    @given(pairs())
    def test_is_commutative_up_to_order_and_idempotent(self, drawn: Any) -> None:
        two, _ = drawn
        a, b = two.nodes
        assert node_key(two.space.join([a, b])) == node_key(two.space.join([b, a]))
        assert node_key(two.space.join([a, a])) == node_key(a)
        for name in SHAPED:
            shapes = tuple(dict.fromkeys((*getattr(a, name), *getattr(b, name))))
            if shapes:
                one, exact = JOINS[name](shapes, two.space.terms)
                other, as_exact = JOINS[name](shapes[::-1], two.space.terms)
                assert exact == as_exact
                assert told_apart(one) or shape_key(one) == shape_key(other)
                assert JOINS[name]([one], two.space.terms) == (one, True)

    @given(pairs())
    def test_everything_is_its_zero_and_nothing_its_unit(self, drawn: Any) -> None:
        two, _ = drawn
        for node in two.nodes:
            assert node_key(two.space.join([node, TOP])) == node_key(TOP)
            assert node_key(two.space.join([node, BOTTOM])) == node_key(node)

    @given(pairs())
    def test_absorbs_the_meet_and_is_absorbed_by_it(self, drawn: Any) -> None:
        two, values = drawn
        a, b = two.nodes
        for value in values:
            assert two.admits(two.space.join([a, two.space.meet(a, b)]), value) == two.admits(a, value)
            assert two.admits(two.space.meet(a, two.space.join([a, b])), value) == two.admits(a, value)


class TestComplement:
    @given(pairs())
    @settings(max_examples=100)
    def test_admits_what_the_node_does_not_accept(self, drawn: Any) -> None:
        two, values = drawn
        for node, judge in zip(two.nodes, two.judges, strict=True):
            assume(node.exact)
            other, exact = complement(node, two.space.terms, two.space.meet)
            for value in values:
                verdict = accepts(judge, value)
                if verdict is False:
                    assert two.admits(other, value)
                if exact and verdict and not two.admits(other, value):
                    assert two.admits(node, value)

    def test_of_everything_is_nothing_and_back(self) -> None:
        two = Two({}, {})
        for node, expected in ((TOP, BOTTOM), (BOTTOM, TOP)):
            other, exact = complement(node, two.space.terms, two.space.meet)
            assert exact and node_key(other) == node_key(expected)


class TestTerms:
    @given(st.lists(st.integers(0, 4), max_size=6), st.sampled_from(["all", "any"]))
    def test_equal_formulas_are_one_object(self, picks: list[int], kind: str) -> None:
        two = Two(*({"minLength": index + 1} for index in range(5)))
        atoms = two.terms
        terms: Terms = two.space.terms
        make = getattr(terms, kind)
        whole = make([atoms[pick] for pick in picks])
        assert make([make([atoms[pick] for pick in picks[:2]]), *(atoms[pick] for pick in picks[2:])]) is whole
        assert make([whole, whole]) is whole

    def test_units_zeros_and_contradictions(self) -> None:
        two = Two({"minLength": 1}, {"maxLength": 3})
        terms, (a, b) = two.space.terms, two.terms
        assert terms.all([]) is TRUE and terms.any([]) is FALSE
        assert terms.all([a, TRUE]) is a and terms.any([a, FALSE]) is a
        assert terms.all([a, FALSE]) is FALSE and terms.any([a, TRUE]) is TRUE
        assert terms.all([a, b, terms.negate(a)]) is FALSE and terms.any([a, b, terms.negate(a)]) is TRUE
        assert terms.negate(terms.negate(a)) is a

    def test_absorption(self) -> None:
        two = Two({"minLength": 1}, {"maxLength": 3}, {"pattern": "a"})
        terms, (a, b, c) = two.space.terms, two.terms
        assert terms.all([a, terms.any([a, b])]) is a and terms.any([terms.all([b, a]), a]) is a
        assert terms.all([a, terms.any([b, c])]) is not a


def replaced(node: Node, name: str, shapes: tuple[Any, ...]) -> Node:
    fields: dict[str, Any] = dict.fromkeys(SHAPED, ())
    return Node(**{**fields, name: shapes})


def accepts_none(two: Two, value: Any) -> bool:
    return not any(two.accepted(value))


def told_apart(shape: Any) -> bool:
    """Whether a joined shape holds what is written in an order that tells: patterns as one alternation."""
    return any("|" in pattern for pattern in getattr(shape, "patterns", ()))
