"""Which files the command line writes, and which it leaves alone."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from command_line import Run, one_line, run, shell

import workbench as wb
from workbench.errors import OutputError
from workbench.resources import sample
from workbench.values import check_writable, dumps, write_atomic

__all__ = ["run"]

COMPACT = f"{dumps(wb.project(wb.load('sample:small')).catalog.to_json())}\n".encode()
posix = pytest.mark.skipif(os.name == "nt", reason="links, pipes and modes as POSIX has them")


@pytest.fixture
def catalog(tmp_path: Path) -> Path:
    """A catalog, and other ways to its file."""
    path = tmp_path / "catalog.json"
    path.write_bytes(sample("small"))
    (tmp_path / "link.json").symlink_to(path)
    (tmp_path / "hard.json").hardlink_to(path)
    (tmp_path / "folder").mkdir()
    return path


class TestWhatIsRead:
    @pytest.mark.parametrize(
        "name", ["catalog.json", "./catalog.json", "folder/../catalog.json", "link.json", "hard.json"]
    )
    @pytest.mark.parametrize("option", ["--out", "--losses"])
    def test_is_not_overwritten_under_any_name(self, run: Run, catalog: Path, option: str, name: str) -> None:
        for source, target in (("catalog.json", name), (name, "catalog.json"), (name, str(catalog))):
            done = run("project", source, option, target)
            assert (done.code, done.out) == (2, "")
            assert one_line(done.err) and f"{option} {target} would overwrite what is read" in done.err
        assert catalog.read_bytes() == sample("small")

    @pytest.mark.parametrize(
        "arguments",
        [
            ["budget", "catalog.json"],
            ["check", "catalog.json"],
            ["tune", "catalog.json"],
            ["diff", "sample:small", "catalog.json"],
            ["diff", "catalog.json", "sample:small"],
            ["tune", "sample:small", "--queries", "catalog.json"],
            ["budget", "sample:small", "--limits", "catalog.json"],
            ["budget", "sample:small", "--prices", "catalog.json"],
        ],
        ids=" ".join,
    )
    def test_is_whatever_a_command_names(self, run: Run, catalog: Path, arguments: list[str]) -> None:
        done = run(*arguments, "--out", "link.json")
        assert done.code == 2 and "would overwrite what is read" in done.err
        assert catalog.read_bytes() == sample("small")

    def test_is_what_standard_input_reads_too(self, catalog: Path) -> None:
        with catalog.open("rb") as reading:
            done = shell("project", "-", "--out", str(catalog), stdin=reading)
        assert done.returncode == 2 and b"would overwrite" in done.stderr
        assert catalog.read_bytes() == sample("small")

    def test_is_told_before_any_work(self, run: Run, tmp_path: Path) -> None:
        (tmp_path / "broken.json").write_text("{")
        assert "would overwrite" in run("project", "broken.json", "--out", "broken.json").err

    @pytest.mark.parametrize("source", ["missing.json", "sample:missing"])
    def test_has_to_be_there(self, run: Run, source: str) -> None:
        assert "overwrite" not in run("project", source, "--out", source).err


class TestTwoOutputs:
    @pytest.mark.parametrize("there", [True, False])
    def test_are_two_files(self, run: Run, tmp_path: Path, there: bool) -> None:
        (tmp_path / "link").symlink_to(tmp_path / "one")
        if there:
            (tmp_path / "one").write_text("old")
        done = run("project", "sample:small", "--out", "one", "--losses", "link")
        assert done.code == 2 and one_line(done.err) and "--losses and --out are both" in done.err
        assert (tmp_path / "one").exists() == there

    @posix
    def test_may_both_go_to_a_device(self, run: Run) -> None:
        assert run("project", "sample:small", "--out", os.devnull, "--losses", os.devnull).code == 0


@contextmanager
def anybody() -> Iterator[Path]:
    """A folder in which every user may do everything; for root, as a user who is not root, whom modes bind."""
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o777)
        if root:
            os.seteuid(65534)
        try:
            yield Path(name)
        finally:
            if root:
                os.seteuid(0)


@posix
class TestWriteProtection:
    def test_is_respected(self) -> None:
        with anybody() as folder:
            path = folder / "kept"
            path.write_text("old")
            path.chmod(0o444)
            for attempt in (lambda: write_atomic(path, "new"), lambda: check_writable(path)):
                with pytest.raises(OutputError, match=r"^cannot write .*kept: Permission denied$"):
                    attempt()
            assert path.read_text() == "old"
            assert stat.S_IMODE(path.stat().st_mode) == 0o444

    @pytest.mark.parametrize("option", ["--out", "--losses"])
    def test_is_told_before_any_work(self, run: Run, option: str) -> None:
        with anybody() as folder:
            path = folder / "kept"
            path.write_text("old")
            path.chmod(0o444)
            done = run("project", "no-such-catalog.json", option, str(path))
        assert done.err == f"workbench: cannot write {path}: Permission denied\n"


@posix
class TestStreams:
    def test_a_link_leads_to_the_file_that_is_written(self, run: Run, tmp_path: Path) -> None:
        (tmp_path / "folder").mkdir()
        (tmp_path / "link").symlink_to("folder/there")
        for _ in ("a file that is not there yet", "and one that is"):
            assert run("project", "sample:small", "--out", "link").code == 0
            assert (tmp_path / "link").is_symlink()
            assert (tmp_path / "folder" / "there").read_bytes() == COMPACT

    @pytest.mark.parametrize("path", ["/dev/stdout", "-"])
    def test_standard_output_by_its_path(self, path: str, tmp_path: Path) -> None:
        assert shell("project", "sample:small", "--out", path).stdout == COMPACT
        out = tmp_path / "out"
        with out.open("wb") as stream:
            stream.write(b"before\n")
            stream.flush()
            command = [sys.executable, "-m", "workbench", "project", "sample:small", "--out", path]
            subprocess.run(command, stdout=stream, check=True)
        assert out.read_bytes() == b"before\n" + COMPACT

    def test_the_place_of_an_open_pipe(self) -> None:
        """What `>(cat)` of a shell is: a path whose real path is none."""
        reading, writing = os.pipe()
        losses = f"/dev/fd/{writing}"
        done = shell("project", "sample:small", "--losses", losses, pass_fds=[writing])
        os.close(writing)
        with os.fdopen(reading, "rb") as stream:
            assert stream.read().startswith(b'{"toolId":')
        assert (done.returncode, done.stdout, done.stderr) == (0, COMPACT, b"")

    def test_the_place_of_an_open_file(self, tmp_path: Path) -> None:
        with (tmp_path / "losses").open("wb") as stream:
            inode = os.fstat(stream.fileno()).st_ino
            path = f"/dev/fd/{stream.fileno()}"
            done = shell("project", "sample:small", "--losses", path, pass_fds=[stream.fileno()])
        assert done.returncode == 0
        assert (tmp_path / "losses").stat().st_ino == inode
        assert (tmp_path / "losses").read_bytes().startswith(b'{"toolId":')

    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="the device that is always full is Linux's")
    def test_a_device_that_takes_nothing(self, run: Run) -> None:
        done = run("project", "sample:small", "--out", "/dev/full")
        assert (done.code, done.err) == (2, "workbench: cannot write /dev/full: No space left on device\n")
        assert stat.S_ISCHR(Path("/dev/full").stat().st_mode)
