"""Discovery: the document, its caching, and what it says of the catalog."""

from __future__ import annotations

from typing import Any, Final

from workbench.conformance.reading import Ask, Reading
from workbench.conformance.verdicts import NotApplicable, Undecided, Verdict, decides, failed, passed
from workbench.resources import registry, schema
from workbench.sources.discovery import Discovery
from workbench.values import dumps, join

__all__ = ["capability_root", "capability_shape", "discovery_caching", "discovery_document"]

#: What a document says of the catalog, by name.
_TOLD: Final = ("supported", "compactView", "sources")
_D12: Final = (
    "D12: in 2.x the record itself is the claim and has no `supported`, while texts about it still say `supported: true`; "
    "read as the schema has it"
)


@decides("discovery-document")
def discovery_document(reading: Reading) -> Verdict:
    """A document that was read is one that fits; what went wrong otherwise is said by the client."""
    public = reading.public
    if public is None:
        seen = [reading.evidence(exchange) for exchange in reading.discovered if exchange.principal == "none"]
        return failed(reading.discovery_problem or "the discovery document could not be read", seen[-1:])
    told = f"read without credentials, in the layout of {public.major}.x"
    own = reading.discovery
    if own is None or own is public:
        return passed(told)
    other = [
        f"{name} {dumps(mine)} where it is {dumps(theirs)}"
        for name, mine, theirs in zip(_TOLD, _said(own), _said(public), strict=True)
        if mine != theirs
    ]
    what = f"is told {', '.join(other)} for all" if other else "is told the same of toolCatalog"
    return passed(f"{told}; the first principal {what}", reading.evidence(own.exchange))


@decides("discovery-caching")
def discovery_caching(reading: Reading) -> Verdict:
    """An ETag, and 304 for whoever has it."""
    discovery = reading.public
    if discovery is None:
        raise Undecided("the discovery document could not be read")
    tag = discovery.exchange.header("etag")
    if not tag:
        return failed("the discovery document has no ETag", [reading.evidence(discovery.exchange)])
    again = reading.answer(Ask("revalidation", None, "none"))
    if again.status != 304:
        return failed(f"asked again with its ETag, it is answered {again.status}, not 304", [reading.evidence(again)])
    return passed("the document has an ETag, and asking again with it is answered 304")


@decides("capability-shape")
def capability_shape(reading: Reading) -> Verdict:
    """Each breach of the bundled schema."""
    from jsonschema import Draft202012Validator

    discovery = _discovery(reading)
    base, family = _family(discovery)
    validator = Draft202012Validator(schema(f"v{reading.major}/tool-catalog-capability"), registry=registry())
    errors = sorted(
        validator.iter_errors(family), key=lambda error: (list(map(str, error.absolute_path)), str(error.validator))
    )
    if not errors:
        return passed("toolCatalog fits its schema")
    evidence = [
        reading.evidence(discovery.exchange, "", join(base, *error.absolute_path), error.instance) for error in errors
    ]
    broken = ", ".join(dict.fromkeys(str(error.validator) for error in errors))
    differs = _D12 if reading.major == 2 and isinstance(family, dict) and "supported" in family else ""
    return failed(f"toolCatalog breaks its schema: {broken}", evidence, disagreement=differs)


@decides("capability-root")
def capability_root(reading: Reading) -> Verdict:
    """The legacy layout is read all the same, but the official suite does not look there."""
    discovery = _discovery(reading)
    base, family = _family(discovery)
    if base == "/toolCatalog":
        return passed("toolCatalog stands at the root")
    evidence = reading.evidence(discovery.exchange, "", base, family)
    return failed(
        "toolCatalog stands under capabilities alone; the official suite reads the root only", [evidence], suite="skip"
    )


def _said(discovery: Discovery) -> tuple[Any, ...]:
    """What it says of the catalog, in the order of `_TOLD`."""
    return discovery.supported, discovery.compact_view, discovery.sources and list(discovery.sources)


def _discovery(reading: Reading) -> Discovery:
    if reading.discovery is None:
        raise Undecided("the discovery document could not be read")
    return reading.discovery


def _family(discovery: Discovery) -> tuple[str, Any]:
    """Where toolCatalog stands, and what stands there."""
    document = discovery.document
    if "toolCatalog" in document:
        return "/toolCatalog", document["toolCatalog"]
    legacy = document.get("capabilities")
    if isinstance(legacy, dict) and "toolCatalog" in legacy:
        return "/capabilities/toolCatalog", legacy["toolCatalog"]
    raise NotApplicable("the discovery document says nothing of toolCatalog")
