"""
JSON that a plain parser reads and ours does not: it is well-formed (RFC 8259), and parsers make different things of it (RFC 7493).

Names that occur twice, numbers beyond a double, half surrogate pairs, deep nesting. A host that sends it breaks no rule of the
catalog, and what it sends cannot be judged here.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final, NoReturn

from workbench.conformance.quoting import request_of, shown
from workbench.errors import HostError, InputError

if TYPE_CHECKING:
    from workbench.conformance.verdicts import Verdict
    from workbench.sources.exchanges import Exchange

__all__ = ["oddity_of", "unreadable"]

#: Requirements that fail where an answer is no JSON.
_OF_JSON: Final = frozenset(
    {
        "discovery-document",
        "catalog-served",
        "compact-unadvertised",
        "by-id-standard",
        "by-id-compact",
        "compact-one",
        "error-envelope",
        "default-view",
        "unknown-view",
        "source-filter",
        "source-composes",
    }
)


def unreadable(requirement_id: str, verdict: Verdict, exchanges: Iterable[Exchange]) -> str:
    """Why a failure proves nothing: all of its evidence is JSON that only we do not read. Empty where it proves something."""
    asked = {each.request for each in verdict.evidence}
    if verdict.status != "fail" or requirement_id not in _OF_JSON or not asked:
        return ""
    odd = {
        request: said
        for exchange in exchanges
        if (request := request_of(exchange)) in asked and (said := oddity_of(exchange))
    }
    if odd.keys() != asked:
        return ""
    request, said = next(iter(odd.items()))
    why = "it is well-formed JSON (RFC 8259) that parsers do not agree on (RFC 7493), and is not read here"
    return f"the answer to {request}, at {said}; {why}"


def oddity_of(exchange: Exchange) -> str:
    """What is unusual in an answer and where, if it is JSON that a plain parser reads and ours does not."""
    try:
        exchange.json()
    except HostError:
        return ""
    except InputError as error:
        place = f"{error.pointer or 'its root'} (line {error.line}, column {error.column})"
        return f"{shown(place)}: {shown(error.message)}" if _is_plain(exchange.body) else ""
    return ""


def _is_plain(body: bytes) -> bool:
    try:
        json.loads(body.decode("utf-8-sig"), parse_constant=_refuse, parse_int=str, parse_float=str)
    except RecursionError:
        return True  # As far as it goes: nobody's parser reads it to its end.
    except ValueError:
        return False
    return True


def _refuse(_: str) -> NoReturn:
    raise ValueError("NaN and infinities are no JSON")
