"""The probe: what a host was asked, decided requirement by requirement."""

from __future__ import annotations

from statistics import median
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

import workbench.conformance.deciders as _registered
from workbench.conformance.changing import changed, rests_on_two_reads
from workbench.conformance.planning import WORKERS, Progress, needed, read_host
from workbench.conformance.quoting import shown
from workbench.conformance.reading import Ask, Reading
from workbench.conformance.requirements import Requirement, of_major
from workbench.conformance.result import Outcome, ProbeResult
from workbench.conformance.unusual import unreadable
from workbench.conformance.verdicts import DECIDERS, NotApplicable, Undecided
from workbench.sources.hosts import Credential, HostClient
from workbench.sources.retries import BUSY

if TYPE_CHECKING:
    from collections.abc import Callable

    import httpx

    from workbench.sources.discovery import Major

__all__ = ["decide", "probe", "probe_client"]

#: Scenarios of the official suite run only where it sees the capability.
_UNGATED: Final = frozenset({"discovery-document", "capability-shape", "capability-root"})
#: Those that it decides in the scenario of the compact view.
_OF_COMPACT: Final = frozenset(
    {
        "compact-honoured",
        "compact-envelope",
        "compact-closed-fields",
        "compact-root",
        "compact-keyword",
        "compact-one",
        "same-tool-ids",
    }
)
#: What is decided by what an answer holds, whatever its status.
_OF_BODIES: Final = frozenset({"no-secrets"})


def probe(
    url: str,
    *,
    credential: Credential | str | None = None,
    other: Credential | str | None = None,
    major: Major | None = None,
    transport: httpx.BaseTransport | None = None,
    intrusive: bool = False,
    seed: int = 0,
    workers: int = WORKERS,
    progress: Progress | None = None,
    announce: Callable[[int], None] | None = None,
    **connection: Any,
) -> ProbeResult:
    """
    Decide every requirement about the host at a base URL, for the major that it prefers or the one given.

    `credential` reads the catalog; `other`, of another principal, decides what depends on who asks. Nothing but GET is sent, unless
    `intrusive` adds OPTIONS and HEAD; up to `workers` requests are under way at once. `seed` chooses the calls that the host's
    schemas are tried on. `announce` is told how many requests it will be before most of them are sent. What is in `connection`
    (time-out, limit of a body, ...) is for `HostClient`. A broken host never raises: what cannot be told is `undecided`.

    Raises:
        UsageError: an address, credential or option that does not fit.
    """
    asking: dict[str, Any] = {"intrusive": intrusive, "workers": workers, "progress": progress, "announce": announce}
    with HostClient(url, credential=credential, other=other, major=major, transport=transport, **connection) as client:
        return probe_client(client, major=major, seed=seed, **asking)


def probe_client(
    client: HostClient,
    *,
    major: Major | None = None,
    seed: int = 0,
    **asking: Any,
) -> ProbeResult:
    """
    The same over a client that is there; `major` is the one that it was made for, if it was made for one.

    What is in `asking` is as for `probe`: intrusive, workers, progress, announce.
    """
    begun, before = monotonic(), len(client.exchanges)
    reading = read_host(client, major=major, seed=seed, **asking)
    read = monotonic()
    outcomes = tuple(decide(reading))
    timings = {"reading": read - begun, "deciding": monotonic() - read, **_timings(reading)}
    exchanges = client.exchanges[before:]
    return ProbeResult(
        client.url,
        reading.major,
        outcomes,
        sum(exchange.attempts for exchange in exchanges),
        needed(reading),
        _unreachable(reading),
        timings,
        exchanges,
    )


def decide(reading: Reading) -> list[Outcome]:
    """The outcome of every requirement, in order, from what was read alone."""
    outcomes = []
    for requirement in of_major(reading.major):
        outcomes.append(_decided(requirement, reading))
        reading.tick()
    return outcomes


def _decided(requirement: Requirement, reading: Reading) -> Outcome:
    if reading.major not in requirement.majors:
        return Outcome(requirement, "skip", f"this is asked of major {requirement.majors[0]} alone")
    try:
        verdict = DECIDERS[requirement.id](reading)
    except NotApplicable as reason:
        return Outcome(requirement, "skip", reason.reason)
    except Undecided as reason:
        return Outcome(requirement, "undecided", shown(reason.reason))
    except Exception as error:  # noqa: BLE001 - whatever a host makes us stumble over, the other requirements are decided
        return Outcome(requirement, "undecided", shown(f"it could not be decided: {type(error).__name__}: {error}"))
    if why := unreadable(requirement.id, verdict, [*reading.discovered, *reading.answers.values()]):
        return Outcome(requirement, "undecided", why)
    if verdict.status == "fail" and requirement.id not in _OF_BODIES:
        busy = [each for each in verdict.evidence if each.status in BUSY]
        if busy and len(busy) == len(verdict.evidence):
            return Outcome(
                requirement, "undecided", f"{busy[0].request} was answered {busy[0].status}: the host was busy"
            )
    if verdict.status == "fail" and rests_on_two_reads(requirement.id) and (why := changed(reading)):
        return Outcome(requirement, "undecided", why)
    suite = verdict.suite
    if suite is not None and requirement.id not in _UNGATED and not reading.suite_looks(requirement.id in _OF_COMPACT):
        suite = "skip"
    return Outcome(requirement, verdict.status, verdict.summary, verdict.evidence, suite, verdict.disagreement)


def _unreachable(reading: Reading) -> str:
    """Why nothing at all could be read: no discovery document, and no list either."""
    if reading.discovery is not None:
        return ""
    listed = Ask("list", None, reading.me) in reading.answers and not reading.problem(Ask("list", None, reading.me))
    return "" if listed else reading.discovery_problem or "it has no discovery document"


def _timings(reading: Reading) -> dict[str, float]:
    """Medians in seconds: ids of others and ids that do not exist, which an attacker could tell apart by time."""
    unknown = {reading.unknown_id(), reading.unknown_id(2)}
    known = set() if reading.problem(Ask("list", None, reading.me)) else set(reading.listing().ids)
    groups: dict[str, list[float]] = {"foreign ids": [], "unknown ids": []}
    for ask, exchange in reading.answers.items():
        if (ask.what == "one" and ask.principal == "second") or (
            ask.what == "one" and ask.principal == reading.me and ask.tool_id not in known
        ):
            groups["unknown ids" if ask.tool_id in unknown else "foreign ids"].append(exchange.elapsed)
    return {name: median(times) for name, times in groups.items() if times}


_ = _registered
