"""
The requirements: one row for each normative sentence that a probe decides.

They are those of RFC 0112 and of the catalog rules that it rests on, in our own words. `source` says where the sentence stands:
a section of an RFC, or a page of the specification with its version.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from workbench.findings import Level

__all__ = ["REQUIREMENTS", "Requirement", "of_major"]


@dataclass(frozen=True, slots=True)
class Requirement:
    """One normative sentence: its id, how binding it is, what it asks, where it stands, and the protocol majors it is for."""

    id: str
    level: Level
    text: str
    source: str
    majors: tuple[int, ...] = (1, 2)
    #: The level in 2.x, where that is another one.
    level_v2: Level | None = None


def of_major(major: int) -> Iterator[Requirement]:
    """All requirements in order, each with the level that it has in a major; those of the other major alone too."""
    for requirement in REQUIREMENTS.values():
        level = requirement.level_v2 if major == 2 else None
        yield replace(requirement, level=level or requirement.level, level_v2=None)


_COMPACT: Final = "RFC 0112, Normative requirements"
_SUBSET: Final = "RFC 0112, The compact structural subset"
_CATALOG: Final = "RFC 0078 and tool-catalog.md"

_TABLE: Final = (
    # Discovery
    Requirement(
        "discovery-document",
        "must",
        "The discovery document is a JSON object at /.well-known/openwop, is given to anybody, and has at its root what the schema "
        "of its major requires.",
        "RFC 0073; capabilities.md (1.x and 2.x)",
    ),
    Requirement(
        "discovery-caching",
        "should",
        "The discovery document carries an ETag, and asking again with it is answered 304.",
        "capabilities-change-detection.md (1.x: SHOULD); core/capabilities.md (2.x: MUST)",
        level_v2="must",
    ),
    Requirement(
        "capability-shape",
        "must",
        "What discovery says of toolCatalog is a closed object that fits its schema.",
        "RFC 0112, Capability; capabilities.schema.json",
    ),
    Requirement(
        "capability-root",
        "should",
        "toolCatalog stands at the root of the discovery document, not under the legacy capabilities object.",
        "RFC 0073",
        (1,),
    ),
    # The lists
    Requirement(
        "catalog-served",
        "must",
        "A host that advertises its catalog answers the read of the list with 200 and a list that can be read.",
        f"{_CATALOG}, section B",
    ),
    Requirement(
        "json-media-type", "must", "Answers are of the type application/json.", "openapi.yaml, listTools and getTool"
    ),
    Requirement(
        "standard-list-shape",
        "must",
        "The standard list is a bare array, or an object with the array as tools.",
        f"{_CATALOG}, section B; openapi.yaml, listTools",
    ),
    Requirement(
        "compact-honoured",
        "must",
        "A host that advertises compactView answers view=compact with compact descriptors.",
        f"{_COMPACT} 1",
    ),
    Requirement(
        "compact-unadvertised",
        "must",
        "A host that does not advertise compactView ignores view=compact and answers with the standard view.",
        f"{_COMPACT} 4",
    ),
    Requirement(
        "compact-envelope",
        "must",
        "The compact list is an object with the array as tools, not a bare array.",
        f"{_COMPACT} 1",
    ),
    # Descriptors
    Requirement(
        "compact-closed-fields",
        "must",
        "A compact descriptor has toolId, source, safetyTier, title, description and inputSchema and nothing else; the first "
        "three always, and of the known vocabularies.",
        "RFC 0112, CompactToolDescriptor",
    ),
    Requirement(
        "standard-descriptor",
        "must",
        "Every standard descriptor fits the schema of ToolDescriptor.",
        f"{_CATALOG}, section A",
    ),
    Requirement(
        "exec-source",
        "must",
        "A tool of the tier exec has the source host-extension, in both views.",
        "RFC 0069; RFC 0078",
    ),
    Requirement(
        "compact-root",
        "must",
        'A compact inputSchema has the type "object" and an object of properties at its root.',
        f"{_SUBSET} 1",
    ),
    Requirement(
        "compact-keyword",
        "must",
        "A compact inputSchema has none of the seven banned keywords in any schema position, at any depth.",
        f"{_SUBSET} 2; {_COMPACT} 3",
    ),
    # Ids
    Requirement("same-tool-ids", "must", "Both views list the same toolIds for the same principal.", f"{_COMPACT} 2"),
    Requirement("unique-tool-ids", "must", "A toolId occurs once in a list.", f"{_CATALOG}, section C MUST 3"),
    Requirement(
        "by-id-standard",
        "must",
        "Every listed tool can be read by its id, and is then what the list says it is.",
        f"{_CATALOG}, section B; openapi.yaml, getTool",
    ),
    Requirement(
        "compact-one",
        "must",
        "Reading one tool in the compact view gives one bare compact descriptor.",
        "RFC 0112, Endpoint change",
    ),
    Requirement(
        "by-id-compact",
        "must",
        "Every tool of the compact list can be read by its id in that view, and is then what the list says it is.",
        "RFC 0112, Endpoint change",
    ),
    Requirement(
        "unknown-id", "must", "An id that does not exist is answered 404, in both views.", "openapi.yaml, getTool"
    ),
    Requirement(
        "error-envelope",
        "must",
        "An error is an object of error, message and perhaps details, and nothing else.",
        "error-envelope.schema.json; openapi.yaml",
    ),
    # The parameters
    Requirement(
        "default-view",
        "must",
        "Without view, the answer is that of view=standard.",
        "RFC 0112, Endpoint change; Compatibility",
    ),
    Requirement(
        "unknown-view",
        "should",
        "A view that is not known is answered with the standard view.",
        "tool-catalog.md, compact projection",
    ),
    Requirement(
        "source-filter",
        "should",
        "source=NAME leaves the tools of that source in the list.",
        f"{_CATALOG}, section B",
        (1,),
    ),
    Requirement(
        "source-composes",
        "advice",
        "source and view work together: the compact list of one source.",
        "RFC 0112, Unresolved questions 2",
    ),
    # Who may see what
    Requirement(
        "unauthenticated",
        "must",
        "Without credentials, the list and each tool are answered 401, in both views.",
        "auth.md; RFC 0078",
    ),
    Requirement(
        "principal-scoped",
        "must",
        "Another principal, too, sees the same toolIds in both views.",
        f"{_COMPACT} 2; RFC 0112, Endpoint change; RFC 0074",
    ),
    Requirement(
        "non-disclosure",
        "must",
        "The id of a tool that a principal may not see is answered like an id that does not exist: 404, and nothing that differs.",
        "RFC 0074; tool-catalog.md, section C",
    ),
    Requirement(
        "no-secrets",
        "must",
        "Descriptors carry no credential material, in both views.",
        f"{_CATALOG}, section C MUST 2",
    ),
    # What caching of prompts needs
    Requirement("stable-ids", "must", "Two reads of a list give the same toolIds.", f"{_CATALOG}, section C MUST 3"),
    Requirement(
        "stable-bytes",
        "advice",
        "Two reads of a list give the same bytes, so that a model's provider can cache them.",
        "RFC 0112, Implementation notes; RFC 0116",
    ),
    Requirement(
        "sorted-order",
        "advice",
        "The list is sorted by toolId.",
        "core/tool-catalog.md (2.x: SHOULD); RFC 0204",
        level_v2="should",
    ),
    # What the compact view says of the standard one
    Requirement(
        "fields-agree",
        "must",
        "A compact descriptor has the toolId, source and safetyTier that the standard one has.",
        "RFC 0112, CompactToolDescriptor",
    ),
    Requirement(
        "texts-agree",
        "should",
        "The title and description of a compact descriptor are those of the standard one, as they are or shortened.",
        "RFC 0112, CompactToolDescriptor (a shortened description; the text says no more)",
    ),
    Requirement(
        "description-shortened",
        "should",
        "Descriptions of more than 256 characters are shortened in the compact view.",
        "RFC 0112, CompactToolDescriptor and Unresolved questions 1",
    ),
    Requirement(
        "schemas-kept",
        "advice",
        "An inputSchema of the standard view is there in the compact one too, as it is or brought into the subset.",
        "RFC 0112, CompactToolDescriptor",
    ),
    Requirement(
        "sound-projection",
        "advice",
        "What a tool's standard inputSchema accepts, its compact one accepts too: no valid call is refused.",
        "RFC 0112, CompactToolDescriptor (a projection; the text asks for no soundness)",
    ),
    Requirement(
        "required-known",
        "advice",
        "In a compact inputSchema, required names no property that the projection has lost.",
        "RFC 0112, The compact structural subset (implied)",
    ),
    Requirement(
        "no-loopholes",
        "advice",
        "A compact inputSchema has nothing that the letter of the subset allows and its purpose does not.",
        "RFC 0112, The compact structural subset (its purpose)",
    ),
    Requirement(
        "no-hidden-text",
        "advice",
        "No text of a descriptor holds characters that do not show.",
        "Unicode Standard, UAX 44",
    ),
    Requirement(
        "tier-1",
        "should",
        "The inputSchema of a tool that a model calls stays inside the Tier-1 subset, in the standard view.",
        f"{_CATALOG}, section C; RFC 0030",
    ),
    # The protocol around it
    Requirement(
        "version-header",
        "must",
        "Every answer of a 2.x host carries OpenWOP-Version: 2.<minor>.",
        "core/headers.md; core/versioning.md (2.x)",
        (2,),
    ),
    Requirement(
        "version-unsupported",
        "must",
        "A host that serves 2.x refuses requests for other versions: 406 for one that it does not serve, and 400 for any but 1 "
        "on the paths of 1.x.",
        "core/versioning.md, section 1.3 (2.x)",
    ),
    Requirement(
        "catalog-caching",
        "advice",
        "What a catalog read allows caches to do does not hand one principal's tools to another.",
        "RFC 0074; RFC 9111, sections 3.5 and 4.1",
    ),
    Requirement(
        "read-only",
        "must",
        "The catalog's paths allow no method but GET, HEAD and OPTIONS.",
        "openapi.yaml, /v1/tools and /tools",
    ),
)

#: Every requirement by its id, in the order in which a scorecard shows them.
REQUIREMENTS: Final[Mapping[str, Requirement]] = MappingProxyType({row.id: row for row in _TABLE})
