"""Sources: what `load` reads, what it says when it cannot, and that its limits hold."""

from __future__ import annotations

import io
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from workbench.catalog import Catalog
from workbench.errors import CatalogError, InputError, LimitError, UsageError
from workbench.resources import sample_names
from workbench.sources import files as files_module
from workbench.sources import load

TOOLS = {"server": "files", "tools": [{"name": "read", "inputSchema": {"type": "object"}}]}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "tools.json"
    path.write_text(json.dumps(TOOLS), encoding="utf-8")
    return path


def feed(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


def test_a_file_by_its_path(file: Path) -> None:
    for source in (file, str(file)):
        catalog = load(source)
        assert (catalog.ids, catalog.form, catalog.source) == (("mcp:files.read",), "mcp", str(file))


def test_the_options_reach_the_catalog(file: Path) -> None:
    catalog = load(file, server="mine", view="compact")
    assert (catalog.ids, catalog.view) == (("mcp:mine.read",), "compact")


def test_a_byte_order_mark_is_no_obstacle(file: Path) -> None:
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes())
    assert len(load(file)) == 1


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    feed(monkeypatch, json.dumps(TOOLS).encode())
    catalog = load("-")
    assert (catalog.ids, catalog.source) == (("mcp:files.read",), "standard input")


def test_a_file_called_like_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("-").write_text("[]")
    assert load(Path("-")).source == "-"
    assert load("./-").source == "./-"


@pytest.mark.parametrize("name", sample_names())
def test_the_samples(name: str) -> None:
    catalog = load(f"sample:{name}")
    assert len(catalog) > 0
    assert catalog.source == f"sample:{name}"


@pytest.mark.parametrize("value", [TOOLS, TOOLS["tools"]])
def test_a_value_in_memory(value: Any) -> None:
    assert load(value, server="files") == Catalog.from_json(value, source="a value in memory", server="files")


@pytest.mark.parametrize(
    ("source", "kind", "words"),
    [
        ("missing.json", InputError, "no such file"),
        ("", UsageError, "a SOURCE is empty"),
        (".", InputError, "folder"),
        ("a\x00b", InputError, "no path"),
        ("small", InputError, "sample:small"),
        ("sample:nothing", InputError, "small"),
        ("sample:../small", InputError, "small"),
        ("sample:", InputError, "small"),
        ("http://192.0.2.1", UsageError, "plain http"),
        ("mcp:no-such-program x", UsageError, "no program"),
        ("mcp:http://192.0.2.1/mcp", UsageError, "plain http"),
    ],
)
def test_what_cannot_be_read_says_so(
    source: str, kind: type[Exception], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(kind, match=words) as caught:
        load(source)
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root reads everything")
def test_a_file_that_may_not_be_read(file: Path) -> None:
    file.chmod(0)
    with pytest.raises(InputError, match="cannot be read"):
        load(file)


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"", InputError),
        (b"not json", InputError),
        (b'{"tools": [', InputError),
        (b'{"tools": [], "tools": []}', InputError),
        (b"[" * 600 + b"]" * 600, LimitError),
        (b'{"tool": []}', CatalogError),
    ],
)
def test_every_fault_names_its_source(
    data: bytes, kind: type[InputError], file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.write_bytes(data)
    feed(monkeypatch, data)
    for source, name in ((file, str(file)), ("-", "standard input")):
        with pytest.raises(kind) as caught:
            load(source)
        assert caught.value.source == name
        assert str(caught.value).startswith(f"{name}: ")


def test_standard_input_that_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(InputError, match="it is closed, so nothing can be read"):
        load("-")
    closed = io.TextIOWrapper(io.BytesIO())
    closed.close()
    monkeypatch.setattr(sys, "stdin", closed)
    with pytest.raises(InputError, match="it is closed, so nothing can be read"):
        load("-")


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs a file without end")
def test_a_file_without_end_is_read_up_to_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files_module, "MAX_BYTES", 1_000)
    data, _ = files_module.from_file("/dev/zero")
    assert len(data) == 1_001


@pytest.mark.parametrize(
    ("foreign", "what"),
    [
        (object(), "a Python object"),
        ((), "a Python tuple"),
        ({1}, "a Python set"),
        (b"x", "a Python bytes"),
        (float("nan"), "nan"),
        ({1: 2}, "a name that is no string, but a Python int"),
    ],
)
def test_a_value_in_memory_holds_nothing_but_json(foreign: Any, what: str) -> None:
    with pytest.raises(InputError, match=what) as caught:
        load([{"name": "a", "inputSchema": {"x/y": [None, True, 1.5, "", foreign]}}])
    assert caught.value.pointer == "/0/inputSchema/x~1y/4"


def test_a_value_in_memory_that_holds_itself_is_refused() -> None:
    tools: list[Any] = [{"name": "a"}]
    tools[0]["inputSchema"] = {"items": tools}
    with pytest.raises(LimitError, match="nested deeper than 500 levels"):
        load(tools)
