"""Discovery: the document, its caching, and what it says of the catalog."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

from workbench.conformance.deciders.lists import named
from workbench.conformance.quoting import shown
from workbench.conformance.reading import NOTHING, Ask, Reading
from workbench.conformance.verdicts import Evidence, NotApplicable, Undecided, Verdict, decides, failed, passed
from workbench.resources import registry, schema
from workbench.sources.discovery import Discovery
from workbench.values import dumps, join
from workbench.wording import kind

__all__ = ["capability_root", "capability_shape", "discovery_caching", "discovery_document"]

_VERSION: Final = {"type": "string", "pattern": r"^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\Z"}
_VERSIONS: Final = {"type": "array", "items": _VERSION, "minItems": 1}
_COUNT: Final = {"type": "integer", "minimum": 0}
_LIMITS: Final = ("clarificationRounds", "schemaRounds", "envelopesPerTurn")
#: What stands at the root of a document in each major, as far as all hosts have it.
_ROOTS: Final[dict[int, dict[str, Any]]] = {
    1: {
        "required": ["protocolVersion", "supportedEnvelopes", "schemaVersions", "limits"],
        "properties": {
            "protocolVersion": _VERSION,
            "protocolVersions": _VERSIONS,
            "preferredVersion": _VERSION,
            "supportedEnvelopes": {"type": "array", "items": {"type": "string", "minLength": 1}},
            "schemaVersions": {"type": "object", "additionalProperties": _COUNT},
            "limits": {"type": "object", "required": _LIMITS, "properties": dict.fromkeys(_LIMITS, _COUNT)},
        },
    },
    2: {
        "required": ["protocolVersions", "preferredVersion"],
        "properties": {"protocolVersions": _VERSIONS, "preferredVersion": _VERSION},
    },
}
#: What a document says of the catalog, by name.
_TOLD: Final = ("supported", "compactView", "sources")
_D12: Final = (
    "D12: in 2.x the record itself is the claim and has no `supported`, while texts about it still say `supported: true`; "
    "read as the schema has it"
)


@decides("discovery-document")
def discovery_document(reading: Reading) -> Verdict:
    """That it can be read, and has at its root what all of its readers need; what is told of the catalog is for others."""
    public = reading.public
    if public is None:
        seen = [reading.evidence(exchange) for exchange in reading.discovered if exchange.principal == "none"]
        return failed(reading.discovery_problem or "the discovery document could not be read", seen[-1:])
    broken = _breaches("", public.document, _ROOTS[public.major])
    preferred = public.document.get("preferredVersion")
    if public.major == 2 and not broken and preferred not in public.document["protocolVersions"]:
        broken["/preferredVersion"] = ("is none of protocolVersions", preferred)
    if broken:
        return failed(
            f"the document is not what clients of {public.major}.x read: {_listed(broken)}",
            _shown(reading, public, broken),
        )
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
    """Each breach of the bundled schema; tools of a source that is not advertised are told, since no text forbids them."""
    for discovery, base, family in _families(reading):
        broken = _breaches(base, family, schema(f"v{reading.major}/tool-catalog-capability"))
        if broken:
            differs = _D12 if reading.major == 2 and isinstance(family, dict) and "supported" in family else ""
            evidence = _shown(reading, discovery, broken)
            return failed(f"toolCatalog breaks its schema: {_listed(broken, base)}", evidence, disagreement=differs)
    discovery, base, family = _families(reading)[0]
    others = _unadvertised(reading, discovery)
    if not others:
        return passed("toolCatalog fits its schema")
    beside = shown(", ".join(f"{source} ({named(count, 'tool')})" for source, count in others.items()))
    told = reading.evidence(discovery.exchange, "", join(base, "sources"), family["sources"])
    return passed(f"toolCatalog fits its schema; listed are tools of sources that it does not name: {beside}", told)


@decides("capability-root")
def capability_root(reading: Reading) -> Verdict:
    """The legacy layout is read all the same, but the official suite does not look there."""
    legacy = [each for each in _families(reading) if each[1] != "/toolCatalog"]
    if not legacy:
        return passed("toolCatalog stands at the root")
    evidence = [reading.evidence(discovery.exchange, "", base, family) for discovery, base, family in legacy]
    return failed(
        "toolCatalog stands under capabilities alone; the official suite reads the root only", evidence, suite="skip"
    )


def _breaches(base: str, value: Any, rules: dict[str, Any]) -> dict[str, tuple[str, Any]]:
    """What breaks a schema, by pointer: in words, and the value there if there is one."""
    from jsonschema import Draft202012Validator

    found: dict[str, tuple[str, Any]] = {}
    for error in Draft202012Validator(rules, registry=registry()).iter_errors(value):
        place, instance = join(base, *error.absolute_path), error.instance
        if error.validator == "required":
            found |= {
                join(place, name): ("is missing", NOTHING) for name in error.validator_value if name not in instance
            }
        elif error.validator == "additionalProperties":
            unknown = instance.keys() - error.schema["properties"].keys()
            found |= {join(place, name): ("is not known", instance[name]) for name in unknown}
        elif error.validator == "type":
            found[place] = (f"is {kind(instance)}, not {error.validator_value}", instance)
        elif error.validator is None:
            # A schema of false, which forbids a member; the error has the member's value and not its name.
            names = [name for name, each in value.items() if each is instance]
            found |= {join(base, name): ("may not be there", instance) for name in names}
        else:
            found[place] = (f"breaks {error.validator}", instance)
    return dict(sorted(found.items()))


def _listed(broken: dict[str, tuple[str, Any]], base: str = "") -> str:
    names = {pointer: pointer.removeprefix(base).removeprefix("/") or "it" for pointer in broken}
    return shown(", ".join(f"{names[pointer]} {what}" for pointer, (what, _) in broken.items()))


def _shown(reading: Reading, discovery: Discovery, broken: dict[str, tuple[str, Any]]) -> list[Evidence]:
    return [
        reading.evidence(discovery.exchange, "", pointer, value, note="not there" if value is NOTHING else "")
        for pointer, (_, value) in broken.items()
    ]


def _unadvertised(reading: Reading, discovery: Discovery) -> Counter[str]:
    """The sources of listed tools that are not among those advertised, and how many tools each has."""
    if discovery.sources is None or reading.problem(Ask("list", None, reading.me)):
        return Counter()
    seen = (tool.descriptor.get("source") for tool in reading.listing().tools)
    return Counter(source for source in seen if isinstance(source, str) and source not in discovery.sources)


def _said(discovery: Discovery) -> tuple[Any, ...]:
    """What it says of the catalog, in the order of `_TOLD`."""
    return discovery.supported, discovery.compact_view, discovery.sources and list(discovery.sources)


def _families(reading: Reading) -> list[tuple[Discovery, str, Any]]:
    """Where toolCatalog stands and what is there, in the first principal's document and in the public one where that is another."""
    if reading.discovery is None:
        raise Undecided("the discovery document could not be read")
    told = [reading.discovery, *([reading.public] if reading.public and reading.to_whom else [])]
    found = [(each, *family) for each in told if (family := _family(each.document))]
    if not found:
        raise NotApplicable("the discovery document says nothing of toolCatalog")
    return found


def _family(document: dict[str, Any]) -> tuple[str, Any] | None:
    if "toolCatalog" in document:
        return "/toolCatalog", document["toolCatalog"]
    legacy = document.get("capabilities")
    if isinstance(legacy, dict) and "toolCatalog" in legacy:
        return "/capabilities/toolCatalog", legacy["toolCatalog"]
    return None
