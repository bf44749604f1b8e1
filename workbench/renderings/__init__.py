"""
Renderings: the text that a model is really sent for a catalog.

Every token count belongs to a rendering, because the way a catalog is written out moves its cost by a fifth and more.
A rendering turns a catalog into segments, pieces of text that know what they are; joined, they are the text. To add one, write
its layout in `formats` and add a row to `_ROWS`.

How sure a count is, is part of the row. `exact`: these are the tokens of what is sent, no more and no less. `lower bound`: a
model that is shown this JSON pays for it and for what its provider puts around it, which nobody publishes; nor does every
provider publish its vocabulary, and some rewrite the schemas first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from workbench.catalog import Catalog
from workbench.errors import UsageError
from workbench.renderings import formats, harmony
from workbench.renderings.formats import tight_segments
from workbench.renderings.segments import OUTSIDE, Kind, Place, Segment
from workbench.tokens import Encoding

__all__ = ["OUTSIDE", "RENDERINGS", "Certainty", "Kind", "Place", "Rendering", "Segment", "rendering"]

Certainty: TypeAlias = Literal["exact", "lower bound"]


def _no_remarks(_catalog: Catalog, _encoding: str) -> Iterator[str]:
    return iter(())


@dataclass(frozen=True, slots=True)
class Rendering:
    """A way to write a catalog out for a model."""

    name: str
    summary: str
    segments: Callable[[Catalog], Iterator[Segment]]
    #: How sure a count of tokens is, for whoever is sent this text.
    certainty: Certainty
    #: The same in words.
    assurance: str
    #: Tokens that stand around the text and are no text (a format's own marks); the same for every catalog and encoding.
    framing: int = 0
    #: What a reader of a count should know about this catalog in this rendering, under the encoding of that name.
    remarks: Callable[[Catalog, str], Iterator[str]] = _no_remarks

    def text(self, catalog: Catalog) -> str:
        """The whole text, that is, the segments joined."""
        return "".join(segment.text for segment in self.segments(catalog))

    def count(self, catalog: Catalog, encoding: Encoding) -> int:
        """The tokens of the whole text and of what stands around it; any error of `segments` and of `Encoding.count`."""
        return encoding.count(self.text(catalog)) + self.framing


def _harmony_remarks(catalog: Catalog, encoding: str) -> Iterator[str]:
    if not encoding.startswith("o200k"):
        yield f"the models that are given this text read it under o200k_harmony, not {encoding}"
    if hidden := harmony.shown_as_any(catalog):
        yield (
            f"{catalog.view} view: {hidden:,} schemas (references, anyOf, allOf, const, no type) are shown to the model as `any`; "
            "where the other view writes them out, it can cost more tokens and tell the model more"
        )


def _received_remarks(catalog: Catalog, _encoding: str) -> Iterator[str]:
    if not catalog.received:
        yield f"{catalog.view} view: it was computed, not received, so it is counted as `wire`"


_AS_SENT: Final = "exact: every token of this text"
_AND_MORE: Final = (
    "a lower bound for a model that is shown this JSON: its provider adds framing that it does not publish"
)
_ROWS: Final = (
    Rendering(
        "wire",
        'the JSON text of {"tools":[...]}, without spaces',
        tight_segments(formats.wire),
        "exact",
        _AS_SENT,
    ),
    Rendering(
        "spaced",
        "the same with a space after each comma and colon, as many JSON writers have it",
        formats.spaced_segments,
        "exact",
        _AS_SENT,
    ),
    Rendering(
        "received",
        "the text that the catalog was read from, to the letter",
        formats.received_segments,
        "exact",
        _AS_SENT,
        remarks=_received_remarks,
    ),
    Rendering("mcp", "the result of an MCP server's tools/list", tight_segments(formats.mcp), "exact", _AS_SENT),
    Rendering(
        "openai",
        "the tools of a request to OpenAI's Chat Completions",
        tight_segments(formats.openai),
        "lower bound",
        f"{_AND_MORE}; OpenAI's open models are given a shorter text (rendering harmony)",
    ),
    Rendering(
        "openai-responses",
        "the tools of a request to OpenAI's Responses",
        tight_segments(formats.openai_responses),
        "lower bound",
        f"{_AND_MORE}; OpenAI's open models are given a shorter text (rendering harmony)",
    ),
    Rendering(
        "anthropic",
        "the tools of a request to Anthropic's Messages",
        tight_segments(formats.anthropic),
        "lower bound",
        f"{_AND_MORE}, nor the vocabulary it counts with",
    ),
    Rendering(
        "gemini",
        "the tools of a request to Gemini's generateContent",
        tight_segments(formats.gemini),
        "lower bound",
        f"{_AND_MORE}, and it counts with another vocabulary",
    ),
    Rendering(
        "harmony",
        "the message that OpenAI's open-weight models are given, written by openai-harmony",
        harmony.harmony_segments,
        "exact",
        "exact for OpenAI's open-weight models: the message that offers the tools, the four tokens around it included",
        harmony.FRAMING,
        _harmony_remarks,
    ),
)

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
