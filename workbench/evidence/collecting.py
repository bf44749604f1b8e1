"""Collecting: sources and options in, a sealed bundle out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import monotonic, time
from typing import Any

from workbench.errors import UsageError
from workbench.evidence.bundle import FORMAT, VERSION, Evidence, seal
from workbench.evidence.environment import environment, generated
from workbench.evidence.examining import STEPS, Examined, examine
from workbench.evidence.hosts import embedded
from workbench.evidence.material import Source, from_source, one_credential_one_origin
from workbench.evidence.options import Options

__all__ = ["collect"]


def collect(
    sources: Sequence[Source],
    *,
    options: Options | None = None,
    embed: bool = False,
    progress: Callable[[int, int], None] | None = None,
    **connection: Any,
) -> Evidence:
    """
    Everything that this package can find out about some sources, as one bundle that anybody can recompute.

    Same inputs and options, same bundle, but for its `generated` block. With `embed`, the catalogs are in it as they were
    received, so that it verifies without them; else they are there by hash and size. `progress` is called with the steps that
    are done and their number, `connection` are the options of `workbench.load`, and `other_token_env`, which
    names the variable with the credential of a second principal. A host is probed too.

    Raises:
        UsageError: no source, an option that does not fit, a catalog that is not in the standard view, or a
            credential for several hosts.
        HostError: a host or server is out of reach, or its standard view cannot be had.
        InputError: a source cannot be read, is over a limit, or is no catalog.
        EncodingUnavailable: a vocabulary is damaged, or cannot be loaded.
    """
    if isinstance(sources, str) or not sources:
        raise UsageError("evidence is collected from a list of at least one source")
    chosen = (options or Options()).normal()
    one_credential_one_origin(sources, connection)
    began, count = time(), 0

    def done() -> None:
        nonlocal count
        count += 1
        if progress:
            progress(count, len(sources) * STEPS)

    examined: list[Examined] = []
    seconds: list[float] = []
    for source in sources:
        start = monotonic()
        examined.append(examine(from_source(source, seed=chosen.seed, **connection), chosen, done))
        seconds.append(monotonic() - start)
    document: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "seal": "",
        "generated": generated(
            began, time(), [(each, _timings(found)) for each, found in zip(seconds, examined, strict=True)]
        ),
        "environment": environment(),
        "options": chosen.to_json(),
        "sources": [each.to_json() | _embedded(each, embed) for each in examined],
    }
    document["seal"] = seal(document)
    return Evidence(document, tuple(examined))


def _embedded(examined: Examined, embed: bool) -> dict[str, Any]:
    if not embed:
        return {"embedded": None}
    host = examined.material.host
    return {"embedded": embedded(host.exchanges) if host else {"catalog": examined.catalog.received}}


def _timings(examined: Examined) -> dict[str, float]:
    """What was timed at a host; reported, and never judged."""
    host = examined.material.host
    return dict(host.probe.timings) if host else {}
