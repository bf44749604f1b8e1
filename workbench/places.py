"""Places in a document, in the order in which a reader meets them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from workbench.values import split

__all__ = ["Place", "places"]

#: Where something is, as the index of each step down; places compare in document order, a value before what it holds.
Place = tuple[int, ...]


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
