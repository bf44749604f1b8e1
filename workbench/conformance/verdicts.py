"""What is said of one requirement, on which evidence, and the table of those who say it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, TypeVar

if TYPE_CHECKING:
    from workbench.conformance.reading import Reading

__all__ = [
    "DECIDERS",
    "MOST_EVIDENCE",
    "Evidence",
    "NotApplicable",
    "Status",
    "Undecided",
    "Verdict",
    "decides",
    "failed",
    "passed",
]

Status: TypeAlias = Literal["pass", "fail", "skip", "undecided"]
"""Held, broken, not applicable, or not to be told from what was read."""

#: Pieces of evidence that one outcome carries; the summary counts all.
MOST_EVIDENCE: Final = 10


class Undecided(Exception):
    """It cannot be told; says why not."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class NotApplicable(Undecided):
    """The requirement does not apply to this host; says why not."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What shows it: the request and its status, the tool and the JSON Pointer where there is one, and a short excerpt."""

    request: str
    status: int | None = None
    tool_id: str = ""
    pointer: str = ""
    excerpt: str = ""

    def to_json(self) -> dict[str, Any]:
        """Give the evidence as it stands in the output of `probe`."""
        return {
            "request": self.request,
            "status": self.status,
            "toolId": self.tool_id,
            "pointer": self.pointer,
            "excerpt": self.excerpt,
        }


@dataclass(frozen=True, slots=True)
class Verdict:
    """
    What one decider found.

    `suite` is what the official suite's scenarios come to, None where they do not look. `disagreement` says where the texts of the
    specification differ, and what was made of it.
    """

    status: Status
    summary: str
    evidence: tuple[Evidence, ...] = ()
    suite: Status | None = None
    disagreement: str = ""


Decider: TypeAlias = Callable[["Reading"], Verdict]
_D = TypeVar("_D", bound=Decider)

DECIDERS: Final[dict[str, Decider]] = {}


def decides(requirement_id: str) -> Callable[[_D], _D]:
    """Register the decider of a requirement."""

    def register(decider: _D) -> _D:
        DECIDERS[requirement_id] = decider
        return decider

    return register


def passed(summary: str, *evidence: Evidence, suite: Status | None = None, disagreement: str = "") -> Verdict:
    """The requirement holds."""
    return Verdict("pass", summary, evidence[:MOST_EVIDENCE], suite, disagreement)


def failed(
    summary: str, evidence: Iterable[Evidence], *, suite: Status | None = None, disagreement: str = ""
) -> Verdict:
    """The requirement is broken."""
    return Verdict("fail", summary, tuple(evidence)[:MOST_EVIDENCE], suite, disagreement)
