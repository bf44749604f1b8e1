"""
From terms to parts: opening a part of the result makes the items that it may say; `fit.py` chooses among them.

A place whose keywords all belong to the subset is written as it stands; everything else is written from its node (`writing.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from workbench.keywords import KEYWORDS
from workbench.lowering.document import Place
from workbench.lowering.expand import Space
from workbench.lowering.losses import Loss
from workbench.lowering.parts import (
    FACTORS,
    OPTIONAL_FACTOR,
    REENTRY_FACTOR,
    REQUIRED_FACTOR,
    SAID_AGAIN,
    Item,
    Part,
    pointer,
    worth,
)
from workbench.lowering.terms import TRUE, At, Constant, Term
from workbench.lowering.writing import node_items

__all__ = ["Opener"]

#: How often the same term may be met again on the way down; what the bound pays for is less, as a rule.
MOST_REENTRIES: Final = 4
#: How many schemas that must be exact may stand within each other (`contains` with `maxContains`).
MOST_NESTED: Final = 4


@dataclass(slots=True)
class Opener:
    """Opens the parts of one lowering."""

    space: Space
    #: Writes a term as a whole, and says whether that is exact.
    whole: Callable[[Opener, Term], tuple[Any, bool]]
    said: set[str] = field(default_factory=set)
    _wholes: dict[Term, tuple[Any, bool]] = field(default_factory=dict)
    _nested: int = 0

    def exactly(self, term: Term) -> tuple[Any, bool]:
        """The schema of a term as a whole, and whether it accepts just what the term does; remembered, and cut when it nests."""
        if self._nested >= MOST_NESTED:
            return {}, False
        if term not in self._wholes:
            self._nested += 1
            self._wholes[term] = self.whole(self, term)
            self._nested -= 1
        return self._wholes[term]

    def open(self, part: Part) -> list[Item]:
        """Makes the items of a part, once."""
        if part.items is not None:
            return part.items
        part.items = []
        if isinstance(part.term, Constant):
            return part.items
        again = part.reentries()
        if again >= MOST_REENTRIES:
            part.losses.append(Loss(pointer(part.term), "", "recursion freed", False, f"after {again} turns"))
            return part.items
        part.weight *= REENTRY_FACTOR**again
        places = self._written_by(part.term)
        part.items = self._as_written(part, places) if places else node_items(self, part)
        return part.items

    def _written_by(self, term: Term) -> list[Place]:
        """
        The place whose keywords can stand as they are, last, after the places that only lead there: references and
        unions of one branch, with nothing but a description beside them. Empty where there is no such place.
        """
        seen: dict[Place, None] = {}
        while isinstance(term, At) and term.place not in seen:
            seen[term.place] = None
            keywords = self.space.normal(term.place).keywords
            if all(KEYWORDS[name].kept for name in keywords) and keywords.get("enum") != []:
                return [*seen]
            term = self._alias(term.place, [name for name in keywords if name != "description"]) or TRUE
        return []

    def _alias(self, place: Place, names: list[str]) -> Term | None:
        if len(names) != 1:
            return None
        keyword = names[0]
        if keyword in ("$ref", "$dynamicRef", "$recursiveRef"):
            target = self.space.document.target(place, keyword)
            return None if target is None else self.space.at(target)
        if keyword in ("allOf", "anyOf", "oneOf") and len(self.space.normal(place).keywords[keyword]) == 1:
            return self.space.child(place, keyword, 0)
        return None

    def description(self, text: str, where: str) -> Item:
        """A description, which stands at a pointer in the original; said again, it is worth little."""
        again = text in self.said
        self.said.add(text)
        action = "repetition removed" if again else "freed to fit"
        loss = Loss(where, "description", action, True)
        return Item("description", text, SAID_AGAIN if again else worth("description"), loss=loss)

    def _as_written(self, part: Part, places: list[Place]) -> list[Item]:
        """The items of a place whose keywords all belong to the subset, in the order they were written."""
        place = places[-1]
        described = next((p for p in places if "description" in self.space.normal(p).keywords), None)
        for each in places:
            part.losses += self.space.noted(each)
        items: dict[str, Item] = {}
        if described is not None and described is not place:
            items["description"] = self.description(
                self.space.normal(described).keywords["description"], f"{described.pointer}/description"
            )
        written = self.space.normal(place)
        for keyword, value in written.keywords.items():
            if keyword != "description":
                where = "/".join(written.moved.get(keyword, (keyword,)))
                loss = Loss(f"{place.pointer}/{where}", keyword, "freed to fit", False)
                items[keyword] = Item(keyword, self._held(part, place, keyword, value), worth(keyword), loss=loss)
            elif described is place:
                items[keyword] = self.description(value, f"{place.pointer}/description")
        self._counted(part, place, items)
        for keyword, base in (("additionalProperties", "properties"), ("items", "prefixItems")):
            if keyword in items and base in items:
                items[keyword].after = (items[base],)
        return list(items.values())

    def _held(self, part: Part, place: Place, keyword: str, value: Any) -> Any:
        """The value of a keyword, with parts where it holds schemas."""
        child = self.space.child
        if keyword == "properties":
            required = self.space.normal(place).keywords.get("required", ())
            return {
                name: part.below(child(place, keyword, name), REQUIRED_FACTOR if name in required else OPTIONAL_FACTOR)
                for name in value
            }
        if keyword == "prefixItems":
            return [part.below(child(place, keyword, index), FACTORS[keyword]) for index in range(len(value))]
        if keyword in FACTORS:
            return part.below(child(place, keyword), FACTORS[keyword])
        return value

    def _counted(self, part: Part, place: Place, items: dict[str, Item]) -> None:
        """The counts beside `contains`, each where it only narrows."""
        least = items.get("minContains")
        if least is not None:
            # Without its `minContains: 0`, a `contains` would ask for one item; any larger number asks for more.
            weakens = least.value == 0
            first, second = (least, items["contains"]) if weakens else (items["contains"], least)
            second.after = (first,)
            least.prepares = second if weakens else None
        if "maxContains" in items:
            schema, exact = self.exactly(self.space.child(place, "contains"))
            if exact:
                items["contains"].value = schema
                items["maxContains"].after = (items["contains"],)
            else:
                del items["maxContains"]
                detail = "what it counts is not written exactly"
                part.losses.append(Loss(f"{place.pointer}/maxContains", "maxContains", "freed", False, detail))
