"""
From terms to nodes: what a term accepts at its own level, with its subschemas left as terms.

`Space.look(term)` is remembered per term, so a recursive or branching document costs what its places cost. Keywords that
apply schemas to the same instance become meets, joins and complements here:

    $ref, $dynamicRef, $recursiveRef, allOf   meet
    anyOf, oneOf                              join (for `oneOf` exact where no two branches can both hold)
    not                                       complement
    if, then, else                            (if and then) or (not if and else)
    dependentSchemas, dependencies            (name absent) or (name there and schema)
    unevaluatedProperties, unevaluatedItems   closed over all that may evaluate (`evaluated.py`)

To teach the lowering another such keyword, add a function to `_APPLICATORS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import combinations
from typing import Any, Final

from workbench.lowering.assertions import finite_node, own_node, typed
from workbench.lowering.complement import complement
from workbench.lowering.dialects import Normal, normal
from workbench.lowering.document import Document, Place
from workbench.lowering.evaluated import close
from workbench.lowering.join import JOINS
from workbench.lowering.losses import Loss
from workbench.lowering.meet import meet_nodes
from workbench.lowering.shapes import BOTTOM, SHAPED, TOP, Group, Node, ObjectShape, Words
from workbench.lowering.terms import FALSE, TRUE, At, Constant, Not, Term, Terms
from workbench.values import join

__all__ = ["Space"]

#: Applicators within applicators on one instance, deeper than any schema that somebody wrote.
_DEEPEST: Final = 100
#: Not so deep is a contradiction still looked for, which takes more of the stack for each level.
_DEEPEST_SEARCH: Final = 24
#: How far below an alternative a contradiction is looked for.
_FAR: Final = 3
#: Branches whose mutual exclusion is checked pair by pair.
_MOST_COMPARED: Final = 24


class Space:
    """The terms of one document and what they accept."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.terms = Terms()
        self._nodes: dict[Term, Node] = {}
        self._normals: dict[Place, Normal] = {}
        self._open: set[Term] = set()

    # Reading a place

    def normal(self, place: Place) -> Normal:
        """The keywords of a place in the spelling of 2020-12."""
        if place not in self._normals:
            self._normals[place] = normal(place.written, place.dialect)
        return self._normals[place]

    def noted(self, place: Place) -> Iterator[Loss]:
        """What was left out of a place when it was read."""
        for note in self.normal(place).notes:
            where = join(place.pointer, note.keyword) if note.keyword else place.pointer
            yield Loss(where, note.keyword, note.action, note.exact, note.detail)

    def child(self, place: Place, keyword: str, *tokens: str | int) -> Term:
        """The term of the subschema that stands under a (respelled) keyword of a place."""
        written = self.normal(place)
        value = written.keywords[keyword]
        for token in tokens:
            value = value[token]
        return self.terms.at(self.document.child(place, value, *written.moved.get(keyword, (keyword,)), *tokens))

    def at(self, place: Place) -> Term:
        """The term of a place."""
        return self.terms.at(place)

    # Terms to nodes

    def look(self, term: Term) -> Node:
        """What a term accepts."""
        if isinstance(term, Constant):
            return TOP if term.value else BOTTOM
        if term in self._nodes:
            return self._nodes[term]
        if term in self._open or len(self._open) >= _DEEPEST:
            # A schema that refers to itself without going down asks nothing new of the instance; one nested too deep
            # is not followed. Not remembered: from elsewhere it is looked at in full.
            return replace(TOP, losses=self._stopped(term))
        self._open.add(term)
        try:
            node = self._expand(term)
        finally:
            self._open.discard(term)
        self._nodes[term] = node
        return node

    def _stopped(self, term: Term) -> tuple[Loss, ...]:
        pointer = term.place.pointer if isinstance(term, At) else ""
        why = "refers to itself" if term in self._open else f"more than {_DEEPEST} applicators on one instance"
        return (Loss(pointer, "", "freed", False, why),)

    def _expand(self, term: Term) -> Node:
        if isinstance(term, At):
            return self._expand_place(term.place)
        if isinstance(term, Not):
            return self._negated(term)
        assert not isinstance(term, Constant)
        if term.kind == "all" and (first := self.terms.known("all", term.terms[:-1])) in self._nodes:
            return self.meet(self._nodes[first], self.look(term.terms[-1]))
        nodes = [self.look(part) for part in term.terms]
        if term.kind == "free":
            return replace(TOP, descriptions=self.join(nodes).descriptions)
        return self._meet(nodes) if term.kind == "all" else self.join(nodes)

    def _expand_place(self, place: Place) -> Node:
        written = self.normal(place)
        keywords = written.keywords
        node = own_node(keywords, lambda keyword, *tokens: self.child(place, keyword, *tokens))
        if "type" in keywords:
            node = typed(node, keywords["type"])
        node = replace(node, losses=tuple(self.noted(place)))
        if "enum" in keywords:
            node = self.meet(node, finite_node(keywords["enum"]))
        if "const" in keywords:
            node = self.meet(node, finite_node([keywords["const"]]))
        for keyword, apply in _APPLICATORS.items():
            if keyword in keywords:
                node = self.meet(node, apply(self, place, keywords[keyword]))
        if "unevaluatedProperties" in keywords or "unevaluatedItems" in keywords:
            node = close(self, place, node)
        if "description" in keywords:
            node = replace(node, descriptions=((keywords["description"], f"{place.pointer}/description"),))
        return node

    def _negated(self, term: Not) -> Node:
        inner = self.look(term.term)
        if not inner.exact:
            return replace(
                TOP, losses=(*inner.losses, self._loss(term.term, "not", "freed", "its schema is not exact"))
            )
        node, exact = complement(inner, self.terms, self.meet)
        if exact:
            return replace(node, unions=inner.unions)
        loss = self._loss(term.term, "not", "relaxed", "what it excludes has no form in the subset")
        return replace(node, losses=(loss,), unions=inner.unions)

    def _loss(self, term: Term, keyword: str, action: str, detail: str) -> Loss:
        pointer = term.place.pointer if isinstance(term, At) else ""
        return Loss(pointer, keyword, action, False, detail)

    # Meet and join

    def meet(self, a: Node, b: Node) -> Node:
        """The meet of two nodes, without the alternatives that nothing can meet."""
        if a is TOP or b is TOP:
            return b if a is TOP else a
        met = meet_nodes(a, b, self.terms, self.look, self.collapsed)
        if len(a.objects) > 1 or len(b.objects) > 1:
            met = replace(met, objects=tuple(shape for shape in met.objects if not self._impossible(shape)))
        return met

    def _meet(self, nodes: list[Node]) -> Node:
        met = TOP
        for node in nodes:
            met = self.meet(met, node)
        return met

    def join(self, nodes: list[Node]) -> Node:
        """The join of nodes: their alternatives side by side."""
        fields = {name: tuple(dict.fromkeys(s for node in nodes for s in getattr(node, name))) for name in SHAPED}
        texts: dict[str, str] = {}
        for text, pointer in (each for node in nodes for each in node.descriptions):
            texts.setdefault(text, pointer)
        for name in SHAPED:
            free = getattr(TOP, name)[0]
            if free in fields[name]:
                fields[name] = (free,)
        return Node(
            any(node.null for node in nodes),
            frozenset().union(*(node.booleans for node in nodes)),
            descriptions=tuple(texts.items()),
            losses=tuple(dict.fromkeys(loss for node in nodes for loss in node.losses)),
            unions=tuple(dict.fromkeys(loss for node in nodes for loss in node.unions)),
            **fields,
        )

    def collapsed(self, node: Node, name: str) -> Node:
        """The node, with the alternatives of one field joined into one; a loss says so where that is not exact."""
        shapes = getattr(node, name)
        if len(shapes) <= 1:
            return node
        joined, exact = JOINS[name](shapes, self.terms)
        # The alternatives of a node that nobody wrote as a union come from further up.
        unions = node.unions or (Loss("", "", "branches joined", True, "too many alternatives to keep apart"),)
        losses = tuple(replace(loss, exact=exact) for loss in unions)
        field: Any = {name: (joined,)}
        return replace(node, losses=tuple(dict.fromkeys((*node.losses, *losses))), **field)

    def empty(self, term: Term, far: int = _FAR) -> bool:
        """Whether a term surely accepts nothing; False where that cannot be told within `far` levels."""
        if isinstance(term, Constant):
            return not term.value
        if far <= 0 or term in self._open or len(self._open) >= _DEEPEST_SEARCH:
            return False
        node = self.look(term)
        if node.null or node.booleans or node.numbers or node.strings or node.arrays:
            return False
        return all(self._impossible(shape, far - 1) for shape in node.objects)

    def _impossible(self, shape: ObjectShape, far: int = _FAR) -> bool:
        """Whether some required property can have no value."""
        return any(self.empty(group.sure(name), far) for name in shape.required for group in shape.groups)

    def disjoint(self, a: Node, b: Node) -> bool:
        """Whether no instance is in both."""
        met = self.meet(a, b)
        if met.null or met.booleans or met.numbers or met.strings or met.arrays:
            return False
        return all(self._impossible(shape) for shape in met.objects)


# Applicators on the same instance: (space, place, the keyword's value) -> node.


def _reference(keyword: str) -> Callable[[Space, Place, Any], Node]:
    def apply(space: Space, place: Place, value: str) -> Node:
        target = space.document.target(place, keyword)
        if target is None:
            loss = Loss(f"{place.pointer}/{keyword}", keyword, "freed", False, f"{value} leads out of the document")
            return replace(TOP, losses=(loss,))
        return space.look(space.at(target))

    return apply


def _all_of(space: Space, place: Place, value: list[Any]) -> Node:
    return space.look(space.terms.all([space.child(place, "allOf", index) for index in range(len(value))]))


def _union(keyword: str) -> Callable[[Space, Place, Any], Node]:
    def apply(space: Space, place: Place, value: list[Any]) -> Node:
        branches = [space.look(space.child(place, keyword, index)) for index in range(len(value))]
        node = space.join(branches)
        pointer = f"{place.pointer}/{keyword}"
        union = Loss(pointer, keyword, "branches joined", True)
        node = replace(node, unions=(*node.unions, union))
        if keyword == "oneOf" and not _exclusive(space, branches):
            overlap = Loss(pointer, keyword, "branches joined", False, "an instance of two branches is let in")
            node = replace(node, losses=(*node.losses, overlap))
        return node

    return apply


def _exclusive(space: Space, branches: list[Node]) -> bool:
    """Whether no two branches can hold at once, so that `oneOf` says the same as `anyOf`."""
    if len(branches) > _MOST_COMPARED:
        return False
    return all(branch.exact for branch in branches) and all(space.disjoint(a, b) for a, b in combinations(branches, 2))


def _not(space: Space, place: Place, value: Any) -> Node:
    return space.look(space.terms.negate(space.child(place, "not")))


def _if(space: Space, place: Place, value: Any) -> Node:
    keywords = space.normal(place).keywords
    condition = space.child(place, "if")
    then = space.child(place, "then") if "then" in keywords else TRUE
    other = space.child(place, "else") if "else" in keywords else TRUE
    if then is TRUE and other is TRUE:
        return TOP
    holds = space.look(space.terms.all((condition, then)))
    fails = space.look(space.terms.all((space.terms.negate(condition), other)))
    node = space.join([holds, fails])
    union = Loss(f"{place.pointer}/if", "if", "branches joined", True)
    return replace(node, unions=(*node.unions, union), descriptions=())


def _dependent_schemas(space: Space, place: Place, value: Mapping[str, Any]) -> Node:
    node = TOP
    keyword = space.normal(place).moved.get("dependentSchemas", ("dependentSchemas",))[0]
    union = Loss(f"{place.pointer}/{keyword}", keyword, "branches joined", True)
    for name in value:
        schema = space.look(space.child(place, "dependentSchemas", name))
        # Of anything but an object it asks nothing.
        asked = replace(TOP, objects=schema.objects, losses=schema.losses, unions=schema.unions)
        node = space.meet(node, _called(name, asked))
        if asked.objects != (ObjectShape(required=asked.objects[0].required if asked.objects else ()),):
            absent = replace(TOP, objects=(ObjectShape((Group(Words({name: FALSE})),)),))
            there = space.meet(replace(TOP, objects=(ObjectShape(required=(name,)),)), asked)
            either = space.join([absent, there])
            node = space.meet(node, replace(either, unions=(*either.unions, union)))
    return node


def _called(name: str, asked: Node) -> Node:
    """What of a dependent schema `dependentRequired` says: the names that every alternative requires."""
    required = [dict.fromkeys(shape.required) for shape in asked.objects]
    calls = tuple(n for n in (required[0] if required else ()) if n != name and all(n in each for each in required))
    shape = ObjectShape(dependents=((name, calls),) if calls else ())
    return replace(TOP, objects=(shape,), losses=asked.losses)


_APPLICATORS: Final[Mapping[str, Callable[[Space, Place, Any], Node]]] = {
    "$ref": _reference("$ref"),
    "$dynamicRef": _reference("$dynamicRef"),
    "$recursiveRef": _reference("$recursiveRef"),
    "allOf": _all_of,
    "anyOf": _union("anyOf"),
    "oneOf": _union("oneOf"),
    "not": _not,
    "if": _if,
    "dependentSchemas": _dependent_schemas,
}
