"""The result of measuring fidelity: a row for each tool, the JSON that other programs rely on, and tables to look at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from workbench.projection import SchemaPolicy, ToolLoss
from workbench.tables import Column, Table
from workbench.values import dumps

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Fate", "Fidelity", "ToolFidelity"]

Fate: TypeAlias = Literal["kept", "omitted", "absent"]
"""What became of `inputSchema`: it is there, it was left out, or the tool never had one."""

#: Tools that a notebook shows one by one.
_SHOWN = 25
_LONGEST = 120
_FRAME = (
    *("toolId", "schema", "soundness", "precision", "tightness", "undecided"),
    *("valid", "invalid", "passing", "leftOut", "losses"),
    *("standard", "compact", "savedRatio", "reason"),
)


@dataclass(frozen=True, slots=True)
class ToolFidelity:
    """What the samples of one tool say. Counts are of distinct objects on which both schemas have a verdict."""

    tool_id: str
    schema: Fate
    #: Objects that the original accepts, and how many of them the compact schema accepts.
    valid: int = 0
    sound: int = 0
    #: Objects that the original refuses, and how many of them the compact schema refuses.
    invalid: int = 0
    tight: int = 0
    #: Probes and near-misses that the compact schema accepts, and how many of them the original accepts.
    passing: int = 0
    precise: int = 0
    #: Objects on which one of the two schemas has no verdict.
    left_out: int = 0
    #: Why objects were left out, or why there are none.
    reason: str = ""
    #: What lowering gave up, the exact losses aside.
    losses: tuple[ToolLoss, ...] = ()
    #: A valid object that the compact schema refuses; there must be none.
    wrongly_refused: dict[str, Any] | None = None
    #: An object that the compact schema admits and the original refuses.
    wrongly_admitted: dict[str, Any] | None = None
    #: Tokens of the descriptor's own JSON text in each view.
    standard: int = 0
    compact: int = 0

    @property
    def soundness(self) -> float | None:
        """Of the sampled objects that the original accepts, the share that the compact schema accepts; None without any."""
        return self.sound / self.valid if self.valid else None

    @property
    def precision(self) -> float | None:
        """Of the sampled objects that the compact schema accepts, the share that the original accepts; None without any."""
        return self.precise / self.passing if self.passing else None

    @property
    def tightness(self) -> float | None:
        """Of the sampled objects that the original refuses, the share that the compact schema refuses; None without any."""
        return self.tight / self.invalid if self.invalid else None

    @property
    def undecided(self) -> bool:
        """Whether one of the two shares could not be measured; `reason` says why."""
        return not (self.valid and self.passing)

    @property
    def saved_ratio(self) -> float:
        """The share of the standard descriptor's tokens that the compact one saves."""
        return (self.standard - self.compact) / self.standard if self.standard else 0.0

    def to_json(self) -> dict[str, Any]:
        """The row as one JSON object."""
        return {
            "toolId": self.tool_id,
            "schema": self.schema,
            "soundness": self.soundness,
            "precision": self.precision,
            "tightness": self.tightness,
            "undecided": self.undecided,
            "samples": {
                "valid": self.valid,
                "invalid": self.invalid,
                "passing": self.passing,
                "leftOut": self.left_out,
            },
            "reason": self.reason,
            "tokens": {"standard": self.standard, "compact": self.compact},
            "wronglyRefused": self.wrongly_refused,
            "wronglyAdmitted": self.wrongly_admitted,
            "losses": [loss.to_json() for loss in self.losses],
        }


@dataclass(frozen=True, slots=True, repr=False)
class Fidelity:
    """How faithful the compact view of a catalog is under one policy, tool by tool and in catalog order."""

    rows: tuple[ToolFidelity, ...]
    policy: SchemaPolicy
    #: Draws from each schema of a tool, and near-misses, that were asked for.
    samples: int
    seed: int
    #: Under which the tokens of `rows` are counted.
    encoding: str

    @property
    def undecided(self) -> tuple[ToolFidelity, ...]:
        """The tools of which the samples say too little."""
        return tuple(row for row in self.rows if row.undecided)

    @property
    def soundness(self) -> float | None:
        """The share over the sampled objects of all tools; None without any. Anything but 1 is a fault of the lowering."""
        valid = sum(row.valid for row in self.rows)
        return sum(row.sound for row in self.rows) / valid if valid else None

    @property
    def precision(self) -> float | None:
        """The mean over the tools that have a precision, each counting alike; None without any."""
        return _mean([row.precision for row in self.rows])

    @property
    def tightness(self) -> float | None:
        """The mean over the tools that have a tightness, each counting alike; None without any."""
        return _mean([row.tightness for row in self.rows])

    def counts(self) -> dict[str, int]:
        """The number of tools, of schemas kept, omitted and absent, and of tools that are undecided."""
        fates = Counter(row.schema for row in self.rows)
        by_fate = {"kept": fates["kept"], "omitted": fates["omitted"], "absent": fates["absent"]}
        return {"tools": len(self.rows), **by_fate, "undecided": len(self.undecided)}

    def table(self, limit: int | None = None) -> Table:
        """The tools from the least precise to the most, the undecided ones last; `limit` shows only so many of them."""
        columns = (
            Column("toolId"),
            Column("schema"),
            Column("soundness", "percent"),
            Column("precision", "percent"),
            Column("tightness", "percent"),
            Column("samples"),
            Column("losses"),
            Column("saved", "percent", 0),
            Column("admits, or why undecided"),
        )
        ranked = sorted(self.rows, key=lambda row: (row.undecided, row.precision if row.precision is not None else 2.0))
        return Table(columns, [_cells(row) for row in ranked[:limit]], self._title(limit))

    def summary(self) -> Table:
        """One row: the whole catalog under this policy."""
        counts = self.counts()
        columns = (
            *("policy", "tools", "kept", "omitted", "absent", "undecided"),
            Column("soundness", "percent"),
            Column("precision", "percent"),
            Column("tightness", "percent"),
        )
        shares = (share for _, share in self._shares())
        return Table(columns, [(self.policy, *counts.values(), *shares)])

    def frame(self) -> pd.DataFrame:
        """One row per tool, in catalog order, with all figures unrounded."""
        rows = [
            (
                *(row.tool_id, row.schema, row.soundness, row.precision, row.tightness, row.undecided),
                *(row.valid, row.invalid, row.passing, row.left_out, len(row.losses)),
                *(row.standard, row.compact, row.saved_ratio, row.reason),
            )
            for row in self.rows
        ]
        return Table(_FRAME, rows).frame()

    def to_json(self) -> dict[str, Any]:
        """All of it as one JSON object."""
        return {
            "policy": self.policy,
            "samples": self.samples,
            "seed": self.seed,
            "encoding": self.encoding,
            "tools": [row.to_json() for row in self.rows],
            "counts": self.counts(),
            "soundness": self.soundness,
            "precision": self.precision,
            "tightness": self.tightness,
        }

    def __repr__(self) -> str:
        shares = ", ".join(f"{name} {_percent(share)}" for name, share in self._shares())
        return f"<Fidelity of {len(self.rows)} tools under {self.policy}: {shares}; {len(self.undecided)} undecided>"

    def _repr_html_(self) -> str:
        return self.table(_SHOWN).html()

    def _shares(self) -> tuple[tuple[str, float | None], ...]:
        return ("soundness", self.soundness), ("precision", self.precision), ("tightness", self.tightness)

    def _title(self, limit: int | None) -> str:
        shares = ", ".join(f"{name} {_percent(share)}" for name, share in self._shares())
        tools = (
            f"{len(self.rows)} tools"
            if limit is None or limit >= len(self.rows)
            else f"{limit} of {len(self.rows)} tools"
        )
        return f"{tools} under {self.policy}: {shares} (samples {self.samples}, seed {self.seed})"


def _cells(row: ToolFidelity) -> tuple[str | int | float | None, ...]:
    example = "" if row.wrongly_admitted is None else dumps(row.wrongly_admitted)
    if row.wrongly_refused is not None:
        example = f"refuses {dumps(row.wrongly_refused)}"
    note = row.reason if row.undecided else example
    short = note if len(note) <= _LONGEST else f"{note[: _LONGEST - 1]}…"
    shares = (row.soundness, row.precision, row.tightness)
    return row.tool_id, row.schema, *shares, row.valid + row.invalid, len(row.losses), row.saved_ratio, short


def _mean(shares: Sequence[float | None]) -> float | None:
    known = [share for share in shares if share is not None]
    return sum(known) / len(known) if known else None


def _percent(share: float | None) -> str:
    return "unknown" if share is None else f"{share:.1%}"
