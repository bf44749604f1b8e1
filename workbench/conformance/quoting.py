"""Excerpts: what evidence shows of an answer. Short, on one line, nothing in it acts, and never a credential."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from workbench.catalog import Tool
from workbench.checks.credentials import secrets
from workbench.errors import InputError
from workbench.values import dumps
from workbench.visible import visible

if TYPE_CHECKING:
    from workbench.sources.exchanges import Exchange

__all__ = ["excerpt", "excerpt_of", "request_of", "shown"]

_LONGEST: Final = 160
#: As much of a text is searched for credentials before it is cut: half of one is too much.
_SEARCHED: Final = 4_000
#: Headers of a request that are told with it, as they are written.
_TOLD: Final = {"openwop-version": "OpenWOP-Version", "if-none-match": "If-None-Match"}
_WITHHELD: Final = "(not shown: it holds credential material)"


def excerpt(value: Any) -> str:
    """A JSON value as wire JSON, cut; or a note in its place where it holds credential material."""
    try:
        text = dumps(value)
    except InputError as error:
        return f"({error.message})"
    descriptor = value if isinstance(value, dict) else {"text": value}
    if len(text) <= _SEARCHED and any(secrets(Tool("", descriptor, 0))):
        return _WITHHELD
    return _cut(text)


def excerpt_of(exchange: Exchange) -> str:
    """The beginning of an answer's body, or why there is none."""
    if exchange.status is None:
        return shown(exchange.failure)
    try:
        value = exchange.json() if len(exchange.body) <= _SEARCHED else None
    except InputError:
        value = None
    return excerpt(value) if isinstance(value, dict) else _cut(exchange.body[:_SEARCHED].decode(errors="replace"))


def request_of(exchange: Exchange) -> str:
    """The request line of an exchange; the headers that decide its answer, where redirects led, and who asked if not the first."""
    who = {"first": [], "second": ["second principal"], "none": ["no credential"]}[exchange.principal]
    sent = [f"{_TOLD[name.lower()]}: {value}" for name, value in exchange.headers_sent if name.lower() in _TOLD]
    led = [f"redirected to {hop}" for hop in exchange.hops]
    told = "; ".join([*map(shown, [*sent, *led]), *who])
    return shown(f"{exchange.method} {exchange.target}") + (f" ({told})" if told else "")


def shown(text: str) -> str:
    """A text of a host on one line, with everything in it visible, cut."""
    line = visible(" ".join(text.split()))
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"


def _cut(text: str) -> str:
    if any(secrets(Tool("", {"text": text[:_SEARCHED]}, 0))):
        return _WITHHELD
    return shown(text[:_SEARCHED])
