"""
Choosing what a lowered schema says: everything, where that is within the bound; else what is worth most for its price.

Inlining references and joining branches can make a schema longer than it was. Where the whole would cost more than the
bound, precision is bought where it rejects most per token. Every item has a *worth* (how much of what should be rejected
it is guessed to reject: the weight of its part, which shrinks with every optional step on the way down, times a worth by
keyword) and a *price* (the tokens of its own text). Items are taken in the order of worth per token, an item only after
those it rests on, so that each prefix of the order is a sound schema; the longest prefix that fits by exact count is kept.
What the first item that did not fit leaves room for is filled by going on behind it, a few times.

Descriptions stand on the same list, with a high worth: the first time a text is said it comes before all but cheap strong
statements (a type, the required names), and its repetitions (by inlining) come last.
"""

from __future__ import annotations

import heapq
import json
from collections import deque
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any, Final

from workbench.lowering.losses import Bound, Loss
from workbench.lowering.parts import Item, Part, pointer
from workbench.lowering.plan import Opener
from workbench.lowering.terms import Constant, Term
from workbench.values import dumps

__all__ = ["Selection", "fit", "whole"]

#: Without a bound: the size of a result, in characters, up to which recursion and repetition are written out.
FREE_SIZE: Final = 40_000
#: The deepest position that is written: JSON readers give up beyond some hundred levels, two or three for each of ours.
DEEPEST: Final = 120
#: How often the search goes on behind an item that did not fit.
_ROUNDS: Final = 6
#: Ordering goes on until the prices add up to this much of the bound, since prices only estimate.
_SLACK: Final = 1.6
#: The most items that are put in order.
_MOST_ITEMS: Final = 20_000


#: Keywords that say nothing when what stands under them says nothing.
_MUTE: Final = frozenset({"items", "additionalProperties", "propertyNames"})


class Selection:
    """The parts of a lowering, and which of their items are kept."""

    def __init__(self, root: Part, opener: Opener) -> None:
        self.root, self.opener = root, opener

    def render(self) -> Any:
        """The schema that the kept items make."""
        return _render(self.root)

    def size_is_within(self, size: int) -> bool:
        """Opens every part and keeps every item, until nothing is left (True) or the text is surely longer than `size`."""
        queue, length, complete = deque([self.root]), 0, True
        while queue:
            part = queue.popleft()
            for item in self.opener.open(part):
                item.kept = True
                length += _length(item)
                below = list(item.parts())
                queue.extend(each for each in below if each.depth < DEEPEST)
                complete = complete and all(each.depth < DEEPEST for each in below)
            if length > size:
                return False
        return complete

    def clear(self) -> None:
        """Keeps no item."""
        for part in self.parts():
            for item in part.items or ():
                item.kept = False

    def parts(self) -> Iterator[Part]:
        """Every part that has been opened, or stands under a kept item."""
        stack = [self.root]
        while stack:
            part = stack.pop()
            yield part
            for item in part.items or ():
                stack.extend(item.parts())

    def losses(self) -> list[Loss]:
        """What the selection gave up: at its parts, by the items left out, and below parts that were never opened."""
        losses: list[Loss] = []
        stack = [self.root]
        while stack:
            part = stack.pop()
            losses += part.losses
            if part.items is None and not isinstance(part.term, Constant):
                losses.append(Loss(pointer(part.term), "", "freed to fit", False, "everything below"))
            kept = [item for item in part.items or () if item.kept]
            losses += [item.loss for item in part.items or () if not item.kept and item.loss is not None]
            stack += [below for item in reversed(kept) for below in reversed(list(item.parts()))]
        return losses


def fit(selection: Selection, bound: Bound, text_of: Callable[[Any], str]) -> bool:
    """Selects the items that are worth most within the bound; False when not even none of them fits."""

    def fits() -> bool:
        return bound.count(bound.wrap(text_of(selection.render()))) <= bound.limit

    if selection.size_is_within(_longest(bound)) and fits():
        return True
    selection.clear()
    if not fits():
        return False
    free = bound.limit - bound.count(bound.wrap(text_of({})))
    order = _ordered(selection, bound.count, free * _SLACK)
    kept = 0
    for _ in range(_ROUNDS):
        kept = _longest_prefix(order, kept, fits)
        dropped = order[kept : kept + 1]
        if not dropped:
            break
        order = order[:kept] + [item for item in order[kept + 1 :] if not _rests_on(item, dropped[0])]
    return True


def _longest(bound: Bound) -> int:
    """More characters than any text has that fits: no common token of JSON is longer than this on average."""
    return bound.limit * 12 + 200


def _longest_prefix(order: list[Item], low: int, fits: Callable[[], bool]) -> int:
    """Keeps the longest prefix of the order that fits, and says how long it is; the first `low` items are known to fit."""

    def keep(length: int) -> bool:
        for index, item in enumerate(order):
            item.kept = index < length
        return fits()

    # Behind what is known to fit only little more does, so that is felt for in growing steps; at first, all is tried.
    step = 1 if low else len(order)
    high = min(low + step, len(order))
    while high > low and keep(high):
        low, step = high, 2 * step
        high = min(low + step, len(order))
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if keep(middle) else (low, middle)
    while low and not keep(low):  # a longer text may count fewer tokens, so the search may stop one too far
        low -= 1
    keep(low)
    return low


def _rests_on(item: Item, other: Item) -> bool:
    """Whether an item makes sense only beside another one of its part, or stands below it."""
    here: Item | None = item
    while here is not None:
        if here is other or other in here.after:
            return True
        here = here.above
    return False


def _ordered(selection: Selection, size: Callable[[str], int], most: float) -> list[Item]:
    """The items in the order of worth per price, each after those it rests on."""
    order: list[Item] = []
    heap: list[tuple[float, int, Item]] = []
    tie, spent = count(), 0.0
    waiting: dict[Item, list[Item]] = {}

    def push(item: Item) -> None:
        heapq.heappush(heap, (-item.worth * item.weight / item.price, next(tie), item))

    def offer(part: Part) -> None:
        for item in selection.opener.open(part):
            item.price, item.weight = _price(item, size), part.weight
            for other in item.after:
                waiting.setdefault(other, []).append(item)
            if not item.after:
                push(item)

    offer(selection.root)
    chosen: set[Item] = set()
    while heap and spent <= most and len(order) < _MOST_ITEMS:
        _, _, item = heapq.heappop(heap)
        order.append(item)
        chosen.add(item)
        spent += item.price
        for part in item.parts():
            if part.depth < DEEPEST:
                offer(part)
                for each in part.items or ():
                    each.above = item
        for other in waiting.pop(item, ()):
            if chosen.issuperset(other.after):
                push(other)
    return order


def _price(item: Item, size: Callable[[str], int]) -> float:
    """The price of an item's own text, with empty schemas in the place of its parts."""
    return float(max(1, size(f'"{item.keyword}":{dumps(_shell(item.value))},')))


def _length(item: Item) -> int:
    return len(item.keyword) + 4 + len(json.dumps(_shell(item.value), ensure_ascii=False, separators=(",", ":")))


def _shell(value: Any) -> Any:
    if isinstance(value, Part):
        return {}
    if isinstance(value, dict):
        return {name: {} if isinstance(each, Part) else each for name, each in value.items()}
    if isinstance(value, list):
        return [{} if isinstance(each, Part) else each for each in value]
    return value


def _render(part: Part) -> Any:
    """The schema of a part; recursion is bounded by `DEEPEST`."""
    if isinstance(part.term, Constant) and not part.items:
        return {} if part.term.value else False
    said = {item.keyword: _rendered(item.value) for item in part.items or () if item.said}
    return {name: value for name, value in said.items() if value != {} or name not in _MUTE}


def _rendered(value: Any) -> Any:
    if isinstance(value, Part):
        return _render(value)
    if isinstance(value, dict):
        return {name: _render(each) if isinstance(each, Part) else each for name, each in value.items()}
    if isinstance(value, list):
        return [_render(each) if isinstance(each, Part) else each for each in value]
    return value


def whole(opener: Opener, term: Term, size: int) -> tuple[Any, bool]:
    """A term written out completely, and whether that is exact; False and nothing where it is longer than `size`."""
    selection = Selection(Part(term), opener)
    if not selection.size_is_within(size):
        return {}, False
    return selection.render(), all(loss.exact for loss in selection.losses())
