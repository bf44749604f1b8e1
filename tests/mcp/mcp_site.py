"""A small MCP server over streamable HTTP, on a loopback socket, that misbehaves as the path of its address says."""

from __future__ import annotations

import gzip
import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any

EVENTS = "text/event-stream"
SESSION = "a-session"
TOOL = {"name": "dig", "inputSchema": {"type": "object", "properties": {"x": {"default": 1.0}}}}


class Site(ThreadingHTTPServer):
    """What was sent to it, as method, path, headers and message; and how to stop what would never end."""

    daemon_threads = True
    block_on_close = False

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.seen: list[tuple[str, str, dict[str, str], Any]] = []
        self.stopping = Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def handle_error(self, *_: object) -> None:
        """A client that goes away in the middle is what is tested."""


@contextmanager
def serving() -> Iterator[Site]:
    site = Site()
    thread = Thread(target=site.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield site
    finally:
        site.stopping.set()
        site.shutdown()
        thread.join()
        site.server_close()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Site

    def log_message(self, *_: object) -> None:
        """Silent."""

    def do_DELETE(self) -> None:
        self._note(None)
        self.reply(405)

    def do_POST(self) -> None:
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self._note(message)
        mode = self.path.strip("/").partition("?")[0]
        if mode == "mcp":
            self.reply(307, headers={"Location": "/json/"})
        elif mode in FIRST:
            FIRST[mode](self)
        elif "method" not in message or message["method"].startswith("notifications/"):
            self.reply(202)
        elif message["method"] == "initialize":
            about = {"protocolVersion": "2025-06-18", "capabilities": {}, "serverInfo": {"name": "pit"}}
            headers = {"Mcp-Session-Id": "\xe9" if mode == "odd-session" else SESSION}
            self.answer(message, about, events=mode == "events", headers=headers)
        else:
            MODES[mode](self, message)

    def _note(self, message: Any) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.server.seen.append((self.command, self.path, headers, message))

    def reply(
        self, status: int, body: bytes = b"", kind: str = "application/json", headers: dict[str, str] | None = None
    ) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Length": str(len(body)), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def answer(self, asked: Any, result: Any, *, events: bool = False, headers: dict[str, str] | None = None) -> None:
        body = json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": result}).encode()
        if events:
            # A first event without data, as servers send that can resume; then comments and other events.
            body = b"id: 1\ndata:\n\n: still here\n\nevent: other\ndata: {}\n\nid: 2\ndata: " + body + b"\n\n"
        self.reply(200, body, EVENTS if events else "application/json", headers)

    def stream(self, chunk: Callable[[], bytes], kind: str = EVENTS) -> None:
        """A body that never ends."""
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.end_headers()
        self.close_connection = True
        while not self.server.stopping.is_set():
            self.wfile.write(chunk())

    def slow(self) -> bytes:
        time.sleep(0.05)
        return b": wait\n\n"

    def asking(self, message: Any) -> None:
        """Ask something in the stream of the answer, and answer only when that was answered in a message of its own."""
        self.send_response(200)
        self.send_header("Content-Type", EVENTS)
        self.end_headers()
        self.close_connection = True
        self.wfile.write(b'data: {"jsonrpc":"2.0",\ndata: "id":"p","method":"ping"}\n\n')
        answered = {"jsonrpc": "2.0", "id": "p", "result": {}}
        for _ in range(200):
            if any(seen[3] == answered for seen in self.server.seen):
                break
            time.sleep(0.01)
        tools = {"jsonrpc": "2.0", "id": message["id"], "result": {"tools": [TOOL]}}
        self.wfile.write(f"data: {json.dumps(tools)}\n\n".encode())

    def cut(self, kind: str = "application/json") -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", "1000")
        self.end_headers()
        self.wfile.write(b'{"jsonrpc"')
        self.close_connection = True

    def echo(self) -> None:
        """Refuse, and repeat what was refused."""
        said = f"no such key: {self.headers.get('Authorization')}"
        self.reply(401, json.dumps({"jsonrpc": "2.0", "id": None, "error": {"code": -1, "message": said}}).encode())


#: Answers to any message.
FIRST: dict[str, Callable[[Handler], None]] = {
    "401": lambda it: it.reply(401),
    "403": lambda it: it.reply(403),
    "404": lambda it: it.reply(404, b"<p>Not found", "text/html"),
    "405": lambda it: it.reply(405),
    "429": lambda it: it.reply(429),
    "500": lambda it: it.reply(500, b'{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"no shovel"}}'),
    "echo": Handler.echo,
    "html": lambda it: it.reply(200, b"<!doctype html><p>Welcome", "text/html; charset=utf-8"),
    "circle": lambda it: it.reply(307, headers={"Location": "/circle"}),
    "elsewhere": lambda it: it.reply(307, headers={"Location": "http://localhost:1/mcp?key=secret"}),
    "moved": lambda it: it.reply(303, headers={"Location": "/json"}),
    "silent": lambda it: it.server.stopping.wait(5) and None,
    "hung-up": lambda it: setattr(it, "close_connection", True),
}
#: Answers to `tools/list`.
MODES: dict[str, Callable[[Handler, Any], None]] = {
    "json": lambda it, asked: it.answer(asked, {"tools": [TOOL]}),
    "events": lambda it, asked: it.answer(asked, {"tools": [TOOL]}, events=True),
    "asking": Handler.asking,
    "accepted": lambda it, _: it.reply(202),
    "no-answer": lambda it, _: it.reply(200, b"id: 1\ndata:\n\n", EVENTS),
    "slow": lambda it, _: it.stream(it.slow),
    "endless": lambda it, _: it.stream(lambda: b"data: " + b"x" * 60_000 + b"\n"),
    "huge": lambda it, _: it.stream(lambda: b" " * 60_000, "application/json"),
    "cut-off": lambda it, _: it.cut(),
    "cut-off-events": lambda it, _: it.cut(EVENTS),
    "compressed": lambda it, _: it.reply(200, gzip.compress(b"[]"), headers={"Content-Encoding": "gzip"}),
    "not-utf-8": lambda it, _: it.reply(200, b'data: {"jsonrpc":"2.0","x":"\xff"}\n\n', EVENTS),
    "odd-session": lambda it, asked: it.answer(asked, {"tools": []}),
    "repeats": lambda it, asked: it.answer(
        asked, {"tools": [TOOL | {"description": f"Send {it.headers['Authorization']}"}]}
    ),
}
