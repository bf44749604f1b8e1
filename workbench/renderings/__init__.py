"""
Renderings: the text that a model is really sent for a catalog.

Every token count belongs to a rendering, because the way a catalog is written out moves its cost by a fifth and more.
A rendering turns a catalog into segments, pieces of text that know what they are; joined, they are the text. Another
rendering (a provider's tool format, say) is one more module beside `wire`, and one more row in `RENDERINGS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from workbench.catalog import Catalog
from workbench.errors import UsageError
from workbench.renderings.segments import OUTSIDE, Kind, Place, Segment
from workbench.renderings.wire import wire_segments

__all__ = ["OUTSIDE", "RENDERINGS", "Kind", "Place", "Rendering", "Segment", "rendering"]


@dataclass(frozen=True, slots=True)
class Rendering:
    """A way to write a catalog out for a model."""

    name: str
    summary: str
    segments: Callable[[Catalog], Iterator[Segment]]

    def text(self, catalog: Catalog) -> str:
        """The whole text, that is, the segments joined."""
        return "".join(segment.text for segment in self.segments(catalog))


_ROWS: Final = (Rendering("wire", 'the JSON text of {"tools":[...]} as received, without spaces', wire_segments),)

#: Every rendering by name.
RENDERINGS: Final[Mapping[str, Rendering]] = MappingProxyType({row.name: row for row in _ROWS})


def rendering(name: str = "wire") -> Rendering:
    """
    The rendering of that name.

    Raises:
        UsageError: there is none; the message lists those that there are.
    """
    found = RENDERINGS.get(name)
    if found is None:
        raise UsageError(f"unknown rendering {name!r}; there are: {', '.join(sorted(RENDERINGS))}")
    return found
