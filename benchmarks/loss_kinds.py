"""Which kinds of inexact loss cost most tightness: each invalid object that gets through is put down to one loss."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import unquote

from bench_files import Case
from verdicts import Judge, draft_of

from workbench.errors import InputError
from workbench.lowering import Bound, Loss, lower
from workbench.tables import Column, Table
from workbench.tokens import encoding
from workbench.values import dumps, join, resolve, split

__all__ = ["kinds_table"]

_SHOWN: Final = 10
_LONGEST: Final = 90


@dataclass(slots=True)
class Kind:
    """The objects that one kind of loss lets through, and an example."""

    objects: int = 0
    schemas: set[str] = field(default_factory=set)
    example: tuple[str, str, str] = ("", "", "")


def kinds_table(cases: Sequence[Case]) -> Table:
    """
    The ten kinds that let most invalid objects through, under the bound of the original's tokens.

    An object is put down to the inexact loss that stands nearest to an assertion by which the original rejects it.
    """
    kinds: dict[tuple[str, str], Kind] = {}
    for case in cases:
        for data, loss in _let_through(case):
            kind = kinds.setdefault((loss.keyword or "(whole schema)", loss.action), Kind())
            kind.objects += 1
            kind.schemas.add(case.name)
            if not kind.example[0]:
                kind.example = (case.name, loss.pointer, _short(dumps(data)))
    ranked = sorted(kinds.items(), key=lambda item: -item[1].objects)[:_SHOWN]
    columns = ("keyword", "what was done", Column("objects"), Column("schemas"), "example", "at", "lets through")
    rows = [(*names, kind.objects, len(kind.schemas), *kind.example) for names, kind in ranked]
    return Table(columns, rows, "The losses that let most invalid objects through")


def _let_through(case: Case) -> Iterator[tuple[Any, Loss]]:
    count = encoding().count
    lowered = lower(case.schema, bound=Bound(count, count(dumps(case.schema))))
    losses = [loss for loss in lowered.losses if not loss.exact]
    original = Judge(case.schema, draft_of(case.schema), formats=False)
    result = Judge(lowered.schema, 2020, formats=False)
    for data in case.invalid:
        if original.accepts(data) is False and result.accepts(data):
            paths = [_pointer(case.schema, path) for path in original.failures(data)]
            yield data, _nearest(losses, paths)


def _pointer(schema: Any, path: Sequence[str | int]) -> str:
    """A path of a validator, which goes through references, as the pointer of the place where it ends."""
    here = ""
    for token in path:
        here = join(here, token)
        if token == "$ref":
            try:
                target = resolve(schema, here)
                if isinstance(target, str) and target.startswith(("#/", "#")):
                    here = unquote(target[1:])
                    resolve(schema, here)
            except InputError:
                return here
    return here


def _nearest(losses: Sequence[Loss], paths: Sequence[str]) -> Loss:
    best, score = Loss("", "", "not accounted for", False), (-1, False)
    for path in paths:
        tokens = split(path)
        for loss in losses:
            shared = _shared(split(loss.pointer), tokens)
            closeness = (shared, loss.keyword == tokens[-1] if tokens else False)
            if closeness > score:
                best, score = loss, closeness
    return best


def _shared(one: Sequence[str], other: Sequence[str]) -> int:
    count = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        count += 1
    return count


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
