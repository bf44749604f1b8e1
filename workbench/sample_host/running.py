"""The sample host on a socket of the loopback interface, beside whatever else the process does."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Thread
from time import sleep
from typing import TYPE_CHECKING, Any, Final

from workbench.catalog import Catalog
from workbench.errors import UsageError, WorkbenchError

if TYPE_CHECKING:
    import uvicorn

__all__ = ["RunningHost", "serve"]

_LOOPBACK: Final = "127.0.0.1"


@dataclass(frozen=True, slots=True, repr=False)
class RunningHost:
    """Where the host listens, and the key of each principal."""

    url: str
    keys: Mapping[str, str]

    def __repr__(self) -> str:
        return f"<RunningHost at {self.url} for {', '.join(self.keys)}>"


@contextmanager
def serve(
    catalogs: Catalog | Mapping[str, Catalog],
    *,
    faults: Iterable[str] = (),
    port: int = 0,
    keys: Mapping[str, str] | None = None,
    **options: Any,
) -> Iterator[RunningHost]:
    """
    Serve catalogs on the loopback interface until the `with` block ends. Port 0 is any that is free; see `create_app` for the rest.

        with wb.serve(wb.load("sample:twenty")) as host:
            host.url, host.keys["alice"]

    Raises:
        UsageError: the port is taken or may not be used, or what `create_app` raises.
    """
    from workbench.sample_host.app import create_app

    app = create_app(catalogs, keys=keys, faults=faults, **options)
    with _listening(port) as listener, _running(_server(app), listener):
        yield RunningHost(f"http://{_LOOPBACK}:{listener.getsockname()[1]}", dict(app.state.keys))


def _listening(port: int) -> socket.socket:
    if not 0 <= port <= 65_535:
        raise UsageError(f"a port is a number from 0 to 65535, not {port}")
    # Only sockets that name TCP are told by asyncio not to hold small answers back, which costs 40 ms a request.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if os.name == "posix":  # elsewhere the option lets a second server take the port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((_LOOPBACK, port))
        listener.listen()
    except OSError as error:
        listener.close()
        reason = os.strerror(error.errno or 0).lower()
        raise UsageError(f"cannot listen on port {port} of {_LOOPBACK}: {reason}; choose another port") from None
    return listener


def _server(app: Any) -> uvicorn.Server:
    """A server that is silent, sends nothing by chance (no date), and waits for no reader once it is to end."""
    import uvicorn

    class Server(uvicorn.Server):
        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            for connection in self.server_state.connections:
                connection.transport.abort()
            await super().shutdown(sockets)

    return Server(
        uvicorn.Config(
            app,
            http="h11",
            ws="none",
            loop="asyncio",
            lifespan="off",
            log_config=None,
            log_level="critical",
            access_log=False,
            date_header=False,
            server_header=False,
            timeout_graceful_shutdown=0,
        )
    )


@contextmanager
def _running(server: uvicorn.Server, listener: socket.socket) -> Iterator[None]:
    thread = Thread(target=server.run, kwargs={"sockets": [listener]}, name="sample host", daemon=True)
    thread.start()
    try:
        while not server.started:
            if not thread.is_alive():
                raise WorkbenchError("the sample host did not start")
            sleep(0.002)
        yield
    finally:
        server.should_exit = True
        thread.join()
