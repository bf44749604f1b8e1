"""What a probe gives back: an outcome for each requirement, and what was read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, get_args

from workbench.conformance.requirements import Requirement
from workbench.conformance.verdicts import Evidence, Status
from workbench.findings import Level
from workbench.tables import Table

if TYPE_CHECKING:
    import pandas as pd

    from workbench.sources.exchanges import Exchange

__all__ = ["Outcome", "ProbeResult"]

_COLUMNS = ("requirement", "level", "status", "suite", "summary")


@dataclass(frozen=True, slots=True)
class Outcome:
    """
    How one requirement stands, with the level that it has in the major that was probed.

    `suite` is what the official suite's scenarios would come to, None where none looks. `disagreement` tells where the texts of
    the specification differ on it.
    """

    requirement: Requirement
    status: Status
    summary: str
    evidence: tuple[Evidence, ...] = ()
    suite: Status | None = None
    disagreement: str = ""

    @property
    def id(self) -> str:
        """The id of the requirement."""
        return self.requirement.id

    @property
    def level(self) -> Level:
        """How binding it is."""
        return self.requirement.level

    def to_json(self) -> dict[str, Any]:
        """Give the outcome as it stands in the output of `probe`."""
        return {
            "id": self.id,
            "level": self.level,
            "status": self.status,
            "summary": self.summary,
            "evidence": [each.to_json() for each in self.evidence],
            "suite": self.suite,
            "disagreement": self.disagreement,
            "text": self.requirement.text,
            "source": self.requirement.source,
        }


@dataclass(frozen=True, slots=True, repr=False)
class ProbeResult:
    """The outcomes of a probe, in the order of the requirements, and the exchanges that they were decided on."""

    host: str
    major: int
    outcomes: tuple[Outcome, ...]
    #: How many requests went out, retries and redirects included, and how many decide all about a host without fault.
    requests: int
    needed: int
    #: Why the host could not be probed at all; nothing where it was.
    unreachable: str = ""
    #: Seconds; reported, never judged, and in no JSON.
    timings: Mapping[str, float] = field(default_factory=dict, compare=False)
    exchanges: tuple[Exchange, ...] = ()

    @property
    def counts(self) -> dict[Status, int]:
        """The number of outcomes of each status."""
        found = Counter(outcome.status for outcome in self.outcomes)
        return {status: found[status] for status in get_args(Status)}

    @property
    def ok(self) -> bool:
        """True when nothing that is required fails; `undecided` is no failure, and no proof either."""
        return not any(outcome.status == "fail" and outcome.level == "must" for outcome in self.outcomes)

    @property
    def judged(self) -> bool:
        """Whether there was a catalog to decide anything on: one is advertised, and was shown to us."""
        return self["catalog-served"].status in ("pass", "fail")

    def __getitem__(self, requirement_id: str) -> Outcome:
        """The outcome of one requirement. Raises KeyError."""
        for outcome in self.outcomes:
            if outcome.id == requirement_id:
                return outcome
        raise KeyError(requirement_id)

    def __repr__(self) -> str:
        return f"<ProbeResult of {self.host}, major {self.major}: {self.counted}>"

    def to_json(self) -> dict[str, Any]:
        """As `workbench probe` prints it: the same for the same answers."""
        return {
            "host": self.host,
            "major": self.major,
            "requirements": [outcome.to_json() for outcome in self.outcomes],
            "counts": dict(self.counts),
            "requests": self.requests,
            "needed": self.needed,
        }

    def table(self, *statuses: Status) -> Table:
        """One row for each requirement, those that fail first; or those of some statuses alone."""
        order: dict[Status, int] = {"fail": 0, "undecided": 1, "pass": 2, "skip": 3}
        chosen = [outcome for outcome in self.outcomes if not statuses or outcome.status in statuses]
        chosen.sort(key=lambda outcome: order[outcome.status])
        rows = [(each.id, each.level, each.status, each.suite, each.summary) for each in chosen]
        return Table(_COLUMNS, rows, self.headline())

    @property
    def verdict(self) -> str:
        """What it comes to, in a few words."""
        failed = Counter(outcome.level for outcome in self.outcomes if outcome.status == "fail")
        if self.unreachable:
            return f"could not be probed: {self.unreachable}"
        if failed["must"]:
            return (
                f"does not conform: {failed['must']} required {'rule fails' if failed['must'] == 1 else 'rules fail'}"
            )
        if not self.judged:
            return f"could not be judged: {self['catalog-served'].summary}"
        return "breaks nothing that is required"

    @property
    def counted(self) -> str:
        """The counts in words."""
        return ", ".join(f"{count} {status}" for status, count in self.counts.items())

    def headline(self) -> str:
        """The verdict in one line."""
        return f"{self.host} (major {self.major}) {self.verdict} ({self.counted})"

    def frame(self) -> pd.DataFrame:
        """The same as a pandas frame."""
        return self.table().frame()

    def text(self, **options: Any) -> str:
        """The scorecard for a terminal; see `workbench.conformance.scorecard`."""
        from workbench.conformance.scorecard import scorecard

        return scorecard(self, **options)

    def junit(self) -> bytes:
        """As JUnit XML, for continuous integration; see `workbench.conformance.junit`."""
        from workbench.conformance.junit import junit

        return junit(self)

    def _repr_html_(self) -> str:
        return self.table().html()
