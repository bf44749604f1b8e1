"""A conversation with an MCP server: it begins with `initialize`, and all that is asked then is `tools/list`, page by page."""

from __future__ import annotations

from contextlib import closing
from itertools import count
from typing import Any, Final, NamedTuple

from workbench.errors import HostError, InputError
from workbench.sources.mcp.wire import (
    PROTOCOLS,
    Message,
    Transport,
    answer,
    error_text,
    excerpt,
    messages,
    notification,
    request,
)
from workbench.version import __version__

__all__ = ["MAX_PAGES", "Listing", "listing"]

MAX_PAGES: Final = 1_000
"""Pages that a list may have."""

#: Requests of its own that a server may make; each is answered.
_MAX_ASKED: Final = 1_000
_CLIENT: Final = {"name": "compact-tool-workbench", "version": __version__}


class Listing(NamedTuple):
    """What a server says of itself, all its tools as it sent them, and the text of the list if one page holds it."""

    server: str
    tools: list[Any]
    received: str


def listing(transport: Transport, *, source: str, max_bytes: int) -> Listing:
    """
    Open a conversation and read the whole list of tools.

    Raises:
        HostError: the server answers with an error, in a version that is not known here, or with something that is no list.
        InputError: an answer is not JSON in the strict sense.
        LimitError: it has more than 1,000 pages, or is over the limits of the reader.
    """
    session = _Session(transport, source, max_bytes)
    server = session.open()
    tools, texts = session.tools()
    return Listing(server, tools, texts[0] if len(texts) == 1 else "")


class _Session:
    def __init__(self, transport: Transport, source: str, max_bytes: int) -> None:
        self._transport = transport
        self._source = source
        self._max_bytes = max_bytes
        self._numbers = count(1)
        self._asked = 0

    def open(self) -> str:
        """Initialise, and give the name of the server ("" where it has none)."""
        offer = {"protocolVersion": PROTOCOLS[0], "capabilities": {}, "clientInfo": _CLIENT}
        result, _ = self._ask("initialize", offer)
        version = result.get("protocolVersion")
        if not isinstance(version, str):
            raise self._error("it names no version of the protocol")
        if version not in PROTOCOLS:
            known = ", ".join(PROTOCOLS)
            raise self._error(f"it speaks version {excerpt(version)} of the protocol; known here are {known}")
        self._transport.agree(version)
        self._transport.send(notification("notifications/initialized"))
        info = result.get("serverInfo")
        name = info.get("name") if isinstance(info, dict) else None
        return name if isinstance(name, str) else ""

    def tools(self) -> tuple[list[Any], list[str]]:
        """The tools of all pages, and the text of each page."""
        tools: list[Any] = []
        texts: list[str] = []
        cursors: set[str] = set()
        cursor: str | None = None
        while len(texts) < MAX_PAGES:
            result, text = self._ask("tools/list", None if cursor is None else {"cursor": cursor})
            if not isinstance(result.get("tools"), list):
                raise self._error(f"page {len(texts) + 1} of tools/list has no list of tools")
            tools += result["tools"]
            texts.append(text)
            cursor = self._next(result)
            if cursor is None:
                return tools, texts
            if cursor in cursors:
                raise self._error(
                    f"tools/list never ends: page {len(texts)} names a page that was read before as the next"
                )
            cursors.add(cursor)
        raise self._error(f"tools/list has more than {MAX_PAGES:,} pages")

    def _next(self, result: Message) -> str | None:
        """The cursor of the next page; some servers write an empty one on the last."""
        cursor = result.get("nextCursor")
        if cursor is not None and not isinstance(cursor, str):
            raise self._error("nextCursor of tools/list is not a string")
        return cursor or None

    def _ask(self, method: str, params: Message | None) -> tuple[Message, str]:
        """Send a request; give the result and its text. Whatever else comes meanwhile is attended to."""
        number = next(self._numbers)
        said = f"{self._source}: {method}"
        with closing(self._transport.exchange(request(number, method, params))) as texts:
            for data in texts:
                for message, text in messages(data, source=said, max_bytes=self._max_bytes):
                    if _answers(message, number):
                        return self._result(message, method), text
                    self._attend(message)
        raise self._error(f"no answer to {method}")

    def _result(self, message: Message, method: str) -> Message:
        if error := error_text(message):
            raise self._error(f"{method} failed with {error}")
        if not isinstance(message.get("result"), dict):
            raise self._error(f"the answer to {method} has no result")
        result: Message = message["result"]
        return result

    def _attend(self, message: Message) -> None:
        """Answer a request of the server; what it only tells is not needed here."""
        if not isinstance(message.get("method"), str) or not isinstance(message.get("id"), str | int):
            return
        self._asked += 1
        if self._asked > _MAX_ASKED:
            raise self._error(f"it makes more than {_MAX_ASKED:,} requests of its own")
        self._transport.send(answer(message))

    def _error(self, message: str) -> InputError:
        return HostError(message, source=self._source)


def _answers(message: Message, number: int) -> bool:
    """Whether this is the answer to a request; an error without a number is one to the only request there is."""
    if "method" in message or not ("result" in message or "error" in message):
        return False
    named = message.get("id")
    return (named == number and type(named) is int) or (named is None and "error" in message)
