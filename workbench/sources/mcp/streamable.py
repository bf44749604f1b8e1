"""
An MCP server behind an address: a message is a POST, its answer JSON or an event stream (MCP, transports, streamable HTTP).

The older transport of protocol 2024-11-05 (HTTP with SSE) is not spoken. The credential goes to the origin of the address and
nowhere else: a redirect is followed on that origin only. Messages name an address without its query, which may hold a key.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager, suppress
from types import TracebackType
from typing import Any, Final, Self

import httpx
from httpx_sse import EventSource

from workbench.errors import HostError, InputError, LimitError, UsageError, WorkbenchError
from workbench.sources.addresses import Address
from workbench.sources.connection import Connection
from workbench.sources.credentials import Mask
from workbench.sources.mcp.wire import Message, encoded, error_text, excerpt
from workbench.sources.refusals import failure
from workbench.sources.wire import Wire, within
from workbench.values import read_json

__all__ = ["Remote"]

_JSON: Final = "application/json"
_EVENTS: Final = "text/event-stream"
_HEADERS: Final = {
    "Accept": f"{_JSON}, {_EVENTS}",
    "Accept-Encoding": "identity",  # So that what is counted is what is read.
    "Content-Type": _JSON,
}
_MAX_HOPS: Final = 3
#: Bytes of an answer that only says why there is no other.
_MAX_REFUSAL: Final = 65_536
#: Seconds that closing the session may take.
_FAREWELL: Final = 2.0
#: Visible ASCII (MCP, session management).
_SESSION: Final = re.compile(r"[!-~]+")
_STATUS: Final = {
    403: "the server refuses this caller",
    404: "there is no MCP server at this address",
    405: "no MCP server takes messages at this address (the older transport, HTTP with SSE, is not spoken here)",
    429: "the server is asked too often",
}


class Remote:
    """
    A server behind an address, whose session is closed when the context is left.

    Raises UsageError when made: the address is none, holds credentials, or is plain http to another machine; or the variable that
    should hold the credential does not.
    """

    def __init__(self, url: str, connection: Connection) -> None:
        bare = url.partition("?")[0]
        self._address = Address.of(bare, allow_insecure=connection.allow_insecure)
        try:
            self._url = httpx.URL(url)
        except httpx.InvalidURL as error:
            raise UsageError(f"mcp:{bare}?...: this is no address: {error}") from None
        self.source = f"mcp:{bare}"
        self.notes: tuple[str, ...] = ()
        self._timeout = connection.timeout
        self._max_bytes = self._left = connection.max_bytes
        self._answered = False
        headers = dict(_HEADERS)
        credential = connection.credential()
        if credential is not None:
            headers["Authorization"] = f"Bearer {credential.value}"
        self._mask = Mask([] if credential is None else [credential.value])
        self._client = httpx.Client(transport=Wire(), headers=headers, timeout=self._timeout, trust_env=False)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _type: type[BaseException] | None, error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        if isinstance(error, WorkbenchError):
            error.message = self._mask.text(error.message)  # A server may repeat the credential that it refuses.
            error.args = (error.message,)
        with closing(self._client):
            if "MCP-Session-Id" in self._client.headers:
                with suppress(httpx.HTTPError), within(_FAREWELL), self._client.stream("DELETE", self._url):
                    """Nothing comes of what the server says to this; to many it is unknown."""

    def exchange(self, message: Message) -> Generator[bytes]:
        """Send a request and give the messages of its answer. Raises HostError, and LimitError where too much comes."""
        method = message["method"]
        with self._explained(method), self._posted(message) as response:
            if method == "initialize":
                self._keep_session(response)
            kind = _media_type(response)
            if kind == _JSON:
                if body := response.read():
                    yield self._mask.data(body)
            elif kind == _EVENTS:
                for event in EventSource(response).iter_sse():
                    if event.event == "message" and event.data:
                        yield self._mask.data(event.data.encode())
            else:
                raise self._error(
                    f"the answer to {method} is {excerpt(kind) or 'empty'}, not JSON or an event stream", response
                )

    def send(self, message: Message) -> None:
        """Send a message that nothing answers. Raises as `exchange` does."""
        with self._explained(message.get("method", "an answer")), self._posted(message):
            """That it was taken is all there is to know."""

    def agree(self, version: str) -> None:
        """Name the version in every message from now on."""
        self._client.headers["MCP-Protocol-Version"] = version

    @contextmanager
    def _posted(self, message: Message) -> Iterator[httpx.Response]:
        """The answer to a message, after redirects within the origin; its body is counted as it comes."""
        for _ in range(_MAX_HOPS):
            with self._client.stream("POST", self._url, content=encoded(message)) as response:
                self._answered = True
                response.encoding = "utf-8"
                response.stream = _Watched(response.stream, self._count)
                if response.has_redirect_location:
                    self._url = self._redirected(response)
                    continue
                if not response.is_success:
                    raise self._refusal(response)
                if response.headers.get("content-encoding", "identity").lower() != "identity":
                    raise self._error("the answer is compressed, which was not asked for", response)
                yield response
                return
        raise self._error("the server redirects in a circle")

    def _count(self, chunk: bytes) -> None:
        self._left -= len(chunk)
        if self._left < 0:
            raise LimitError(f"it sent more than {self._max_bytes:,} bytes (--max-bytes)", source=self.source)

    def _redirected(self, response: httpx.Response) -> httpx.URL:
        following = response.next_request
        if following is None or self._address.target_of(following.url) is None:
            where = "nowhere" if following is None else following.url.copy_with(query=None)
            raise self._error(
                f"the server redirects to another origin ({where}): name that one if it is meant", response
            )
        if following.method != "POST":
            raise self._error(
                f"the server redirects with status {response.status_code}, under which a message is lost", response
            )
        return following.url

    def _refusal(self, response: httpx.Response) -> HostError:
        """What a status of failure says, in the words of the server where it has some."""
        status = response.status_code
        what = _STATUS.get(status, "the server does not do what it is asked")
        if status == 401:
            known = "authorization" in response.request.headers
            what = "the server refuses the credential" if known else "the server wants a credential (--token-env NAME)"
        said = ""
        with suppress(httpx.HTTPError, InputError):
            self._left = min(self._left, _MAX_REFUSAL)
            said = error_text(read_json(response.read()))
        return self._error(f"{what} (status {status}{said and f', {said}'})", response)

    def _keep_session(self, response: httpx.Response) -> None:
        session = response.headers.get("MCP-Session-Id")
        if session is None:
            return
        if not _SESSION.fullmatch(session):
            raise self._error("its session id is not visible ASCII", response)
        self._client.headers["MCP-Session-Id"] = session

    @contextmanager
    def _explained(self, method: str) -> Iterator[None]:
        """Say what went wrong with a connection, and keep to the time that an answer has."""
        self._answered = False
        try:
            with within(self._timeout):
                yield
        except UnicodeDecodeError:
            raise self._error(f"the answer to {method} is not UTF-8") from None
        except (httpx.HTTPError, httpx.StreamError, OSError) as error:
            what, _ = failure(error, answered=self._answered, timeout=self._timeout)
            raise self._error(f"{method}: {what}") from None

    def _error(self, message: str, response: httpx.Response | None = None) -> HostError:
        return HostError(message, source=self.source, status=None if response is None else response.status_code)


class _Watched(httpx.SyncByteStream):
    """A body, each piece of which is shown to a function, and that must be UTF-8: httpx would replace what is not."""

    def __init__(self, stream: Any, look: Callable[[bytes], None]) -> None:
        self._stream = stream
        self._look = look

    def __iter__(self) -> Iterator[bytes]:
        decoder = codecs.getincrementaldecoder("utf-8")()
        for chunk in self._stream:
            self._look(chunk)
            decoder.decode(chunk)
            yield chunk
        decoder.decode(b"", final=True)

    def close(self) -> None:
        self._stream.close()


def _media_type(response: httpx.Response) -> str:
    return str(response.headers.get("content-type", "")).partition(";")[0].strip().lower()
