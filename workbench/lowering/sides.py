"""The alternatives of a union of objects side by side: what each asks of each name, and what a name calls for in all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from workbench.lowering.members import named, unlisted
from workbench.lowering.shapes import ObjectShape
from workbench.lowering.terms import FALSE, Term, Terms

__all__ = ["Sides"]

#: Names times alternatives for which patterns are held against names that an alternative does not list.
_MOST_ASKED: Final = 20_000


class Sides:
    """
    Alternatives side by side. Most of a large union do not know most names, and ask the same of all these, so that is kept
    once for each alternative and a union of a thousand costs what it has written down, not its square.
    """

    def __init__(self, shapes: Sequence[ObjectShape], terms: Terms) -> None:
        self.shapes = shapes
        self.required = [frozenset(shape.required) for shape in shapes]
        #: For each name, the alternatives that say something of it, and what.
        self.knowing: dict[str, dict[int, Term]] = {}
        names = tuple(dict.fromkeys(name for shape in shapes for name in shape.known))
        for name in names:
            self.knowing[name] = {}
        for index, shape in enumerate(shapes):
            patterned = any(group.patterns for group in shape.groups) and len(names) * len(shapes) <= _MOST_ASKED
            for name in names if patterned else shape.known:
                self.knowing[name][index] = named(shape, name, terms)
        #: What each asks of a name that it does not know.
        self.unknown = [unlisted(shape, terms) for shape in shapes]
        self.ways = Counter(self.unknown)
        #: For each name, the alternatives that have it call for others.
        self.calling: dict[str, list[int]] = {}
        for index, shape in enumerate(shapes):
            for name in shape.calls:
                self.calling.setdefault(name, []).append(index)
        #: The alternatives that allow names they do not know, and how many of them require each name.
        self.open = [index for index, term in enumerate(self.unknown) if term is not FALSE]
        self.required_by = Counter(name for index in self.open for name in self.required[index])

    def asked(self, name: str) -> list[Term]:
        """What the alternatives ask of a name, without repetition by those that do not know it."""
        known = self.knowing[name]
        left = self.ways.copy()
        left.subtract(self.unknown[index] for index in known)
        return [*known.values(), *(term for term, count in left.items() if count)]

    def called(self, name: str) -> list[str]:
        """The names that must be there with a name: those that every alternative requires that allows it."""
        known = self.knowing.get(name, {})
        special = dict.fromkeys((*known, *self.calling.get(name, ())))
        allowing = [index for index in special if known.get(index, self.unknown[index]) is not FALSE]
        called = [dict.fromkeys((*self.shapes[i].required, *self.shapes[i].calls.get(name, ()))) for i in allowing]
        left = len(self.open) - sum(self.unknown[index] is not FALSE for index in special)
        if left:
            other = next(index for index in self.open if index not in special)
            called.append(dict.fromkeys(self.shapes[other].required))
        among = [self.required[index] for index in special if self.unknown[index] is not FALSE]
        return [
            each
            for each in (called[0] if called else ())
            if all(each in one for one in called)
            and (not left or self.required_by[each] - sum(each in one for one in among) == left)
        ]

    def most(self, index: int) -> int | None:
        """The most properties that an alternative can have: its own limit, or as many as it allows when it is closed."""
        shape = self.shapes[index]
        if not any(group.closed and not group.patterns for group in shape.groups):
            return shape.high
        allowed = sum(self.knowing[name][index] is not FALSE for name in shape.known)
        return allowed if shape.high is None else min(allowed, shape.high)
