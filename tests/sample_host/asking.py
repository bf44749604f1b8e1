"""Requests as they are written on the wire: nothing of a path is tidied up on the way."""

from __future__ import annotations

import http.client
import json
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlsplit

from workbench.sample_host import RunningHost

__all__ = ["PREFIXES", "Caller", "Reply"]

PREFIXES = {1: "/v1/tools", 2: "/tools"}


@dataclass(frozen=True)
class Reply:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True)
class Caller:
    """A principal of a host, or nobody, who speaks one major."""

    host: RunningHost
    principal: str | None = "alice"
    major: int = 1

    def ask(self, target: str, method: str = "GET", **headers: str) -> Reply:
        sent = {"OpenWOP-Version": "2.0"} if self.major == 2 else {}
        if self.principal is not None:
            sent["Authorization"] = f"Bearer {self.host.keys[self.principal]}"
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        connection = http.client.HTTPConnection(urlsplit(self.host.url).netloc, timeout=20)
        try:
            connection.request(method, target, headers=sent)
            with connection.getresponse() as response:
                fields = {name.lower(): value for name, value in response.getheaders()}
                return Reply(response.status, fields, response.read())
        finally:
            connection.close()

    def list(self, query: str = "", **headers: str) -> Reply:
        return self.ask(PREFIXES[self.major] + query, **headers)

    def one(self, tool_id: str, query: str = "") -> Reply:
        return self.ask(f"{PREFIXES[self.major]}/{quote(tool_id, safe='')}{query}")

    def tools(self, query: str = "") -> Any:
        found = self.list(query).json
        return found["tools"] if isinstance(found, dict) else found
