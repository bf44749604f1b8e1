"""A host in a thread: it is there at once, it is gone at once, and it leaves nothing behind."""

from __future__ import annotations

import asyncio
import gc
import logging
import socket
import threading
from urllib.parse import urlsplit

import httpx
import pytest

import workbench as wb
from sample_host.asking import Caller
from workbench.errors import UsageError
from workbench.sample_host import serve

SMALL = wb.load("sample:small")


def opened(url: str, key: str) -> socket.socket:
    """A connection on which a list has been asked for, and the answer has begun."""
    place = urlsplit(url)
    connection = socket.create_connection((place.hostname or "", place.port or 0), timeout=20)
    connection.sendall(f"GET /v1/tools HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {key}\r\n\r\n".encode())
    assert connection.recv(100).startswith(b"HTTP/1.1 200")
    return connection


@pytest.mark.parametrize("fault", ["slow", "endless", None])
def test_ends_with_connections_open_and_leaves_nothing_behind(fault: str | None) -> None:
    threads = set(threading.enumerate())
    with serve(SMALL, faults=[fault] if fault else []) as host:
        idle = opened(host.url, host.keys["alice"])
    idle.close()
    assert set(threading.enumerate()) == threads
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection((urlsplit(host.url).hostname or "", urlsplit(host.url).port or 0))
    gc.collect()  # Anything left open would warn now, and warnings are errors.


def test_a_reader_that_leaves_ends_an_endless_answer() -> None:
    with serve(SMALL, faults=["endless"]) as host:
        for _ in range(3):
            opened(host.url, host.keys["alice"]).close()
        assert Caller(host).one(SMALL.ids[0]).status == 200


def test_cut_off_breaks_off() -> None:
    with (
        serve(SMALL, faults=["cut-off"]) as host,
        pytest.raises(httpx.RemoteProtocolError, match="without sending complete"),
    ):
        httpx.get(f"{host.url}/v1/tools", headers={"Authorization": f"Bearer {host.keys['alice']}"})


def test_a_list_that_is_slow_arrives() -> None:
    with serve(SMALL, faults=["slow"], seconds=0.05) as host:
        assert [tool["toolId"] for tool in Caller(host).tools()] == sorted(SMALL.ids)


def test_endless_begins_like_a_list() -> None:
    with serve(SMALL, faults=["endless"]) as host:
        key = host.keys["alice"]
        with httpx.stream("GET", f"{host.url}/tools", headers={"Authorization": f"Bearer {key}"}) as response:
            text = b""
            for chunk in response.iter_raw():
                text += chunk
                if len(text) > 100_000:
                    break
    tool = text[1 : text.index(b'},{"toolId"', 1) + 1]
    assert text.startswith(b"[" + tool) and text.count(tool) > 3


def test_a_port_may_be_named_and_is_free_again_afterwards() -> None:
    with serve(SMALL) as first:
        port = int(first.url.rpartition(":")[2])
        with pytest.raises(UsageError, match=f"port {port} of 127.0.0.1: address already in use; choose another"):
            serve(SMALL, port=port).__enter__()
    with serve(SMALL, port=port) as again:
        assert again.url == first.url


@pytest.mark.parametrize("port", [-1, 65_536])
def test_a_port_that_there_is_not(port: int) -> None:
    with pytest.raises(UsageError, match="a port is a number"):
        serve(SMALL, port=port).__enter__()


def test_an_error_in_the_block_ends_it_and_gets_out() -> None:
    with pytest.raises(ZeroDivisionError), serve(SMALL) as host:
        raise ZeroDivisionError
    with pytest.raises(httpx.ConnectError):
        httpx.get(host.url)


def test_runs_beside_a_loop_that_runs_already() -> None:
    """As in a notebook."""

    async def cell() -> int:
        with serve(SMALL) as host:
            return (await asyncio.to_thread(Caller(host).list)).status

    assert asyncio.run(cell()) == 200


def test_only_the_loopback_interface_is_open() -> None:
    with serve(SMALL) as host:
        assert urlsplit(host.url).hostname == "127.0.0.1"


def test_nothing_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with serve(SMALL, faults=["cut-off"]) as host:
        Caller(host).one("x")
        with pytest.raises(httpx.RemoteProtocolError):
            httpx.get(f"{host.url}/v1/tools", headers={"Authorization": f"Bearer {host.keys['alice']}"})
    assert [record for record in caplog.records if record.name.startswith(("uvicorn", "starlette"))] == []
    assert not any(key in caplog.text for key in host.keys.values())
