from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from strategies import json_values

from workbench.errors import InputError, LimitError, OutputError
from workbench.values import MAX_DEPTH, MAX_DIGITS, dumps, pretty, read_json, write_atomic


def chain(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = {"a": [value]}
    return value


@given(json_values())
def test_the_wire_form_has_no_spaces_and_keeps_order(value: Any) -> None:
    assert dumps(value) == json.dumps(value, ensure_ascii=False, separators=(",", ":"))


@given(json_values())
def test_writing_what_was_read_gives_the_same_text(value: Any) -> None:
    assert dumps(read_json(dumps(value))) == dumps(value)
    assert pretty(read_json(pretty(value))) == pretty(value)


def test_the_two_forms() -> None:
    value = {"b": [1, 2.50, -0.0, 1e22], "a": "日本\u2028/", "": {}}
    assert dumps(value) == '{"b":[1,2.5,-0.0,1e+22],"a":"日本\u2028/","":{}}'
    assert pretty({"a": [1], "é": []}) == '{\n  "a": [\n    1\n  ],\n  "é": []\n}\n'


@pytest.mark.parametrize(
    ("value", "says"),
    [
        (float("nan"), "JSON"),
        ({"a": [float("inf")]}, "JSON"),
        ({1, 2}, "set"),
        ({"a": b"x"}, "bytes"),
        ({(1, 2): 3}, "keys must be"),
        ("\ud800", "half a surrogate pair, \\ud800"),
        ({"x\udfff": 1}, "half a surrogate pair, \\udfff"),
    ],
)
@pytest.mark.parametrize("write", [dumps, pretty])
def test_what_json_has_not_is_an_error(write: Any, value: Any, says: str) -> None:
    with pytest.raises(InputError, match=says.replace("\\", "\\\\")):
        write(value)


@pytest.mark.parametrize("write", [dumps, pretty])
@pytest.mark.parametrize(
    "value", [chain(MAX_DEPTH // 2 + 1), chain(100_000), [10**MAX_DIGITS]], ids=["deep", "deeper", "long"]
)
def test_what_would_not_be_read_again_is_not_written(write: Any, value: Any) -> None:
    with pytest.raises(LimitError):
        write(value)


def test_what_is_at_the_limits_is_written_and_read_again() -> None:
    value = [chain(MAX_DEPTH // 2 - 1), 10**MAX_DIGITS - 1]
    for text in (dumps(value), pretty(value)):
        assert read_json(text) == value


def test_a_value_that_holds_itself_is_an_error() -> None:
    value: list[Any] = []
    value.append(value)
    with pytest.raises(InputError):
        dumps(value)


# Files


@pytest.mark.parametrize("content", ["é\r\n\n", b"\xff\x00\r\n", ""])
def test_a_file_holds_exactly_what_was_given(tmp_path: Path, content: str | bytes) -> None:
    path = tmp_path / "out.json"
    for before in (None, b"a longer content than the new one"):
        if before is not None:
            path.write_bytes(before)
        write_atomic(path, content)
        assert path.read_bytes() == (content if isinstance(content, bytes) else content.encode())
        assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("content", ["half \ud800", "whole"])
def test_failure_keeps_the_old_file_and_leaves_nothing_behind(
    tmp_path: Path, content: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "out.json"
    path.write_text("old")

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OutputError, match=r"cannot write .*out\.json"):
        write_atomic(path, content)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("name", ["no/such/folder/out.json", "", "nul\0.json", "n" * 300])
def test_a_path_that_cannot_be_written_is_named(tmp_path: Path, name: str) -> None:
    with pytest.raises(OutputError, match="cannot write") as caught:
        write_atomic(tmp_path / name, "x")
    assert "\n" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_an_interrupt_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_atomic(tmp_path / "out.json", "x")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name == "nt", reason="modes and links as POSIX has them")
def test_modes_and_links_stay_what_they_are(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.write_text("old")
    kept.chmod(0o640)
    link = tmp_path / "link"
    link.symlink_to(kept)
    write_atomic(link, "new")
    assert link.is_symlink()
    assert kept.read_text() == "new"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o640

    fresh = tmp_path / "fresh"
    write_atomic(fresh, "x")
    (tmp_path / "plain").write_text("x")
    assert fresh.stat().st_mode == (tmp_path / "plain").stat().st_mode


@pytest.mark.skipif(os.name == "nt", reason="pipes as POSIX has them")
def test_a_pipe_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    """As `/dev/stdout` and other devices are; a real device has no place in this test, which would replace it if it failed."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_atomic(pipe, "through")
        assert os.read(reader, 100) == b"through"
    finally:
        os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
