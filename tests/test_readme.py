"""
The README is true: its examples are run and compared, and its tables are held to what they speak of.

    python tests/test_readme.py

runs the examples and writes what they say now into the README.
"""

from __future__ import annotations

import contextlib
import doctest
import importlib
import inspect
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from workbench.cli.entry import cli
from workbench.values import MAX_BYTES, MAX_DEPTH

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
#: Ends what one command has said; no command here says it.
END = "\x1e"

pytestmark = pytest.mark.skipif(not README.exists() or not shutil.which("bash"), reason="it needs a checkout, and bash")


@cache
def text() -> str:
    return README.read_text("utf-8")


def blocks(language: str, page: str) -> list[str]:
    return [body for name, body in FENCE.findall(page) if name == language]


def section(heading: str) -> str:
    return text().split(f"\n## {heading}\n")[1].split("\n## ")[0]


def table(heading: str) -> list[list[str]]:
    """The rows of the table under a heading, without the row of headings."""
    rows = [line.strip("|").split(" | ") for line in section(heading).splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in row] for row in rows][1:]


def guarantees() -> list[str]:
    return re.split(r"\n(?=\d+\. )", section("Guarantees"))[1:]


def renewed(page: str) -> str:
    """The page with what its examples say now; consoles share a folder, and Python a name space."""
    names: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        place_command(Path(folder))

        def block(match: re.Match[str]) -> str:
            language, body = match.groups()
            if language == "console":
                body = console(body, Path(folder))
            elif language == "python":
                body = prompt(body, names)
            return f"```{language}\n{body}```"

        return FENCE.sub(block, page)


def place_command(folder: Path) -> None:
    command = folder / "bin" / "workbench"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m workbench "$@"\n')
    command.chmod(0o755)


def console(body: str, folder: Path) -> str:
    """A console as a terminal would show it, standard error included; `$?` is that of the command before."""
    shown = list(commands(body))
    script = ["status=0"]
    for lines in shown:
        script += ["(exit $status)", *(line[2:] for line in lines), "status=$?", f"printf '{END}'"]
    path = f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}"
    # What would make output depend on the terminal of whoever runs this.
    kept = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "NO_COLOR", "FORCE_COLOR")}
    done = subprocess.run(
        [shutil.which("bash") or "bash", "-c", "\n".join(script)],
        cwd=folder,
        env=kept | {"PATH": path, "PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
        timeout=120,
    )
    said = done.stdout.decode().split(END)
    return "".join("\n".join([*lines, output]) for lines, output in zip(shown, said, strict=False))


def commands(body: str) -> Iterator[list[str]]:
    """The lines of each command: the one after `$`, and those after `>` below it."""
    command: list[str] = []
    for line in body.splitlines():
        if line.startswith("$ "):
            if command:
                yield command
            command = [line]
        elif line.startswith("> ") and command:
            command.append(line)
    yield command


def prompt(body: str, names: dict[str, Any]) -> str:
    """Python as a prompt would show it."""
    shown = []
    for example in doctest.DocTestParser().get_examples(body):
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            exec(compile(example.source, README.name, "single"), names)
        lines = example.source.rstrip("\n").replace("\n", "\n... ")
        shown.append(f">>> {lines}\n{said.getvalue()}")
    return "".join(shown)


@pytest.fixture(scope="module")
def page() -> str:
    return renewed(text())


@pytest.mark.parametrize("language", ["console", "python"])
def test_every_example_says_what_it_says_here(page: str, language: str) -> None:
    assert blocks(language, text())
    for recorded, now in zip(blocks(language, text()), blocks(language, page), strict=True):
        assert recorded == now


def test_the_first_screen_runs_the_main_job() -> None:
    first = text().splitlines()[:50]
    assert first.index("```console") < first.index("```sh")
    assert [line.split("  ")[0] for line in blocks("sh", text())[0].splitlines()] == ["make report", "make test"]


def test_every_notebook_is_listed_in_order_under_its_question() -> None:
    found = [
        f"[{path.read_text('utf-8').split('# ', 1)[1].split('?', 1)[0]}?](notebooks/{path.name})"
        for path in sorted((ROOT / "notebooks").glob("*.ipynb"))
    ]
    assert re.findall(r"^\d+\. (\[.*)$", text(), re.MULTILINE) == found


def test_every_command_is_described_and_no_other_is_named() -> None:
    named = set(re.findall(r"(?:`|^\$ |\| )workbench ([a-z]+)", text(), re.MULTILINE))
    assert named == set(cli.commands)


def test_every_target_of_make_exists() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = set(re.findall(r"(?:`|^)make ([a-z]+)", text(), re.MULTILINE))
    assert named >= {"report", "test"}
    assert named <= targets


def test_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#]*)\)", text()):
        assert target.startswith("https://") or (ROOT / target).exists(), target


@pytest.mark.parametrize("guarantee", guarantees(), ids=lambda guarantee: guarantee.split(".")[0])
def test_every_guarantee_names_tests_that_exist(guarantee: str) -> None:
    named = re.findall(r"`tests/([\w/]+)\.py::([\w:]+)`", guarantee)
    assert len(named) == guarantee.count("`tests/") > 0
    for path, names in named:
        value: Any = importlib.import_module(path.replace("/", "."))
        for name in names.split("::"):
            value = getattr(value, name)
        assert inspect.isfunction(value)


def test_there_are_ten_guarantees() -> None:
    assert [guarantee.split(".")[0] for guarantee in guarantees()] == [str(number) for number in range(1, 11)]


@pytest.mark.parametrize("row", table("Bad input"), ids=lambda row: row[1].strip("`"))
def test_bad_input_ends_as_the_table_says(row: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    from workbench.cli import main

    _, source, code, says = (cell.strip("`") for cell in row)
    assert main(["check", source]) == int(code)
    out, err = capfd.readouterr()
    shown, empty = (err, out) if code == "2" else (out, err)
    assert says in shown
    assert empty == ""
    for command in ("budget", "project"):
        assert main([command, source, "--out", os.devnull]) == (2 if code == "2" else 0)


def test_limits_are_those_of_the_reader() -> None:
    from workbench.values.faults import MAX_DIGITS

    assert f"at most {MAX_BYTES // 1024**2} MiB and {MAX_DEPTH} levels of nesting" in " ".join(text().split())
    assert f"at most {MAX_DIGITS:,} digits" in " ".join(text().split())


if __name__ == "__main__":
    README.write_text(renewed(text()), "utf-8")
