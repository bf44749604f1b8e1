"""Recordings: a transport that answers from exchanges of before, so that what was concluded from them can be concluded again."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable
from threading import Lock
from typing import Final, TypeAlias

import httpx

from workbench.sources.exchanges import Exchange, Headers, Principal

__all__ = ["Replay", "ReplayedFailure"]

_Key: TypeAlias = tuple[str, str, str, Headers]
#: The headers of a request on which an answer may depend.
_DECISIVE: Final = ("accept", "if-none-match", "openwop-version")
_PRINCIPALS: Final[dict[str, Principal]] = {"": "none", "Bearer first": "first", "Bearer second": "second"}


class ReplayedFailure(httpx.TransportError):
    """What went wrong in a recorded exchange, which has what had come by then."""

    def __init__(self, message: str, exchange: Exchange | None = None) -> None:
        super().__init__(message)
        self.recorded = (
            {"headers": exchange.headers, "hops": exchange.hops, "attempts": exchange.attempts} if exchange else {}
        )


class Replay(httpx.BaseTransport):
    """
    Answers requests from recorded exchanges: the n-th same request gets the n-th recorded answer.

    Requests are the same when principal, method, target, and the headers `Accept`, `If-None-Match` and `OpenWOP-Version` are.
    Whoever replays gives its client the credentials "first" and "second", which stand for those of the recording. A request that
    the recording has not, or not so often, fails and says so.
    """

    def __init__(self, exchanges: Iterable[Exchange]) -> None:
        self._lock = Lock()
        self._recorded: defaultdict[_Key, deque[Exchange]] = defaultdict(deque)
        for exchange in exchanges:
            key = (exchange.principal, exchange.method, exchange.target, _decisive(exchange.headers_sent))
            self._recorded[key].append(exchange)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """The recorded answer. Raises ReplayedFailure where there was none, or none is recorded."""
        principal = _PRINCIPALS.get(request.headers.get("authorization", ""), "none")
        target = request.url.raw_path.decode()
        key = (principal, request.method, target, _decisive(tuple(request.headers.items())))
        with self._lock:
            waiting = self._recorded.get(key)
            exchange = waiting.popleft() if waiting else None
        if exchange is None:
            raise ReplayedFailure(f"the recording has no such request, or not so often: {request.method} {target}")
        if exchange.status is None:
            raise ReplayedFailure(exchange.failure, exchange)
        headers = [(name.encode(), value.encode("latin-1", "replace")) for name, value in exchange.headers]
        stream = httpx.ByteStream(exchange.body)
        extensions = {"decoded": True, "echoed": exchange.echoed, "hops": exchange.hops, "attempts": exchange.attempts}
        return httpx.Response(exchange.status, headers=headers, stream=stream, extensions=extensions)


def _decisive(headers: Headers) -> Headers:
    return tuple(sorted((name.lower(), value) for name, value in headers if name.lower() in _DECISIVE))
