"""
Descriptions of one tool within their limits, and within what the tool cost before.

A cut can cost a token. Where that makes a descriptor dearer than the standard one, the text is cut further until it does not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count, repeat
from typing import Any, Final

from workbench.descriptions import measure, shorten
from workbench.projection.losses import ToolLoss, of_text
from workbench.projection.policy import Policy
from workbench.tokens import Encoding
from workbench.values import dumps
from workbench.walk import walk

__all__ = ["relieved", "shortened"]

#: Steps of one after which a further cut takes larger ones.
_PATIENCE: Final = 16


def shortened(compact: dict[str, Any], tool_id: str, policy: Policy, counts: Encoding, limit: int) -> list[ToolLoss]:
    """Shortens descriptions in place, first to their limits, then to `limit` tokens of the descriptor; gives what was lost."""
    texts = _descriptions(compact)
    for text in texts:
        most = policy.max_description if text.pointer == "/description" else policy.max_parameter_description
        if most is not None:
            text.now = shorten(text.now, most, unit=policy.unit, strategy=policy.strategy, encoding=counts)
    # Where a cut made the descriptor dearer than the standard one, it goes on in the texts that were cut.
    for text in sorted(texts, key=lambda text: text.now == text.whole):
        text.now = relieved(text.now, text.fits(compact, counts, limit), policy, counts)
    losses = []
    for text in texts:
        if text.now != text.whole:
            before, after = (measure(each, policy.unit, encoding=counts) for each in (text.whole, text.now))
            losses.append(of_text(tool_id, text.pointer, before, after, policy.unit))
    return losses


def relieved(text: str, fits: Callable[[str], bool], policy: Policy, counts: Encoding) -> str:
    """A text cut further, by ever larger steps, until it fits or nothing of it is left; as it is where it fits."""
    for step in _steps():
        if not text or fits(text):
            break
        most = max(0, measure(text, policy.unit, encoding=counts) - step)
        text = shorten(text, most, unit=policy.unit, strategy=policy.strategy, encoding=counts)
    return text


def _steps() -> Iterator[int]:
    """How much further a text is cut at a time: by one at first, since that is nearly always enough, then ever more."""
    yield from repeat(1, _PATIENCE)
    for exponent in count(1):
        yield 2**exponent


class _Description:
    """A description at its place in a descriptor."""

    __slots__ = ("holder", "pointer", "whole")

    def __init__(self, holder: dict[str, Any], pointer: str) -> None:
        self.holder = holder
        self.pointer = pointer
        self.whole: str = holder["description"]

    @property
    def now(self) -> str:
        text: str = self.holder["description"]
        return text

    @now.setter
    def now(self, text: str) -> None:
        self.holder["description"] = text

    def fits(self, compact: dict[str, Any], counts: Encoding, limit: int) -> Callable[[str], bool]:
        """Says of a text at this place whether the descriptor with it costs at most `limit` tokens."""

        def fits(text: str) -> bool:
            self.now = text
            return counts.count(dumps(compact)) <= limit

        return fits


def _descriptions(compact: dict[str, Any]) -> list[_Description]:
    """That of the tool, then those at the schema positions of its arguments."""
    found = [_Description(compact, "/description")] if isinstance(compact.get("description"), str) else []
    return found + [
        _Description(visit.schema, f"/inputSchema{visit.pointer}/description")
        for visit in walk(compact.get("inputSchema"))
        if isinstance(visit.schema, dict) and isinstance(visit.schema.get("description"), str)
    ]
