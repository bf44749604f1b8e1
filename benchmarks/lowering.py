"""
What lowering keeps, measured on real schemas with objects that are known to be valid or invalid, beside what others do.

    python benchmarks/lowering.py BENCH [--limit N] [--detail] [--markdown]

BENCH is a file of JSON Lines (`{"name", "schema", "tests": [{"valid", "data"}]}`) or a folder of JSONSchemaBench or MaskBench
files. All policies see the same schemas in one run. `benchmarks/README.md` says what each column means.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench_files import Case, read_cases
from loss_kinds import kinds_table
from policies import Policy, Result, policies
from verdicts import Judge, draft_of

from workbench.subset import inside
from workbench.tables import Column, Table
from workbench.tokens import encoding
from workbench.values import dumps

__all__ = ["main"]


@dataclass(frozen=True, slots=True)
class Subject:
    """A case, and what its own schema says of its objects."""

    case: Case
    draft: int
    tokens: int
    size: int
    #: Flagged as valid, each with whether the schema itself does not reject it, formats not asserted and asserted.
    valid: tuple[tuple[Any, bool, bool], ...]
    #: Flagged as invalid, each with whether the schema rejects it when formats are not asserted, and when they are.
    invalid: tuple[tuple[Any, bool, bool], ...]

    @classmethod
    def of(cls, case: Case) -> Subject:
        draft = draft_of(case.schema)
        text = dumps(case.schema)
        plain, strict = (Judge(case.schema, draft, formats=formats) for formats in (False, True))
        return cls(
            case,
            draft,
            encoding().count(text),
            len(text.encode()),
            tuple((data, plain.accepts(data) is not False, strict.accepts(data) is not False) for data in case.valid),
            tuple((data, plain.accepts(data) is False, strict.accepts(data) is False) for data in case.invalid),
        )


@dataclass(slots=True)
class Share:
    """How many of some objects are rejected."""

    rejected: int = 0
    of: int = 0

    def add(self, rejected: bool) -> None:
        self.of += 1
        self.rejected += rejected

    @property
    def ratio(self) -> float | None:
        return self.rejected / self.of if self.of else None


@dataclass(slots=True)
class Tally:
    """What one policy made of all schemas."""

    policy: Policy
    inside: int = 0
    failed: int = 0
    wronged: int = 0
    undecided: int = 0
    dearer: int = 0
    size: int = 0
    tokens: int = 0
    seconds: list[float] = field(default_factory=list)
    #: Of the objects that the original rejects, and of all that are flagged; formats not asserted, and asserted.
    tight: Share = field(default_factory=Share)
    tight_formats: Share = field(default_factory=Share)
    flagged: Share = field(default_factory=Share)
    flagged_formats: Share = field(default_factory=Share)
    wronged_names: list[str] = field(default_factory=list)
    slowest: tuple[float, str] = (0.0, "")
    largest: tuple[int, str] = (0, "")

    def add(self, subject: Subject, result: Result) -> None:
        """Counts one result; what is outside the subset, or none, stands for a schema that is left out."""
        name = subject.case.name
        self.seconds.append(result.seconds)
        self.slowest = max(self.slowest, (result.seconds, name))
        self.failed += bool(result.error)
        kept = not result.error and inside(result.schema)
        schema = result.schema if kept else True
        if kept:
            text = dumps(schema)
            tokens = encoding().count(text)
            self.inside += 1
            self.size += len(text.encode())
            self.tokens += tokens
            self.dearer += tokens > subject.tokens
            self.largest = max(self.largest, (len(text.encode()), name))
        draft = 2020 if self.policy.respells else subject.draft
        plain, strict = (Judge(schema, draft, formats=formats) for formats in (False, True))
        wronged = sum(
            (accepted and self._rejects(plain, data)) or (accepted_formats and self._rejects(strict, data))
            for data, accepted, accepted_formats in subject.valid
        )
        self.wronged += wronged
        self.wronged_names += [name] * bool(wronged)
        for data, rejected, rejected_formats in subject.invalid:
            still, still_formats = self._rejects(plain, data), self._rejects(strict, data)
            self.flagged.add(still)
            self.flagged_formats.add(still_formats)
            if rejected:
                self.tight.add(still)
            if rejected_formats:
                self.tight_formats.add(still_formats)

    def _rejects(self, judge: Judge, data: Any) -> bool:
        verdict = judge.accepts(data)
        self.undecided += verdict is None
        return verdict is False


def measure(cases: Sequence[Case], tried: Iterable[Policy]) -> list[Tally]:
    """Every policy on every case."""
    tallies = [Tally(policy) for policy in tried]
    for number, case in enumerate(cases, 1):
        subject = Subject.of(case)
        for tally in tallies:
            tally.add(subject, tally.policy.convert(case.schema))
        if sys.stderr.isatty():
            print(f"\r{number} of {len(cases)}", end="", file=sys.stderr, flush=True)
    if sys.stderr.isatty():
        print(file=sys.stderr)
    return tallies


def results_table(tallies: Sequence[Tally], totals: Totals) -> Table:
    """One row for each policy."""
    columns = (
        Column("policy"),
        Column("in subset", "percent"),
        Column("no result"),
        Column("wrongly rejected"),
        Column("still rejected", "percent"),
        Column("bytes", "percent"),
        Column("tokens", "percent"),
        Column("dearer"),
        Column("ms, median", "thousands", 2),
        Column("ms, max", "thousands", 0),
    )
    rows = [
        (
            tally.policy.name,
            tally.inside / totals.schemas,
            tally.failed,
            tally.wronged,
            tally.tight.ratio,
            tally.size / totals.size,
            tally.tokens / totals.tokens,
            tally.dearer,
            1000 * statistics.median(tally.seconds),
            1000 * max(tally.seconds),
        )
        for tally in tallies
    ]
    return Table(columns, rows, "Policies side by side")


def tightness_table(tallies: Sequence[Tally]) -> Table:
    """The same objects, counted in the four ways that "invalid" can be read."""
    columns = (
        Column("policy"),
        Column("original rejects", "percent", 2),
        Column("the same, formats asserted", "percent", 2),
        Column("flagged invalid", "percent", 2),
        Column("the same, formats asserted", "percent", 2),
    )
    rows = [
        (t.policy.name, t.tight.ratio, t.tight_formats.ratio, t.flagged.ratio, t.flagged_formats.ratio) for t in tallies
    ]
    return Table(columns, rows, "Invalid objects still rejected")


@dataclass(frozen=True, slots=True)
class Totals:
    """What went in."""

    schemas: int
    size: int
    tokens: int

    @classmethod
    def of(cls, cases: Sequence[Case]) -> Totals:
        texts = [dumps(case.schema) for case in cases]
        counts = encoding().count_many(texts)
        return cls(len(cases), max(sum(len(text.encode()) for text in texts), 1), max(sum(counts), 1))


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures and prints; returns the exit status."""
    parser = argparse.ArgumentParser(description="Lowering beside what others do, on a benchmark of real schemas.")
    parser.add_argument("bench", type=Path, help="a file of JSON Lines, or a folder of JSON files")
    parser.add_argument("--limit", type=int, help="so many schemas, evenly spread")
    parser.add_argument(
        "--detail", action="store_true", help="also: the slowest, the largest, and what costs tightness"
    )
    parser.add_argument("--markdown", action="store_true", help="tables as Markdown")
    options = parser.parse_args(arguments)
    cases = read_cases(options.bench, options.limit)
    if not cases:
        parser.error(f"no schemas in {options.bench}")
    totals, tallies = Totals.of(cases), measure(cases, policies())
    _print_inputs(cases, totals, tallies[0])
    tables = [results_table(tallies, totals), tightness_table(tallies)]
    if options.detail:
        tables += [_extremes_table(tallies), kinds_table(cases)]
    for table in tables:
        print()
        print(table.markdown() if options.markdown else table.text(), end="")
    return 0


def _print_inputs(cases: Sequence[Case], totals: Totals, tally: Tally) -> None:
    valid, invalid = sum(len(case.valid) for case in cases), sum(len(case.invalid) for case in cases)
    print(
        f"{totals.schemas:,} schemas ({totals.size:,} bytes, {totals.tokens:,} tokens under {encoding().name}), ",
        end="",
    )
    print(
        f"{valid:,} valid and {invalid:,} invalid objects; {sum(case.others for case in cases):,} other instances skipped."
    )
    print(
        f"Of the invalid ones the originals reject {tally.tight.of:,} themselves, and {tally.tight_formats.of:,} with",
        end=" ",
    )
    print("formats asserted.")


def _extremes_table(tallies: Sequence[Tally]) -> Table:
    columns = (
        "policy",
        "slowest",
        Column("ms", "thousands", 0),
        "largest result",
        Column("bytes", "thousands"),
        "wronged",
    )
    rows = [
        (t.policy.name, t.slowest[1], 1000 * t.slowest[0], t.largest[1], t.largest[0], ", ".join(t.wronged_names[:4]))
        for t in tallies
    ]
    return Table(columns, rows, "Extremes")


if __name__ == "__main__":
    sys.exit(main())
