"""
Conformance: the requirements of RFC 0112 and of the catalog that it rests on, decided about a host.

In reading order: `requirements` is the table; `planning` asks a host, `reading` holds what it answered; `deciders` has a small
function for each requirement, which gives a verdict of `verdicts`; `probing` puts them together into a `result`.

Every requirement is `pass`, `fail`, `skip` (it does not apply) or `undecided` (it cannot be told), and says why. Where the texts of
the specification disagree, the outcome follows the reading that is safe for a client and names the disagreement, D1 to D16.
"""

from __future__ import annotations

from workbench.conformance.probing import decide, probe, probe_client
from workbench.conformance.reading import Ask, Reading
from workbench.conformance.requirements import REQUIREMENTS, Requirement
from workbench.conformance.result import Outcome, ProbeResult
from workbench.conformance.verdicts import Evidence, Status

__all__ = [
    "REQUIREMENTS",
    "Ask",
    "Evidence",
    "Outcome",
    "ProbeResult",
    "Reading",
    "Requirement",
    "Status",
    "decide",
    "probe",
    "probe_client",
]
