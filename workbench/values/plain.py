"""Whether a value in memory is one that JSON has."""

from __future__ import annotations

from math import isfinite
from typing import Any, TypeAlias

from workbench.errors import InputError, LimitError
from workbench.values.pointer import join
from workbench.values.reader import MAX_DEPTH

__all__ = ["refuse_foreign"]

_Place: TypeAlias = "tuple[_Place, str | int] | tuple[()]"


def refuse_foreign(value: Any, *, source: str = "") -> None:
    """
    Accept dicts with strings for names, lists, strings, numbers, booleans and None, at any place of a value.

    Raises:
        InputError: anything else, a tuple too, or a number that is not finite; its pointer says where.
        LimitError: the value is nested deeper than 500 levels, as one that holds itself is.
    """
    stack: list[tuple[Any, _Place, int]] = [(value, (), 0)]
    while stack:
        here, place, depth = stack.pop()
        if depth > MAX_DEPTH:
            raise LimitError(f"the value is nested deeper than {MAX_DEPTH} levels", source=source)
        if isinstance(here, dict):
            for name, child in here.items():
                if not isinstance(name, str):
                    raise InputError(
                        f"a name that is no string, but {_kind(name)}", source=source, pointer=_pointer(place)
                    )
                stack.append((child, (place, name), depth + 1))
        elif isinstance(here, list):
            stack += [(child, (place, index), depth + 1) for index, child in enumerate(here)]
        elif not (here is None or isinstance(here, str | int) or (isinstance(here, float) and isfinite(here))):
            raise InputError(f"JSON has no value like this: {_kind(here)}", source=source, pointer=_pointer(place))


def _kind(value: Any) -> str:
    return str(value) if isinstance(value, float) else f"a Python {type(value).__name__}"


def _pointer(place: _Place) -> str:
    tokens: list[str | int] = []
    while place:
        place, token = place
        tokens.append(token)
    return join("", *reversed(tokens))
