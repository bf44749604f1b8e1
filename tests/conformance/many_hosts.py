"""Many sample hosts behind one socket, each below a prefix of its own, so that a test waits for one start only."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

import workbench as wb
from workbench.conformance import ProbeResult, probe
from workbench.sample_host import create_app
from workbench.sample_host.running import _listening, _running, _server

ALICE, BOB = "key-of-alice-7c1e", "key-of-bob-93d2"
SMALL = wb.load("sample:small")
#: Bytes that `huge` sends, and that are read at most where one of these faults is on.
_SIZE, _LIMIT = 600_000, 200_000
NETWORK = frozenset({"html", "redirect-elsewhere", "slow", "endless", "huge", "cut-off"})


@dataclass(repr=False)
class Hosts:
    """An ASGI application that makes a host the first time somebody asks for it; remembers all that is asked."""

    url: str = ""
    asked: list[tuple[str, str, str, bool]] = field(default_factory=list)
    _apps: dict[str, Any] = field(default_factory=dict)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        prefix, _, rest = scope["raw_path"].decode("latin-1")[1:].partition("/")
        has_key = any(name == b"authorization" for name, _ in scope["headers"])
        self.asked.append((prefix, scope["method"], f"/{rest}", has_key))
        if prefix not in self._apps:
            faults = [name for name in prefix.split("+") if name != "perfect"]
            self._apps[prefix] = create_app(SMALL, keys={"alice": ALICE, "bob": BOB}, faults=faults, size=_SIZE)
        path = {"path": f"/{unquote(rest)}", "raw_path": f"/{rest}".encode()}
        await self._apps[prefix]({**scope, **path}, receive, send)

    def probe(self, *faults: str, major: int | None = 1, second: bool = True, **options: Any) -> ProbeResult:
        """Probe the host with these faults; one that never ends is not waited for."""
        hasty = {"timeout": 0.3, "max_bytes": _LIMIT, "retries": 0} if NETWORK & set(faults) else {}
        given: dict[str, Any] = {"credential": ALICE, "other": BOB if second else None, **hasty, **options}
        return probe(f"{self.url}/{'+'.join(faults) or 'perfect'}", major=major, **given)


@contextmanager
def running() -> Iterator[Hosts]:
    hosts = Hosts()
    with _listening(0) as listener, _running(_server(hosts), listener):
        hosts.url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        yield hosts


def failed(result: ProbeResult) -> set[str]:
    return {outcome.id for outcome in result.outcomes if outcome.status == "fail"}
