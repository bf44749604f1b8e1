"""Bodies that no client should trust to end well: slow, endless, huge and cut-off ones."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from math import ceil
from typing import Final

__all__ = ["cut", "drip", "pad", "repeat"]

_CHUNK: Final = 2**16


async def drip(body: bytes, seconds: float) -> AsyncIterator[bytes]:
    """All of a body in so many seconds, a piece each second: no single wait is long."""
    pieces = max(1, ceil(seconds))
    length = ceil(len(body) / pieces)
    for start in range(0, len(body), length):
        await asyncio.sleep(seconds / pieces)
        yield body[start : start + length]


async def repeat(body: bytes) -> AsyncIterator[bytes]:
    """The tools of a list again and again: the beginning of a JSON text in which nothing is wrong so far."""
    start, end = body.index(b"[") + 1, body.rindex(b"]")
    yield body[:start]
    chunk = (body[start:end] or b"{}") + b","
    while True:
        yield chunk
        await asyncio.sleep(0)


async def pad(body: bytes, size: int) -> AsyncIterator[bytes]:
    """A body with spaces after its first bracket, which mean nothing in JSON, so that it has a size."""
    yield body[:1]
    for left in range(size - len(body), 0, -_CHUNK):
        yield b" " * min(left, _CHUNK)
    yield body[1:]


async def cut(body: bytes) -> AsyncIterator[bytes]:
    """Half of a body; the server closes the connection when the other half does not come."""
    yield body[: len(body) // 2]
    raise ConnectionAbortedError("cut off on purpose")
