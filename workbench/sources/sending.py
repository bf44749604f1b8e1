"""Sending: one request to one origin, through redirects and retries, to one `Exchange` that holds no credential."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from time import monotonic, sleep
from typing import Final

import httpx

from workbench.errors import UsageError
from workbench.sources.addresses import Address, origin_of
from workbench.sources.credentials import MASKED, Mask
from workbench.sources.exchanges import Exchange, Headers, Principal
from workbench.sources.recording import Replay
from workbench.sources.refusals import failure
from workbench.sources.retries import BUSY, MAX_WAIT, Attempt, persistently, too_long
from workbench.sources.wire import BodyRefused, Wire, body_of, within

__all__ = ["Sender"]

_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_MAX_HOPS: Final = 5
#: Characters of an origin that a message repeats: more than any name of a host has.
_LONGEST: Final = 300
#: What evidence leaves out of the headers sent: the credential, and what only says where to.
_UNTOLD: Final = frozenset({"authorization", "host"})
#: What can go wrong with a request for reasons that lie with the host or on the way to it.
_TROUBLE: Final = (httpx.HTTPError, httpx.StreamError, OSError, UnicodeError, BodyRefused, UsageError)


class Sender:
    """Sends requests to the origin of an address and nowhere else: no proxy, no cookies, no `.netrc`."""

    def __init__(
        self,
        address: Address,
        mask: Mask,
        *,
        secret_headers: frozenset[str],
        timeout: float,
        max_bytes: int,
        retries: int,
        transport: httpx.BaseTransport | None,
    ) -> None:
        self._address = address
        self._mask = mask
        self._secret_headers = secret_headers
        self._timeout = timeout
        self._max_bytes = max_bytes
        # What is replayed is what remained after all attempts.
        self._replays = isinstance(transport, Replay)
        self._retries = 0 if self._replays else retries
        self._rests_until = 0.0
        self._rest = ""
        # Not through `httpx.Client`, which keeps cookies, reads `.netrc` and works out redirects before it is asked to.
        self._transport = transport or Wire(secure=address.secure)
        self._extensions = {"timeout": httpx.Timeout(timeout).as_dict()}
        self._closed = False

    def close(self) -> None:
        """Close the connections; reads that are under way in other threads end."""
        self._closed = True
        self._transport.close()

    def send(self, principal: Principal, method: str, target: str, headers: dict[str, str]) -> Exchange:
        """
        Send a request, again where that may help; what came back, or why nothing did.

        Nothing is sent as long as a host wants to be left alone, if it wants that for longer than is waited for.
        """
        told = ((name, MASKED if name in self._secret_headers else value) for name, value in headers.items())
        kept = tuple((name, self._mask.text(value)) for name, value in told if name not in _UNTOLD)
        blank = Exchange(principal, method, self._mask.text(target), kept, None)
        if monotonic() < self._rests_until:
            return replace(blank, failure=self._rest, attempts=0)
        exchange = persistently(
            lambda: self._followed(blank, target, headers),
            retries=self._retries if method == "GET" else 0,
            pause=sleep,
        )
        wait = None if self._replays else too_long(exchange)
        if wait is not None:
            self._rest = (
                f"the host asks to wait {wait:,.0f} seconds, and at most {MAX_WAIT:g} are waited: nothing more was sent"
            )
            self._rests_until = monotonic() + wait
        return exchange

    def _followed(self, blank: Exchange, target: str, headers: dict[str, str]) -> Attempt:
        """One request, and the redirects within the origin that it meets; none to another origin is followed."""
        targets = [target]
        while True:
            attempt, response = self._once(blank, targets[-1], headers)
            hops = tuple(map(self._mask.text, targets[1:]))
            sent = attempt.exchange.attempts + len(hops)
            exchange = replace(attempt.exchange, hops=hops or attempt.exchange.hops, attempts=sent)
            if response is None or not _redirects(response, blank.method):
                return Attempt(exchange, attempt.again)
            following, trouble = self._next(response)
            if following in targets:
                trouble = "the host redirects in a circle"
            elif len(targets) > _MAX_HOPS:
                trouble = f"the host redirects more than {_MAX_HOPS} times"
            if trouble:
                return Attempt(replace(exchange, status=None, failure=self._mask.text(trouble)), False)
            targets.append(following)

    def _next(self, response: httpx.Response) -> tuple[str, str]:
        """The target that a redirect leads to, or what is wrong with it."""
        try:
            url = response.request.url.join(response.headers["location"])
        except (httpx.InvalidURL, ValueError):
            return "", "the host redirects to what is no address"
        if url.scheme not in ("http", "https") or not url.host:
            return "", "the host redirects to what is no address"
        target = self._address.target_of(url)
        if target is None:
            return "", f"the host redirects to another origin, {origin_of(url)[:_LONGEST]}, to which nothing was sent"
        return target, ""

    def _once(self, blank: Exchange, target: str, headers: dict[str, str]) -> tuple[Attempt, httpx.Response | None]:
        """One request on the wire, and the answer where there was a whole one; the body of a redirect is not read."""
        begun = monotonic()
        response: httpx.Response | None = None
        try:
            request = self._request(blank.method, target, headers)
            with within(self._timeout):
                response = self._transport.handle_request(request)
                response.request = request
                with closing(response):
                    body = b"" if _redirects(response, blank.method) else body_of(response, self._max_bytes)
        except _TROUBLE as error:
            what, again = failure(error, answered=response is not None, timeout=self._timeout)
            came, echoed = self._received(response)
            told = {"headers": came, "failure": self._mask.text(what), "echoed": echoed, "elapsed": monotonic() - begun}
            failed = replace(blank, **{**told, **getattr(error, "recorded", {})})
            return Attempt(failed, again), None
        came, echoed = self._received(response)
        masked = self._mask.data(body)
        answered = replace(
            blank,
            status=response.status_code,
            headers=came,
            body=masked,
            hops=tuple(response.extensions.get("hops", ())),
            echoed=echoed or masked != body,
            attempts=response.extensions.get("attempts", 1),
            elapsed=monotonic() - begun,
        )
        return Attempt(answered, response.status_code in BUSY), response

    def _request(self, method: str, target: str, headers: dict[str, str]) -> httpx.Request:
        if self._closed:
            raise UsageError("this client is closed")
        return httpx.Request(method, self._address.request_url(target), headers=headers, extensions=self._extensions)

    def _received(self, response: httpx.Response | None) -> tuple[Headers, bool]:
        """The headers of an answer, secrets masked, and whether a credential was among them."""
        if response is None:
            return (), False
        raw = [(name.decode("latin-1").lower(), value.decode("latin-1")) for name, value in response.headers.raw]
        masked = [(name, self._mask.text(value)) for name, value in raw]
        kept = tuple((name, MASKED if name == "set-cookie" else value) for name, value in masked)
        return kept, masked != raw or bool(response.extensions.get("echoed"))


def _redirects(response: httpx.Response, method: str) -> bool:
    return response.status_code in _REDIRECTS and method in ("GET", "HEAD") and "location" in response.headers
