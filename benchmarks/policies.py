"""
The policies that are measured: ours, what hosts do without one, and public converters where they are installed.

A policy turns a schema into another one, or fails. Ours are read as 2020-12, which is what they are written in; the others
leave the spelling of keywords as it was, so their results are read in the dialect of the original.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, Final

from time_limits import OutOfTime, within

from workbench.keywords import BANNED, KEYWORDS, Role
from workbench.lowering import Bound, lower
from workbench.subset import inside
from workbench.tokens import encoding
from workbench.values import dumps
from workbench.walk import walk

__all__ = ["Policy", "Result", "policies"]

#: Seconds that the conversion of one schema may take before it counts as failed.
_LIMIT: Final = 20.0
_PEERS: Final = Path(__file__).resolve().parent / "peers"


@dataclass(frozen=True, slots=True)
class Result:
    """What became of one schema, and how long that took."""

    schema: Any
    seconds: float
    error: str = ""


@dataclass(frozen=True, slots=True)
class Policy:
    """A way to make a compact schema, and how its results are read."""

    name: str
    convert: Callable[[Any], Result]
    #: The results are written in 2020-12; else in the dialect of the original.
    respells: bool = False


def policies() -> Iterator[Policy]:
    """Ours first, then what can be done without it, then the public converters that are installed."""
    yield Policy("lower", _timed(_lower), respells=True)
    yield Policy("lower, unbounded", _timed(lambda schema: lower(schema).schema), respells=True)
    yield Policy("omit", _timed(_omit))
    yield Policy("delete", _timed(_delete))
    yield from _from_pypi("pydantic-ai-slim", "pydantic_ai._json_schema", _inline)
    yield from _from_pypi("fastmcp", "fastmcp.utilities.json_schema", _dereference)
    if (_PEERS / "node_modules").is_dir() and shutil.which("node"):
        pins = json.loads((_PEERS / "package.json").read_text())["dependencies"]
        names = " + ".join(f"{name.split('/')[-1]} {pin}" for name, pin in pins.items())
        yield Policy(names, _Node().convert)


def _timed(convert: Callable[[Any], Any]) -> Callable[[Any], Result]:
    def timed(schema: Any) -> Result:
        begun = time.perf_counter()
        try:
            with within(_LIMIT):
                result, error = convert(schema), ""
        except OutOfTime:
            result, error = None, f"more than {_LIMIT:.0f} s"
        except Exception as failure:  # noqa: BLE001 - a converter may fail as it likes; that is what is counted
            result, error = None, f"{type(failure).__name__}: {failure}"[:200]
        return Result(result, time.perf_counter() - begun, error)

    return timed


def _lower(schema: Any) -> Any:
    count = encoding().count
    return lower(schema, bound=Bound(count, count(dumps(schema)))).schema


def _omit(schema: Any) -> Any:
    """Keep or omit: annotations go, and the schema is kept if that leaves it in the subset. What is not kept has no result."""
    kept = _without(schema, _is_annotation)
    return kept if inside(kept) else {}


def _delete(schema: Any) -> Any:
    """Annotations, the banned keywords and the definitions go, wherever they stand; the root gets the floor of the subset."""
    left = _without(schema, lambda name: name in BANNED or name in ("$defs", "definitions") or _is_annotation(name))
    if not isinstance(left, dict):
        left = {}
    return left | {"type": "object", "properties": left.get("properties", {})}


def _is_annotation(name: str) -> bool:
    row = KEYWORDS.get(name)
    return row is not None and row.role is Role.ANNOTATION and name != "description"


def _without(schema: Any, goes: Callable[[str], bool]) -> Any:
    copy = json.loads(json.dumps(schema))
    for visit in walk(copy):
        if isinstance(visit.schema, dict):
            for name in [name for name in visit.schema if goes(name)]:
                del visit.schema[name]
    return copy


# Public converters. Each is called the way its own package calls it, on a copy.


def _from_pypi(package: str, module: str, call: Callable[[Any, Any], Any]) -> Iterator[Policy]:
    try:
        name, found = f"{package} {version(package)}", import_module(module)
    except (PackageNotFoundError, ImportError):
        return
    yield Policy(name, _timed(lambda schema: call(found, json.loads(json.dumps(schema)))))


def _inline(pydantic_ai: Any, schema: Any) -> Any:
    return pydantic_ai.InlineDefsJsonSchemaTransformer(schema).walk()


def _dereference(fastmcp: Any, schema: Any) -> Any:
    return fastmcp.compress_schema(schema, dereference=True)


class _Node:
    """The npm pair in one process of its own, begun anew when a schema takes too long; the time is that inside the process."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None
        self._answers: SimpleQueue[str] = SimpleQueue()

    def convert(self, schema: Any) -> Result:
        process = self._running()
        begun = time.perf_counter()
        try:
            assert process.stdin is not None
            process.stdin.write(json.dumps(schema) + "\n")
            process.stdin.flush()
            answer = json.loads(self._answers.get(timeout=_LIMIT))
        except (Empty, OSError, ValueError):
            process.kill()
            process.wait()
            self._process = None
            return Result(None, time.perf_counter() - begun, f"no answer within {_LIMIT:.0f} s")
        return Result(answer.get("schema"), answer["ms"] / 1000, answer.get("error", ""))

    def _running(self) -> subprocess.Popen[str]:
        if self._process is None or self._process.poll() is not None:
            command = ["node", "--max-old-space-size=1000", "convert.mjs"]
            pipe = subprocess.PIPE
            self._process = subprocess.Popen(
                command, cwd=_PEERS, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True
            )
            self._answers = SimpleQueue()
            Thread(target=_relay, args=(self._process, self._answers), daemon=True).start()
        return self._process


def _relay(process: subprocess.Popen[str], answers: SimpleQueue[str]) -> None:
    assert process.stdout is not None
    for line in process.stdout:
        answers.put(line)
    answers.put("")  # ended: whoever waits shall not wait for the limit
