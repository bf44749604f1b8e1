"""
`unevaluatedProperties` and `unevaluatedItems` (core, 11): closed over everything that may evaluate.

Which names a schema evaluates depends on which of its branches hold. Here every branch counts as if it might: the set of
names is then never too small, so closing over it never rejects a valid instance. It is exact where nothing is conditional.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from workbench.lowering.document import Place
from workbench.lowering.losses import Loss
from workbench.lowering.shapes import TOP, ArrayShape, Group, Node, ObjectShape, Words
from workbench.lowering.terms import TRUE

if TYPE_CHECKING:
    from workbench.lowering.expand import Space

__all__ = ["close"]

_REFERENCES: Final = ("$ref", "$dynamicRef", "$recursiveRef")


@dataclass(slots=True)
class _Evaluated:
    """What may be evaluated in an instance by the schemas that apply to it in place."""

    names: dict[str, None] = field(default_factory=dict)
    patterns: dict[str, None] = field(default_factory=dict)
    every_name: bool = False
    items: int = 0
    every_item: bool = False
    conditional: bool = False


def close(space: Space, place: Place, node: Node) -> Node:
    """The node of a place, met with what its `unevaluatedProperties` and `unevaluatedItems` ask of the rest."""
    found = _evaluated(space, place)
    keywords = space.normal(place).keywords
    asked = TOP
    for keyword, every in (("unevaluatedProperties", found.every_name), ("unevaluatedItems", found.every_item)):
        if keyword not in keywords or (rest := space.child(place, keyword)) is TRUE:
            continue
        if every:
            asked = replace(
                asked, losses=(*asked.losses, _loss(place, keyword, "freed", "what is evaluated is not known"))
            )
            continue
        if keyword == "unevaluatedProperties":
            group = Group(Words(dict.fromkeys(found.names, TRUE)), tuple((p, TRUE) for p in found.patterns), rest)
            asked = replace(asked, objects=(ObjectShape((group,)),))
        else:
            asked = replace(asked, arrays=(ArrayShape((TRUE,) * found.items, rest),))
        if found.conditional:
            loss = _loss(place, keyword, "relaxed", "closed over the names or items of every branch")
            asked = replace(asked, losses=(*asked.losses, loss))
    return space.meet(node, asked)


def _loss(place: Place, keyword: str, action: str, detail: str) -> Loss:
    return Loss(f"{place.pointer}/{keyword}", keyword, action, False, detail)


def _evaluated(space: Space, root: Place) -> _Evaluated:
    found, seen = _Evaluated(), {root}
    stack = [(root, False)]
    while stack:
        place, conditional = stack.pop()
        if isinstance(place.schema, bool):
            continue
        _add(space, place, found, outermost=place is root)
        for below, depends in _in_place(space, place):
            if below is None:
                found.every_name = found.every_item = True
            elif below not in seen:
                seen.add(below)
                found.conditional = found.conditional or depends or conditional
                stack.append((below, depends or conditional))
    return found


def _add(space: Space, place: Place, found: _Evaluated, *, outermost: bool) -> None:
    """What the keywords of one schema object evaluate themselves."""
    keywords = space.normal(place).keywords
    if not place.dialect.known:
        found.every_name = found.every_item = True
    found.names.update(dict.fromkeys(keywords.get("properties", ())))
    found.patterns.update(dict.fromkeys(keywords.get("patternProperties", ())))
    found.every_name |= "additionalProperties" in keywords or ("unevaluatedProperties" in keywords and not outermost)
    found.items = max(found.items, len(keywords.get("prefixItems", ())))
    found.every_item |= "items" in keywords or ("unevaluatedItems" in keywords and not outermost)
    # `contains` evaluates whatever it accepts, wherever that stands (2020-12 core, 10.3.1.3); 2019-09 does not say so, yet
    # validators in use read it alike.
    found.every_item |= "contains" in keywords


def _in_place(space: Space, place: Place) -> Iterator[tuple[Place | None, bool]]:
    """The schemas that apply to the same instance, and whether they depend on it; None for one that is not known."""
    keywords = space.normal(place).keywords
    for keyword in _REFERENCES:
        if keyword in keywords:
            yield space.document.target(place, keyword), False
    for keyword in ("allOf", "anyOf", "oneOf"):
        for index, value in enumerate(keywords.get(keyword, ())):
            yield space.document.child(place, value, keyword, index), keyword != "allOf"
    for keyword in ("if", "then", "else"):
        if keyword in keywords:
            yield space.document.child(place, keywords[keyword], keyword), True
    at = space.normal(place).moved.get("dependentSchemas", ("dependentSchemas",))
    for name, value in keywords.get("dependentSchemas", {}).items():
        yield space.document.child(place, value, *at, name), True
