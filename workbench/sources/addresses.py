"""Addresses: the base URL of a host, and targets below it that reach the host exactly as they were written."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote

import httpx

from workbench.errors import UsageError

__all__ = ["Address", "segment"]

_DEFAULT_PORTS: Final = {"http": 80, "https": 443}
#: All of an address; the group is what stands before its path.
_AUTHORITY: Final = re.compile(r"(?:[^/?#]*//)?([^/?#]*).*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Address:
    """A base URL in two parts: `https://host:8443`, and the path below which the host answers (`` or `/prefix`)."""

    origin: str
    prefix: str
    secure: bool

    @classmethod
    def of(cls, url: str, *, allow_insecure: bool = False) -> Address:
        """
        Take a base URL apart.

        Raises:
            UsageError: it is no http(s) address, has credentials, a query or a fragment in it, or is plain http to another
                machine without `allow_insecure`. What it repeats of the address never holds credentials.
        """
        if "@" in _AUTHORITY.sub(r"\1", url):
            raise UsageError(
                "an address holds no credentials; put the key into an environment variable and name it (--token-env NAME)"
            )
        try:
            parsed = httpx.URL(url)
            port_fits = parsed.port is None or 0 < parsed.port < 65536
        except (httpx.InvalidURL, ValueError):  # Their texts repeat parts of what may be a misspelt password.
            raise UsageError(
                "this is no address of a host: a character, the name or the port in it cannot be"
            ) from None
        if parsed.scheme not in _DEFAULT_PORTS or not parsed.host or not port_fits:
            raise UsageError(
                "the address of a host is http(s)://HOST, with a port from 1 to 65535 and a path where it has them"
            )
        if "?" in url or "#" in url:
            raise UsageError(
                "the address of a host has no query (?) and no fragment (#): it is what /.well-known follows"
            )
        origin = origin_of(parsed)
        secure = parsed.scheme == "https"
        if not (secure or allow_insecure or _is_loopback(parsed.host)):
            raise UsageError(
                f"{origin} is plain http to another machine: all that is sent can be read and changed on its way; "
                "use https, or --allow-insecure"
            )
        return cls(origin, parsed.raw_path.decode().rstrip("/"), secure)

    @property
    def url(self) -> str:
        """The base URL, without a slash at its end."""
        return self.origin + self.prefix

    def request_url(self, target: str) -> httpx.URL:
        """
        The address of a target below the origin, guaranteed to be sent as it is written.

        Raises:
            UsageError: it cannot be sent as it is: too long, not percent-encoded, or with dots that would be resolved.
        """
        try:
            url = httpx.URL(self.origin).copy_with(raw_path=target.encode())
        except (httpx.InvalidURL, UnicodeError) as error:
            raise UsageError(f"this target cannot be sent: {error}") from None
        if url.raw_path != target.encode() or not target.startswith("/"):
            raise UsageError("this target cannot be sent as it is; percent-encode what is no part of a path or query")
        return url

    def target_of(self, url: httpx.URL) -> str | None:
        """The target of a URL within the same origin; None when it is of another."""
        return url.raw_path.decode() if origin_of(url) == self.origin else None


def origin_of(url: httpx.URL) -> str:
    """Scheme, host and port of a URL, the port left out where it is the usual one (RFC 6454)."""
    host = f"[{url.host}]" if ":" in url.host else url.raw_host.decode()
    port = "" if url.port in (None, _DEFAULT_PORTS.get(url.scheme)) else f":{url.port}"
    return f"{url.scheme}://{host}{port}"


def segment(text: str) -> str:
    """
    Any text as exactly one segment of a path (RFC 3986, 3.3): everything but unreserved characters is percent-encoded.

    Dots are unreserved, but a segment of nothing but one or two would be resolved, so those are encoded too.
    """
    if text in (".", ".."):
        return text.replace(".", "%2E")
    return quote(text, safe="", errors="surrogatepass")


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return bool((mapped or address).is_loopback)
