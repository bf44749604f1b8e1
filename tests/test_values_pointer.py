from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import json_values, strings

from workbench.errors import InputError
from workbench.values import escape, join, resolve, split, unescape

RFC_6901_SECTION_5: dict[str, Any] = {
    "foo": ["bar", "baz"],
    "": 0,
    "a/b": 1,
    "c%d": 2,
    "e^f": 3,
    "g|h": 4,
    "i\\j": 5,
    'k"l': 6,
    " ": 7,
    "m~n": 8,
}
tokens = strings() | st.text("~/01a-", max_size=6)


def everything(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[tuple[str | int, ...], Any]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [(path, value), *(found for key, item in inner for found in everything(item, (*path, key)))]


@given(tokens)
def test_unescaping_undoes_escaping(token: str) -> None:
    assert unescape(escape(token)) == token
    assert "/" not in escape(token)


@given(st.lists(tokens, max_size=5))
def test_splitting_undoes_joining(parts: list[str]) -> None:
    assert split(join("", *parts)) == parts
    assert join(join("", *parts[:2]), *parts[2:]) == join("", *parts)


@given(json_values())
def test_every_value_is_where_its_pointer_says(value: Any) -> None:
    for path, inner in everything(value):
        assert resolve(value, join("", *path)) is inner


@given(json_values(), st.text("~/01-abc", max_size=8))
def test_any_other_pointer_is_an_error(value: Any, pointer: str) -> None:
    known = {join("", *path) for path, _ in everything(value)}
    if pointer in known:
        resolve(value, pointer)
    else:
        with pytest.raises(InputError):
            resolve(value, pointer)


@pytest.mark.parametrize(
    ("pointer", "value"),
    [
        ("", RFC_6901_SECTION_5),
        ("/foo", ["bar", "baz"]),
        ("/foo/0", "bar"),
        ("/", 0),
        ("/a~1b", 1),
        ("/c%d", 2),
        ("/e^f", 3),
        ("/g|h", 4),
        ("/i\\j", 5),
        ('/k"l', 6),
        ("/ ", 7),
        ("/m~0n", 8),
    ],
)
def test_the_examples_of_the_rfc(pointer: str, value: Any) -> None:
    assert resolve(RFC_6901_SECTION_5, pointer) == value


@pytest.mark.parametrize(
    ("pointer", "place", "says"),
    [
        ("foo", None, "not a JSON Pointer"),
        ("#/foo", None, "not a JSON Pointer"),
        ("/m~n", None, "'~' is written '~0'"),
        ("/m~", None, "'~' is written '~0'"),
        ("/bar", "/bar", "the root has no member 'bar'"),
        ("/foo/2", "/foo/2", "/foo is a list of 2"),
        ("/foo/-", "/foo/-", "not an index"),
        ("/foo/00", "/foo/00", "not an index"),
        ("/foo/-1", "/foo/-1", "not an index"),
        ("/foo/+1", "/foo/+1", "not an index"),
        ("/foo/1 ", "/foo/1 ", "not an index"),
        ("/foo/1\n", "/foo/1\n", "not an index"),
        ("/foo/\u0661", "/foo/\u0661", "not an index"),
        ("/foo/" + "9" * 5000, "/foo/" + "9" * 5000, "not an index"),
        ("/foo/0/x", "/foo/0/x", "/foo/0 is neither an object nor a list"),
        ("/a~1b/x~1y/z", "/a~1b/x~1y", "/a~1b is neither"),
    ],
)
def test_what_is_not_there_is_named(pointer: str, place: str | None, says: str) -> None:
    with pytest.raises(InputError) as caught:
        resolve(RFC_6901_SECTION_5, pointer)
    assert says in caught.value.message
    assert caught.value.pointer == place


def test_indices_are_written_as_they_are() -> None:
    assert join("/a", 0, "0", "x/y", 12) == "/a/0/0/x~1y/12"
