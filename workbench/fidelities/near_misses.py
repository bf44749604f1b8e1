"""
Near-misses: instances changed in one place, most of which a precise schema no longer accepts.

The changes know no schema, only JSON and the other instances at hand: a member or item goes, a value becomes one of another
type or steps over a limit, an unknown member comes, a part is exchanged for the same part of another instance, or the members
of two instances are put together. The last two are what tells a union from the join of its branches.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Final

__all__ = ["near_miss"]

_OTHER_TYPES: Final[tuple[Any, ...]] = ("text", 7, -1.5, True, None, [], {})


def near_miss(random: Random, instance: dict[str, Any], others: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The instance, or two put together, with one change; a copy."""
    change = random.random()
    other = random.choice(others) if others else instance
    if change < 0.15:
        both: dict[str, Any] = _copy(other) | _copy(instance)
        return both
    copy: dict[str, Any] = _copy(instance)
    places = _places(copy)
    holder, key = random.choice(places) if places else (copy, "")
    if change < 0.25 or not places:
        parent = holder[key] if places and isinstance(holder[key], dict) else copy
        parent[f"extra{random.randint(1, 99)}"] = random.choice(_OTHER_TYPES)
    elif change < 0.45:
        del holder[key]
    elif change < 0.6:
        holder[key] = random.choice(_OTHER_TYPES)
    elif change < 0.7 and key in other and holder is copy:
        holder[key] = _copy(other[key])
    else:
        holder[key] = _moved(random, holder[key])
    return copy


def _moved(random: Random, value: Any) -> Any:
    """A value of the same type, a little aside."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return random.choice((value + 1, value - 1, -value, value + 0.5, value * 1000))
    if isinstance(value, str):
        return random.choice((value + "x", value[:-1], "", value.swapcase(), " " + value, value * 20))
    if isinstance(value, list):
        return random.choice((value + value[:1], value[1:], [*value, None], value * 5, []))
    return {} if value else None


def _places(value: Any) -> list[tuple[Any, Any]]:
    """Every member and item below a value, as the object or array that holds it and its name or index."""
    found: list[tuple[Any, Any]] = []
    stack = [value]
    while stack:
        here = stack.pop()
        held = list(here.items()) if isinstance(here, dict) else list(enumerate(here))
        for key, below in held:
            found.append((here, key))
            if isinstance(below, dict | list):
                stack.append(below)
    return found


def _copy(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _copy(each) for name, each in value.items()}
    return [_copy(each) for each in value] if isinstance(value, list) else value
