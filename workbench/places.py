"""Places in a document, in the order in which a reader meets them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Protocol, TypeAlias, TypeVar

from workbench.errors import LimitError
from workbench.values import split

__all__ = ["Place", "in_order", "places"]

Place: TypeAlias = tuple[int, ...]
"""Where something is, as the index of each step down; places compare in document order, a value before what it holds."""

#: Characters that all pointers into one document may have together; a hostile one could ask for gigabytes.
_MAX_POINTERS = 20_000_000


class Pointed(Protocol):
    """Something found in a document."""

    @property
    def pointer(self) -> str: ...


_P = TypeVar("_P", bound=Pointed)


def places(document: Any) -> Callable[[str], Place]:
    """
    A function that turns pointers into `document` into sort keys for document order.

    A pointer that leads out of the document sorts directly after the last value that is there. The document must not change
    while the function is in use.
    """
    orders: dict[int, dict[str, int]] = {}

    def place(pointer: str) -> Place:
        here, steps = document, []
        for token in split(pointer):
            if isinstance(here, dict) and token in here:
                order = orders.get(id(here))
                if order is None:
                    order = orders[id(here)] = {name: index for index, name in enumerate(here)}
                steps.append(order[token])
                here = here[token]
            elif isinstance(here, list) and token.isdecimal() and int(token) < len(here):
                steps.append(int(token))
                here = here[int(token)]
            else:
                break
        return tuple(steps)

    return place


def in_order(found: Iterable[_P], document: Any, base: str = "") -> list[_P]:
    """
    What was found in a document, in document order; what has the same place stays in the order given.

    `base` is the pointer of the document itself, with which all others begin.

    Raises:
        LimitError: the pointers have more than 20 million characters together; it is raised before all of them are made.
    """
    kept, characters = [], 0
    for item in found:
        kept.append(item)
        characters += len(item.pointer)
        if characters > _MAX_POINTERS:
            message = f"the findings need more than {_MAX_POINTERS:,} characters of JSON Pointers"
            raise LimitError(message, pointer=item.pointer[:200])
    place = places(document)
    return sorted(kept, key=lambda item: place(item.pointer.removeprefix(base)))
