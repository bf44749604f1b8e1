"""
The parts of a lowered schema, the items that each may say, and what those are guessed to be worth.

A `Part` is one schema position of the result, an `Item` one keyword that it may say. Every item by itself only narrows what its
part accepts, and those that make sense only beside another come `after` it (`additionalProperties` after the names in
`properties`, `items` after `prefixItems`). So any selection of items that respects this order is a sound relaxation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from workbench.lowering.document import Place
from workbench.lowering.losses import Loss
from workbench.lowering.terms import At, Constant, Not, Term

__all__ = [
    "FACTORS",
    "OPTIONAL_FACTOR",
    "REENTRY_FACTOR",
    "REQUIRED_FACTOR",
    "SAID_AGAIN",
    "WORTHS",
    "Item",
    "Part",
    "origin",
    "pointer",
    "worth",
]


@dataclass(slots=True, eq=False)
class Item:
    """One keyword that a part may say."""

    keyword: str
    #: JSON data, or the part, parts by name or parts in order that stand under the keyword.
    value: Any
    #: How much of what should be rejected it is guessed to reject, against its part's weight.
    worth: float
    #: Items of the same part without which it would mean something else.
    after: tuple[Item, ...] = ()
    #: What is lost where it is left out.
    loss: Loss | None = None
    #: The item that this one only prepares: it is not said where that one is left out.
    prepares: Item | None = None
    kept: bool = False
    #: Set while items are put in order (`fit.py`): its price, its part's weight, and the item it stands under.
    price: float = 0.0
    weight: float = 0.0
    above: Item | None = None

    @property
    def said(self) -> bool:
        """Whether it stands in the result."""
        return self.kept and (self.prepares is None or self.prepares.kept)

    def parts(self) -> Iterator[Part]:
        """The parts under it."""
        values = self.value.values() if isinstance(self.value, dict) else self.value
        if isinstance(self.value, Part):
            yield self.value
        elif isinstance(self.value, dict | list):
            yield from (each for each in values if isinstance(each, Part))


@dataclass(slots=True, eq=False)
class Part:
    """One schema position of the result."""

    term: Term
    #: How likely an instance is to come by here, as far as the schema tells: 1 at the root, less below.
    weight: float = 1.0
    above: Part | None = None
    depth: int = 0
    #: The root: its instances are objects, whatever else the schema would accept.
    objects_only: bool = False
    items: list[Item] | None = None
    #: What was given up at this position whatever is selected.
    losses: list[Loss] = field(default_factory=list)

    def below(self, term: Term, factor: float) -> Part:
        """A part for a subschema of this one."""
        return Part(term, self.weight * factor, self, self.depth + 1)

    def reentries(self) -> int:
        """How often this part's term stands above it."""
        count, here = 0, self.above
        while here is not None:
            count += here.term is self.term
            here = here.above
        return count


def origin(term: Term) -> Place | None:
    """The place that a term comes from: its first one."""
    while not isinstance(term, At | Constant):
        term = term.term if isinstance(term, Not) else term.terms[0]
    return term.place if isinstance(term, At) else None


def pointer(term: Term) -> str:
    """The JSON Pointer of a term's origin."""
    place = origin(term)
    return place.pointer if place is not None else ""


#: What a keyword is worth beside the others of its part. Rough on purpose: only the order matters, and mostly between
#: cheap strong statements (a type, the required names) and dear weak ones (a long pattern, a bound on a length).
WORTHS: Final[Mapping[str, float]] = {
    "type": 1.0,
    "const": 1.2,
    "enum": 1.0,
    "properties": 0.8,
    "required": 1.0,
    "additionalProperties": 0.9,
    "items": 0.5,
    "prefixItems": 0.5,
    "description": 2.0,
    "pattern": 0.4,
    "propertyNames": 0.3,
    "dependentRequired": 0.4,
    "contains": 0.3,
    "format": 0.15,
}
_OTHER_WORTH: Final = 0.25
#: A text that was already said once costs as much again and tells little.
SAID_AGAIN: Final = 0.02

#: How much less likely an instance comes by below each keyword.
FACTORS: Final[Mapping[str, float]] = {
    "items": 0.7,
    "prefixItems": 0.7,
    "additionalProperties": 0.5,
    "contains": 0.4,
    "propertyNames": 0.4,
}
REQUIRED_FACTOR: Final = 0.9
OPTIONAL_FACTOR: Final = 0.6
REENTRY_FACTOR: Final = 0.2


def worth(keyword: str) -> float:
    """The worth of a keyword."""
    return WORTHS.get(keyword, _OTHER_WORTH)
