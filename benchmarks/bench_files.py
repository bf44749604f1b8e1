"""Reading a benchmark: one JSON object a line, or a folder of files as JSONSchemaBench and its MaskBench have them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

__all__ = ["Case", "read_cases"]


@dataclass(frozen=True, slots=True)
class Case:
    """A schema with objects that its authors call valid or invalid; instances of other types say nothing about tools."""

    name: str
    schema: Any
    valid: tuple[dict[str, Any], ...] = ()
    invalid: tuple[dict[str, Any], ...] = ()
    #: Instances that are no objects.
    others: int = 0


def read_cases(bench: Path, limit: int | None = None) -> list[Case]:
    """
    The cases of a file of JSON Lines, or of all `*.json` below a folder, in a fixed order; `limit` takes so many, evenly spread.

    A case is `{"schema": ..., "tests": [{"valid": ..., "data": ...}]}` with an optional `name`; a file that holds anything else
    holds a schema. Raises `ValueError` for what is no JSON, naming the file or line.
    """
    cases = list(_from_folder(bench) if bench.is_dir() else _from_lines(bench))
    if limit is None or limit >= len(cases):
        return cases
    return [cases[place * len(cases) // limit] for place in range(limit)]


def _from_lines(file: Path) -> Iterator[Case]:
    with file.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                yield _case(_json(line, f"{file}, line {number}"), f"line {number}")


def _from_folder(folder: Path) -> Iterator[Case]:
    for file in sorted(folder.rglob("*.json")):
        yield _case(
            _json(file.read_text(encoding="utf-8"), str(file)), file.relative_to(folder).with_suffix("").as_posix()
        )


def _json(text: str, where: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from error


def _case(value: Any, name: str) -> Case:
    if not (isinstance(value, dict) and "schema" in value and isinstance(value.get("tests"), list)):
        return Case(name, value)
    tests: Iterable[Any] = value["tests"]
    objects = [test for test in tests if isinstance(test["data"], dict)]
    return Case(
        str(value.get("name", name)),
        value["schema"],
        tuple(test["data"] for test in objects if test["valid"]),
        tuple(test["data"] for test in objects if not test["valid"]),
        len(value["tests"]) - len(objects),
    )
