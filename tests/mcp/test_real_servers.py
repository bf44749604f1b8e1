"""Servers as their makers publish them, on both transports."""

from __future__ import annotations

import os
import shlex
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import workbench as wb

BIN = Path(sys.executable).parent
NODE = Path(__file__).parents[2] / ".venv" / "npm" / "node_modules" / ".bin"
needs_node = pytest.mark.skipif(
    not (NODE / "mcp-server-everything").exists(),
    reason="the servers for Node.js are not there; with npm, `make .venv/.test-set-up` installs them",
)


def command(folder: Path, name: str, *arguments: str) -> str:
    return f"mcp:{shlex.join([str(folder / f'mcp-server-{name}'), *arguments])}"


@pytest.mark.parametrize(
    ("folder", "name", "arguments", "server", "tool"),
    [
        (BIN, "time", ["--local-timezone", "UTC"], "mcp-time", "convert_time"),
        (BIN, "git", [], "mcp-git", "git_status"),
        pytest.param(NODE, "everything", [], "mcp-servers/everything", "echo", marks=needs_node),
        pytest.param(NODE, "filesystem", ["."], "secure-filesystem-server", "read_file", marks=needs_node),
        pytest.param(NODE, "memory", [], "memory-server", "create_entities", marks=needs_node),
    ],
)
def test_a_server_over_stdio(folder: Path, name: str, arguments: list[str], server: str, tool: str) -> None:
    catalog = wb.load(command(folder, name, *arguments), timeout=60)
    assert f"mcp:{server}.{tool}" in catalog.ids
    assert wb.load(_file(catalog), server=server).to_json() == catalog.to_json()
    cost = wb.budget(catalog).total
    assert 0 < cost.compact < cost.standard
    assert not [finding for finding in wb.check(catalog).findings if finding.level == "must"]


def _file(catalog: wb.Catalog) -> dict[str, object]:
    """What a file with the text that was received gives."""
    from workbench.values import read_json

    value = read_json(catalog.received)
    assert isinstance(value, dict)
    return value


@pytest.fixture
def address() -> Iterator[str]:
    """The reference server over streamable HTTP; another may take the free port first, so it is tried a few times."""
    for _ in range(3):
        with socket.socket() as one:
            one.bind(("127.0.0.1", 0))
            port = one.getsockname()[1]
        environment = os.environ | {"PORT": str(port)}
        words = [str(NODE / "mcp-server-everything"), "streamableHttp"]
        with subprocess.Popen(words, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
            try:
                if _listens(server, port):
                    yield f"http://127.0.0.1:{port}/mcp"
                    return
            finally:
                server.terminate()
    pytest.fail("the server does not start")


def _listens(server: subprocess.Popen[bytes], port: int) -> bool:
    for _ in range(600):
        if server.poll() is not None:
            return False
        with socket.socket() as one:
            if one.connect_ex(("127.0.0.1", port)) == 0:
                return True
        time.sleep(0.05)
    return False


@needs_node
def test_both_transports_give_the_same(address: str) -> None:
    remote = wb.load(f"mcp:{address}")
    local = wb.load(command(NODE, "everything"), timeout=60)
    assert remote.to_json() == local.to_json()
    assert len(remote) > 10
