"""
What was read of a host: every answer by the question that was asked, and what follows from it without another request.

Deciders see a host through a `Reading` alone, so that they are functions of what was read. What cannot be read raises
`Undecided` with the reason; asking twice costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias

from workbench.catalog import Catalog, Tool, listed
from workbench.checks import check
from workbench.conformance.quoting import excerpt, excerpt_of, request_of, shown
from workbench.conformance.verdicts import MOST_EVIDENCE, Evidence, NotApplicable, Undecided
from workbench.errors import InputError
from workbench.findings import Finding
from workbench.projection import COMPACT_FIELDS
from workbench.sources.retries import BUSY
from workbench.subset import inside
from workbench.values import equal, freeze, resolve
from workbench.wording import kind

if TYPE_CHECKING:
    from workbench.sources.discovery import Discovery
    from workbench.sources.exchanges import Exchange, Principal

__all__ = ["NOT_SERVED", "UNKNOWN_VIEW", "Ask", "Listing", "Reading", "fits_compact", "request_of"]

#: A view that no version knows, and an id that no host has.
UNKNOWN_VIEW: Final = "workbench-unknown"
UNKNOWN_ID: Final = "workbench:no-such-tool"

What: TypeAlias = Literal["revalidation", "list", "one", "version", "options", "head"]
#: No value to show, which is not the JSON null.
NOTHING: Final = object()
#: Descriptors of one id that are looked at, where a list has many.
_MOST_ALIKE: Final = 4
#: Statuses that say that an address is not served.
NOT_SERVED: Final = (404, 405, 501)


class Ask(NamedTuple):
    """One question to a host: which address, in which view, as whom; `turn` tells repetitions apart."""

    what: What
    view: str | None
    principal: Principal
    tool_id: str = ""
    source: str = ""
    turn: int = 1


@dataclass(frozen=True)
class Listing:
    """One list that was read: the answer, its shape, and its entries, of which `tools` are those that have an id."""

    exchange: Exchange
    shape: Literal["array", "tools", "items"]
    entries: tuple[Any, ...]
    tools: tuple[Tool, ...]
    _sets: dict[str, set[Hashable]] = field(default_factory=dict, repr=False, compare=False)

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """Each id once, in order."""
        return tuple(dict.fromkeys(tool.tool_id for tool in self.tools))

    @property
    def odd(self) -> tuple[tuple[int, str], ...]:
        """The entries that are no tool with an id, and what they are instead."""
        with_id = {tool.index for tool in self.tools}
        return tuple((index, _oddity(entry)) for index, entry in enumerate(self.entries) if index not in with_id)

    @cached_property
    def by_id(self) -> dict[str, list[dict[str, Any]]]:
        """The descriptors of each id; more than one where an id occurs twice."""
        found: dict[str, list[dict[str, Any]]] = {}
        for tool in self.tools:
            found.setdefault(tool.tool_id, []).append(tool.descriptor)
        return found

    def some_of(self, tool_id: str) -> list[dict[str, Any]]:
        """The first few descriptors of an id: there is one, unless the list is broken."""
        return self.by_id.get(tool_id, [])[:_MOST_ALIKE]

    def holds(self, tool_id: str, value: Any) -> bool:
        """Whether a value is what the list says of an id."""
        entries = self.by_id.get(tool_id, [])
        return equal(value, entries[0]) if len(entries) == 1 else freeze(value) in self._frozen(tool_id)

    def _frozen(self, tool_id: str) -> set[Hashable]:
        if tool_id not in self._sets:
            self._sets[tool_id] = set(map(freeze, self.by_id.get(tool_id, [])))
        return self._sets[tool_id]


def _oddity(entry: Any) -> str:
    if not isinstance(entry, dict):
        return f"{kind(entry)} where a tool is expected"
    return f"its toolId is {kind(entry['toolId'])}" if "toolId" in entry else "it has no toolId"


@dataclass(frozen=True)
class Reading:
    """All that was read of a host under one protocol major."""

    host: str
    major: Literal[1, 2]
    #: What the principal that reads the catalog is told, which is what anybody is told unless the host says other things to it.
    discovery: Discovery | None
    answers: Mapping[Ask, Exchange]
    #: The answers to the reads of the discovery document, and why none of them would do.
    discovered: tuple[Exchange, ...] = ()
    discovery_problem: str = ""
    #: Which principals there are beside nobody.
    credentials: frozenset[Principal] = frozenset()
    intrusive: bool = False
    seed: int = 0
    #: Why not all was asked that was to be asked; nothing where it was.
    stopped: str = ""
    #: What anybody is told.
    public: Discovery | None = None
    #: Called for each step of deciding that takes long.
    tick: Callable[[], None] = field(default=lambda: None, repr=False, compare=False)
    _listings: dict[Ask, Listing | str] = field(default_factory=dict, repr=False, compare=False)
    _values: dict[int, Any] = field(default_factory=dict, repr=False, compare=False)

    @property
    def me(self) -> Principal:
        """As whom the catalog is read: the first principal, or nobody where no credential was given."""
        return "first" if "first" in self.credentials else "none"

    # What is advertised

    def need_catalog(self) -> None:
        """Raises NotApplicable where discovery says that there is no catalog."""
        if self.discovery is not None and not self.discovery.supported:
            raise NotApplicable(f"the host advertises no tool catalog{self.to_whom}")

    def need_compact(self) -> None:
        """Raises NotApplicable where the compact view is not advertised, Undecided where that is not known."""
        self.need_catalog()
        if self.discovery is None:
            raise Undecided(
                "the discovery document could not be read, so whether compactView is advertised is not known"
            )
        if not self.discovery.compact_view:
            raise NotApplicable(f"the host does not advertise compactView{self.to_whom}")

    @property
    def has_compact(self) -> bool:
        """Whether the compact view is advertised."""
        return self.discovery is not None and self.discovery.supported and self.discovery.compact_view

    @property
    def to_whom(self) -> str:
        """Whom what is advertised is told, where that is not anybody."""
        return "" if self.discovery is self.public else " to the first principal"

    def suite_looks(self, at_compact: bool) -> bool:
        """Whether the official suite, which reads the root of the public document alone, sees the capability at all."""
        public = self.public
        return public is not None and public.layout in ("root", "record") and (public.compact_view or not at_compact)

    @property
    def has_versions(self) -> bool:
        """Whether the rules of the version header hold here: they are those of hosts that serve 2.x, 1.x beside it or not."""
        return self.major == 2 or (self.discovery is not None and self.discovery.serves_2x)

    # Answers

    def answer(self, ask: Ask) -> Exchange:
        """The answer to a question; Undecided where it was not asked, nothing complete came, or the host was busy."""
        exchange = self.answers.get(ask)
        if exchange is None:
            raise Undecided(self._unasked())
        if exchange.status is None:
            raise Undecided(f"{exchange.method} {exchange.target} was not answered: {exchange.failure}")
        if exchange.status in BUSY:
            raise Undecided(f"{exchange.method} {exchange.target} was answered {exchange.status}: the host was busy")
        return exchange

    def came(self, ask: Ask) -> Exchange | None:
        """The answer to a question that says something of it; None where `answer` raises."""
        with suppress(Undecided):
            return self.answer(ask)
        return None

    def other_than(self, status: int, asks: Iterable[Ask]) -> list[Exchange]:
        """The answers that have another status. Raises Undecided where none has, and not all came."""
        asked = list(asks)
        wrong = [found for ask in asked if (found := self.came(ask)) is not None and found.status != status]
        return wrong or [found for ask in asked if (found := self.answer(ask)).status != status]

    def _unasked(self) -> str:
        if self.stopped:
            return self.stopped
        first = Ask("list", None, self.me)
        if first not in self.answers:
            return "the discovery document could not be read, and no major was named"
        problem = self.problem(first)
        return f"the list could not be read: {problem}" if problem else "it was not asked for"

    def value(self, exchange: Exchange) -> Any:
        """The JSON of an answer. Raises InputError where there is none."""
        if id(exchange) not in self._values:
            self._values[id(exchange)] = exchange.json()
        return self._values[id(exchange)]

    def is_json(self, exchange: Exchange) -> bool:
        """Whether an answer is JSON that can be read."""
        try:
            self.value(exchange)
        except InputError:
            return False
        return True

    def seen(self, *statuses: int) -> Iterator[Exchange]:
        """The answers of the catalog's addresses that have one of some statuses, or all complete ones of a host not busy."""
        for ask, exchange in self.answers.items():
            wanted = exchange.status in statuses if statuses else exchange.status not in (None, *BUSY)
            if ask.what != "revalidation" and wanted:
                yield exchange

    def unknown_id(self, turn: int = 1) -> str:
        """An id that no list has; another one on the second turn."""
        name = f"{UNKNOWN_ID}-{turn}"
        while name in self._ids:
            name += "-"
        return name

    @cached_property
    def _ids(self) -> set[str]:
        asks = [ask for ask in self.answers if ask.what == "list"]
        return {tool_id for ask in asks if isinstance(found := self._listed(ask), Listing) for tool_id in found.ids}

    # Lists

    def problem(self, ask: Ask) -> str:
        """Why a list cannot be read; nothing where it can."""
        found = self._listed(ask)
        return found if isinstance(found, str) else ""

    def listing(self, view: str | None = None, principal: Principal | None = None, **more: Any) -> Listing:
        """A list that was read. Raises Undecided where it cannot be."""
        self.need_catalog()
        ask = Ask("list", view, principal or self.me, **more)
        if ask not in self.answers:
            raise Undecided(self._unasked())
        found = self._listed(ask)
        if isinstance(found, str):
            raise Undecided(f"{_named(ask)} could not be read: {found}")
        return found

    def compact_listing(self) -> Listing:
        """The compact list, where it is one. Raises NotApplicable or Undecided otherwise."""
        self.need_compact()
        found = self.listing("compact")
        if self.answers_standard:
            raise Undecided("view=compact is answered with the standard view")
        return found

    def _listed(self, ask: Ask) -> Listing | str:
        if ask not in self._listings:
            self._listings[ask] = self._parsed(ask)
        return self._listings[ask]

    def _parsed(self, ask: Ask) -> Listing | str:
        exchange = self.answers.get(ask)
        if exchange is None or exchange.status is None:
            return exchange.failure if exchange else "it was not asked for"
        if exchange.status != 200:
            wait = exchange.header("retry-after")
            return f"status {exchange.status}" + (f" (Retry-After: {shown(wait)})" if wait else "")
        try:
            value = self.value(exchange)
            entries, pointer, _ = listed(value)
        except InputError as error:
            return error.message
        shape: Literal["array", "tools", "items"] = (
            "array" if not pointer else "items" if pointer == "/items" else "tools"
        )
        tools = tuple(
            Tool(entry["toolId"], entry, index)
            for index, entry in enumerate(entries)
            if isinstance(entry, dict) and isinstance(entry.get("toolId"), str)
        )
        return Listing(exchange, shape, tuple(entries), tools)

    @cached_property
    def answers_standard(self) -> bool | None:
        """
        Whether the list for view=compact is the standard one after all; None where the tools do not tell.

        Tools tell that have, in the standard view, what the compact one may not have. One that is the same in both may be a
        mistake in one descriptor; all of them are a parameter that was ignored.
        """
        standard, compact = self.listing(), self.listing("compact")
        entries = compact.by_id
        telling = [tool for tool in standard.tools if tool.tool_id in entries and not fits_compact(tool.descriptor)]
        return all(compact.holds(tool.tool_id, tool.descriptor) for tool in telling) if telling else None

    # Findings

    def findings(self, view: Literal["standard", "compact"], *rules: str) -> list[Finding]:
        """What the checks find in a list, of some rules. Raises Undecided where a tool is too much for them."""
        found, too_much = self._standard_findings if view == "standard" else self._compact_findings
        chosen = [finding for finding in found if finding.rule in rules]
        if not chosen and too_much:
            raise Undecided(f"a descriptor is too much for the checks: {too_much}")
        return chosen

    @cached_property
    def _standard_findings(self) -> tuple[list[Finding], str]:
        return self._checked(self.listing(), "standard")

    @cached_property
    def _compact_findings(self) -> tuple[list[Finding], str]:
        return self._checked(self.compact_listing(), "compact")

    def _checked(self, listing: Listing, view: Literal["standard", "compact"]) -> tuple[list[Finding], str]:
        found: list[Finding] = []
        too_much = ""
        for tool in _distinct(listing):
            try:
                found += check(Catalog((tool,), view), view, self.major).findings
            except InputError as error:
                too_much = too_much or str(error)
        return found, too_much

    @cached_property
    def _with_secrets(self) -> frozenset[str]:
        """The ids of the tools of which nothing is quoted, since they carry credential material."""
        found: set[str] = set()
        for findings in ("_standard_findings", "_compact_findings"):
            with suppress(Undecided):
                found |= {each.tool_id for each in getattr(self, findings)[0] if each.rule == "secret"}
        return frozenset(found)

    # Evidence

    def evidence(
        self, exchange: Exchange, tool_id: str = "", pointer: str = "", value: Any = NOTHING, *, note: str = ""
    ) -> Evidence:
        """What shows a verdict: an answer, the place in it, and a note or the value there; else the beginning of the answer."""
        text = shown(note) if note else excerpt_of(exchange) if value is NOTHING else excerpt(value)
        if tool_id in self._with_secrets:
            text = ""
        return Evidence(request_of(exchange), exchange.status, shown(tool_id), shown(pointer), text)

    def of_findings(self, listing: Listing, findings: Iterable[Finding], *, quote: bool = True) -> Iterator[Evidence]:
        """The evidence for some findings in a list."""
        descriptors = listing.by_id
        for finding in islice(findings, MOST_EVIDENCE):
            found = self.evidence(listing.exchange, finding.tool_id, finding.pointer, None)
            said = shown(finding.message)
            if quote and finding.tool_id not in self._with_secrets:
                said = f"{said}: {_at(descriptors[finding.tool_id], finding.pointer)}"
            yield replace(found, excerpt=said)


def _distinct(listing: Listing) -> Iterator[Tool]:
    """The tools of a list, those that are the same but once."""
    seen: set[Hashable] = set()
    for tool in listing.tools:
        if len(listing.by_id[tool.tool_id]) > 1:
            key = freeze(tool.descriptor)
            if key in seen:
                continue
            seen.add(key)
        yield tool


def _at(descriptors: list[dict[str, Any]], pointer: str) -> str:
    for descriptor in descriptors:
        with suppress(InputError):
            return excerpt(resolve(descriptor, pointer))
    return "nothing is there"


def _named(ask: Ask) -> str:
    view = {None: "the list", "standard": "the list of view=standard", "compact": "the compact list"}.get(
        ask.view, "the list of an unknown view"
    )
    return f"{view} of the second principal" if ask.principal == "second" else view


def fits_compact(descriptor: dict[str, Any]) -> bool:
    """Whether a standard descriptor could stand in the compact view as it is."""
    return descriptor.keys() <= set(COMPACT_FIELDS) and (
        "inputSchema" not in descriptor or inside(descriptor["inputSchema"])
    )
