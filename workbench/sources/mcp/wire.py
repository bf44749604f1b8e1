"""
The messages of MCP (JSON-RPC 2.0), written and read as they are.

The official SDK reads tools into models, which put fields in an order of their own, leave out what they do not know, read NaN as
null and a repeated name as its last value, and refuse a whole list for one odd `inputSchema`. A workbench must show what a server
really sends.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Any, Final, Protocol, TypeAlias

from workbench.values import dumps, read_json

__all__ = [
    "PROTOCOLS",
    "Message",
    "Transport",
    "answer",
    "encoded",
    "error_text",
    "excerpt",
    "messages",
    "notification",
    "request",
]

Message: TypeAlias = dict[str, Any]

#: Versions of the protocol that begin with `initialize`, the one asked for first. What is read here is the same in all of them.
PROTOCOLS: Final = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
_NO_SUCH_METHOD: Final = -32601
_EXCERPT: Final = 200


class Transport(Protocol):
    """A way to a server. What it raises is a HostError, or a LimitError where a server sends too much."""

    def exchange(self, message: Message) -> Generator[bytes]:
        """Send a request, and give the texts that come until its answer is found among them, or its time is over."""

    def send(self, message: Message) -> None:
        """Send a message that nothing answers."""

    def agree(self, version: str) -> None:
        """Take note of the version of the protocol that the server chose."""


def request(number: int, method: str, params: Message | None = None) -> Message:
    """A request, to which the server owes an answer with the same number."""
    return {"jsonrpc": "2.0", "id": number, "method": method} | ({} if params is None else {"params": params})


def notification(method: str) -> Message:
    """A message without an answer."""
    return {"jsonrpc": "2.0", "method": method}


def answer(asked: Message) -> Message:
    """The answer to a request of the server: a ping is returned; nothing else was offered to it."""
    reply: Message = {"jsonrpc": "2.0", "id": asked["id"]}
    if asked["method"] == "ping":
        return reply | {"result": {}}
    return reply | {"error": {"code": _NO_SUCH_METHOD, "message": "Method not found"}}


def encoded(message: Message) -> bytes:
    """A message on one line, without its end."""
    return dumps(message).encode()


def messages(data: bytes, *, source: str, max_bytes: int) -> Iterator[tuple[Message, str]]:
    """
    The messages in a text, each with the text that is its own: "" where several share one (a batch, protocol 2025-03-26).

    Raises:
        InputError: it is not JSON in the strict sense.
        LimitError: it is over a limit of the reader.
    """
    value = read_json(data, source=source, max_bytes=max_bytes)
    for message in value if isinstance(value, list) else [value]:
        if isinstance(message, dict):
            yield message, "" if isinstance(value, list) else data.decode()


def excerpt(text: str | bytes) -> str:
    """The beginning of a text, for a message on one line."""
    if isinstance(text, bytes):
        text = text[: 4 * _EXCERPT].decode(errors="replace")
    text = " ".join(text.split())
    return text if len(text) <= _EXCERPT else f"{text[:_EXCERPT]}..."


def error_text(message: Any) -> str:
    """What the error of a message says, as `error -32601: Method not found`; "" where it has none."""
    error = message.get("error") if isinstance(message, dict) else None
    if error is None:
        return ""
    code, said = (error.get("code"), error.get("message")) if isinstance(error, dict) else (None, error)
    number = f" {code}" if isinstance(code, int) else ""
    return f"error{number}" + (f": {excerpt(said)}" if isinstance(said, str) and said else "")
