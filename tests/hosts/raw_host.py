"""A server over plain sockets that answers with any bytes at all, and remembers every request to the letter."""

from __future__ import annotations

import json
import socket
import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from threading import Lock, Thread
from typing import Any

TOOL = {
    "toolId": "mcp:files.read",
    "source": "mcp",
    "safetyTier": "read",
    "description": "Reads a file.",
    "inputSchema": {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]},
}
V1 = {"protocolVersion": "1.0", "toolCatalog": {"supported": True, "compactView": True}}
V2 = {
    "protocolVersions": ["1.4", "2.0"],
    "preferredVersion": "2.0",
    "toolCatalog": {
        "status": "stable",
        "since": "2.0",
        "witness": "claims-check",
        "sources": ["mcp"],
        "compactView": True,
    },
}


@dataclass(frozen=True)
class Request:
    method: str
    target: str
    headers: dict[str, str]

    @property
    def path(self) -> str:
        return self.target.partition("?")[0]


#: Bytes to send before the connection is closed, or what to do with the connection.
Answer = bytes | Callable[[socket.socket], None]
#: An answer, or what makes one of a request.
Rule = Answer | Callable[[Request], Answer]


@dataclass
class RawHost:
    """Answers by path; `*` stands for all paths that have no rule of their own."""

    url: str
    rules: dict[str, Any]
    requests: list[Request] = field(default_factory=list)
    lock: Any = field(default_factory=Lock)

    def targets(self) -> list[str]:
        return [request.target for request in self.requests]

    def answer(self, request: Request) -> Answer:
        with self.lock:
            self.requests.append(request)
            rule = self.rules.get(
                request.path, self.rules.get("*", reply(404, {"error": "not_found", "message": "no"}))
            )
            if isinstance(rule, list):  # One answer after the other; the last one stays.
                rule = rule.pop(0) if len(rule) > 1 else rule[0]
        return rule(request) if callable(rule) and getattr(rule, "reads_request", False) else rule


def by_request(rule: Callable[[Request], Answer]) -> Callable[[Request], Answer]:
    """Mark a rule that wants to see the request; others are given the connection."""
    rule.reads_request = True  # type: ignore[attr-defined]
    return rule


def reply(status: int, value: Any = None, *, body: bytes | None = None, **headers: str) -> bytes:
    """A well-formed answer; underscores in names of headers stand for hyphens."""
    data = json.dumps(value).encode() if body is None else body
    fields = {"content-type": "application/json", "content-length": str(len(data)), "connection": "close"}
    fields |= {name.replace("_", "-"): text for name, text in headers.items()}
    head = "".join(f"{name}: {text}\r\n" for name, text in fields.items())
    return f"HTTP/1.1 {status} X\r\n{head}\r\n".encode() + data


def catalog_rules(**more: Any) -> dict[str, Any]:
    return {"/.well-known/openwop": reply(200, V1), "/v1/tools": reply(200, [TOOL]), **more}


@contextmanager
def raw_host(
    rules: dict[str, Any], *, context: ssl.SSLContext | None = None, family: int = socket.AF_INET
) -> Iterator[RawHost]:
    place = "127.0.0.1" if family == socket.AF_INET else "::1"
    with socket.create_server((place, 0), family=family, backlog=32) as listening:
        shown = f"[{place}]" if ":" in place else place
        scheme = "http" if context is None else "https"
        host = RawHost(f"{scheme}://{shown}:{listening.getsockname()[1]}", rules)
        opened: list[socket.socket] = []
        thread = Thread(target=_accept, args=(listening, host, context, opened), daemon=True)
        thread.start()
        try:
            yield host
        finally:
            listening.shutdown(socket.SHUT_RDWR)
            for one in opened:
                with suppress(OSError):
                    one.shutdown(socket.SHUT_RDWR)
            thread.join(5)


def _accept(
    listening: socket.socket, host: RawHost, context: ssl.SSLContext | None, opened: list[socket.socket]
) -> None:
    with suppress(OSError):
        while True:
            one, _ = listening.accept()
            opened.append(one)
            Thread(target=_serve, args=(one, host, context), daemon=True).start()


def _serve(one: socket.socket, host: RawHost, context: ssl.SSLContext | None) -> None:
    with suppress(OSError), one if context is None else context.wrap_socket(one, server_side=True) as connection:
        head = b""
        while b"\r\n\r\n" not in head:
            piece = connection.recv(65536)
            if not piece:
                return
            head += piece
        answer = host.answer(_parsed(head))
        if callable(answer):
            answer(connection)
        else:
            connection.sendall(answer)
        connection.shutdown(socket.SHUT_WR)
        while connection.recv(65536):  # Until the client has read it all; closing earlier could reset the connection.
            pass


def _parsed(head: bytes) -> Request:
    first, *lines = head.decode("latin-1").partition("\r\n\r\n")[0].split("\r\n")
    method, target, _ = first.split(" ", 2)
    pairs = (line.partition(":") for line in lines)
    return Request(method, target, {name.lower(): value.strip() for name, _, value in pairs})


def drip(connection: socket.socket, piece: bytes = b"x", every: float = 0.02) -> None:
    """Send a byte now and then, for ever."""
    import time

    with suppress(OSError):
        while True:
            connection.sendall(piece)
            time.sleep(every)
