"""
Shapes: what a term accepts, JSON type by JSON type. This is the lattice that the lowering computes in.

An assertion of JSON Schema looks at one type and lets every other type pass (validation, 6). What a schema accepts is
therefore described exactly by one constraint for each type, and a union of branches by several for each: a `Node` holds,
per type, the *alternatives* of which an instance of that type must meet one. No alternative means that the type is
rejected; an unconstrained one that it is free.

- The meet of two nodes pairs their alternatives, type by type (`meet.py`).
- The join of two nodes puts their alternatives side by side, which is exact. Only when a node is written down do they have
  to become one schema without `anyOf`; that is where precision is lost, and where the loss is recorded (`join.py`).

Alternatives are immutable. Their subschemas are terms, looked at only when somebody asks.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from workbench.lowering.losses import Loss
from workbench.lowering.terms import FALSE, TRUE, Term
from workbench.values import freeze

__all__ = [
    "BOTH",
    "BOTTOM",
    "MOST_EXACT",
    "SHAPED",
    "TOP",
    "ArrayShape",
    "Contains",
    "Finite",
    "Group",
    "Look",
    "Node",
    "NumberShape",
    "ObjectShape",
    "StringShape",
    "Values",
    "Words",
]


class Finite(tuple[Any, ...]):  # noqa: SLOT001 - it remembers its keys
    """JSON values in the order they were written, compared as JSON has it: 1 is 1.0, true is not 1 (validation, 6.1.2)."""

    @cached_property
    def keys(self) -> tuple[Hashable, ...]:
        """What stands for the values where they are compared."""
        return tuple(map(freeze, self))

    @cached_property
    def known(self) -> frozenset[Hashable]:
        """The keys, for looking a value up."""
        return frozenset(self.keys)

    def has(self, value: Any) -> bool:
        """Whether a value is among them."""
        return bool(self) and freeze(value) in self.known

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Finite) and self.keys == other.keys

    def __hash__(self) -> int:
        return hash(self.keys)


NO_VALUES: Final = Finite()
#: Integers up to here are exact as floats too.
MOST_EXACT: Final = 2**53

#: A finite set of values; None where any value may stand.
Values = Finite | None


@dataclass(frozen=True, slots=True)
class NumberShape:
    """Numbers between bounds; `integer` as 2020-12 reads it, so that 1.0 is one."""

    low: int | float | None = None
    low_open: bool = False
    high: int | float | None = None
    high_open: bool = False
    integer: bool = False
    multiples: tuple[int | float, ...] = ()
    formats: tuple[str, ...] = ()
    values: Values = None
    excluded: Finite = NO_VALUES


@dataclass(frozen=True, slots=True)
class StringShape:
    """Strings by length (in code points), patterns that must all be found, and formats."""

    low: int = 0
    high: int | None = None
    patterns: tuple[str, ...] = ()
    formats: tuple[str, ...] = ()
    values: Values = None
    excluded: Finite = NO_VALUES


@dataclass(frozen=True, slots=True)
class Contains:
    """At least `low` and at most `high` items that a term accepts."""

    term: Term
    low: int = 1
    high: int | None = None


@dataclass(frozen=True, slots=True)
class ArrayShape:
    """Arrays: the first items one by one, then the rest, their number, and what they must contain."""

    prefix: tuple[Term, ...] = ()
    rest: Term = TRUE
    low: int = 0
    high: int | None = None
    unique: bool = False
    contains: tuple[Contains, ...] = ()
    values: Values = None

    def item(self, index: int) -> Term:
        """What the item at an index must meet."""
        return self.prefix[index] if index < len(self.prefix) else self.rest


#: Patterns that are found in every text, whichever engine looks: each can match nothing at all, somewhere.
MATCH_ALL: Final = frozenset(
    {"", "^", "$", ".*", "^.*", ".*$", "(.*)", "^(.*)", "(.*)$", ".*?", "[\\s\\S]*", "^[\\s\\S]*"}
)


#: Names times patterns that are compared; nobody's schema comes near.
_MOST_MATCHES: Final = 50_000


class Words(dict[str, Term]):
    """Names and what their values must meet, in the order they were written; treated as immutable."""

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(tuple(self.items()))


@dataclass(frozen=True)
class Group:
    """What one schema object says of properties: by name, by pattern, and of every name that neither covers."""

    props: Words = field(default_factory=Words)
    patterns: tuple[tuple[str, Term], ...] = ()
    rest: Term = TRUE

    @cached_property
    def others(self) -> tuple[Term, ...]:
        """The terms of which a name without an entry of its own comes under one."""
        every = next((term for pattern, term in self.patterns if pattern in MATCH_ALL), None)
        # In order: terms hash by identity, and a set of them would come out in another order on every run.
        return (
            (every,) if every is not None else tuple(dict.fromkeys((self.rest, *(term for _, term in self.patterns))))
        )

    def sure(self, name: str) -> Term:
        """What the value of this name surely has to meet, patterns aside."""
        return self.props.get(name, TRUE if self.patterns else self.rest)

    @property
    def closed(self) -> bool:
        """Whether only names with an entry, or that a pattern finds, may be there."""
        return self.rest is FALSE and not any(pattern in MATCH_ALL for pattern, _ in self.patterns)


@dataclass(frozen=True)
class ObjectShape:
    """Objects: groups that all hold, required names, their number, the names themselves, and what a name calls for."""

    groups: tuple[Group, ...] = ()
    required: tuple[str, ...] = ()
    low: int = 0
    high: int | None = None
    names: Term = TRUE
    dependents: tuple[tuple[str, tuple[str, ...]], ...] = ()
    values: Values = None

    @cached_property
    def known(self) -> tuple[str, ...]:
        """Every name that some group has an entry for, in order."""
        return tuple(dict.fromkeys(name for group in self.groups for name in group.props))

    @cached_property
    def asks_patterns(self) -> bool:
        """Whether patterns are held against its names; not where they are so many that it would take seconds."""
        return sum(len(group.patterns) for group in self.groups) * len(self.known) <= _MOST_MATCHES

    @cached_property
    def calls(self) -> Mapping[str, tuple[str, ...]]:
        """For each name, the names that must be there when it is."""
        return dict(self.dependents)


@dataclass(frozen=True, slots=True)
class Node:
    """Per JSON type, the alternatives of which an instance must meet one; see the module."""

    null: bool = False
    booleans: frozenset[bool] = frozenset()
    numbers: tuple[NumberShape, ...] = ()
    strings: tuple[StringShape, ...] = ()
    arrays: tuple[ArrayShape, ...] = ()
    objects: tuple[ObjectShape, ...] = ()
    #: What describes it, and the pointers of these texts, the outermost first; several when branches describe themselves.
    descriptions: tuple[tuple[str, str], ...] = ()
    #: Where it gave something up on the way here (not below).
    losses: tuple[Loss, ...] = ()
    #: Where its alternatives come from: recorded as losses if they have to become one.
    unions: tuple[Loss, ...] = ()

    @property
    def exact(self) -> bool:
        """Whether it accepts just what its term accepts, as far as its own level goes."""
        return all(loss.exact for loss in self.losses)

    @property
    def empty(self) -> bool:
        """Whether it accepts nothing."""
        return not (self.null or self.booleans or self.numbers or self.strings or self.arrays or self.objects)

    def alternatives(self) -> Iterator[tuple[str, tuple[Any, ...]]]:
        """The fields that hold alternatives, by name."""
        for name in SHAPED:
            yield name, getattr(self, name)


#: The fields of a node that hold alternatives.
SHAPED: Final = ("numbers", "strings", "arrays", "objects")

BOTH: Final = frozenset({False, True})
BOTTOM: Final = Node()
TOP: Final = Node(True, BOTH, (NumberShape(),), (StringShape(),), (ArrayShape(),), (ObjectShape(),))

#: Makes a node of a term; handed to the functions that must look below.
Look = Callable[[Term], Node]
