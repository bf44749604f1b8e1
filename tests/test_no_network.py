from __future__ import annotations

import socket

import pytest


@pytest.mark.parametrize("host", ["192.0.2.1", "8.8.8.8"])
@pytest.mark.parametrize("kind", [socket.SOCK_STREAM, socket.SOCK_DGRAM])
def test_another_machine_is_out_of_reach(host: str, kind: socket.SocketKind) -> None:
    with socket.socket(socket.AF_INET, kind) as one:
        for call in (one.connect, one.connect_ex, lambda address: one.sendto(b"x", address)):
            with pytest.raises(pytest.fail.Exception, match="only the loopback"):
                call((host, 9))


def test_a_name_is_not_looked_up() -> None:
    with pytest.raises(pytest.fail.Exception, match="only the loopback"):
        socket.create_connection(("example.com", 80))


def test_the_loopback_interface_is_open() -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.create_connection(("localhost", server.getsockname()[1])) as one,
    ):
        assert one.getpeername()[1] == server.getsockname()[1]
