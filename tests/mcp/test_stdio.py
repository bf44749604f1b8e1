"""MCP servers over stdio: what they send arrives as it is, whatever they do ends in one line, and none is left running."""

from __future__ import annotations

import json
import re
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from workbench.catalog import Catalog
from workbench.errors import CatalogError, HostError, InputError, LimitError, UsageError
from workbench.sources import load
from workbench.sources.mcp import session, stdio

Command = Callable[[str], str]
SCHEMA = '{"type":"object","properties":{"x":{"default":1.0}}}'


def read(command: str, *, server: str | None = None, **connection: Any) -> Catalog:
    return load(f"mcp:{command}", server=server, **connection)


def test_the_list_arrives_as_it_was_sent(command: Command) -> None:
    source = command("plain")
    catalog = read(source)
    (tool,) = catalog
    assert (tool.tool_id, catalog.form, catalog.view, catalog.source) == (
        "mcp:pit.dig",
        "mcp",
        "standard",
        f"mcp:{source}",
    )
    assert f'"inputSchema":{SCHEMA}' in catalog.received
    assert json.loads(catalog.received)["result"]["tools"][0]["name"] == "dig"


def test_any_patience_will_do(command: Command) -> None:
    assert len(read(command("plain"), timeout=1e300)) == 1


def test_all_pages_are_read_and_have_no_one_text(command: Command) -> None:
    catalog = read(command("pages"))
    assert catalog.ids == ("mcp:pit.t0", "mcp:pit.t1", "mcp:pit.t2")
    assert catalog.received == ""
    assert [tool.index for tool in catalog] == [0, 1, 2]


@pytest.mark.parametrize(
    ("mode", "server", "expected"),
    [
        ("plain", "mine", "mcp:mine.dig"),
        ("plain", "", "mcp:dig"),
        ("anonymous", None, "mcp:dig"),
        ("odd-name", None, "mcp:a/b c.d.dig"),
        ("old", None, "mcp:pit.dig"),
    ],
)
def test_the_server_has_the_name_that_is_given_or_else_its_own(
    command: Command, mode: str, server: str | None, expected: str
) -> None:
    assert read(command(mode), server=server).ids == (expected,)


def test_requests_of_the_server_are_answered_and_all_else_is_passed_over(command: Command) -> None:
    (tool,) = read(command("chatty"), timeout=10)
    assert json.loads(tool.descriptor["description"]) == [{}, -32601, -32601, -32601]


@pytest.mark.parametrize("mode", ["noisy", "complaining", "batch", "stubborn", "family"])
def test_what_is_wrong_beside_the_list_does_not_matter(command: Command, mode: str) -> None:
    assert read(command(mode), timeout=10).ids == ("mcp:pit.dig",)


#: By misbehaviour: the kind of error, and what its line says after the source.
CASES: dict[str, tuple[type[InputError], str]] = {
    "traceback": (
        HostError,
        r"the server ended with exit code 1 before it answered initialize; .* / ModuleNotFoundError: No module named .shovel.",
    ),
    "killed": (HostError, "the server was ended by SIGKILL before it answered initialize"),
    "shut": (HostError, "the server closed its standard output before it answered initialize"),
    "orphans": (HostError, "the server ended with exit code 3 before it answered initialize"),
    "silent": (HostError, "no answer to initialize within 0.3 seconds [(]--timeout[)]"),
    "mute-garbage": (HostError, "no answer to initialize .*; what it writes .* no messages: Usage: dig .OPTIONS."),
    "garbage": (HostError, "it is no MCP server; what it writes to standard output are no messages: y"),
    "complaining-silent": (HostError, "no answer to initialize .*; its standard error ends with: .*a complaint"),
    "asking": (HostError, "it makes more than 1,000 requests of its own"),
    "flooding": (LimitError, "it wrote more than 5,000,000 bytes [(]--max-bytes[)]"),
    "endless-line": (LimitError, "it wrote more than 5,000,000 bytes [(]--max-bytes[)]"),
    "refusing": (HostError, r"initialize failed with error -32603: no shovel\\u001b\[2J"),
    "failing": (HostError, r"tools/list failed with error -32603: no shovel\\u001b\[2J"),
    "future": (HostError, "it speaks version 2030-01-01 of the protocol; known here are 2025-11-25, .*, 2024-11-05"),
    "no-version": (HostError, "it names no version of the protocol"),
    "same-cursor": (HostError, "tools/list never ends: page 2 names a page that was read before as the next"),
    "endless-pages": (HostError, "tools/list has more than 20 pages"),
    "odd-cursor": (HostError, "nextCursor of tools/list is not a string"),
    "no-list": (HostError, "page 1 of tools/list has no list of tools"),
    "no-result": (HostError, "the answer to tools/list has no result"),
    "nameless": (CatalogError, r"a tool has a toolId or a name, and this one has neither \(at /tools/1\)"),
    "no-tool": (CatalogError, r"a tool is an object \(at /tools/0\)"),
    "twice": (InputError, r"tools/list: the name 'name' occurs twice in one object \(at /result/tools/0; line 1, .*"),
    "not-finite": (InputError, "tools/list: NaN is not JSON: .*"),
    "not-utf-8": (InputError, r"tools/list: byte \d+ \(0xff\) is not UTF-8: .*"),
    "deep": (LimitError, "tools/list: .*500.*"),
}


@pytest.mark.parametrize("mode", CASES)
def test_a_hostile_server_ends_in_one_line(command: Command, mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "MAX_PAGES", 20)
    kind, says = CASES[mode]
    quick = mode in ("silent", "orphans", "mute-garbage", "complaining-silent")
    source = command(mode)
    with pytest.raises(InputError) as caught:
        read(source, timeout=0.3 if quick else 20, max_bytes=5_000_000)
    assert type(caught.value) is kind
    line = str(caught.value)
    assert line.startswith(f"mcp:{source}: ")
    assert re.fullmatch(says, line.removeprefix(f"mcp:{source}: "))
    assert line.isprintable()


@pytest.mark.parametrize("fault", [KeyboardInterrupt, RuntimeError])
def test_the_server_ends_when_we_do(
    command: Command, fault: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise fault

    monkeypatch.setattr(session, "_answers", fail)
    with pytest.raises(fault):
        read(command("stubborn"), timeout=10)


@pytest.mark.skipif(sys.platform == "win32", reason="signals are those of POSIX")
def test_an_interrupt_while_the_server_starts(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin = stdio.subprocess.Popen

    def interrupted(*words: Any, **options: Any) -> Any:
        process = begin(*words, **options)
        while not (tmp_path / "pids").exists():
            time.sleep(0.01)
        signal.raise_signal(signal.SIGINT)
        return process

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        monkeypatch.setattr(stdio.subprocess, "Popen", interrupted)
        with pytest.raises(KeyboardInterrupt):
            read(command("stubborn"), timeout=10)
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)


def test_an_impatient_interrupt_ends_the_server_at_once(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_process: object) -> bool:
        raise KeyboardInterrupt

    monkeypatch.setattr(stdio, "_gone", interrupted)
    with pytest.raises(KeyboardInterrupt):
        read(command("stubborn"), timeout=10)


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("", 'name the command of an MCP server, or its address, after "mcp:"'),
        ("dig 'it", "mcp:dig ...: the command cannot be read: no closing quotation"),
        ("no-such-program --x", "mcp:no-such-program --x: there is no program 'no-such-program'"),
        ("TOKEN=x dig", "mcp:TOKEN=*** dig: there is no program 'TOKEN=***'"),
    ],
)
def test_a_command_that_cannot_be_started(address: str, says: str) -> None:
    with pytest.raises(UsageError) as caught:
        read(address)
    assert str(caught.value).startswith(says)


def test_a_credential_is_for_an_address(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIT_KEY", "a-key")
    assert read(command("environment")).ids == ("mcp:pit.a-key",)
    assert read(command("environment"), token_env="PIT_KEY").ids == ("mcp:pit.none",)
