"""
The wire: connections that keep a deadline, and bodies that keep a limit.

httpx bounds each read, not the whole answer: a host that sends a byte a second would hold it for ever. So each read here is given
what is left of the time for the whole. Bodies are counted after decompression, which happens in small steps, so that a few bytes
never become many before somebody looks.
"""

from __future__ import annotations

import logging
import socket
import ssl
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from threading import Lock
from time import monotonic
from typing import Any, Final
from weakref import WeakSet

import httpcore
import httpx

__all__ = ["ENCODINGS", "BodyRefused", "Wire", "body_of", "within"]

#: What is asked for and understood; more would be ways to hide a bomb in a bomb.
ENCODINGS: Final = "gzip"
_CONNECTIONS: Final = 16
_STEP: Final = 1 << 16
_GZIP: Final = 31  # zlib's number for a gzip header and trailer

_deadline: ContextVar[float | None] = ContextVar("deadline", default=None)


class BodyRefused(Exception):
    """A body that is too large, compressed in a way nobody asked for, or broken."""


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Have all that this thread reads from a `Wire` end within so many seconds, together; and be silent about it in logs."""
    token = _deadline.set(monotonic() + seconds)
    try:
        yield
    finally:
        _deadline.reset(token)


def _left(timeout: float | None) -> float | None:
    deadline = _deadline.get()
    if deadline is None:
        return timeout
    left = deadline - monotonic()
    if left <= 0:
        raise httpcore.ReadTimeout("the time is over")
    return left


class Wire(httpx.HTTPTransport):
    """Plain HTTP/1.1 over sockets, without proxies: what is sent reaches the host that was named, and nobody else."""

    def __init__(self, *, secure: bool = True) -> None:
        # Of the environment, only SSL_CERT_FILE and SSL_CERT_DIR are looked at. Reading all authorities takes a while; without
        # TLS there is a context that accepts none.
        context = httpx.create_ssl_context(trust_env=True) if secure else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        super().__init__(verify=context, trust_env=False)
        self._backend = _Backend()
        self._pool = httpcore.ConnectionPool(
            ssl_context=context, max_connections=_CONNECTIONS, keepalive_expiry=5.0, network_backend=self._backend
        )
        for name in ("httpcore.connection", "httpcore.http11"):
            logging.getLogger(name).addFilter(_silent)

    def close(self) -> None:
        """Close all connections for good, also under threads that wait for an answer."""
        self._backend.end()
        super().close()


def _silent(_record: logging.LogRecord) -> bool:
    """What httpcore logs while debugging are headers as received, in which a host may send a credential back."""
    return _deadline.get() is None


class _Backend(httpcore.NetworkBackend):
    """Opens connections, and knows those that are open."""

    def __init__(self) -> None:
        self._inner = httpcore.SyncBackend()
        self._lock = Lock()
        self._open: WeakSet[_Stream] | None = WeakSet()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        return self.known(self._inner.connect_tcp(host, port, _left(timeout), local_address, socket_options))

    def known(self, inner: httpcore.NetworkStream) -> httpcore.NetworkStream:
        stream = _Stream(inner, self)
        with self._lock:
            if self._open is not None:
                self._open.add(stream)
                return stream
        stream.close()
        raise httpcore.ConnectError("the client was closed")

    def end(self) -> None:
        with self._lock:
            streams, self._open = self._open or (), None
        for stream in streams:
            stream.end()


class _Stream(httpcore.NetworkStream):
    """A connection, no read of which takes longer than what is left of the time for the whole."""

    def __init__(self, inner: httpcore.NetworkStream, backend: _Backend) -> None:
        self._inner = inner
        self._backend = backend

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._inner.read(max_bytes, _left(timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._inner.write(buffer, _left(timeout))

    def close(self) -> None:
        self._inner.close()

    def end(self) -> None:
        """Wake a thread that reads from it, as closing alone would not."""
        with suppress(OSError):
            self._inner.get_extra_info("socket").shutdown(socket.SHUT_RDWR)

    def start_tls(
        self, ssl_context: Any, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        return self._backend.known(self._inner.start_tls(ssl_context, server_hostname, _left(timeout)))

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)


def body_of(response: httpx.Response, max_bytes: int) -> bytes:
    """
    The body of an answer, decompressed, read until it ends, grows too large, or time is over.

    Raises:
        BodyRefused: over `max_bytes`, in an encoding that was not asked for, or broken.
        httpx.TransportError: the connection broke, or the time is over.
    """
    if response.is_stream_consumed:
        chunks: Iterable[bytes] = (response.content,)
    elif response.extensions.get("decoded"):
        chunks = response.iter_raw()
    else:
        chunks = _unpacked(response.iter_raw(), response.headers.get("content-encoding", ""))
    body = bytearray()
    for chunk in chunks:
        body += chunk
        if len(body) > max_bytes:
            raise BodyRefused(f"the answer has over {max_bytes:,} bytes, which is the limit (--max-bytes)")
        try:
            _left(None)
        except httpcore.ReadTimeout as error:
            raise httpx.ReadTimeout(str(error)) from None
    return bytes(body)


def _unpacked(chunks: Iterable[bytes], encoding: str) -> Iterator[bytes]:
    name = encoding.strip().lower()
    if name in ("", "identity"):
        yield from chunks
    elif name in ("gzip", "x-gzip"):
        yield from _gunzipped(chunks)
    else:
        raise BodyRefused(f"the answer is encoded as {name[:40]!r}, and only {ENCODINGS} was asked for")


def _gunzipped(chunks: Iterable[bytes]) -> Iterator[bytes]:
    unpack = zlib.decompressobj(_GZIP)
    seen = False
    for chunk in chunks:
        seen = seen or bool(chunk)
        while chunk or (seen and not unpack.eof):
            try:
                step = unpack.decompress(chunk, _STEP)
            except zlib.error as error:
                raise BodyRefused(f"the answer is not the {ENCODINGS} that it says it is: {error}") from None
            yield step
            chunk = unpack.unconsumed_tail  # noqa: PLW2901 - what is left of it
            if not chunk and len(step) < _STEP:
                break
    if seen and not unpack.eof:
        raise BodyRefused(f"the answer was cut off: its {ENCODINGS} has no end")
