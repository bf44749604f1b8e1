"""
An MCP server as a child process: a message is a line, on its standard input and output (MCP, transports, stdio).

The command is started without a shell, with the environment of the user, in a session of its own; whatever happens, the child and
all that it started are ended. Nothing of a server can block us: each of its pipes has a thread, and all that comes is bounded.
"""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from threading import Thread, current_thread, main_thread
from time import monotonic, sleep
from typing import IO, Any, Final, NoReturn

from workbench.errors import HostError, InputError, LimitError
from workbench.sources.connection import Connection
from workbench.sources.credentials import Mask
from workbench.sources.mcp.commands import KEYS_SEEN, command_of
from workbench.sources.mcp.wire import Message, encoded, excerpt

__all__ = ["Child", "child", "leaving_on_signals"]

#: Seconds that a server is given to end after its standard input was closed, after SIGTERM, and after SIGKILL.
GRACE = (1.0, 2.0, 1.0)
#: Seconds that a server whose output has ended is given to say why.
_LAST_WORDS: Final = 0.5
_POLL: Final = 0.01
#: Seconds to wait at a stretch, which no patience is too long for.
_NAP: Final = 60.0
_CHUNK: Final = 65_536
#: Bytes kept of the end of standard error.
_TAIL: Final = 4_096
_SHORTEST_SECRET: Final = 8
#: Lines on standard output that may be something else than messages.
_MAX_NOISE: Final = 1_000


@contextmanager
def child(command: str, connection: Connection) -> Iterator[Child]:
    """
    A server that runs while the context is entered.

    Raises:
        UsageError: the command cannot be read or found.
        HostError: it cannot be started.
    """
    server = Child(command, connection)
    try:
        with _signals_held():
            server.start()
        yield server
    finally:
        server.end()


class Child:
    """A transport to a server that was started with a command; `child` starts and ends it."""

    def __init__(self, command: str, connection: Connection) -> None:
        self._words, self.source, secrets = command_of(command)
        self.notes = (KEYS_SEEN,) if secrets else ()
        # A server may repeat what it was given; what is short is no secret, and masking it would deface its tools.
        self._mask = Mask(secret for secret in secrets if len(secret) >= _SHORTEST_SECRET)
        self._timeout = connection.timeout
        self._max_bytes = connection.max_bytes
        # A credential that is named is for an address.
        self._environment = {name: value for name, value in os.environ.items() if name != connection.token_env}
        self._lines: queue.Queue[bytes | InputError | None] = queue.Queue(maxsize=1)
        self._outgoing: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._threads: list[Thread] = []
        self._ending = False
        self._noise: list[bytes] = []
        self._tail = b""

    def start(self) -> None:
        """Start the server. Raises HostError where that fails."""
        try:
            self._process = subprocess.Popen(
                self._words,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=self._environment,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            what = getattr(error, "strerror", None) or error
            raise HostError(f"the server cannot be started: {what}", source=self.source) from None
        self._threads = [Thread(target=work, daemon=True) for work in (self._write, self._listen, self._overhear)]
        for thread in self._threads:
            thread.start()

    def end(self) -> None:
        """End the server, if it was started, and whatever it started: by its own will, or else by force."""
        if not self._threads:
            return
        self._ending = True
        with suppress(queue.Empty):
            self._lines.get_nowait()  # Whoever waits for room to put a line goes on, and drops what follows.
        self._outgoing.put(None)
        try:
            self._dismiss()
        except BaseException:
            _strike(self._process, _KILL)
            raise
        finally:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(_LAST_WORDS)
            for thread in self._threads:
                thread.join(_LAST_WORDS)

    def exchange(self, message: Message) -> Generator[bytes]:
        """Send a request and give the lines that may be messages. Raises HostError when none come any more, or in time."""
        self.send(message)
        method = message["method"]
        deadline = monotonic() + self._timeout
        while (left := deadline - monotonic()) > 0:
            with suppress(queue.Empty):
                line = self._lines.get(timeout=min(left, _NAP))
                if line is None:
                    raise self._silence(method)
                if isinstance(line, InputError):
                    raise line
                if _may_be_message(line):
                    yield self._mask.data(line)
                else:
                    self._remember(line)
        if self._process.poll() is not None:
            raise self._silence(method)
        raise HostError(
            f"no answer to {method} within {self._timeout:g} seconds (--timeout){self._heard()}", source=self.source
        )

    def send(self, message: Message) -> None:
        """Hand a message to the thread that writes; a server that does not read delays nobody."""
        self._outgoing.put(encoded(message) + b"\n")

    def agree(self, version: str) -> None:
        """Nothing changes on this transport."""

    def _write(self) -> None:
        assert self._process.stdin is not None
        with self._process.stdin as stream, suppress(OSError):
            while (data := self._outgoing.get()) is not None:
                rest = memoryview(data)
                while rest:
                    rest = rest[stream.write(rest) :]

    def _listen(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as stream:
            try:
                for line in self._split(stream):
                    self._hand_over(line)
            except LimitError as error:
                self._hand_over(error)
            else:
                self._hand_over(None)

    def _hand_over(self, line: bytes | InputError | None) -> None:
        if not self._ending:
            self._lines.put(line)

    def _split(self, stream: IO[bytes]) -> Iterator[bytes]:
        """The lines of a stream, which is read no further than to the limit."""
        pieces: list[bytes] = []
        total = 0
        while chunk := stream.read(_CHUNK):
            if self._ending:
                continue  # What a server still writes is read and dropped, or it could not end.
            total += len(chunk)
            if total > self._max_bytes:
                raise LimitError(
                    f"it wrote more than {self._max_bytes:,} bytes (--max-bytes){self._heard()}", source=self.source
                )
            first, *others = chunk.split(b"\n")
            pieces.append(first)
            for piece in others:
                yield b"".join(pieces).rstrip(b"\r")
                pieces = [piece]
        yield b"".join(pieces)

    def _overhear(self) -> None:
        assert self._process.stderr is not None
        with self._process.stderr as stream:
            while chunk := stream.read(_CHUNK):
                self._tail = self._mask.data(self._tail + chunk)[-_TAIL:]

    def _remember(self, line: bytes) -> None:
        """Keep what is no message, which some servers write among messages, to speak of it if no answer comes."""
        if line.strip():
            self._noise.append(line[:_TAIL])
        if len(self._noise) > _MAX_NOISE:
            raise HostError(f"it is no MCP server{self._heard()}", source=self.source)

    def _heard(self) -> str:
        """What a server said beside the protocol, for messages."""
        said = ""
        if self._noise:
            said = f"; what it writes to standard output are no messages: {excerpt(self._mask.data(self._noise[0]))}"
        lines = [line for line in self._tail.decode(errors="replace").splitlines() if line.strip()]
        # The last lines say what was wrong, in most languages the very last.
        return f"{said}; its standard error ends with: {' / '.join(map(excerpt, lines[-3:]))}" if lines else said

    def _silence(self, method: str) -> HostError:
        """Why there is nothing more to read: it ended, or closed its output."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_LAST_WORDS)
        self._threads[-1].join(_LAST_WORDS)
        code = self._process.returncode
        how = "closed its standard output" if code is None else _ended(code)
        return HostError(f"the server {how} before it answered {method}{self._heard()}", source=self.source)

    def _dismiss(self) -> None:
        """Let the server end by itself, then ask it to, then end it: it and all others of its group."""
        for force, patience in zip((None, signal.SIGTERM, _KILL), GRACE, strict=True):
            if force is not None:
                _strike(self._process, force)
            deadline = monotonic() + patience
            while not _gone(self._process):
                if monotonic() > deadline:
                    break
                sleep(_POLL)
            else:
                return


@contextmanager
def leaving_on_signals() -> Iterator[None]:
    """Have the signals that would end us on the spot raise SystemExit, so that what we started is ended as well."""

    def leave(number: int, _frame: object) -> NoReturn:
        raise SystemExit(128 + number)

    replaced = []
    if current_thread() is main_thread():
        fatal = [number for number in _FATAL if signal.getsignal(number) is signal.SIG_DFL]
        replaced = [(number, signal.signal(number, leave)) for number in fatal]
    try:
        yield
    finally:
        for number, handler in replaced:
            signal.signal(number, handler)


@contextmanager
def _signals_held() -> Iterator[None]:
    """Let signals wait for the end of a step, so that nothing is started and then forgotten."""
    arrived: list[int] = []
    handlers: dict[int, Any] = {}
    if current_thread() is main_thread():
        handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, *_FATAL)}
        handlers = {number: handler for number, handler in handlers.items() if handler is not None}
    for number in handlers:
        signal.signal(number, lambda number, _frame: arrived.append(number))
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        for number in arrived:
            signal.raise_signal(number)


_FATAL: Final = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
#: Windows has no SIGKILL; there every end is a forced one.
_KILL: Final = getattr(signal, "SIGKILL", signal.SIGTERM)


def _gone(process: subprocess.Popen[bytes]) -> bool:
    """Whether nothing is left of a process and the group that it leads."""
    if process.poll() is None:
        return False
    if sys.platform == "win32":
        return True
    try:
        os.killpg(process.pid, 0)
    except OSError:
        return True
    return False


def _strike(process: subprocess.Popen[bytes], force: signal.Signals) -> None:
    """Signal the group that a process leads; its id stays that of the group while anyone of it is left."""
    if sys.platform == "win32":
        words = ["taskkill", "/T", "/F", "/PID", str(process.pid)]
        subprocess.run(words, capture_output=True, check=False)
        return
    with suppress(OSError):
        os.killpg(process.pid, force)


def _ended(code: int) -> str:
    if code >= 0:
        return f"ended with exit code {code}"
    with suppress(ValueError):
        return f"was ended by {signal.Signals(-code).name}"
    return f"was ended by signal {-code}"


def _may_be_message(line: bytes) -> bool:
    return line.lstrip()[:1] in (b"{", b"[") and b'"jsonrpc"' in line
