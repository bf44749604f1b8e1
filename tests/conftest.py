"""What every test runs under: the same Hypothesis examples everywhere, and no network but the loopback interface."""

from __future__ import annotations

import ipaddress
import signal
import socket
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "ci",
    derandomize=True,
    deadline=None,
    database=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("ci")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # What runs in the background of a shell inherits this, and would hand it on to the processes that tests interrupt.
    signal.signal(signal.SIGINT, signal.default_int_handler)

_CALLS_WITH_ADDRESS = ("connect", "connect_ex", "sendto")


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail a test that reaches for another machine; no handler for network errors can swallow that failure."""
    for name in _CALLS_WITH_ADDRESS:
        monkeypatch.setattr(socket.socket, name, _guarded(getattr(socket.socket, name)))
    resolve = socket.getaddrinfo

    def getaddrinfo(host: Any, *args: Any, **kwargs: Any) -> Any:
        _refuse_unless_loopback(host)
        return resolve(host, *args, **kwargs)

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)


def _guarded(call: Callable[..., Any]) -> Callable[..., Any]:
    def guarded(self: socket.socket, *args: Any) -> Any:
        if self.family in (socket.AF_INET, socket.AF_INET6):
            _refuse_unless_loopback(args[-1][0])  # The address is the last argument of all three.
        return call(self, *args)

    return guarded


def _refuse_unless_loopback(host: Any) -> None:
    name = host.decode() if isinstance(host, bytes) else host
    if name in (None, "", "localhost") or _is_loopback(name):
        return
    pytest.fail(f"this test reaches for {name!r}; only the loopback interface is open to tests")


def _is_loopback(name: str) -> bool:
    try:
        return ipaddress.ip_address(name.partition("%")[0]).is_loopback
    except ValueError:
        return False
