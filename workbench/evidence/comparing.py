"""Comparing: two JSON values in, every place where they differ out, by its pointer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any, Final

from workbench.values import dumps, equal, join

__all__ = ["CHANGED", "Difference", "differing", "leaves"]

CHANGED: Final = "changed"
_EXTRA: Final = "only in the bundle"
_MISSING: Final = "missing in the bundle"
#: Elements up to which two lists of different lengths are laid side by side; longer ones are compared place by place.
_ALIGNED: Final = 2_000
#: Steps of a pointer below which values are compared as wholes: recursion has its end, and sampled arguments may go deeper.
_DEEPEST: Final = 64


@dataclass(frozen=True, slots=True)
class Difference:
    """
    One place of a bundle that does not hold: what stands there, and what comes out.

    `pointer` counts from the root of the bundle; of something that is missing there, it is the place where it belongs.
    """

    pointer: str
    old: Any
    new: Any
    what: str = CHANGED

    def to_json(self) -> dict[str, Any]:
        """The difference as an object; `old` or `new` is left out where nothing is there."""
        sides = {"old": self.old, "new": self.new}
        for side, name in ((_MISSING, "old"), (_EXTRA, "new")):
            if self.what == side:
                del sides[name]
        return {"pointer": self.pointer, "what": self.what, **sides}


def differing(old: Any, new: Any, pointer: str = "") -> Iterator[Difference]:
    """The differences of two values as JSON has them (1 and 1.0 are equal), in document order of `old`, as deep as they go."""
    if equal(old, new):
        return
    if pointer.count("/") > _DEEPEST:
        yield Difference(pointer, old, new)
    elif isinstance(old, dict) and isinstance(new, dict):
        for name, value in old.items():
            place = join(pointer, name)
            yield from differing(value, new[name], place) if name in new else [Difference(place, value, None, _EXTRA)]
        for name, value in new.items():
            if name not in old:
                yield Difference(join(pointer, name), None, value, _MISSING)
    elif isinstance(old, list) and isinstance(new, list):
        yield from _lists(old, new, pointer)
    else:
        yield Difference(pointer, old, new)


def leaves(value: Any) -> int:
    """How many values an object or list holds that are neither, at any depth; an empty one is one itself."""
    waiting, count = [value], 0
    while waiting:
        each = waiting.pop()
        inner = each.values() if isinstance(each, dict) else each if isinstance(each, list) else ()
        waiting += inner
        count += not inner
    return count


def _lists(old: list[Any], new: list[Any], pointer: str) -> Iterator[Difference]:
    """Lists of one length place by place; of others, what is the same in both is laid side by side first."""
    for (begin, end), (start, stop) in _parts(old, new):
        both = min(end - begin, stop - start)
        for step in range(both):
            yield from differing(old[begin + step], new[start + step], join(pointer, begin + step))
        for place in range(begin + both, end):
            yield Difference(join(pointer, place), old[place], None, _EXTRA)
        for place in range(start + both, stop):
            yield Difference(join(pointer, place), None, new[place], _MISSING)


def _parts(old: list[Any], new: list[Any]) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """The ranges of both lists that belong together and are not known to be equal."""
    if len(old) == len(new) or max(len(old), len(new)) > _ALIGNED:
        yield (0, len(old)), (0, len(new))
        return
    matcher = SequenceMatcher(None, [dumps(each) for each in old], [dumps(each) for each in new], autojunk=False)
    for kind, begin, end, start, stop in matcher.get_opcodes():
        if kind != "equal":
            yield (begin, end), (start, stop)
