"""
Terms: what a schema position means, before it is looked at.

A term is a formula over places of the document: `At(place)`, conjunction, disjunction, negation, true and false. The
constructors flatten, drop duplicates and what is absorbed, know that nothing is both a term and its negation, and keep the
order in which things were written. Equal terms are one object, so a recursive schema has finitely many terms, which is what
lets recursion be unrolled lazily and results be remembered.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from workbench.lowering.document import Place

__all__ = ["FALSE", "TRUE", "At", "Not", "Several", "Term", "Terms"]


Kind: TypeAlias = Literal["all", "any", "free"]
_DUAL: Final[dict[Kind, Kind]] = {"all": "any", "any": "all"}


@dataclass(frozen=True, slots=True, eq=False)
class Constant:
    """Anything, or nothing."""

    value: bool


@dataclass(frozen=True, slots=True, eq=False)
class At:
    """What the schema at a place accepts."""

    place: Place


@dataclass(frozen=True, slots=True, eq=False)
class Not:
    """What a term does not accept."""

    term: Term


@dataclass(frozen=True, slots=True, eq=False)
class Several:
    """What all of some terms accept together (a meet), or any of them (a join); or anything, of which the terms only tell."""

    kind: Kind
    terms: tuple[Term, ...]


Term: TypeAlias = Constant | At | Not | Several

TRUE: Final = Constant(True)
FALSE: Final = Constant(False)


class Terms:
    """Makes terms, each one once."""

    def __init__(self) -> None:
        self._known: dict[object, Term] = {}

    def at(self, place: Place) -> Term:
        """The term of a place; a boolean or empty schema is its constant."""
        if isinstance(place.schema, bool):
            return TRUE if place.schema else FALSE
        return TRUE if place.schema.accepts_all else self._once(place, At(place))

    def all(self, terms: Iterable[Term]) -> Term:
        """The meet of some terms; of none, everything."""
        return self._several("all", terms, unit=TRUE, zero=FALSE)

    def any(self, terms: Iterable[Term]) -> Term:
        """The join of some terms; of none, nothing."""
        return self._several("any", terms, unit=FALSE, zero=TRUE)

    def free(self, told_by: Iterable[Term]) -> Term:
        """Everything, described as the terms are: a name that one branch leaves free is still what the others say it is."""
        parts = tuple(dict.fromkeys(term for term in told_by if not isinstance(term, Constant)))
        return self._once(("free", parts), Several("free", parts)) if parts else TRUE

    def negate(self, term: Term) -> Term:
        """The complement of a term."""
        if isinstance(term, Constant):
            return FALSE if term.value else TRUE
        return term.term if isinstance(term, Not) else self._once(("not", term), Not(term))

    def _several(self, kind: Kind, terms: Iterable[Term], *, unit: Term, zero: Term) -> Term:
        flat: dict[Term, None] = {}
        for term in terms:
            if term is zero:
                return zero
            for part in term.terms if isinstance(term, Several) and term.kind == kind else (term,):
                if part is not unit:
                    flat[part] = None
        if any(isinstance(part, Not) and part.term in flat for part in flat):
            return zero
        # x and (x or y) is x, and so is x or (x and y).
        parts = tuple(
            part
            for part in flat
            if not (isinstance(part, Several) and part.kind == _DUAL[kind] and not flat.keys().isdisjoint(part.terms))
        )
        if len(parts) <= 1:
            return parts[0] if parts else unit
        return self._once((kind, parts), Several(kind, parts))

    def known(self, kind: Kind, parts: tuple[Term, ...]) -> Term:
        """The term of some parts as it is, if it was made before; else one that nothing is known of."""
        return self._known.get((kind, parts), TRUE)

    def _once(self, key: object, term: Term) -> Term:
        return self._known.setdefault(key, term)
