"""A host as material: its two views, a probe of it, and the exchanges that both can be had from again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from workbench.catalog import Catalog
from workbench.errors import InputError, WorkbenchError

if TYPE_CHECKING:
    from workbench.conformance import ProbeResult
    from workbench.sources.exchanges import Exchange
    from workbench.sources.hosts import HostClient

__all__ = ["HostRead", "embedded", "exchanges_of", "opened", "read_host", "replayed"]

Asked: TypeAlias = Literal[1, 2] | None

#: Headers of an answer that say when it was given: they differ from read to read, and nothing is concluded from them.
_TIMES: Final = ("date", "age")


@dataclass(frozen=True, slots=True)
class HostRead:
    """What was read of one host."""

    url: str
    origin: str
    #: The major that was spoken, and the one that was asked for (None: what the host prefers).
    major: Literal[1, 2]
    asked: Asked
    standard: Catalog
    #: The host's own compact view; the reason where it cannot be read, None where the host does not advertise it.
    offered: Catalog | str | None
    probe: ProbeResult
    exchanges: tuple[Exchange, ...]


def opened(url: str, *, other_token_env: str | None = None, **connection: Any) -> HostClient:
    """
    A client for a host, by the options of `workbench.load` and `other_token_env`, which names a second principal's credential.

    Raises:
        UsageError: an address or an option that does not fit, or a variable that is not set.
    """
    from workbench.sources.connection import Connection
    from workbench.sources.hosts import Credential, HostClient

    wanted = Connection.of(connection)
    other = None if other_token_env is None else Credential.from_environment(other_token_env)
    return HostClient.over(url, wanted, other=other)


def read_host(client: HostClient, *, asked: Asked, seed: int) -> HostRead:
    """
    Probe a host and read both views, in one order, so that a recording of it can be read in the same way.

    Raises:
        HostError: its standard view cannot be had.
        CatalogError: it is no catalog.
        InputError: it is no JSON in the strict sense.
    """
    from workbench.conformance import probe_client

    before = len(client.exchanges)
    probe = probe_client(client, major=asked, seed=seed)
    discovery = client.discover(principal="first")
    standard = client.catalog()
    offered: Catalog | str | None = None
    if discovery.compact_view:
        try:
            offered = client.catalog("compact")
        except WorkbenchError as error:
            offered = error.message
    return HostRead(client.url, client.origin, client.major, asked, standard, offered, probe, client.exchanges[before:])


def replayed(url: str, exchanges: Iterable[Exchange], *, asked: Asked, seed: int) -> HostRead:
    """Read a recording as the host was read. Raises as `read_host` does, and UsageError for an address that is none."""
    from workbench.sources.hosts import HostClient
    from workbench.sources.recording import Replay

    recorded = tuple(exchanges)
    principals = {exchange.principal for exchange in recorded}
    with HostClient(
        url,
        credential="first" if "first" in principals else None,
        other="second" if "second" in principals else None,
        major=asked,
        transport=Replay(recorded),
    ) as client:
        # What was recorded is kept, so that a bundle can be made of a replay.
        return replace(read_host(client, asked=asked, seed=seed), exchanges=recorded)


def embedded(exchanges: Iterable[Exchange]) -> dict[str, Any]:
    """The exchanges as they stand in a bundle, each body once, by its SHA-256."""
    listed, bodies = [], {}
    for exchange in exchanges:
        value = _timeless(exchange).to_json()
        body = {name: value.pop(name) for name in ("body", "bodyBase64") if name in value}
        bodies[exchange.sha256] = body
        listed.append(value | {"sha256": exchange.sha256})
    return {"exchanges": listed, "bodies": dict(sorted(bodies.items()))}


def exchanges_of(value: Mapping[str, Any]) -> tuple[Exchange, ...]:
    """
    The exchanges that `embedded` wrote.

    Raises:
        InputError: a body is missing, or is not what its hash says.
    """
    from workbench.sources.exchanges import Exchange

    found = []
    for recorded in value["exchanges"]:
        name = recorded["sha256"]
        if name not in value["bodies"]:
            raise InputError(f"the bundle has no body with the SHA-256 {name}")
        rest = {key: each for key, each in recorded.items() if key != "sha256"}
        exchange = Exchange.from_json(rest | value["bodies"][name])
        if exchange.sha256 != name:
            raise InputError(f"an embedded body has the SHA-256 {exchange.sha256}, not {name}")
        found.append(exchange)
    return tuple(found)


def _timeless(exchange: Exchange) -> Exchange:
    return replace(exchange, headers=tuple(pair for pair in exchange.headers if pair[0] not in _TIMES))
