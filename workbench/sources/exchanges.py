"""
Exchanges: one request and what came back, raw, as evidence that can be looked at, written down and replayed.

An exchange never holds a credential: `authorization` is not among the headers sent, and where a host sent a credential back,
`***` stands in its place and `echoed` says so.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from workbench.errors import HostError, InputError
from workbench.values import read_json

__all__ = ["Exchange", "Headers", "Principal"]

Principal: TypeAlias = Literal["none", "first", "second"]
"""On whose behalf a request is sent: nobody's, or that of the first or second credential."""

Headers: TypeAlias = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request and its answer, after redirects within the origin and after retries; without any credential."""

    principal: Principal
    method: str
    #: Path and query as they are sent, below the origin of the host.
    target: str
    headers_sent: Headers
    #: None where no complete answer came; `failure` then says why.
    status: int | None
    #: As received, names in lower case; values of `set-cookie` are masked.
    headers: Headers = ()
    #: After decompression.
    body: bytes = b""
    failure: str = ""
    #: The targets that redirects within the origin led to.
    hops: tuple[str, ...] = ()
    #: Whether the host sent a credential back, which is masked here.
    echoed: bool = False
    #: How many requests went out for it, retries and redirects included; none where the host had asked for too long a rest.
    attempts: int = field(default=1, compare=False)
    #: Seconds that the last attempt took.
    elapsed: float = field(default=0.0, compare=False)

    def header(self, name: str) -> str | None:
        """The values of a header of the answer, joined as RFC 9110 (5.3) has it; None when it is not there."""
        values = [value for key, value in self.headers if key == name.lower()]
        return ", ".join(values) if values else None

    @property
    def sha256(self) -> str:
        """Of the body, in hexadecimal."""
        return hashlib.sha256(self.body).hexdigest()

    @property
    def text(self) -> str:
        """The body for people; what is not UTF-8 in it is replaced."""
        return self.body.decode("utf-8", "replace")

    def json(self) -> Any:
        """
        The JSON value of the body, whatever the status.

        Raises:
            HostError: no complete answer came, or it is not JSON but HTML or nothing at all.
            InputError: it is not strict JSON; line and column say where.
            LimitError: it is nested too deeply.
        """
        if self.failure:
            raise HostError(self.failure, source=self.target, status=self.status)
        kind = (self.header("content-type") or "").partition(";")[0].strip().lower()
        if kind in ("text/html", "application/xhtml+xml") or self.body.lstrip()[:1] == b"<":
            raise HostError(f"the answer is {_markup(kind)}, not JSON", source=self.target, status=self.status)
        if not self.body.strip():
            raise HostError("the answer is empty, and JSON was asked for", source=self.target, status=self.status)
        return read_json(self.body, source=self.target, max_bytes=len(self.body))

    def to_json(self) -> dict[str, Any]:
        """The exchange as JSON, without times: the same exchange gives the same bytes."""
        try:
            body = {"body": self.body.decode()}
        except UnicodeDecodeError:
            body = {"bodyBase64": base64.b64encode(self.body).decode()}
        extra: dict[str, Any] = {"failure": self.failure, "hops": list(self.hops), "echoed": self.echoed}
        return {
            "principal": self.principal,
            "method": self.method,
            "target": self.target,
            "headersSent": [list(pair) for pair in self.headers_sent],
            "status": self.status,
            "headers": [list(pair) for pair in self.headers],
            **body,
            **{key: value for key, value in extra.items() if value},
            **({"attempts": self.attempts} if self.attempts != 1 else {}),
        }

    @classmethod
    def from_json(cls, value: Any) -> Exchange:
        """An exchange from what `to_json` gave. Raises InputError on anything else."""
        try:
            encoded = value.get("bodyBase64")
            return cls(
                value["principal"],
                value["method"],
                value["target"],
                _pairs(value["headersSent"]),
                value["status"],
                _pairs(value["headers"]),
                value["body"].encode() if encoded is None else base64.b64decode(encoded, validate=True),
                value.get("failure", ""),
                tuple(value.get("hops", ())),
                value.get("echoed", False),
                value.get("attempts", 1),
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise InputError(f"this is no recorded exchange: {type(error).__name__}: {error}") from None


def _pairs(items: Iterable[Iterable[str]]) -> Headers:
    return tuple((name, value) for name, value in items)


def _markup(kind: str) -> str:
    return "XML" if "xml" in kind and "xhtml" not in kind else "HTML"
