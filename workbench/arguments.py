"""
The kinds of arguments that the public functions take, in one table, asked before a function begins.

Parameters of one name mean one thing in all of them, so a kind is looked up by the name; the few that differ are under
`function.name`. What only the function itself can know (an unknown strategy, a damaged file) stays its own to say.
"""

from __future__ import annotations

import functools
import inspect
import math
import numbers
import os
import reprlib
from collections.abc import Callable, Collection, Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TypeVar

from workbench.errors import UsageError
from workbench.wording import kind

__all__ = ["checked"]

_Function = TypeVar("_Function", bound=Callable[..., Any])
_Test = Callable[[Any], bool]


class _Kind(NamedTuple):
    words: str
    fits: _Test


def checked(function: _Function) -> _Function:
    """The function, which now raises UsageError for an argument of a kind that it does not take."""
    signature = inspect.signature(function)

    @functools.wraps(function)
    def call(*arguments: Any, **named: Any) -> Any:
        try:
            given = dict(signature.bind_partial(*arguments, **named).arguments)
        except TypeError:  # An argument too many, or of no known name: Python's own words for it are as good.
            return function(*arguments, **named)
        for parameter in signature.parameters.values():
            if parameter.kind is parameter.VAR_KEYWORD:
                given |= given.pop(parameter.name, {})
        for name, value in given.items():
            wanted = _KINDS.get(f"{function.__name__}.{name}") or _KINDS.get(name)
            if wanted is not None and not wanted.fits(value):
                raise UsageError(f"{function.__name__}: {name} has to be {wanted.words}, not {_described(value)}")
        return function(*arguments, **named)

    return call  # type: ignore[return-value]  # wrapped as it was


def _described(value: Any) -> str:
    return reprlib.repr(value) if isinstance(value, numbers.Real | str | list | tuple) else kind(value)


def _of_ours(*names: str) -> _Test:
    """Whether a value is of a class of this package, told by its name: nothing has to be loaded for the question."""
    return lambda value: any(
        base.__name__ in names and base.__module__.partition(".")[0] == "workbench" for base in type(value).__mro__
    )


def _number(type_: type, test: _Test = lambda _: True) -> _Test:
    return lambda value: isinstance(value, type_) and not isinstance(value, bool) and test(value)


def _whole(least: float = -math.inf, most: float = math.inf) -> _Test:
    return _number(numbers.Integral, lambda value: least <= value <= most)


def _one_of(*values: Any) -> _Test:
    return lambda value: any(type(value) is type(each) and value == each for each in values)


def _either(*tests: _Test) -> _Test:
    return lambda value: any(test(value) for test in tests)


def _each(test: _Test) -> _Test:
    """Whether a value holds several of these; what can be gone through only once is taken at its word."""
    return lambda value: (
        isinstance(value, Iterable)
        and not isinstance(value, str | bytes | dict)
        and not _catalog(value)
        and (not isinstance(value, Collection) or all(map(test, value)))
    )


def _is(*types: type) -> _Test:
    return lambda value: isinstance(value, types)


def _or_none(words: str, test: _Test) -> _Kind:
    return _Kind(f"{words}, or None", lambda value: value is None or test(value))


_text, _path, _catalog = _is(str), _is(str, os.PathLike), _of_ours("Catalog")
_source = _either(_path, _catalog, _is(list, dict))
_A_CATALOG: Final = _Kind("a Catalog (workbench.load gives one)", _catalog)
_FLAG: Final = _Kind("True or False", _is(bool))
_NAME: Final = _Kind("a name, as text", _text)
_LIMIT: Final = _or_none("a whole number from 0 up", _whole(0))
_SECRET: Final = _or_none("a credential", _either(_text, _of_ours("Credential")))

_KINDS: Final[Mapping[str, _Kind]] = MappingProxyType(
    {
        "after": _A_CATALOG,
        "announce": _or_none("a function of a number", callable),
        "allow_insecure": _FLAG,
        "before": _A_CATALOG,
        "bound": _or_none("a Bound of workbench.lowering", _of_ours("Bound")),
        "catalog": _A_CATALOG,
        "claims.catalogs": _Kind("a list of Catalogs", _each(_catalog)),
        "serve.catalogs": _Kind(
            "a Catalog, or one for each principal by name",
            _either(_catalog, lambda value: isinstance(value, Mapping) and all(map(_catalog, value.values()))),
        ),
        "context": _or_none("one or more whole numbers from 1 up", _either(_whole(1), _each(_whole(1)))),
        "credential": _SECRET,
        "embed": _FLAG,
        "encoding": _NAME,
        "evidence": _Kind("Evidence, or the path of its file", _either(_path, _of_ours("Evidence"))),
        "faults": _Kind("a list of names", _each(_text)),
        "force": _FLAG,
        "intrusive": _FLAG,
        "keys": _or_none("a credential for each principal by name", _is(Mapping)),
        "limits": _or_none("a list of whole numbers from 0 up", _each(_whole(0))),
        "major": _or_none("1 or 2", _one_of(1, 2)),
        "check.major": _Kind("1 or 2", _one_of(1, 2)),
        "max_bytes": _Kind("a whole number from 1 up", _whole(1)),
        "max_description": _LIMIT,
        "max_parameter_description": _LIMIT,
        "options": _or_none("Options of workbench.evidence", _of_ours("Options")),
        "other": _SECRET,
        "other_token_env": _or_none("the name of an environment variable", _text),
        "out": _Kind("a path", _path),
        "policy": _Kind("lower or omit", _one_of("lower", "omit")),
        "port": _Kind("a whole number from 0 to 65535", _whole(0, 65_535)),
        "profile": _Kind("v1 or v2", _one_of("v1", "v2")),
        "progress": _or_none("a function of two numbers", callable),
        "projection": _or_none("a Projection (workbench.project gives one)", _of_ours("Projection")),
        "queries": _or_none(
            "a path, or a list of queries", _either(_path, _each(_of_ours("Query")))
        ),
        "rendering": _NAME,
        "samples": _Kind("a whole number from 1 up", _whole(1)),
        "schemas": _Kind("lower or omit", _one_of("lower", "omit")),
        "seed": _Kind("a whole number", _whole()),
        "server": _or_none("a name, as text", _text),
        "source": _Kind("a path, -, sample:NAME, an address, or a JSON list or object", _either(_path, _is(list, dict))),
        "sources": _Kind("a list of sources", _each(_source)),
        "strategy": _NAME,
        "tune.strategy": _Kind("the name of a strategy, all, or a list of names", _either(_text, _each(_text))),
        "timeout": _Kind("a number of seconds", _number(numbers.Real, lambda value: value > 0)),
        "token_env": _or_none("the name of an environment variable", _text),
        "turns": _Kind("a whole number from 1 up", _whole(1)),
        "unit": _NAME,
        "url": _Kind("an address, as text", _text),
        "view": _Kind("standard or compact", _one_of("standard", "compact")),
        "workers": _Kind("a whole number from 1 up", _whole(1)),
    }
)  # fmt: skip
