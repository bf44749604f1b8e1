"""A small MCP server over stdio that misbehaves as its first argument says; it writes its process ids where the second says."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

TOOL = {"name": "dig", "description": "Digs.", "inputSchema": {"type": "object", "properties": {"x": {"default": 1.0}}}}


def note(pid: int) -> None:
    with Path(sys.argv[2]).open("a") as file:
        file.write(f"{pid}\n")


def write(text: str | bytes, end: bytes = b"\n") -> None:
    sys.stdout.buffer.write((text if isinstance(text, bytes) else text.encode()) + end)
    sys.stdout.buffer.flush()


def answer(asked: dict, result: object) -> str:
    return json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": result}, separators=(",", ":"))


def welcome(asked: dict, version: object = "2025-11-25", **info: object) -> str:
    about = {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": {"name": "pit", **info}}
    return answer(asked, about)


def requests() -> Iterator[dict]:
    """What the client asks; `initialize` is answered here, unless it is the misbehaviour."""
    for line in sys.stdin:
        message = json.loads(line)
        if message.get("method") == "initialize":
            write(welcome(message))
        elif "id" in message:
            yield message


def serve(page: Callable[[dict], str | bytes]) -> None:
    for asked in requests():
        write(page(asked))


def listed(asked: dict, **more: object) -> str:
    return answer(asked, {"tools": [TOOL], **more})


def first() -> dict:
    return json.loads(sys.stdin.readline())


def forever(work: Callable[[], object] = lambda: time.sleep(0.05)) -> None:
    while True:
        work()


def numbered(asked: dict) -> dict:
    cursor = int(asked.get("params", {}).get("cursor", "0"))
    return {"tools": [{"name": f"t{cursor}"}], "nextCursor": str(cursor + 1)}


def pages() -> None:
    def page(asked: dict) -> str:
        found = numbered(asked)
        if found["nextCursor"] == "3":
            found["nextCursor"] = ""
        return answer(asked, found)

    serve(page)


def stubborn() -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    serve(listed)
    forever()


def child() -> None:
    """Start another process, which holds the pipes open and does not end by itself."""
    note(subprocess.Popen([sys.executable, "-I", "-S", "-c", "import time; time.sleep(600)"]).pid)


def family() -> None:
    child()
    serve(listed)


def orphans() -> None:
    child()
    sys.exit(3)


def traceback() -> None:
    raise ModuleNotFoundError("No module named 'shovel'")


def noisy() -> None:
    write("Starting up ...\r\n{not JSON}\n\n" + json.dumps({"level": "info", "text": "a log line"}))
    serve(lambda asked: f"almost\n{listed(asked)}")


def chatty() -> None:
    """Sends notifications, answers to nobody and requests of its own, and only answers when those are answered."""
    for asked in requests():
        write('{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"hello"}}')
        write('{"jsonrpc":"2.0","id":99,"result":{}}\n{"jsonrpc":"2.0","id":"2","result":{"tools":[]}}')
        replies = []
        for method in ("ping", "roots/list", "sampling/createMessage", "elicitation/create"):
            write(json.dumps({"jsonrpc": "2.0", "id": method, "method": method}))
            reply = first()
            assert reply["id"] == method
            replies.append(reply.get("result", reply.get("error", {}).get("code")))
        write(answer(asked, {"tools": [TOOL | {"description": json.dumps(replies)}]}))


def batch() -> None:
    serve(lambda asked: f'[{{"jsonrpc":"2.0","method":"notifications/message"}},{listed(asked)}]')


def asking() -> None:
    first()
    forever(lambda: write('{"jsonrpc":"2.0","id":1,"method":"ping"}'))


def flooding() -> None:
    first()
    line = b'{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"%s"}}\n' % (b"x" * 60_000)
    forever(lambda: write(line))


def endless_line() -> None:
    first()
    write('{"jsonrpc":"2.0","id":1,"result":"', end=b"")
    forever(lambda: write(b"x" * 1_000_000, end=b""))


def complaining() -> None:
    """Fills standard error, which nobody reading it would block, and then serves."""
    for _ in range(300):
        sys.stderr.write("a complaint\n" * 1_000)
    serve(listed)


def shut() -> None:
    first()
    os.close(1)
    forever()


def killed() -> None:
    first()
    os.kill(os.getpid(), signal.SIGKILL)


def error(asked: dict) -> str:
    return json.dumps({"jsonrpc": "2.0", "id": asked["id"], "error": {"code": -32603, "message": "no\nshovel\x1b[2J"}})


def given() -> str:
    """What it was given on its command line beside what we say here."""
    return f"given {' '.join(sys.argv[3:])}"


def opening(**options: object) -> Callable[[], None]:
    return lambda: (write(welcome(first(), **options)), serve(listed))  # type: ignore[arg-type]


MODES: dict[str, Callable[[], object]] = {
    "plain": lambda: serve(listed),
    "pages": pages,
    "same-cursor": lambda: serve(lambda asked: listed(asked, nextCursor="again")),
    "endless-pages": lambda: serve(lambda asked: answer(asked, numbered(asked))),
    "odd-cursor": lambda: serve(lambda asked: listed(asked, nextCursor=5)),
    "stubborn": stubborn,
    "family": family,
    "orphans": orphans,
    "traceback": traceback,
    "silent": forever,
    "noisy": noisy,
    "garbage": lambda: forever(lambda: write("y")),
    "mute-garbage": lambda: (write("Usage: dig [OPTIONS]"), forever()),
    "chatty": chatty,
    "batch": batch,
    "asking": asking,
    "flooding": flooding,
    "endless-line": endless_line,
    "complaining": complaining,
    "complaining-silent": lambda: forever(lambda: sys.stderr.write("a complaint\n")),
    "shut": shut,
    "killed": killed,
    "failing": lambda: serve(error),
    "refusing": lambda: write(error(first())),
    "no-list": lambda: serve(lambda asked: answer(asked, {"tools": {"dig": TOOL}})),
    "no-result": lambda: serve(lambda asked: answer(asked, None)),
    "nameless": lambda: serve(lambda asked: answer(asked, {"tools": [TOOL, {"title": "?"}]})),
    "no-tool": lambda: serve(lambda asked: answer(asked, {"tools": ["dig"]})),
    "twice": lambda: serve(lambda asked: listed(asked).replace('"name"', '"name":"x","name"')),
    "not-finite": lambda: serve(lambda asked: listed(asked).replace("1.0", "NaN")),
    "not-utf-8": lambda: serve(lambda asked: listed(asked).encode().replace(b"Digs", b"Dig\xff")),
    "deep": lambda: serve(lambda asked: listed(asked).replace("1.0", "[" * 600 + "]" * 600)),
    "future": opening(version="2030-01-01"),
    "no-version": opening(version=None),
    "environment": lambda: serve(lambda asked: answer(asked, {"tools": [{"name": os.environ.get("PIT_KEY", "none")}]})),
    "describes": lambda: serve(lambda asked: answer(asked, {"tools": [TOOL | {"description": given()}]})),
    "repeats": lambda: sys.exit(given()),
    "repeats-noise": lambda: write(given()),
    "old": opening(version="2024-11-05"),
    "anonymous": opening(name=None),
    "odd-name": opening(name="a/b c.d"),
}

if __name__ == "__main__":
    note(os.getpid())
    MODES[sys.argv[1]]()
