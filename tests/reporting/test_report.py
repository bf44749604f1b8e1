"""Making a report: from the command line to a folder, and nothing but a folder."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import NamedTuple

import psutil
import pytest

import workbench as wb
from workbench.cli import main
from workbench.errors import HostError, OutputError, UsageError, WorkbenchError
from workbench.evidence import Evidence, Options, collecting
from workbench.reporting import FILES
from workbench.reporting.fonts import a_place_for_fonts
from workbench.reporting.running import run
from workbench.reporting.verdict import verdict
from workbench.sample_host import serve
from workbench.values import pretty

KEYS = {"alice": "the-key-of-alice-is-none", "bob": "the-key-of-bob-is-none"}
FEW = Options(renderings=("wire",), samples=1, strategies=("hard",), limits=(0, 256))
_REPORT = """
import sys
from workbench.cli import main
from workbench.evidence import Options, collecting

collecting.Options = lambda: Options(renderings=("wire",), samples=1, strategies=("hard",), limits=(0, 256))
sys.exit(main(["report", "sample:small", "--out", "out"]))
"""


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


class Made(NamedTuple):
    """What the command left behind and said; the first source has a name that would act on a terminal, and breaks a rule."""

    folder: Path
    status: int
    said: str


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    source = tmp_path_factory.mktemp("source") / "a\x1b[31m\u202eb.json"
    source.write_text(
        '{"tools": [{"toolId": "t\\u001b[2J", "source": "mcp", "safetyTier": "exec", "description": "A tool."}]}'
    )
    folder = tmp_path_factory.mktemp("made") / "out\x1b[2J"
    with (
        serve(wb.load("sample:small"), keys=KEYS) as host,
        pytest.MonkeyPatch.context() as patch,
        redirect_stdout(StringIO()) as out,
        redirect_stderr(StringIO()) as err,
    ):
        patch.setenv("HOST_KEY", KEYS["alice"])
        patch.setattr(collecting, "Options", lambda: FEW)
        sources = [str(source), "sample:mcp", host.url]
        status = main(["report", *sources, "--token-env", "HOST_KEY", "--embed", "--out", str(folder)])
    return Made(folder, status, out.getvalue() + err.getvalue())


class TestMade:
    def test_has_all_its_files_and_no_other(self, made: Made) -> None:
        assert names(made.folder) == sorted(FILES)
        assert names(made.folder.parent) == [made.folder.name]
        figures = names(made.folder / "figures")
        assert [name.replace(".png", ".svg") for name in figures[::2]] == figures[1::2]

    def test_page_markdown_and_bundle_say_the_same(self, made: Made) -> None:
        evidence = Evidence.read(made.folder / "evidence.json")
        page, markdown = ((made.folder / name).read_text("utf-8") for name in ("index.html", "report.md"))
        for sentence in verdict(evidence):
            assert sentence in page and sentence in markdown.replace("\\", "") and sentence in made.said
        assert evidence.seal in page and evidence.seal in markdown

    def test_the_bundle_verifies_without_its_sources(self, made: Made) -> None:
        """The host is gone by now."""
        assert main(["verify", str(made.folder / "evidence.json")]) == 0

    def test_a_host_is_probed_as_whom_its_credential_names(self, made: Made) -> None:
        host = Evidence.read(made.folder / "evidence.json").sources[2]
        assert (host["kind"], host["tools"], host["probe"]["counts"]["fail"]) == ("host", 5, 0)
        written = [path.read_bytes() for path in made.folder.rglob("*") if path.is_file()]
        assert not any(key.encode() in data for key in KEYS.values() for data in [*written, made.said.encode()])

    def test_says_what_falls_short_and_where_the_page_is(self, made: Made) -> None:
        assert made.status == 1
        assert "requirements are broken in 1 place of the standard view" in made.said
        assert (made.folder / "index.html").as_uri() in made.said

    def test_names_do_not_act_on_a_terminal(self, made: Made) -> None:
        assert not set(made.said) & {"\x1b", "\u202e"}


class TestRefused:
    """Before any work is done, and without a trace."""

    def test_a_folder_that_is_there(self, tmp_path: Path) -> None:
        (tmp_path / "evidence.json").write_text("{}")
        with pytest.raises(OutputError, match="--force"):
            wb.report(["sample:small"], tmp_path, options=FEW)

    @pytest.mark.parametrize("name", ["evidence.json", "figures/mine.svg"])
    def test_a_folder_that_holds_a_source(self, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
        source = tmp_path / "out" / name
        source.parent.mkdir(parents=True)
        source.write_text('{"format": "compact-tool-workbench evidence", "tools": []}')
        monkeypatch.chdir(tmp_path)
        for named in (Path("out", name), str(source), wb.load(source)):
            with pytest.raises(OutputError, match="holds a source of the report"):
                wb.report(["sample:small", named], "out", options=FEW, force=True)
        assert source.exists()

    @pytest.mark.parametrize("text", ["", "{}", '{"format": "of another"}', "\0"])
    def test_a_folder_that_only_looks_like_a_report(self, tmp_path: Path, text: str) -> None:
        (tmp_path / "evidence.json").write_text(text)
        with pytest.raises(OutputError, match="is no report"):
            wb.report(["sample:small"], tmp_path, options=FEW, force=True)
        assert names(tmp_path) == ["evidence.json"]

    def test_a_folder_without_a_name(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["report", "sample:small", "--out", ""]) == 2
        assert capsys.readouterr().err == "workbench: name the folder that the report is written into\n"

    def test_no_source(self, tmp_path: Path) -> None:
        with pytest.raises(UsageError):
            wb.report([], tmp_path / "out")
        assert names(tmp_path) == []

    def test_a_source_that_cannot_be_read(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["report", str(tmp_path / "none.json"), "--out", str(tmp_path / "out")]) == 2
        assert capsys.readouterr().err.count("\n") == 1
        assert names(tmp_path) == []

    def test_a_host_that_is_not_there(self, tmp_path: Path) -> None:
        with pytest.raises(HostError):
            wb.report(["http://127.0.0.1:9"], tmp_path / "out", options=FEW)
        assert names(tmp_path) == []

    def test_a_notebook_that_fails_says_why(self, tmp_path: Path) -> None:
        cell = {"cell_type": "code", "id": "a", "metadata": {}, "source": "1/0", "outputs": [], "execution_count": None}
        notebook = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [cell]}
        (tmp_path / "bad.ipynb").write_text(pretty(notebook))
        with pytest.raises(WorkbenchError, match="ZeroDivisionError"):
            run(tmp_path / "bad.ipynb", {}, tmp_path)


@pytest.mark.parametrize("home", ["", "/dev/null"])
def test_fonts_have_a_place_where_home_has_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, home: str) -> None:
    for name in ("MPLCONFIGDIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", home or str(tmp_path))
    with a_place_for_fonts():
        place = os.environ.get("MPLCONFIGDIR")
        assert Path(place).is_dir() if home and place else place is None
    assert "MPLCONFIGDIR" not in os.environ


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="signals are those of POSIX")
class TestInterrupted:
    """In the midst of it, by Ctrl-C, a request to end or a hangup: nothing half-written, and no kernel that goes on."""

    @staticmethod
    def interrupted(
        folder: Path, number: signal.Signals, ready: Callable[[psutil.Process], bool]
    ) -> list[psutil.Process]:
        """Send a signal once it is ready, and give all processes that there were."""
        process = subprocess.Popen([sys.executable, "-c", _REPORT], cwd=folder, stderr=subprocess.PIPE)
        there = psutil.Process(process.pid)
        deadline = time.monotonic() + 120
        while not ready(there):
            assert process.poll() is None and time.monotonic() < deadline
            time.sleep(0.05)
        family = there.children(recursive=True)
        process.send_signal(number)
        _, said = process.communicate(timeout=60)
        assert (process.returncode, said.decode().splitlines()[-1:]) == (130, ["workbench: interrupted"])
        return family

    def test_while_a_kernel_runs(self, tmp_path: Path) -> None:
        def kernel_is_there(process: psutil.Process) -> bool:
            return any("ipykernel_launcher" in " ".join(child.cmdline()) for child in process.children(recursive=True))

        family = self.interrupted(tmp_path, signal.SIGHUP, kernel_is_there)
        assert names(tmp_path) == []
        _, alive = psutil.wait_procs(family, timeout=20)
        assert len(family) >= 2 and alive == []

    def test_while_it_examines(self, tmp_path: Path) -> None:
        family = self.interrupted(tmp_path, signal.SIGTERM, lambda _: bool(names(tmp_path)))
        assert names(tmp_path) == family == []
