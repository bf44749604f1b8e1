"""`workbench lab`: notebooks are copied, never overwritten, run in this Python, and end with Ctrl-C. Their pages: tests/browser."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.running_lab import ROOT, running_lab
from workbench.cli import main
from workbench.errors import UsageError
from workbench.lab import copy_notebooks, open_lab
from workbench.resources import notebooks

NAMES = tuple(path.name for path in notebooks())


class TestCopying:
    def test_every_notebook_is_there_to_the_byte(self, tmp_path: Path) -> None:
        copied = copy_notebooks(tmp_path / "a" / "b")
        assert copied.names == NAMES
        assert copied.kept == ()
        assert sorted(path.name for path in copied.folder.iterdir()) == sorted(NAMES)
        for path in notebooks():
            assert (copied.folder / path.name).read_bytes() == path.read_bytes()

    @pytest.mark.parametrize("content", [b"", b"mine", b"{}", b'{"cells": [{"source": "mine"}]}', b'{"cells": 1}'])
    def test_a_file_that_is_there_is_never_written_to(self, tmp_path: Path, content: bytes) -> None:
        (tmp_path / NAMES[1]).write_bytes(content)
        assert copy_notebooks(tmp_path).kept == (NAMES[1],)
        assert (tmp_path / NAMES[1]).read_bytes() == content

    def test_a_copy_that_was_only_run_is_kept_without_a_word(self, tmp_path: Path) -> None:
        path = copy_notebooks(tmp_path).folder / NAMES[0]
        run = json.loads(path.read_bytes())
        for cell in run["cells"]:
            cell["source"] = "".join(cell["source"])
            cell["metadata"] = {"run": True}
            cell["outputs"] = []
        path.write_text(json.dumps(run))
        assert copy_notebooks(tmp_path).kept == ()
        assert json.loads(path.read_bytes()) == run

    def test_a_folder_or_link_of_that_name_is_kept(self, tmp_path: Path) -> None:
        (tmp_path / NAMES[0]).mkdir()
        (tmp_path / NAMES[1]).symlink_to(tmp_path / "nowhere")
        assert copy_notebooks(tmp_path).kept == NAMES[:2]
        assert not (tmp_path / "nowhere").exists()


class TestErrors:
    """Each is one line, ends with 2, and comes before anything is started."""

    def said(self, capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
        assert main(["lab", *arguments]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        return err.splitlines()[-1]

    def test_a_folder_that_cannot_be_made(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (tmp_path / "file").write_text("")
        assert "cannot put notebooks into" in self.said(capsys, str(tmp_path / "file" / "folder"))

    @pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="there is no folder here that nobody can write")
    def test_a_folder_that_cannot_be_written(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert "cannot put notebooks into /proc/self" in self.said(capsys, "/proc/self")

    def test_a_port_that_is_taken(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
            said = self.said(capsys, str(tmp_path), "--port", str(port))
        assert f"cannot listen on port {port}" in said

    @pytest.mark.parametrize("missing", ["jupyterlab", "ipykernel"])
    def test_no_jupyterlab(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, missing: str) -> None:
        monkeypatch.setitem(sys.modules, missing, None)
        with pytest.raises(UsageError, match="pip install"):
            open_lab(tmp_path, NAMES[0])

    def test_kept_copies_are_named(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (tmp_path / NAMES[2]).write_text("mine")
        with socket.create_server(("127.0.0.1", 0)) as taken:
            assert main(["lab", str(tmp_path), "--port", str(taken.getsockname()[1])]) == 2
        assert NAMES[2] in capsys.readouterr().err.splitlines()[0]


class TestRunning:
    def test_notebooks_run_in_this_python_and_end_with_ctrl_c(self, tmp_path: Path) -> None:
        """Although the user has a kernel of that name for another Python, and a token of his own."""
        rival = tmp_path / "own" / "data" / "kernels" / "python3"
        rival.mkdir(parents=True)
        (rival / "kernel.json").write_text('{"argv": ["/bin/false"], "display_name": "Another", "language": "python"}')
        with running_lab(tmp_path / "notebooks", tmp_path / "own", JUPYTER_TOKEN="hush") as lab:
            assert f"/tree/{NAMES[0]}" in lab.address
            assert "hush" not in "".join(lab.said)
            spec = ask(f"{lab.origin}/api/kernelspecs")["kernelspecs"]["python3"]["spec"]
            assert spec["argv"][0] == sys.executable
            ask(f"{lab.origin}/api/kernels", b'{"name": "python3"}')
            kernels = lab.below
            assert any("ipykernel_launcher" in " ".join(each.cmdline()) for each in kernels)
        assert lab.process.returncode == 0
        assert psutil.wait_procs(kernels, timeout=0)[1] == []


def ask(address: str, data: bytes | None = None) -> Any:
    request = urllib.request.Request(address, data, {"Authorization": "token hush", "Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


def test_an_installed_wheel_brings_them_along(tmp_path: Path) -> None:
    """Built and installed as a user's is, then used from a folder that has no checkout near it."""
    python = [sys.executable, "-m"]
    subprocess.run(
        [*python, "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)], cwd=ROOT, check=True, capture_output=True
    )
    (wheel,) = tmp_path.glob("*.whl")
    offline = ["--no-deps", "--no-index", "--disable-pip-version-check", "-q", "--target", str(tmp_path / "site")]
    subprocess.run([*python, "pip", "install", *offline, str(wheel)], check=True)
    code = "import workbench.lab as lab; print(lab.__file__); print(*lab.copy_notebooks('copies').names)"
    environment = os.environ | {"PYTHONPATH": str(tmp_path / "site")}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment, check=True, capture_output=True, text=True
    )
    where, names = done.stdout.splitlines()
    assert Path(where) == tmp_path / "site" / "workbench" / "lab.py"
    assert tuple(names.split()) == NAMES
    for path in notebooks():
        assert (tmp_path / "copies" / path.name).read_bytes() == path.read_bytes()
