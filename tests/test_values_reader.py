from __future__ import annotations

import json
import sys
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import json_values, strings

from workbench.errors import InputError, LimitError
from workbench.values import MAX_DEPTH, MAX_DIGITS, dumps, equal, join, pretty, read_json, resolve
from workbench.values.reader import nesting


def fault(data: bytes | str, **limits: int) -> InputError:
    """Read what must not be readable; any other exception fails the test that asked."""
    with pytest.raises(InputError) as caught:
        read_json(data, source="it.json", **limits)
    assert caught.value.source == "it.json"
    assert "\n" not in str(caught.value)
    return caught.value


def nested(depth: int) -> str:
    return "[" * depth + "]" * depth


def depth_of(value: Any) -> int:
    if isinstance(value, dict):
        return 1 + max(map(depth_of, value.values()), default=0)
    return 1 + max(map(depth_of, value), default=0) if isinstance(value, list) else 0


def places(value: Any, pointer: str = "") -> list[str]:
    """List the pointer of every value in a value, by plain recursion."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [pointer, *(place for key, item in inner for place in places(item, join(pointer, key)))]


# Laws


@given(json_values())
def test_reading_what_was_written_gives_an_equal_value(value: Any) -> None:
    for text in (dumps(value), pretty(value), json.dumps(value)):
        assert equal(read_json(text), value)
        assert equal(read_json(text.encode()), value)
        assert equal(read_json(b"\xef\xbb\xbf" + text.encode()), value)


@given(json_values())
def test_order_and_number_types_are_kept(value: Any) -> None:
    assert json.dumps(read_json(dumps(value))) == json.dumps(value).replace("-0,", "0,")


@given(st.binary(max_size=40))
@example(b"\x00")
@example(b"[\xff")
@example(b"\xef\xbb\xbf")
def test_any_bytes_give_a_value_or_an_error_with_its_place(data: bytes) -> None:
    try:
        read_json(data)
    except InputError as error:
        assert error.line is not None and error.line >= 1
        assert error.column is not None and error.column >= 1


@given(json_values(), st.data())
def test_damaged_json_gives_what_the_standard_decoder_gives_or_an_error_with_its_place(value: Any, data: Any) -> None:
    text = json.dumps(value, ensure_ascii=data.draw(st.booleans()))
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text)))
        inserted = data.draw(
            st.sampled_from(
                ["", ",", '"', "\\", "[", "]", "{", "}", ":", "0", "-", "e9999", "\\ud800", "NaN", "'", "\t", "\x01"]
            )
        )
        text = text[:at] + inserted + text[at + data.draw(st.integers(0, 2)) :]
    try:
        taken = read_json(text)
    except InputError as error:
        assert error.line is not None and error.column is not None
        line = text.split("\n")[error.line - 1]
        assert error.column <= len(line) + 1
    else:
        assert equal(taken, json.loads(text))


@given(json_values(), strings())
def test_nesting_counts_open_brackets_outside_of_strings(value: Any, text: str) -> None:
    both = [value, {text + '["\\': text + '\\"{'}]
    assert nesting(dumps(both).encode()) == depth_of(both)
    assert nesting(json.dumps(both, indent=1).encode()) == depth_of(both)


@given(json_values(), st.data())
def test_a_repeated_name_is_found_wherever_it_stands(value: Any, data: Any) -> None:
    place = data.draw(st.sampled_from(places(value)))
    mark, twice = "\x00here", '{"x":{"z":0},"y":["{"],"x":2}'
    error = fault(dumps(replaced(value, place, mark)).replace(json.dumps(mark), twice, 1))
    assert error.pointer == place
    assert "'x' occurs twice" in error.message


@given(
    json_values(),
    st.sampled_from(["NaN", "-Infinity", "1e999", "-9" + "9" * MAX_DIGITS, '"\\udc00\\ud800"']),
    st.data(),
)
def test_a_refused_value_is_found_wherever_it_stands(value: Any, refused: str, data: Any) -> None:
    place = data.draw(st.sampled_from(places(value)))
    mark = "\x00here"
    text = dumps(replaced(value, place, mark))
    error = fault(text.replace(json.dumps(mark), refused, 1))
    assert error.pointer == place
    before = text[: text.index(json.dumps(mark))]
    assert (error.line, error.column) == (1, len(before) + 1)


def replaced(value: Any, pointer: str, new: Any) -> Any:
    if not pointer:
        return new
    parent, _, last = pointer.rpartition("/")
    copied = json.loads(json.dumps(value))
    inside = resolve(copied, parent)
    name = last.replace("~1", "/").replace("~0", "~")
    inside[int(name) if isinstance(inside, list) else name] = new
    return copied


# Tables


@pytest.mark.parametrize(
    ("text", "says", "line", "column"),
    [
        ("", "the text is empty", 1, 1),
        (" \n\t", "the text is empty", 1, 1),
        ("[1,]", "a comma too many", 1, 4),
        ('{"a":1,}', "a comma too many", 1, 8),
        ("{'a':1}", "double quotes", 1, 2),
        ("[1] // one", "more text follows", 1, 5),
        ("[1,\n // one\n1]", "no comments", 2, 2),
        ("<html>", "HTML", 1, 1),
        ('{"a" 1}', "a colon", 1, 6),
        ('["a" "b"]', "a comma or the closing bracket", 1, 6),
        ('["a', "never closed", 1, 2),
        ('["a\nb"]', "control character", 1, 4),
        ('["\\x"]', "no such escape", 1, 3),
        ('["\\u12G4"]', "hexadecimal", 1, 4),
        ("[1", "the text ends here", 1, 3),
        ("{}\n{}", "more text follows", 2, 1),
        ("[01]", "a comma or the closing bracket", 1, 3),
        ("[+1]", "a value is expected", 1, 2),
        ("[.5]", "a value is expected", 1, 2),
        ("[1.]", "a comma or the closing bracket", 1, 3),
        ("tru", "a value is expected", 1, 1),
        ("[\u00a01]", "a value is expected", 1, 2),
        ("\ufeff\ufeff1", "a value is expected", 1, 1),
        ("[\n\n  NaN]", "NaN is not JSON", 3, 3),
        ("[-Infinity]", "-Infinity is not JSON", 1, 2),
        ('{"é":\n1e400}', "beyond the range of a double", 2, 1),
        ('"\\ud83d"', "half a surrogate pair", 1, 1),
        ('["\ud83d"]', "half a surrogate pair", 1, 3),
        ('{"\\uDE00":1}', "half a surrogate pair", 1, 2),
    ],
)
def test_each_fault_says_what_and_where(text: str, says: str, line: int, column: int) -> None:
    error = fault(text)
    assert says in str(error)
    assert (error.line, error.column) == (line, column)


@pytest.mark.parametrize(
    ("data", "says", "line", "column"),
    [
        (b'{"a":\n"\xe9"}', "byte 7 (0xe9) is not UTF-8", 2, 2),
        ('["é\xe9"]'.encode()[:-3] + b"\xff", "is not UTF-8", 1, 4),
        (b"\xef\xbb\xbf\xff", "byte 3 (0xff) is not UTF-8", 1, 1),
        (b'"\xed\xa0\x80"', "is not UTF-8", 1, 2),
        (b'"\xc0\x80"', "is not UTF-8", 1, 2),
        ('{"a":1}'.encode("utf-16"), "UTF-16", 1, 1),
        ('{"a":1}'.encode("utf-16-be"), "UTF-16-big-endian", 1, 1),
        ('{"a":1}'.encode("utf-32"), "UTF-32", 1, 1),
        ('{"a":1}'.encode("utf-32-le"), "UTF-32-little-endian", 1, 1),
        (b"[1,\x00]", "a value is expected", 1, 4),
    ],
)
def test_bytes_are_utf_8_or_an_error_names_what_they_are(data: bytes, says: str, line: int, column: int) -> None:
    error = fault(data)
    assert says in str(error)
    assert (error.line, error.column) == (line, column)


@pytest.mark.parametrize(
    ("text", "pointer", "column"),
    [
        ('{"a":1,"a":1}', "", 8),
        ('{"a":{"b":1,"b":2}}', "/a", 13),
        ('[{"~/":[0,{"b":{"a":0},"a":[{"a":0}],"a":2}]}]', "/0/~0~1/1", 38),
        ('{"a":1,"\\u0061":2}', "", 8),
        ('{"a":"a","b":["a","a"],"a":0}', "", 24),
    ],
)
def test_a_repeated_name_is_named_with_its_object(text: str, pointer: str, column: int) -> None:
    error = fault(text)
    assert "'a' occurs twice" in error.message or "'b' occurs twice" in error.message
    assert (error.pointer, error.column) == (pointer, column)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('"\\ud83d\\ude00"', "😀"),
        ('"\\\\ud83d"', "\\ud83d"),
        ('"\\\\\\ud83d\\ude00\\\\"', "\\😀\\"),
        ("1e-400", 0.0),
        ("-0", 0),
        ("9" * MAX_DIGITS, int("9" * MAX_DIGITS)),
        ("-" + "9" * MAX_DIGITS, -int("9" * MAX_DIGITS)),
        ("1.0", 1.0),
        ('{"":{"":""}}', {"": {"": ""}}),
        ('"NaN"', "NaN"),
        ('"\\u0000\\u007f\u2028"', "\x00\x7f\u2028"),
        ("\ufeff[1]", [1]),
        (" \t\r\n1 \t\r\n", 1),
    ],
)
def test_what_the_standard_allows_is_read(text: str, value: Any) -> None:
    taken = read_json(text)
    assert taken == value
    assert type(taken) is type(value)


# Limits


def test_nesting_up_to_the_limit_is_read_and_one_level_more_is_an_error_with_its_place() -> None:
    assert dumps(read_json(nested(MAX_DEPTH))) == nested(MAX_DEPTH)
    error = fault(nested(MAX_DEPTH + 1))
    assert isinstance(error, LimitError)
    assert (error.line, error.column) == (1, MAX_DEPTH + 1)
    assert fault('["[[", \n[[]]]', max_depth=2).line == 2


@pytest.mark.parametrize(
    "text", ["[" * 100_000, '{"a":' * 100_000, '["' + "[" * 100_000 + '",' + "[" * 501, '[\\"' + "[" * 600]
)
def test_nesting_never_reaches_the_stack(text: str) -> None:
    fault(text)


def test_brackets_in_strings_are_no_nesting() -> None:
    assert read_json('["' + "[{" * 1000 + '\\"[\\\\"]') == ["[{" * 1000 + '"[\\']


def test_what_the_decoder_cannot_survive_is_an_error_too() -> None:
    """A caller may raise the limit, or be deep in calls of its own, so that the interpreter's limit comes first."""
    assert isinstance(fault(nested(200_000), max_depth=10**6), LimitError)


@pytest.mark.parametrize("data", ['"é"', '"é"'.encode()])
def test_size_is_counted_in_bytes_of_utf_8(data: str | bytes) -> None:
    assert read_json(data, max_bytes=4) == "é"
    error = fault(data, max_bytes=3)
    assert isinstance(error, LimitError)
    assert "over the limit of 3" in str(error)


def test_an_integer_over_the_limit_is_a_limit_error() -> None:
    error = fault('{"a":[1,' + "9" * (MAX_DIGITS + 1) + "]}")
    assert isinstance(error, LimitError)
    assert (error.pointer, error.column) == ("/a/1", 9)


def test_a_lower_limit_of_the_interpreter_is_respected() -> None:
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(640)
    try:
        error = fault("[" + "9" * 700 + "]")
    finally:
        sys.set_int_max_str_digits(before)
    assert (error.pointer, error.column) == ("/0", 2)
