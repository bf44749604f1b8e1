"""The public Python client of OpenWOP, in each of its majors, reads the sample host."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import workbench as wb
from workbench.sample_host import serve

ROOT = Path(__file__).resolve().parents[2]
TWENTY = wb.load("sample:twenty")

#: Runs with nothing but the client on its path. It reads where to go from standard input, and writes down what it was told.
SCRIPT = """
import dataclasses, json, sys
from openwop_client import OpenwopClient

said = json.load(sys.stdin)
def client(principal):
    return OpenwopClient(said["url"], said["keys"].get(principal, "wrong"))
def plain(value):
    return dataclasses.asdict(value) if dataclasses.is_dataclass(value) else value
def refused(call):
    try:
        call()
    except Exception as error:
        return [error.status, plain(error.envelope)["error"]]

alice, bob = client("alice"), client("bob")
tools = alice.tools_list()
json.dump(
    {
        "discovery": plain(alice.discovery_capabilities()),
        "tools": [plain(tool) for tool in tools],
        "by id": [plain(alice.tools_get(tool.toolId)) for tool in tools],
        "compact": [plain(tool) for tool in alice.tools_list_compact()],
        "unknown": alice.tools_get("a/b c"),
        "of alice": [bob.tools_get(tool.toolId) is None for tool in tools],
        "wrong key": refused(client("mallory").tools_list),
    },
    sys.stdout,
    default=str,
)
"""


@pytest.fixture(scope="module", params=[1, 2])
def said(request: pytest.FixtureRequest) -> tuple[int, dict[str, Any]]:
    """The major of the client, and what it was told."""
    folder = ROOT / ".venv" / "interop" / str(request.param)
    if not (folder / "openwop_client").is_dir():
        pytest.skip(f"openwop-client {request.param}.x is not set up; `make test` does it")
    with serve(TWENTY) as host:
        done = subprocess.run(
            [sys.executable, "-S", "-c", SCRIPT],
            input=json.dumps({"url": host.url, "keys": host.keys}),
            env={"PYTHONPATH": str(folder)},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    return request.param, json.loads(done.stdout)


def present(tool: dict[str, Any]) -> dict[str, Any]:
    """The client writes None for what is not there, and drops what it does not know."""
    return {name: value for name, value in tool.items() if value is not None}


def test_discovery_advertises_the_compact_view(said: tuple[int, dict[str, Any]]) -> None:
    major, told = said
    if major == 1:
        assert told["discovery"]["toolCatalog"]["compactView"] is True
    else:
        assert told["discovery"]["protocolVersions"] == ["1.4", "2.0"]
        assert told["discovery"]["families"]["toolCatalog"]["facets"]["compactView"] is True


def test_lists_and_gets_every_tool(said: tuple[int, dict[str, Any]]) -> None:
    _, told = said
    assert [present(tool) for tool in told["tools"]] == sorted(
        TWENTY.to_json()["tools"], key=lambda tool: str(tool["toolId"])
    )
    assert told["by id"] == told["tools"]


def test_lists_the_compact_view(said: tuple[int, dict[str, Any]]) -> None:
    major, told = said
    compact = [present(tool) for tool in told["compact"]]
    assert [tool["toolId"] for tool in compact] == sorted(TWENTY.ids)
    assert wb.check(wb.load(compact), "compact", 2 if major == 2 else 1).counts["must"] == 0


def test_understands_what_it_is_refused(said: tuple[int, dict[str, Any]]) -> None:
    _, told = said
    assert told["unknown"] is None
    assert told["of alice"].count(True) == 1
    assert told["wrong key"] == [401, "unauthenticated"]
