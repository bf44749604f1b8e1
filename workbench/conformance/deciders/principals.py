"""Who may see what: nobody, another principal, and the ids of others."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from workbench.conformance.deciders.lists import lacks, missing, named, part
from workbench.conformance.quoting import shown
from workbench.conformance.reading import Ask, Reading
from workbench.conformance.verdicts import (
    MOST_EVIDENCE,
    Evidence,
    NotApplicable,
    Status,
    Undecided,
    Verdict,
    decides,
    failed,
    passed,
)
from workbench.values import join

if TYPE_CHECKING:
    from workbench.sources.exchanges import Exchange, Principal

__all__ = ["differences", "foreign_ids", "non_disclosure", "principal_scoped", "unauthenticated"]

#: As many ids of others are asked for, in each direction; spread evenly where there are more.
MOST_FOREIGN: Final = 50
#: Headers that differ between any two answers, or follow from a body.
_BY_CHANCE: Final = frozenset(
    {
        "age",
        "alt-svc",
        "cf-ray",
        "connection",
        "content-length",
        "date",
        "etag",
        "keep-alive",
        "nel",
        "report-to",
        "server-timing",
        "set-cookie",
        "traceparent",
        "tracestate",
        "via",
    }
)
_CHANCE_WORDS: Final = ("request-id", "correlation-id", "trace-id", "ratelimit", "amz-", "runtime", "response-time")
#: What has not been sent at all differs from everything that has.
_ABSENT: Final = "(absent)"


@decides("unauthenticated")
def unauthenticated(reading: Reading) -> Verdict:
    """Both reads, in both views; the official suite looks at the standard list."""
    reading.need_catalog()
    problem = reading.problem(Ask("list", None, reading.me))
    asks = anonymous(reading)
    if problem and asks[-1] not in reading.answers:
        raise Undecided(f"the catalog could not be read ({problem})")
    wrong = reading.other_than(401, asks)
    if problem and wrong and reading.problem(asks[0]) and reading.me != "none":
        raise Undecided(f"nobody could read the catalog ({problem})")
    suite: Status = "fail" if reading.came(asks[0]) in wrong else "pass"
    if not wrong:
        return passed("without credentials, the answer is 401", suite=suite)
    told = ", ".join(sorted({str(exchange.status) for exchange in wrong}))
    return failed(
        f"without credentials, {part(len(wrong), len(asks), 'read')} answered {told}, not 401",
        [reading.evidence(exchange) for exchange in wrong],
        suite=suite,
    )


def anonymous(reading: Reading) -> list[Ask]:
    """The questions that nobody asks: list and one tool, in each view there is. An id that does not exist will do, too."""
    views = [None, "compact"] if reading.has_compact else [None]
    listed = not reading.problem(Ask("list", None, reading.me))
    tool_id = next(iter(reading.listing().ids), "") if listed else ""
    tool_id = tool_id or reading.unknown_id()
    return [Ask("list", view, "none") for view in views] + [Ask("one", view, "none", tool_id) for view in views]


@decides("principal-scoped")
def principal_scoped(reading: Reading) -> Verdict:
    """Of the second principal; a difference that the first one sees as well is for `same-tool-ids`."""
    _need_second(reading)
    mine, my_compact = reading.listing(), reading.compact_listing()
    standard, compact = reading.listing(principal="second"), reading.listing("compact", "second")
    known_lack, known_more = set(missing(mine, my_compact)), set(missing(my_compact, mine))
    without = [each for each in missing(standard, compact) if each not in known_lack]
    beyond = [each for each in missing(compact, standard) if each not in known_more]
    if not without and not beyond:
        return passed(
            f"the second principal sees the same {named(len(standard.ids), 'id')} in both views, the first {len(mine.ids):,}"
        )
    chosen = [*without, *beyond][:MOST_EVIDENCE]
    evidence = [reading.evidence(compact.exchange, each, note="in one of the views alone") for each in chosen]
    return failed(f"for the second principal, the compact list {lacks(without, beyond)}", evidence)


@decides("non-disclosure")
def non_disclosure(reading: Reading) -> Verdict:
    """
    Status, body and headers of other principals' ids against those of an id that does not exist.

    What differs between two ids that do not exist is chance, and so are dates, lengths, tags and names of requests.
    """
    _need_second(reading)
    foreign = list(foreign_ids(reading))
    if not foreign:
        raise Undecided("each principal sees all that the other one sees, so that there is no id to ask for")
    wrong: list[tuple[Exchange, str, str]] = []
    for ask in foreign:
        exchange = reading.came(ask)
        if exchange is not None and (told := differences(reading, ask, exchange)):
            wrong.append((exchange, ask.tool_id, told))
    answers = [reading.came(ask) if wrong else reading.answer(ask) for ask in foreign]
    total = sum(len(ids) for _, ids in _directions(reading))
    suite: Status = "pass" if answers[0] is None or answers[0].status == 404 else "fail"
    tried = len({(ask.principal, ask.tool_id) for ask in foreign})
    count = named(tried, "id") + (f" of {total:,}" if tried < total else "")
    if not wrong:
        return passed(f"answered like unknown ids: {count} of the other principal", suite=suite)
    evidence: list[Evidence] = [
        reading.evidence(exchange, tool_id, note=told) for exchange, tool_id, told in wrong[:MOST_EVIDENCE]
    ]
    return failed(
        f"{len(wrong):,} of {len(foreign):,} answers for ids of the other principal differ from unknown ones: {wrong[0][2]}",
        evidence,
        suite=suite,
    )


def foreign_ids(reading: Reading) -> Iterator[Ask]:
    """The questions for ids that one principal sees and the asking one does not, in each view there is."""
    views = [None, "compact"] if reading.has_compact else [None]
    for principal, ids in _directions(reading):
        step = max(1, -(-len(ids) // MOST_FOREIGN))
        for tool_id in ids[::step]:
            for view in views:
                yield Ask("one", view, principal, tool_id)


def differences(reading: Reading, ask: Ask, exchange: Exchange) -> str:
    """In what the answer for somebody else's id differs from that for one that does not exist; nothing where it does not."""
    unknown = reading.answer(Ask("one", ask.view, ask.principal, reading.unknown_id()))
    here, there = _parts(reading, exchange, ask.tool_id), _parts(reading, unknown, reading.unknown_id())
    differ = _unlike(here, there)
    again = reading.answers.get(Ask("one", ask.view, ask.principal, reading.unknown_id(2)))
    if differ and again is not None and again.status is not None:
        differ -= _unlike(there, _parts(reading, again, reading.unknown_id(2)))
    if "status" in differ:
        return f"status {exchange.status} where an unknown id gets {unknown.status}"
    return f"another {shown(min(differ))}" if differ else ""


def _need_second(reading: Reading) -> None:
    reading.need_catalog()
    if "second" not in reading.credentials:
        raise NotApplicable("no credential of a second principal was given")


def _directions(reading: Reading) -> Iterator[tuple[Principal, list[str]]]:
    mine, theirs = reading.listing(), reading.listing(principal="second")
    yield "second", missing(mine, theirs)
    yield reading.me, missing(theirs, mine)


def _parts(reading: Reading, exchange: Exchange, tool_id: str) -> dict[str, str]:
    """An answer as what can differ in it, with the id that was asked for taken out."""
    found = {"status": str(exchange.status)}
    for name, value in exchange.headers:
        if name not in _BY_CHANCE and not any(word in name for word in _CHANCE_WORDS):
            found[f"header {name}"] = _without(value, tool_id)
    if not reading.is_json(exchange):
        return {**found, "body": _without(exchange.text, tool_id)}
    return found | {f"value at {path or 'the root'}": text for path, text in _leaves(reading.value(exchange), tool_id)}


def _leaves(value: Any, tool_id: str) -> Iterator[tuple[str, str]]:
    stack = [("", value)]
    while stack:
        path, here = stack.pop()
        if path.rpartition("/")[2] in ("correlationId", "requestId", "traceId"):
            continue
        if isinstance(here, dict) and here:
            stack += [(join(path, name), below) for name, below in here.items()]
        elif isinstance(here, list) and here:
            stack += [(join(path, index), below) for index, below in enumerate(here)]
        else:
            yield path, _without(str(here), tool_id)


def _without(text: str, tool_id: str) -> str:
    from urllib.parse import quote

    for written in (tool_id, quote(tool_id, safe="", errors="surrogatepass"), quote(tool_id, errors="surrogatepass")):
        text = text.replace(written, "{id}")
    return text


def _unlike(some: dict[str, str], others: dict[str, str]) -> set[str]:
    return {name for name in some.keys() | others.keys() if some.get(name, _ABSENT) != others.get(name, _ABSENT)}
