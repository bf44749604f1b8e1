"""
What can be wrong with a host, one fault at a time: each changes what one step of the host does, and leaves all others alone.

A fault is a function of the host, of the step as it was, and of what the step is asked. Its name with hyphens is that of the
fault, its docstring says what the fault does. To add one, write it below; the decorator puts it into `FAULTS`.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from workbench.errors import UsageError
from workbench.sample_host.host import VERSIONS, Answer, Host, Major, Read, Refusal
from workbench.sample_host.streams import cut, drip, pad, repeat

__all__ = ["ELSEWHERE", "FAULTS", "Fault", "faulty"]

#: An origin that is not ours, where nobody listens.
ELSEWHERE: Final = "http://127.0.0.2:9"

_Change: TypeAlias = Callable[..., Any]
_Step: TypeAlias = Callable[..., Any]
_Tools: TypeAlias = list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault: its name, what it does, which requirements it breaks, and in which majors it can be seen."""

    name: str
    text: str
    breaks: frozenset[str]
    majors: tuple[Major, ...]
    #: The method of `Host` that it changes.
    step: str
    change: _Change

    def applied(self, host: type[Host]) -> type[Host]:
        """A kind of host with this fault."""
        before = getattr(host, self.step)

        def changed(this: Host, *asked: Any) -> Any:
            return self.change(this, partial(before, this), *asked)

        return type(host.__name__, (host,), {self.step: changed})


def faulty(names: Iterable[str], **settings: Any) -> type[Host]:
    """
    A kind of host with all of these faults, and with the settings that some of them read.

    Raises:
        UsageError: there is no such fault; the message lists those that there are.
    """
    host = type("SampleHost", (Host,), settings)
    for name in names:
        if name not in FAULTS:
            raise UsageError(f"unknown fault {name!r}; there are {', '.join(FAULTS)}")
        host = FAULTS[name].applied(host)
    return host


_known: dict[str, Fault] = {}

#: All faults, by name.
FAULTS: Final[Mapping[str, Fault]] = MappingProxyType(_known)


def _fault(step: str, *breaks: str, majors: tuple[Major, ...] = (1, 2)) -> Callable[[_Change], _Change]:
    def add(change: _Change) -> _Change:
        name = change.__name__.strip("_").replace("_", "-")
        text = (change.__doc__ or "").strip()
        _known[name] = Fault(name, text, frozenset(breaks), majors, step, change)
        return change

    return add


# The discovery document.


@_fault("document", "compact-unadvertised")
def _behaviour_without_flag(host: Any, step: _Step, major: Major) -> dict[str, Any]:
    """The compact view is served, but not advertised."""
    document = step(major)
    return {**document, "toolCatalog": _without(document["toolCatalog"], "compactView")}


@_fault("view", "compact-honoured")
def _flag_without_behaviour(host: Any, step: _Step, text: str | None) -> str:
    """The compact view is advertised, but not served."""
    return "standard"


@_fault("document", "capability-root", majors=(1,))
def _legacy_capabilities(host: Any, step: _Step, major: Major) -> dict[str, Any]:
    """The capability is not at the root of the v1 document but under `capabilities`."""
    document = step(major)
    if major == 2:
        return dict(document)
    return {**_without(document, "toolCatalog"), "capabilities": {"toolCatalog": document["toolCatalog"]}}


# Who asks, and for what.


@_fault("principal", "unauthenticated")
def _no_401(host: Any, step: _Step, authorization: str | None) -> str:
    """Whoever has no valid key is taken for the first principal."""
    try:
        return str(step(authorization))
    except Refusal:
        return _first_principal(host)


@_fault("view", "unknown-view")
def _unknown_view_400(host: Any, step: _Step, text: str | None) -> Any:
    """A value of `view` that is neither `standard` nor `compact` is an error."""
    if text not in (None, "standard", "compact"):
        raise Refusal(400, "validation_error", "view is standard or compact.")
    return step(text)


@_fault("listed", "source-filter", "source-composes", majors=(1,))
def _source_ignored(host: Any, step: _Step, read: Read) -> _Tools:
    """The query `source` filters nothing."""
    return list(step(replace(read, source=None)))


# The list.


@_fault("envelope", "compact-envelope")
def _bare_compact_list(host: Any, step: _Step, tools: _Tools, read: Read) -> Any:
    """The compact list is a bare array, without its envelope."""
    return tools


@_fault("listed", "same-tool-ids")
def _dropped_tool(host: Any, step: _Step, read: Read) -> _Tools:
    """The compact list of the first principal lacks its last tool."""
    tools: _Tools = step(read)
    if read.view == "standard" or read.principal != _first_principal(host):
        return tools
    dropped = host.tools(read.principal, read.major, read.view)[-1:]  # The same one, whatever `source` asks for.
    return [tool for tool in tools if tool not in dropped]


@_fault("compact", "same-tool-ids")
def _extra_tool(host: Any, step: _Step, principal: str, major: Major) -> _Tools:
    """The compact view of the first principal has a tool that the standard view has not."""
    extra = {"toolId": "x-host-sample.extra", "source": "host-extension", "safetyTier": "read"}
    tools = [*step(principal, major), *([extra] if principal == _first_principal(host) else [])]
    return sorted(tools, key=lambda tool: str(tool["toolId"]).encode("utf-16-be"))


@_fault("listed", "unique-tool-ids")
def _duplicate_ids(host: Any, step: _Step, read: Read) -> _Tools:
    """Lists have their first tool twice."""
    tools = step(read)
    return [*tools[:1], *tools]


@_fault("listed", "stable-bytes", "sorted-order")
def _unstable_order(host: Any, step: _Step, read: Read) -> _Tools:
    """Lists come in another order each time, and in none that is sorted (of three tools and more)."""
    host.turn = not getattr(host, "turn", False)
    tools = step(read)
    return list(tools[::-1] if host.turn else [*tools[1:], *tools[:1]])


# Descriptors of both views.


@_fault("standard", "exec-source")
def _exec_mislabelled(host: Any, step: _Step, principal: str, major: Major) -> _Tools:
    """The first tool is of the tier `exec` and yet comes from an MCP server."""
    return _first(step(principal, major), lambda tool: {**tool, "source": "mcp", "safetyTier": "exec"})


@_fault("standard", "no-secrets")
def _leaking_secret(host: Any, step: _Step, principal: str, major: Major) -> _Tools:
    """The description of the first tool holds an access key (an invented one)."""
    key = "AKIA" + "Q3EGN7UZXW4TLBVD"  # In two parts, so that no scanner takes it for ours.

    def leaking(tool: dict[str, Any]) -> dict[str, Any]:
        return {**tool, "description": f"Signs in as {key}. {tool.get('description', '')}".strip()}

    return _first(step(principal, major), leaking)


# Descriptors of the compact view.


@_fault("compact", "compact-closed-fields")
def _extra_field(host: Any, step: _Step, principal: str, major: Major) -> _Tools:
    """Compact descriptors have a field outside the closed set."""
    return [{**tool, "category": "tool"} for tool in step(principal, major)]


@_fault("compact", "schemas-kept")
def _omitted_schemas(host: Any, step: _Step, principal: str, major: Major) -> _Tools:
    """Compact descriptors have no schemas."""
    return [_without(tool, "inputSchema") for tool in step(principal, major)]


@_fault("compact", "compact-root")
def _missing_root(host: Any, step: _Step, principal: str, major: Major) -> _Tools:
    """The first compact schema lacks `type` at its root."""
    return _first_schema(step(principal, major), lambda schema: _without(schema, "type"))


@_fault("compact", "compact-keyword")
def _nested_keyword(host: Any, step: _Step, principal: str, major: Major) -> _Tools:
    """The first compact schema has `anyOf` below a property, where the official suite looks."""
    return _first_schema(step(principal, major), lambda schema: _with_property(schema, {"anyOf": [{}]}))


@_fault("compact", "compact-keyword")
def _unseen_keyword(host: Any, step: _Step, principal: str, major: Major) -> _Tools:
    """The first compact schema has `anyOf` in the schema of a string's content, where the official suite does not look."""
    content = {"contentMediaType": "application/json", "contentSchema": {"anyOf": [{}]}}
    return _first_schema(step(principal, major), lambda schema: _with_property(schema, content))


@_fault("compact", "required-known", majors=(1,))
def _lossy_required(host: Any, step: _Step, principal: str, major: Major) -> _Tools:
    """The first compact schema that requires a property lacks it among its properties; v2 has no `required` there."""

    def lossy(schema: dict[str, Any]) -> dict[str, Any]:
        # Open to other properties, so that nothing is refused that was accepted.
        return {
            **_without(schema, "additionalProperties"),
            "properties": _without(schema["properties"], schema["required"][0]),
        }

    return _first_schema(step(principal, major), lossy, having="required")


@_fault("compact", "sound-projection")
def _unsound_projection(host: Any, step: _Step, principal: str, major: Major) -> _Tools:
    """The first compact schema with properties accepts one made-up value for each of them."""

    def unsound(schema: dict[str, Any]) -> dict[str, Any]:
        return {**schema, "properties": {name: {"enum": ["nothing else will do"]} for name in schema["properties"]}}

    return _first_schema(step(principal, major), unsound)


# One tool.


@_fault("found", "compact-one", "by-id-compact")
def _by_id_full(host: Any, step: _Step, read: Read, tool_id: str) -> dict[str, Any]:
    """By id, the standard descriptor comes in either view."""
    return dict(step(replace(read, view="standard"), tool_id))


@_fault("found", "unknown-id")
def _unknown_id_200(host: Any, step: _Step, read: Read, tool_id: str) -> dict[str, Any]:
    """An id that there is not gets a made-up descriptor instead of 404, the same for all."""
    try:
        return dict(step(read, tool_id))
    except Refusal:
        return {"toolId": "x-host-sample.unknown", "source": "host-extension", "safetyTier": "read"}


@_fault("found", "non-disclosure")
def _other_id_403(host: Any, step: _Step, read: Read, tool_id: str) -> dict[str, Any]:
    """A tool of another principal is forbidden instead of unknown."""
    try:
        return dict(step(read, tool_id))
    except Refusal:
        if any(tool_id in catalog.ids for catalog in host.catalogs.values()):
            raise Refusal(403, "forbidden", "This tool is not yours.") from None
        raise


# The answer.


@_fault("answer", "version-header", majors=(2,))
def _wrong_version_header(host: Any, step: _Step, value: Any, read: Read) -> Answer:
    """Answers of v2 say that they are of v1."""
    answer: Answer = step(value, read)
    return replace(answer, headers={**answer.headers, "OpenWOP-Version": VERSIONS[1]})


@_fault("list_tools", "catalog-served")
def _html(host: Any, step: _Step, read: Read) -> Answer:
    """Lists are a web page."""
    page = b"<!doctype html><html><head><title>Sign in</title></head><body><h1>Sign in</h1></body></html>"
    answer: Answer = step(read)
    return replace(answer, body=page, headers={"Content-Type": "text/html; charset=utf-8"})


@_fault("list_tools", "catalog-served")
def _redirect_elsewhere(host: Any, step: _Step, read: Read) -> Answer:
    """Lists are said to be at another origin."""
    path = "/v1/tools" if read.major == 1 else "/tools"
    return Answer(b"{}", {"Location": f"{host.elsewhere}{path}"}, 302)


@_fault("list_tools", "catalog-served")
def _slow(host: Any, step: _Step, read: Read) -> Answer:
    """Lists come in drips, and take an hour."""
    return _streamed(step(read), partial(drip, seconds=host.seconds), 0)


@_fault("list_tools", "catalog-served")
def _endless(host: Any, step: _Step, read: Read) -> Answer:
    """Lists never end."""
    return _streamed(step(read), repeat)


@_fault("list_tools", "catalog-served")
def _huge(host: Any, step: _Step, read: Read) -> Answer:
    """Lists are right, and have more than 100 MiB of space in them."""
    return _streamed(step(read), partial(pad, size=host.size), host.size)


@_fault("list_tools", "catalog-served")
def _cut_off(host: Any, step: _Step, read: Read) -> Answer:
    """Lists break off in the middle."""
    return _streamed(step(read), cut, 0)


# What the faults are made of.


def _without(value: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: each for key, each in value.items() if key != name}


def _first_principal(host: Host) -> str:
    return next(iter(host.catalogs))


def _first(tools: _Tools, change: Callable[[dict[str, Any]], dict[str, Any]]) -> _Tools:
    return [*map(change, tools[:1]), *tools[1:]]


def _first_schema(
    tools: _Tools, change: Callable[[dict[str, Any]], dict[str, Any]], having: str = "properties"
) -> _Tools:
    """The tools with the first schema changed in which this keyword says something."""
    for index, tool in enumerate(tools):
        if tool.get("inputSchema", {}).get(having):
            changed = {**tool, "inputSchema": change(tool["inputSchema"])}
            return [*tools[:index], changed, *tools[index + 1 :]]
    return tools


def _with_property(schema: dict[str, Any], below: dict[str, Any]) -> dict[str, Any]:
    """A property more, which accepts everything: nothing is refused that was accepted."""
    return {**schema, "properties": {**schema["properties"], "extra": below}}


def _streamed(answer: Answer, stream: Callable[[bytes], AsyncIterator[bytes]], length: int | None = None) -> Answer:
    """The same answer, its body sent by a stream; one that is sent by another already stays as it is."""
    if not isinstance(answer.body, bytes):
        return answer
    declared = {} if length is None else {"Content-Length": str(max(length, len(answer.body)))}
    return replace(answer, body=stream(answer.body), headers={**answer.headers, **declared})
