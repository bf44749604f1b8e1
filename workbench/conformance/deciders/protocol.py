"""The protocol around the catalog: media types, errors, versions, methods, and what caches may do."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from workbench.conformance.deciders.lists import part
from workbench.conformance.quoting import shown
from workbench.conformance.reading import Ask, Reading, request_of
from workbench.conformance.verdicts import Evidence, NotApplicable, Undecided, Verdict, decides, failed, passed
from workbench.errors import InputError

if TYPE_CHECKING:
    from workbench.sources.exchanges import Exchange

__all__ = [
    "catalog_caching",
    "error_envelope",
    "json_media_type",
    "read_only",
    "version_header",
    "version_unsupported",
]

_VERSION_2: Final = re.compile(r"2\.\d{1,6}")
_ALLOWED: Final = {"GET", "HEAD", "OPTIONS"}
_ERROR_FIELDS: Final = {"error", "message", "details"}
_D14: Final = "D14: one text puts scopeRequired beside the closed fields of a 403; it is let pass there"


@decides("json-media-type")
def json_media_type(reading: Reading) -> Verdict:
    """Of answers that are JSON: what they call themselves. An answer that is none is for other requirements."""
    answers = [
        exchange for exchange in [*reading.discovered, *reading.seen()] if exchange.body and reading.is_json(exchange)
    ]
    if not answers:
        raise Undecided("no answer could be read as JSON")
    wrong = [exchange for exchange in answers if _media_types(exchange) != {"application/json"}]
    if not wrong:
        return passed(f"{len(answers):,} answers are application/json")
    evidence = [_with_header(reading, exchange, "content-type") for exchange in wrong]
    return failed(f"{part(len(wrong), len(answers), 'answer')} not called application/json", evidence)


@decides("error-envelope")
def error_envelope(reading: Reading) -> Verdict:
    """Of all 401, 403 and 404 that came."""
    reading.need_catalog()
    answers = [exchange for exchange in reading.seen(401, 403, 404) if exchange.method == "GET"]
    if not answers:
        raise Undecided("no answer had the status 401, 403 or 404")
    wrong = {
        request_of(exchange): (exchange, what) for exchange in answers if (what := _no_envelope(reading, exchange))
    }
    lenient = any(_scope_required(reading, exchange) for exchange in answers)
    if not wrong:
        return passed(f"{len(answers):,} errors are envelopes", disagreement=_D14 if lenient else "")
    evidence = [reading.evidence(exchange) for exchange, _ in wrong.values()]
    first = next(iter(wrong.values()))[1]
    return failed(f"{part(len(wrong), len(answers), 'error')} not of the envelope's shape: {first}", evidence)


@decides("version-header")
def version_header(reading: Reading) -> Verdict:
    """Of all answers of the catalog that are JSON; what is none is no answer of the protocol."""
    reading.need_catalog()
    answers = [exchange for exchange in reading.seen() if exchange.method == "GET" and reading.is_json(exchange)]
    if not answers:
        raise Undecided("no answer of the catalog could be read")
    wrong = [each for each in answers if not _VERSION_2.fullmatch((each.header("openwop-version") or "").strip())]
    if not wrong:
        return passed(f"{len(answers):,} answers carry the version")
    evidence = [_with_header(reading, exchange, "openwop-version") for exchange in wrong]
    return failed(f"{part(len(wrong), len(answers), 'answer')} without OpenWOP-Version: 2.<minor>", evidence)


@decides("version-unsupported")
def version_unsupported(reading: Reading) -> Verdict:
    """The status decides; the code in the envelope is told, since unknown codes are to be accepted."""
    reading.need_catalog()
    if reading.discovery is None and not reading.has_versions:
        raise Undecided("the discovery document could not be read, so whether 2.x is served too is not known")
    if not reading.has_versions:
        raise NotApplicable("the host advertises 1.x alone, and this is asked of hosts that serve 2.x")
    exchange = reading.answer(Ask("version", None, reading.me))
    wanted, code = (400, "protocol_version_mismatch") if reading.major == 1 else (406, "protocol_version_unsupported")
    asked = next((value for name, value in exchange.headers_sent if name.lower() == "openwop-version"), "")
    if exchange.status != wanted:
        reading.listing()  # A host that answers nothing at all is not blamed for this.
        return failed(
            f"a request for version {asked} is answered {exchange.status}, not {wanted}", [reading.evidence(exchange)]
        )
    said = _code(reading, exchange)
    note = "" if said == code else f", with the code {shown(said or 'nothing')} where {code} is expected"
    return passed(f"a request for version {asked} is answered {wanted}{note}")


@decides("catalog-caching")
def catalog_caching(reading: Reading) -> Verdict:
    """Broken only where a shared cache may keep an answer that depends on who asks; all else is told."""
    views = [None, "compact"] if reading.has_compact else [None]
    answers = [reading.listing(view).exchange for view in views]
    shared = [exchange for exchange in answers if _may_be_shared(exchange)]
    told = "; ".join(
        f"{name}: {shown(value)}"
        for name in ("cache-control", "etag", "vary")
        if (value := ", ".join(dict.fromkeys(each.header(name) or "" for each in answers)).strip(", "))
    )
    if shared and "first" in reading.credentials:
        evidence = [_with_header(reading, exchange, "cache-control") for exchange in shared]
        return failed(f"shared caches may keep a list that depends on who asks ({told})", evidence)
    return passed(told or "the lists say nothing of caching")


@decides("read-only")
def read_only(reading: Reading) -> Verdict:
    """What OPTIONS says is allowed, and that HEAD is answered without a body."""
    if not reading.intrusive:
        raise NotApplicable("only GET is sent, unless a probe is asked to be intrusive")
    reading.need_catalog()
    answers = [reading.answer(ask) for ask in reading.answers if ask.what == "options"]
    if not answers:
        raise Undecided("the catalog's paths were not asked")
    told = {exchange: _methods(exchange) for exchange in answers}
    wrong = [exchange for exchange, methods in told.items() if methods - _ALLOWED]
    if wrong:
        others = ", ".join(sorted(set().union(*told.values()) - _ALLOWED))
        return failed(
            f"OPTIONS says that the catalog allows {shown(others)}",
            [_with_header(reading, each, "allow") for each in wrong],
        )
    if not all(told.values()):
        raise Undecided("OPTIONS is answered without Allow, so which methods there are is not known")
    return passed(f"OPTIONS says that the catalog allows {', '.join(sorted(set().union(*told.values())))}")


def _media_types(exchange: Exchange) -> set[str]:
    """One, unless the header came several times and does not say the same each time."""
    values = [value for name, value in exchange.headers if name == "content-type"]
    return {value.partition(";")[0].strip().lower() for value in values}


def _with_header(reading: Reading, exchange: Exchange, name: str) -> Evidence:
    value = exchange.header(name)
    said = f"{name}: {value}" if value is not None else f"no {name}"
    return Evidence(request_of(exchange), exchange.status, excerpt=shown(said))


def _no_envelope(reading: Reading, exchange: Exchange) -> str:
    """What keeps an answer from being an error envelope; nothing where it is one."""
    try:
        value = reading.value(exchange)
    except InputError as error:
        return shown(error.message)
    if not isinstance(value, dict):
        return "it is no object"
    for name in ("error", "message"):
        if name not in value:
            return f"{name} is missing"
        if not (isinstance(value[name], str) and value[name]):
            return f"{name} is {'empty' if value[name] == '' else 'no text'}"
    if not isinstance(value.get("details", {}), dict):
        return "details is no object"
    others = value.keys() - _ERROR_FIELDS - ({"scopeRequired"} if exchange.status == 403 else set())
    return f"it has {shown(', '.join(sorted(others)))} too" if others else ""


def _scope_required(reading: Reading, exchange: Exchange) -> bool:
    value: Any = reading.value(exchange) if reading.is_json(exchange) else None
    return exchange.status == 403 and isinstance(value, dict) and "scopeRequired" in value


def _code(reading: Reading, exchange: Exchange) -> str:
    value: Any = reading.value(exchange) if reading.is_json(exchange) else None
    code = value.get("error") if isinstance(value, dict) else None
    return code if isinstance(code, str) else ""


def _may_be_shared(exchange: Exchange) -> bool:
    control = {part.partition("=")[0].strip().lower() for part in (exchange.header("cache-control") or "").split(",")}
    vary = {part.strip().lower() for part in (exchange.header("vary") or "").split(",")}
    return (
        bool(control & {"public", "s-maxage"})
        and not (control & {"private", "no-store"})
        and not vary & {"authorization", "*"}
    )


def _methods(exchange: Exchange) -> set[str]:
    """Of `Allow` alone: what CORS lets scripts of other origins send is often said for a whole server at once."""
    return {method.strip().upper() for method in (exchange.header("allow") or "").split(",") if method.strip()}
