"""
The plan of a probe: which questions to ask, in an order that wastes none.

Discovery comes first, then one list; nothing else is asked of a host that advertises no catalog, and little of one whose list
cannot be read.
Answers are shared between requirements. Only what is unclear is asked a second time: a list that changes with its parameters, and
an id that does not exist, where somebody else's id is answered in another way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from workbench.conformance.changing import doubted
from workbench.conformance.deciders.lists import differing
from workbench.conformance.deciders.parameters import telling_source
from workbench.conformance.deciders.principals import anonymous, differences, foreign_ids
from workbench.conformance.reading import NOT_SERVED, UNKNOWN_VIEW, Ask, Reading
from workbench.conformance.verdicts import DECIDERS
from workbench.errors import InputError

if TYPE_CHECKING:
    from workbench.sources.discovery import Discovery, Major
    from workbench.sources.exchanges import Exchange, Principal
    from workbench.sources.hosts import HostClient

__all__ = ["WORKERS", "Progress", "needed", "read_host"]

Progress: TypeAlias = Callable[[int, int], None]

#: Tools that are read at once.
WORKERS: Final = 4
_VERSION: Final = "OpenWOP-Version"
#: A version that is not that of the path, by major of the path.
_OTHER_VERSION: Final = {1: "2.0", 2: "99.0"}
_METHODS: Final = {"options": "OPTIONS", "head": "HEAD"}


def read_host(
    client: HostClient,
    *,
    major: Major | None = None,
    intrusive: bool = False,
    seed: int = 0,
    workers: int = WORKERS,
    progress: Progress | None = None,
    announce: Callable[[int], None] | None = None,
) -> Reading:
    """
    Ask a host all that the deciders need. Whatever the host does is in the result.

    `announce` is told how many requests it will be, once the lists say so. `progress` counts what is decided, too.
    """
    plan = _Plan(client, major, intrusive, seed, workers, progress)
    plan.discover()
    if plan.is_readable():
        plan.read_lists()
        if announce is not None:
            announce(needed(plan.reading()))
        plan.read_by_id()
        plan.read_as_others()
        plan.read_around()
        plan.read_doubted()
    return plan.reading()


def needed(reading: Reading) -> int:
    """The least number of requests that decides everything that can be decided about a host like the one that was read."""
    has_tag = reading.public is not None and bool(reading.public.exchange.header("etag"))
    count = len(reading.discovered) + has_tag
    ask = Ask("list", None, reading.me)
    if ask not in reading.answers:
        return count
    if reading.problem(ask):
        return count + len({ask, *_without_list(reading)})
    views = 2 if reading.has_compact else 1
    lists = 4 + reading.has_compact  # none, standard, unknown and compact, which is read again where it is one
    filters = (reading.major == 1) + reading.has_compact
    standard, nobody = reading.listing(), 0 if reading.me == "none" else 2 * views
    by_id = len(standard.ids) + 2 * bool(standard.ids) + _compact_reads(reading)
    others = 0
    if "second" in reading.credentials:
        others = 2 * views
        if not reading.problem(Ask("list", None, "second")):
            others += len(list(foreign_ids(reading)))
    return count + lists + filters + by_id + views + nobody + others + reading.has_versions + 3 * reading.intrusive


def _without_list(reading: Reading) -> list[Ask]:
    """What can be asked of a host whose list cannot be read, but which answers."""
    exchange = reading.came(Ask("list", None, reading.me))
    if exchange is None or exchange.status in NOT_SERVED:
        return []
    if reading.me == "none":
        return anonymous(reading) if exchange.status == 401 else []
    views = [None, "compact"] if reading.has_compact else [None]
    unknown = [Ask("one", view, reading.me, reading.unknown_id()) for view in views]
    return [*anonymous(reading), *unknown, *([Ask("version", None, reading.me)] if reading.has_versions else [])]


def _compact_reads(reading: Reading) -> int:
    """How many tools are to be read by id in the compact view."""
    if not reading.has_compact:
        return len(reading.listing().ids[:1])
    if reading.problem(Ask("list", "compact", reading.me)) or reading.answers_standard:
        return 0
    return len(reading.listing("compact").ids)


class _Plan:
    """Questions that were asked so far, and the answers."""

    def __init__(
        self,
        client: HostClient,
        major: Major | None,
        intrusive: bool,
        seed: int,
        workers: int,
        progress: Progress | None,
    ) -> None:
        self._client = client
        self._major = major
        self._intrusive = intrusive
        self._seed = seed
        self._workers = workers
        self._progress = progress or (lambda _done, _total: None)
        self._answers: dict[Ask, Exchange] = {}
        self._values: dict[int, Any] = {}
        self._discovery: Discovery | None = None
        self._public: Discovery | None = None
        self._discovered: tuple[Exchange, ...] = ()
        self._problem = ""
        self._expected = 0
        self._decided, self._to_decide = 0, len(DECIDERS)
        self._stopped = ""
        principals: tuple[Principal, ...] = ("first", "second")
        self._credentials = frozenset(each for each in principals if client.has(each))

    def reading(self) -> Reading:
        """What was read so far."""
        major: Major = self._discovery.major if self._discovery else self._major or 1
        return Reading(
            self._client.url,
            major,
            self._discovery,
            dict(self._answers),
            self._discovered,
            self._problem,
            self._credentials,
            self._intrusive,
            self._seed,
            self._stopped,
            self._public,
            tick=self._tick,
            _values=self._values,
        )

    def discover(self) -> None:
        """Discovery, without credentials, and as the first principal where that may differ; and once more with the ETag it had."""
        before = len(self._client.exchanges)
        try:
            self._public = self._client.discover()
        except InputError as error:
            self._problem = error.message
        self._discovery = self._own(self._client.exchanges[before:])
        self._discovered = self._client.exchanges[before:]
        tag = self._public.exchange.header("etag") if self._public else None
        if self._public and tag:
            sent = dict(self._public.exchange.headers_sent)
            version = next((value for name, value in sent.items() if name.lower() == _VERSION.lower()), None)
            headers = [("If-None-Match", tag), (_VERSION, version)]
            again = self._client.exchange(self._public.exchange.target, principal="none", headers=headers)
            self._keep(Ask("revalidation", None, "none"), again)

    def _own(self, public: tuple[Exchange, ...]) -> Discovery | None:
        """
        What the first principal is told: asked where the public document says that it may be other things (RFC 0011), or is kept
        from the public. No key is sent to a host that says nothing of that.
        """
        refused = bool(public) and public[-1].status in (401, 403)
        if "first" not in self._credentials or not (self._public.is_scoped if self._public else refused):
            return self._public
        try:
            own = self._client.discover(principal="first")
        except InputError:
            return self._public
        same = self._public and (own.document == self._public.document or own.major != self._public.major)
        return self._public if same else own

    def is_readable(self) -> bool:
        """Whether there is a list that can be read, which all other questions rest on; asks for it."""
        if self._discovery is not None and not self._discovery.supported:
            return False
        if self._discovery is None and self._major is None:
            return False
        me = self.reading().me
        ask = Ask("list", None, me)
        self._ask([ask])
        if not self.reading().problem(ask):
            return True
        self._ask(_without_list(self.reading()))
        return False

    def read_lists(self) -> None:
        """Every list, in each view and by source, as each principal."""
        reading = self.reading()
        me, has_compact = reading.me, reading.has_compact
        source = telling_source(reading.listing())
        # What is read twice is read twice in a row: a host that alternates between two orders must not meet its own step.
        self._ask(Ask("list", view, me) for view in ("standard", "compact"))
        if has_compact:
            self._ask([Ask("list", "compact", me, turn=2), Ask("list", "compact", me, source=source)])
        self._ask([Ask("list", UNKNOWN_VIEW, me)])
        if reading.major == 1:
            self._ask([Ask("list", None, me, source=source)])
        if "second" in self._credentials:
            self._ask(Ask("list", view, "second") for view in ([None, "compact"] if has_compact else [None]))
        reading = self.reading()
        self._expected = needed(reading)
        self._to_decide += len(reading.listing().ids)
        plain = reading.listing()
        others = [Ask("list", view, me) for view in ("standard", UNKNOWN_VIEW)]
        if any(not reading.problem(ask) and differing(plain, reading.listing(ask.view)) for ask in others):
            self._ask([Ask("list", None, me, turn=2)])

    def read_by_id(self) -> None:
        """Every tool of each list by its id, the first one with other views too, and an id that does not exist."""
        reading = self.reading()
        me, ids = reading.me, reading.listing().ids
        self._ask_tools(ids, None, me)
        if not reading.has_compact:
            self._ask_tools(ids[:1], "compact", me)
        elif _compact_reads(reading):
            self._ask_tools(reading.listing("compact").ids, "compact", me)
        self._ask(Ask("one", view, me, tool_id) for tool_id in ids[:1] for view in ("standard", UNKNOWN_VIEW))
        self._ask(Ask("one", view, me, reading.unknown_id()) for view in self._views(reading))

    def read_as_others(self) -> None:
        """As nobody, and as the second principal."""
        reading = self.reading()
        self._ask(anonymous(reading))
        if "second" not in self._credentials or reading.problem(Ask("list", None, "second")):
            return
        self._ask(Ask("one", view, "second", reading.unknown_id()) for view in self._views(reading))
        asks = list(foreign_ids(reading))
        for principal in dict.fromkeys(ask.principal for ask in asks):
            for view in self._views(reading):
                chosen = [ask.tool_id for ask in asks if (ask.principal, ask.view) == (principal, view)]
                self._ask_tools(chosen, view, principal)
        reading = self.reading()
        unclear = dict.fromkeys(
            (ask.principal, ask.view)
            for ask in asks
            if (exchange := reading.came(ask))
            and reading.came(Ask("one", ask.view, ask.principal, reading.unknown_id()))
            and differences(reading, ask, exchange)
        )
        self._ask(Ask("one", view, principal, reading.unknown_id(2)) for principal, view in unclear)

    def read_around(self) -> None:
        """A version that is not served; and, where a probe may be intrusive, other methods that change nothing."""
        reading = self.reading()
        if reading.has_versions:
            self._ask([Ask("version", None, reading.me)])
        if self._intrusive:
            first = reading.listing().ids[:1]
            self._ask(Ask("options", None, reading.me, tool_id) for tool_id in ("", *first))
            self._ask([Ask("head", None, reading.me)])

    def read_doubted(self) -> None:
        """What is to be read again before the host is accused of anything that a change of its catalog looks like."""
        self._ask(doubted(self.reading()))

    def _views(self, reading: Reading) -> list[str | None]:
        return [None, "compact"] if reading.has_compact else [None]

    def _ask(self, asks: Iterable[Ask]) -> None:
        for ask in asks:
            if ask not in self._answers and not self._stopped:
                self._keep(ask, self._sent(ask))
                self._say()

    def _sent(self, ask: Ask) -> Exchange:
        client = self._client
        if ask.what == "one" or ask.tool_id:
            target = client.one_target(ask.tool_id, ask.view)
        else:
            target = client.list_target(ask.view, ask.source or None)
        headers = [(_VERSION, _OTHER_VERSION[client.major])] if ask.what == "version" else []
        method = _METHODS.get(ask.what, "GET")
        return client.exchange(target, method=method, principal=ask.principal, headers=headers)

    def _keep(self, ask: Ask, exchange: Exchange) -> None:
        """Keep an answer; where the host wants a rest for longer than is waited, nothing was sent, and nothing more is."""
        if exchange.attempts:
            self._answers[ask] = exchange
        else:
            self._stopped = exchange.failure

    def _ask_tools(self, ids: Iterable[str], view: str | None, principal: Principal) -> None:
        """Several tools at once."""
        if self._stopped:
            return
        asks = [ask for tool_id in ids if (ask := Ask("one", view, principal, tool_id)) not in self._answers]
        before = len(self._answers)
        wanted: Any = view  # The client takes any view, and none.
        exchanges = self._client.tools(
            [ask.tool_id for ask in asks],
            wanted,
            workers=self._workers,
            principal=principal,
            progress=lambda done, _: self._say(before + done),
        )
        for ask, exchange in zip(asks, exchanges, strict=True):
            self._keep(ask, exchange)

    def _say(self, done: int | None = None) -> None:
        done = len(self._answers) if done is None else done
        self._progress(done + self._decided, max(done, self._expected) + self._to_decide)

    def _tick(self) -> None:
        self._decided = min(self._decided + 1, self._to_decide)
        self._say()
