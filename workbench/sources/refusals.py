"""Refusals: in one line, what went wrong with a connection, or what the status of an answer means and what to do about it."""

from __future__ import annotations

import socket
import ssl
from typing import Any, Final

import httpx

from workbench.errors import InputError, WorkbenchError
from workbench.sources.exchanges import Exchange
from workbench.sources.recording import ReplayedFailure
from workbench.sources.wire import BodyRefused
from workbench.values import read_json

__all__ = ["failure", "refusal"]

#: Characters of a host's own words that a message repeats.
_QUOTED: Final = 200
_MEANINGS: Final = {
    403: "the credential is known, and not allowed to read this",
    404: "nothing is served here; is this the base URL, and does the host have a tool catalog in this major (--major)?",
    405: "the host has no tool catalog: it allows no GET here",
    406: "the host does not speak this version of the protocol (--major)",
    429: "too many requests",
    501: "the host has no tool catalog",
}


def failure(error: Exception, *, answered: bool, timeout: float) -> tuple[str, bool]:
    """What went wrong, in one line, and whether trying again may help. `answered`: the head of an answer had come."""
    if isinstance(error, ReplayedFailure | BodyRefused | WorkbenchError):
        return str(error), False
    if isinstance(error, httpx.TimeoutException):
        return f"no complete answer came within {timeout:g} seconds (--timeout)", False
    cause = _cause(error)
    if isinstance(cause, ssl.SSLError):
        return f"no secure connection: {_of_tls(cause)}", False
    if isinstance(cause, socket.gaierror | UnicodeError):
        again = getattr(cause, "errno", None) == socket.EAI_AGAIN
        what = "its name cannot be looked up just now" if again else "there is no such host"
        return f"{what}: {getattr(cause, 'strerror', None) or cause}", False
    if answered:
        return "the answer was cut off before its end", False
    if isinstance(error, httpx.ConnectError):
        return f"no connection: {getattr(cause, 'strerror', None) or cause}", True
    if isinstance(error, httpx.RemoteProtocolError) and "disconnected" not in str(error):
        return f"the answer is not HTTP/1.1: {str(error)[:_QUOTED]}", False
    return "the connection was closed before an answer came", isinstance(error, httpx.TransportError)


def _cause(error: BaseException) -> BaseException:
    """What lies at the bottom of an error: that of the operating system or of TLS."""
    while error.__cause__ is not None or error.__context__ is not None:
        error = error.__cause__ or error.__context__ or error
    return error


def _of_tls(error: ssl.SSLError) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"the certificate is not accepted, {error.verify_message} (SSL_CERT_FILE names other authorities)"
    if error.reason in ("WRONG_VERSION_NUMBER", "HTTP_REQUEST", "RECORD_LAYER_FAILURE"):
        return "the host does not speak TLS here; is it plain http?"
    return (error.reason or str(error)).lower().replace("_", " ")


def refusal(exchange: Exchange) -> str:
    """What an answer that is not 200 means, and what the host itself says, quoted; every host may say anything."""
    status = exchange.status or 0
    if status == 401:
        meaning = (
            "the host wants a credential (--token-env NAME)"
            if exchange.principal == "none"
            else "the host does not accept the credential"
        )
    else:
        meaning = _MEANINGS.get(status) or ("the host fails" if status >= 500 else "not what was asked for")
    wait = exchange.header("retry-after")
    more = [f"asks to wait {wait[:40]}"] if wait is not None and status in (429, 503) else []
    return "; ".join([f"status {status}: {meaning}", *more, *_said(exchange)])


def _said(exchange: Exchange) -> list[str]:
    """The words of an error envelope (`error`, `message`), and the versions that a 406 offers."""
    try:
        value: Any = read_json(exchange.body)
    except InputError:
        return []
    if not isinstance(value, dict):
        return []
    words = [value[name][:_QUOTED] for name in ("error", "message") if isinstance(value.get(name), str) and value[name]]
    details = value.get("details")
    versions = details.get("protocolVersions") if isinstance(details, dict) else None
    said = [f'it says "{": ".join(words)}"'] if words else []
    if isinstance(versions, list) and versions and all(isinstance(version, str) for version in versions):
        said.append(f"it speaks {', '.join(versions)[:_QUOTED]}")
    return said
