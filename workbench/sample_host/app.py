"""The host over HTTP: paths, methods and headers, for both majors at once."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from hashlib import sha256
from secrets import token_urlsafe
from typing import Final
from urllib.parse import unquote

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from workbench.catalog import Catalog
from workbench.errors import UsageError
from workbench.sample_host.faults import ELSEWHERE, faulty
from workbench.sample_host.host import RUNS_READ, VERSIONS, Answer, Host, Major, Refusal
from workbench.values import dumps

__all__ = ["create_app"]

_JSON: Final = "application/json"
_PREFIXES: Final[Mapping[Major, str]] = {1: "/v1/tools", 2: "/tools"}
#: More than the 100 MiB that a JSON text may have here.
_HUGE: Final = 101 * 2**20


def create_app(
    catalogs: Catalog | Mapping[str, Catalog],
    *,
    keys: Mapping[str, str] | None = None,
    scopes: Mapping[str, Collection[str]] | None = None,
    faults: Iterable[str] = (),
    seconds: float = 3600.0,
    size: int = _HUGE,
    elsewhere: str = ELSEWHERE,
) -> Starlette:
    """
    A host that serves a catalog to each principal, v1 and v2 at once. `app.state.keys` has the key of each.

    A single catalog is alice's, and bob has all of it but its first tool. A principal without a key in `keys` gets a random one,
    one that `scopes` does not name has `runs:read`. `faults` are names from `FAULTS`; `seconds` is how long `slow` takes, `size`
    how many bytes `huge` sends, `elsewhere` the origin that `redirect-elsewhere` points to.

    Raises:
        UsageError: an unknown fault, keys or scopes of nobody, an empty key, or one key for two principals.
    """
    if isinstance(catalogs, Catalog):
        catalogs = {"alice": catalogs, "bob": replace(catalogs, tools=catalogs.tools[1:])}
    _refuse_strangers(catalogs, keys or {}, scopes or {})
    own_keys = {name: token_urlsafe(24) for name in catalogs} | dict(keys or {})
    own_scopes = {**dict.fromkeys(catalogs, (RUNS_READ,)), **(scopes or {})}
    host = faulty(faults, seconds=seconds, size=size, elsewhere=elsewhere)(catalogs, own_keys, own_scopes)
    app = Starlette(
        routes=_routes(host),
        middleware=[Middleware(_PathAsSent)],
        exception_handlers={Refusal: _refused, HTTPException: _not_here, Exception: _failed},
    )
    app.router.redirect_slashes = False
    app.state.keys = own_keys
    return app


def _refuse_strangers(
    catalogs: Mapping[str, Catalog], keys: Mapping[str, str], scopes: Mapping[str, Collection[str]]
) -> None:
    for name in [*keys, *scopes]:
        if name not in catalogs:
            raise UsageError(f"no catalog for the principal {name!r}; there are {', '.join(catalogs)}")
    if len(set(keys.values())) < len(keys) or not all(
        key.isascii() and key.strip() == key != "" for key in keys.values()
    ):
        raise UsageError("a key is ASCII text that is not empty, and each principal has one of its own")


def _routes(host: Host) -> list[Route]:
    async def discover(request: Request) -> Response:
        return _response(request, host.discover(request.headers.get("openwop-version")))

    routes = [Route("/.well-known/openwop", discover)]
    for major, prefix in _PREFIXES.items():
        routes += _catalog_routes(host, major, prefix)
    return routes


def _catalog_routes(host: Host, major: Major, prefix: str) -> list[Route]:
    async def catalog(request: Request) -> Response:
        headers, query = request.headers, request.query_params
        read = host.read(
            major, headers.get("openwop-version"), headers.get("authorization"), query.get("view"), query.get("source")
        )
        segment = request.path_params.get("tool_id")
        if segment is None:
            return _response(request, host.list_tools(read))
        # What is not UTF-8 turns into what no id can hold.
        return _response(request, host.get_tool(read, unquote(segment, errors="surrogateescape")))

    return [Route(prefix, catalog), Route(prefix + "/{tool_id}", catalog)]


class _PathAsSent:
    """Routes see the path with its percent-encoding: an encoded slash is part of an id and ends no segment."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self.app({**scope, "path": scope["raw_path"].decode("latin-1")}, receive, send)


def _response(request: Request, answer: Answer) -> Response:
    headers = {"Content-Type": _JSON, **answer.headers}
    if not isinstance(answer.body, bytes):
        return StreamingResponse(answer.body, answer.status, headers)
    if answer.status != 200:
        return Response(answer.body, answer.status, headers)
    headers["ETag"] = f'"{sha256(answer.body).hexdigest()[:32]}"'
    if _known(request.headers.get("if-none-match", ""), headers["ETag"]):
        del headers["Content-Type"]
        return Response(None, 304, headers)
    return Response(answer.body, 200, headers)


def _known(condition: str, tag: str) -> bool:
    """Whether `If-None-Match` holds this tag, by weak comparison (RFC 9110, 13.1.2)."""
    return any(each.strip().removeprefix("W/") in ("*", tag) for each in condition.split(","))


async def _refused(request: Request, refusal: Exception) -> Response:
    assert isinstance(refusal, Refusal)
    major: Major = 1 if request.url.path.startswith("/v1/") else 2
    headers = {"OpenWOP-Version": VERSIONS[major], "Cache-Control": "no-store", **refusal.headers}
    return Response(dumps(refusal.envelope), refusal.status, headers, _JSON)


async def _not_here(request: Request, error: Exception) -> Response:
    """A path or a method that is not served; the registry has no code for the latter, so this one is a vendor's."""
    assert isinstance(error, HTTPException)
    refusal = Refusal(404, "not_found", "There is nothing here.")
    if error.status_code == 405:
        refusal = Refusal(405, "sample-host.method_not_allowed", "This can only be read.")
        refusal.headers["Allow"] = "GET, HEAD"
    return await _refused(request, refusal)


async def _failed(request: Request, error: Exception) -> Response:
    return await _refused(request, Refusal(500, "internal_error", "The host failed."))
