"""
Hosts: a client that reads the tool catalog of an OpenWOP host (v1 and v2) and keeps what it sent and received as evidence.

Nothing is sent anywhere but to the origin of the base URL: a redirect to another one fails and names it, no proxy is used, no
cookie is kept, no `.netrc` is read. What a host does never raises in `exchange`: it is in the `Exchange`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import replace
from threading import Lock
from types import TracebackType
from typing import Final, NoReturn, Self, TypeAlias
from urllib.parse import quote

import httpx

from workbench.catalog import Catalog, View
from workbench.errors import CatalogError, HostError, InputError, UsageError
from workbench.sources.addresses import Address, segment
from workbench.sources.connection import Connection
from workbench.sources.credentials import Credential, Mask
from workbench.sources.discovery import VERSION, Discovery, Major, Validated, discover
from workbench.sources.exchanges import Exchange, Principal
from workbench.sources.recording import Replay
from workbench.sources.refusals import refusal
from workbench.sources.sending import Sender
from workbench.sources.wire import ENCODINGS
from workbench.values import MAX_BYTES
from workbench.version import __version__

__all__ = ["Credential", "HostClient", "from_host"]

Sent: TypeAlias = tuple[tuple[str, str | None], ...]
#: RFC 9110, 5.1 and 5.5, without what is not ASCII.
_NAME: Final = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_VALUE: Final = re.compile(r"[\t -~]*")
_OURS: Final = frozenset({"authorization", "connection", "content-length", "host", "transfer-encoding"})
#: A shorter value of a header is no secret, and masking it would deface answers.
_SHORTEST_SECRET: Final = 8


def from_host(url: str, *, server: str | None, view: View, connection: Connection) -> Catalog:
    """
    The catalog of a host, for `load`. `server` says nothing here: descriptors have their ids.

    Raises:
        HostError, CatalogError, InputError, UsageError: as `HostClient` does; or the view is compact and not advertised.
    """
    with HostClient.over(url, connection) as client:
        if view == "compact" and not client.discover(principal="first").compact_view:
            raise HostError("the host does not advertise the compact view (toolCatalog.compactView)", source=client.url)
        return client.catalog(view)


class HostClient:
    """One OpenWOP host, read by up to two principals. Safe to use from several threads; a context manager."""

    def __init__(
        self,
        url: str,
        *,
        credential: Credential | str | None = None,
        other: Credential | str | None = None,
        major: Major | None = None,
        timeout: float = 30.0,
        max_bytes: int = MAX_BYTES,
        retries: int = 2,
        allow_insecure: bool = False,
        extra_headers: Iterable[tuple[str, str]] = (),
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        """
        Take a host by its base URL, which `.well-known/openwop` follows; nothing is sent yet.

        `timeout` is for one answer as a whole, in seconds; `max_bytes` for one body, decompressed. `major` None is what the host
        prefers. Values of `extra_headers` are sent to the host and masked everywhere else.

        Raises:
            UsageError: an address, credential, header or number that does not fit.
        """
        replaying = isinstance(transport, Replay)
        given = {"first": _credential(credential), "second": _credential(other)}
        if given["first"] and given["second"] and given["first"].value == given["second"].value:
            raise UsageError("both credentials are the same one; that of a second principal is another")
        self._credentials: dict[str, Credential] = {name: value for name, value in given.items() if value is not None}
        self._address = Address.of(url, allow_insecure=allow_insecure or replaying)
        self._extra = _sendable(extra_headers)
        self._wanted = major
        self._major = major
        self._lock = Lock()
        self._exchanges: list[Exchange | None] = []
        self._validated: Validated = {}
        self._sender = Sender(
            self._address,
            # A recording holds no secret, and "first" and "second" stand in it as the words that they are.
            Mask(() if replaying else self._secrets()),
            secret_headers=frozenset(name.lower() for name, _ in self._extra),
            timeout=_positive(timeout, "timeout"),
            max_bytes=int(_positive(max_bytes, "max_bytes")),
            retries=max(0, retries),
            transport=transport,
        )

    @classmethod
    def over(cls, url: str, connection: Connection, *, other: Credential | None = None) -> Self:
        """A client by the options of `load`; `other` is the credential of a second principal. Raises as the class does."""
        return cls(
            url,
            credential=connection.credential(),
            other=other,
            major=connection.major,
            timeout=connection.timeout,
            max_bytes=connection.max_bytes,
            allow_insecure=connection.allow_insecure,
        )

    def _secrets(self) -> list[str]:
        extra = [value for _, value in self._extra if len(value) >= _SHORTEST_SECRET]
        return [*(credential.value for credential in self._credentials.values()), *extra]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<HostClient of {self.url}>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a client holds connections and credentials, so it cannot be pickled")

    def close(self) -> None:
        """Close the connections; reads that are under way in other threads end."""
        self._sender.close()

    @property
    def url(self) -> str:
        """The base URL, without a slash at its end."""
        return self._address.url

    @property
    def origin(self) -> str:
        """Scheme, host and port: the only place that anything is sent to."""
        return self._address.origin

    @property
    def prefix(self) -> str:
        """The path of the base URL, with which every target begins; often empty."""
        return self._address.prefix

    @property
    def major(self) -> Major:
        """The major that is spoken: as given, or as discovery found it, which happens now if need be (raises as `discover`)."""
        return self._major or self.discover().major

    @property
    def exchanges(self) -> tuple[Exchange, ...]:
        """All exchanges so far, in the order of sending; those of `tools` in the order of its ids."""
        with self._lock:
            return tuple(exchange for exchange in self._exchanges if exchange is not None)

    def has(self, principal: Principal) -> bool:
        """Whether there is a credential for a principal; nobody needs none."""
        return principal == "none" or principal in self._credentials

    def list_target(self, view: str | None = None, source: str | None = None) -> str:
        """Where the list is read, with `view` and `source` as queries where they are given. Raises as `major` does."""
        return self._target("", view=view, source=source)

    def one_target(self, tool_id: str, view: str | None = None) -> str:
        """Where one tool is read: whatever its id is, it is one segment of the path. Raises as `major` does."""
        return self._target(f"/{segment(tool_id)}", view=view)

    def _target(self, rest: str, **queries: str | None) -> str:
        given = [f"{name}={quote(value, safe='')}" for name, value in queries.items() if value is not None]
        path = f"{self.prefix}{'/tools' if self.major == 2 else '/v1/tools'}{rest}"
        return "?".join([path, "&".join(given)] if given else [path])

    def discover(self, *, principal: Principal = "none") -> Discovery:
        """
        What the host says of its tool catalog; asked again each time, and revalidated where the host gave an ETag.

        Raises:
            HostError: there is no discovery document, or it is no JSON object.
            InputError: it is not strict JSON.
        """
        found = discover(self, self._wanted, principal, self._validated)
        self._major = self._major or found.major
        return found

    def catalog(self, view: View = "standard", *, source: str | None = None, principal: Principal = "first") -> Catalog:
        """
        Read the list in a view: a bare array, or an object with `tools` or `items`. `received` has the text as it came.

        A host that does not advertise the compact view answers with the standard one: see `discover`.

        Raises:
            HostError: no complete answer, another status than 200, or no JSON.
            CatalogError: it is JSON and no list of descriptors.
            InputError: it is not strict JSON.
        """
        target = self.list_target(None if view == "standard" else view, source)
        exchange = self.exchange(target, principal=principal)
        place = f"{self.origin}{target}"
        if exchange.failure or exchange.status != 200:
            raise HostError(exchange.failure or refusal(exchange), source=place, status=exchange.status)
        try:
            catalog = Catalog.from_json(exchange.json(), view=view)
            if catalog.form != "openwop":
                raise CatalogError(f"these are {catalog.form} tools, not descriptors: a descriptor has a toolId")
        except InputError as error:
            error.source = place
            raise
        return replace(catalog, source=self.url, received=exchange.body.decode(), major=self.major)

    def tools(
        self,
        ids: Sequence[str],
        view: View,
        *,
        workers: int = 8,
        progress: Callable[[int, int], None] | None = None,
        principal: Principal = "first",
    ) -> list[Exchange]:
        """
        Read tools by their ids, up to `workers` at once; exchanges come in the order of `ids`.

        `progress` is told how many are done, and of how many. Raises as `major` does.
        """
        targets = [self.one_target(tool_id, view) for tool_id in ids]
        slots = [self._slot() for _ in targets]
        pool = ThreadPoolExecutor(max(1, workers), thread_name_prefix="workbench-host")
        try:
            reads = [
                pool.submit(self._kept, slot, target, "GET", principal, ())
                for slot, target in zip(slots, targets, strict=True)
            ]
            for done, _ in enumerate(as_completed(reads), 1):
                if progress is not None:
                    progress(done, len(reads))
            return [read.result() for read in reads]
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            self.close()
            raise
        finally:
            pool.shutdown()

    def exchange(
        self,
        target: str,
        *,
        method: str = "GET",
        principal: Principal = "first",
        headers: Iterable[tuple[str, str | None]] = (),
    ) -> Exchange:
        """
        Send one request and keep it. Whatever the host does is in the result; `failure` says why no complete answer came.

        `principal` "first" without a credential is nobody. `headers` win over those always sent; a value of None leaves one out.
        Only a GET is sent again, when the host is busy or the connection fails.

        Raises:
            UsageError: a second principal without a credential, or a header that cannot be sent.
        """
        return self._kept(self._slot(), target, method, principal, tuple(headers))

    def _slot(self) -> int:
        with self._lock:
            self._exchanges.append(None)
            return len(self._exchanges) - 1

    def _kept(self, slot: int, target: str, method: str, principal: Principal, headers: Sent) -> Exchange:
        if principal == "second" and not self.has(principal):
            raise UsageError("there is no credential for a second principal")
        actual: Principal = principal if self.has(principal) else "none"
        exchange = self._sender.send(actual, method, target, self._headers(actual, headers))
        with self._lock:
            self._exchanges[slot] = exchange
        return exchange

    def _headers(self, principal: Principal, headers: Sent) -> dict[str, str]:
        found: dict[str, str | None] = {
            "accept": "application/json",
            "accept-encoding": ENCODINGS,
            "user-agent": f"compact-tool-workbench/{__version__}",
            VERSION.lower(): "2.0" if self._major == 2 else None,
        }
        found |= {name.lower(): value for name, value in (*self._extra, *headers)}
        credential = self._credentials.get(principal)
        if credential is not None:
            found["authorization"] = f"Bearer {credential.value}"
        return {name: value for name, value in found.items() if value is not None}


def _credential(given: Credential | str | None) -> Credential | None:
    return Credential(given) if isinstance(given, str) else given


def _sendable(headers: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Headers that may be sent. Raises UsageError, which repeats no value."""
    pairs = tuple(headers)
    for name, value in pairs:
        if not _NAME.fullmatch(name) or not _VALUE.fullmatch(value):
            raise UsageError(
                f"the header {name!r} cannot be sent: its name or its value has characters that none may have"
            )
        if name.lower() in _OURS:
            raise UsageError(f"the header {name!r} is not for others to set; a credential is given as one")
    return pairs


def _positive(number: float, name: str) -> float:
    if not 0 < number < float("inf"):
        raise UsageError(f"{name} is a number over 0, and not {number}")
    return number
