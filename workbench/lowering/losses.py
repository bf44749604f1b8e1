"""What a lowering gives back: the schema, whether it fits, and every place where it gave something up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

__all__ = ["Bound", "Loss", "Lowered"]


@dataclass(frozen=True, slots=True, order=True)
class Loss:
    """One place where lowering changed the schema: what was done there, and whether that changed what is accepted."""

    #: JSON Pointer from the root of the original schema to the keyword or value.
    pointer: str
    #: The keyword concerned.
    keyword: str
    #: What was done, in a few words: `annotation removed`, `branches joined`, `freed to fit`, ...
    action: str
    #: True: the lowered schema accepts the same objects as before. False: it may accept more.
    exact: bool
    #: Why, in words for a person.
    detail: str = ""

    def to_json(self) -> dict[str, Any]:
        """The loss as one JSON object."""
        return {
            "pointer": self.pointer,
            "keyword": self.keyword,
            "action": self.action,
            "exact": self.exact,
            "detail": self.detail,
        }


@dataclass(frozen=True, slots=True)
class Bound:
    """The size a lowered schema may have: `count(wrap(text of the schema)) <= limit`."""

    #: The size of a text, in the caller's unit: tokens of an encoding, as a rule.
    count: Callable[[str], int]
    #: The largest size allowed, in the same unit.
    limit: int
    #: Puts the schema's JSON text into the document that is to be measured.
    wrap: Callable[[str], str] = str


@dataclass(frozen=True, slots=True)
class Lowered:
    """A schema inside the compact structural subset, and what became of the original on the way."""

    schema: dict[str, Any]
    losses: tuple[Loss, ...]
    #: False: the bound is smaller than `{"type":"object","properties":{}}`, which is what `schema` is then.
    fits: bool = True

    @property
    def exact(self) -> bool:
        """True when the lowered schema accepts exactly the objects that the original accepts."""
        return all(loss.exact for loss in self.losses)
