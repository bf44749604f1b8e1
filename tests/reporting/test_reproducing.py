"""What a report says of how to get it again: typed into a shell, it gives the same bundle."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

import workbench as wb
from workbench.cli import main
from workbench.evidence import Evidence, Options, collect, collecting
from workbench.reporting import making, reproducing
from workbench.reporting.reproducing import commands
from workbench.sample_host import serve

BASH = shutil.which("bash")
KEYS = {"alice": "the-key-of-alice-is-none", "bob": "the-key-of-bob-is-none"}
FEW = Options(renderings=("wire",), samples=1, strategies=("hard",), limits=(0, 256))
LISTED = {"tools": [{"name": "t", "description": "A tool.", "inputSchema": {"type": "object"}}]}


def words(line: str) -> list[str]:
    """The words of a command, as a shell reads them, without its first."""
    done = subprocess.run([str(BASH), "-c", f"printf '%s\\0' {line}"], capture_output=True, check=True)
    return done.stdout.decode("utf-8", "surrogateescape").split("\0")[1:-1]


@pytest.fixture
def bundles_alone(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Reports that are their bundles alone, of few options; and how the sources of each were reached."""
    monkeypatch.setattr(collecting, "Options", lambda: FEW)
    monkeypatch.setattr(reproducing, "_DEFAULT", FEW.to_json())
    told: list[Any] = []

    def write(evidence: Evidence, folder: Path, _done: Callable[[], None], connection: Any) -> None:
        told.append(connection)
        evidence.write(folder / "evidence.json")

    monkeypatch.setattr(making, "write", write)
    return told


@pytest.mark.skipif(BASH is None, reason="no bash is installed here")
def test_the_commands_do_what_they_say(
    bundles_alone: list[Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOST_KEY", KEYS["alice"])
    monkeypatch.setenv("OTHER_KEY", KEYS["bob"])
    files = [Path(name) for name in ("-a 'b'\x1b\u202e\u00e9\n.json", f"$(exit){'x' * 200}.json")]
    for path in files:
        path.write_text(json.dumps(LISTED), "utf-8")
    names = [str(path) for path in files]
    with serve(wb.load("sample:small"), keys=KEYS) as host:
        given = ["--server", "s", "--token-env", "HOST_KEY", "--other-token-env", "OTHER_KEY", "--major", "1"]
        given += ["--timeout", "20", "--out", "report"]
        assert main(["report", *given, "--", host.url, *names]) == 0
        first = Evidence.read("report/evidence.json")
        again, verify = commands(first, bundles_alone[0])
        assert again.isprintable() and again.isascii()
        shutil.rmtree("report")
        assert main(words(again)) == 0
        assert Evidence.read("report/evidence.json").seal == first.seal
        assert main(words(verify)) == 0


def test_a_bundle_with_all_in_it_verifies_alone() -> None:
    _, again, verify = commands(collect([LISTED], options=FEW, embed=True), {"token_env": "HOST_KEY"})
    assert "embed=True" in again and verify == "workbench verify report/evidence.json"
    embedded = collect([LISTED], options=FEW, embed=True).to_json() | {"options": Options().to_json()}
    assert commands(Evidence(embedded))[1] == "workbench report catalog.json --out report --embed"


def changed(**changes: Any) -> Evidence:
    document = deepcopy(collect([LISTED], options=FEW).to_json())
    document["sources"][0] |= changes
    return Evidence(document)


def test_options_that_cannot_be_typed_are_given_in_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    note, again, _ = commands(changed())
    assert note == "# catalog.json stands for a catalog that was given as a value; write it into a file of that name"
    Path("catalog.json").write_text(json.dumps(LISTED), "utf-8")
    called: list[Any] = []
    monkeypatch.setattr(wb, "report", lambda *arguments, **options: called.append((arguments, options)))
    exec(words(again)[1])
    ((arguments, options),) = called
    assert arguments == (["catalog.json"], "report")
    assert options.pop("options").normal() == FEW and options == {}


def test_a_key_that_is_masked_is_said_to_be() -> None:
    note, again, _ = commands(changed(kind="mcp", name="mcp:server --api-key '***'"))
    assert note.startswith("# *** stands for a key") and "--api-key" in again
    assert len(commands(changed(kind="file", name="***.json"))) == 2
