"""Recorded probes of the perfect host, replayed with some of their answers bent."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from conformance.many_hosts import Hosts
from workbench.conformance import ProbeResult, probe
from workbench.sources.exchanges import Exchange
from workbench.sources.recording import Replay

Bend = Callable[[Exchange], Exchange]


class Recordings:
    """The exchanges of one probe for each major, intrusive and with two principals."""

    def __init__(self, hosts: Hosts) -> None:
        self.hosts = hosts
        self._known: dict[int, ProbeResult] = {}

    def of(self, major: int) -> ProbeResult:
        if major not in self._known:
            self._known[major] = self.hosts.probe(major=major, intrusive=True)
        return self._known[major]

    def bent(self, bend: Bend, major: int = 1, **options: Any) -> ProbeResult:
        """
        A probe of the same answers, changed by `bend`.

        Lists come more often than recorded, since a probe reads them again where it is in doubt.
        """
        exchanges = self.of(major).exchanges
        again = [each for each in exchanges if is_list(each) and "?" not in each.target and each.principal != "none"]
        return replayed([bend(each) for each in [*exchanges, *again, *again]], self.of(major).host, major, **options)


def replayed(exchanges: Iterable[Exchange], url: str, major: int | None, **options: Any) -> ProbeResult:
    given: dict[str, Any] = {"credential": "first", "other": "second", "intrusive": True, **options}
    return probe(url, major=major, transport=Replay(exchanges), **given)


def is_list(exchange: Exchange) -> bool:
    return exchange.method == "GET" and exchange.target.partition("?")[0].endswith("/tools")


def is_compact(exchange: Exchange) -> bool:
    return "view=compact" in exchange.target


def with_json(exchange: Exchange, change: Callable[[Any], Any]) -> Exchange:
    """The exchange with another JSON value; one without JSON stays as it is."""
    try:
        value = json.loads(exchange.body)
    except ValueError:
        return exchange
    return replace(exchange, body=json.dumps(change(value), ensure_ascii=False).encode())


def with_tools(change: Callable[[dict[str, Any]], Any], where: Callable[[Exchange], bool] = lambda _: True) -> Bend:
    """Changes every descriptor wherever it is sent, in lists and by id."""

    def changed(value: Any) -> Any:
        if isinstance(value, list):
            return [changed(each) for each in value]
        if isinstance(value, dict) and "tools" in value:
            return {**value, "tools": changed(value["tools"])}
        return change(value) if isinstance(value, dict) and "toolId" in value else value

    return lambda exchange: with_json(exchange, changed) if where(exchange) else exchange


def with_header(exchange: Exchange, name: str, value: str | None) -> Exchange:
    kept = tuple(pair for pair in exchange.headers if pair[0] != name)
    return replace(exchange, headers=(*kept, (name, value)) if value is not None else kept)
