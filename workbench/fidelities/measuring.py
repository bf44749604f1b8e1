"""Measuring: a catalog and a policy in, sampled arguments judged by both schemas of each tool, a fidelity out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Final

from workbench.catalog import Catalog, Tool
from workbench.errors import UsageError
from workbench.fidelities.judge import Judge, Undecided
from workbench.fidelities.near_misses import near_miss
from workbench.fidelities.result import Fate, Fidelity, ToolFidelity
from workbench.fidelities.sampler import NoSample, Sampler
from workbench.projection import SchemaPolicy, project
from workbench.tokens import DEFAULT_ENCODING
from workbench.tokens import encoding as encoding_of
from workbench.values import dumps, freeze

__all__ = ["SAMPLES", "fidelity"]

#: Draws from each of the two schemas of a tool, and near-misses, when no other number is asked for.
SAMPLES: Final = 40
#: How many draws may come to nothing for each one that is asked for.
_TRIES: Final = 3
#: The schema that stands for one that was left out: arguments are an object, and nothing more is known.
_ANY: Final[dict[str, Any]] = {"type": "object"}


def fidelity(
    catalog: Catalog,
    *,
    samples: int = SAMPLES,
    seed: int = 0,
    policy: SchemaPolicy = "lower",
    encoding: str = DEFAULT_ENCODING,
) -> Fidelity:
    """
    How faithful the compact view of each tool is to its standard view, on sampled arguments.

    For each tool, up to `samples` distinct objects are drawn from the original `inputSchema` (drafts), as many from the lowered one
    (probes), and as many near-misses are made of those drafts that the original accepts: one member, item, value or branch
    changed. Which objects are tried depends on the seed and the tool alone, not on the policy, the machine or the other tools,
    so that two policies are compared on the same objects. `jsonschema` judges each object by the original schema in its own
    dialect, and by the compact one as 2020-12; formats are not asserted.

    - `soundness`: of all objects that the original accepts, the share that the compact one accepts. Below 1, valid calls fail.
    - `precision`: of the probes and near-misses that the compact one accepts, the share that the original accepts.
    - `tightness`: of all objects that the original refuses, the share that the compact one refuses too.

    The last two compare policies and tools under the same sampling; neither is a probability that a model's call is valid. Where
    the compact schema is equivalent to the original, all three are 1. A share without any object to measure on is None; a tool
    without soundness or precision is `undecided`, with the reason beside it, and none is skipped. Objects on which one of the
    two schemas has no verdict are counted as left out.

    Raises:
        UsageError: an unknown policy, or fewer than one sample.
        EncodingUnavailable: the vocabulary cannot be loaded.
        LimitError: a descriptor nested deeper than 500 levels.
    """
    if samples < 1:
        raise UsageError(f"fidelity is measured on at least one sample, not on {samples}")
    count = encoding_of(encoding).count
    rows = []
    for tool in catalog:
        alone = replace(catalog, tools=(tool,))
        lowered = project(alone, encoding=encoding)
        compact = lowered if policy == "lower" else project(alone, schemas=policy, encoding=encoding)
        descriptor = compact.catalog.tools[0].descriptor
        row = _measured(tool, descriptor, lowered.catalog.tools[0].descriptor, samples, seed)
        losses = tuple(loss for loss in compact.losses if loss.kind == "schema" and not loss.exact)
        costs = (count(dumps(tool.descriptor)), count(dumps(descriptor)))
        rows.append(replace(row, losses=losses, standard=costs[0], compact=costs[1]))
    return Fidelity(tuple(rows), policy, samples, seed, encoding_of(encoding).name)


def _measured(tool: Tool, compact: dict[str, Any], lowered: dict[str, Any], samples: int, seed: int) -> ToolFidelity:
    if "inputSchema" not in tool.descriptor:
        return ToolFidelity(tool.tool_id, "absent", reason="the tool has no inputSchema")
    fate: Fate = "kept" if "inputSchema" in compact else "omitted"
    original, probed = tool.descriptor["inputSchema"], lowered.get("inputSchema", _ANY)
    try:
        judges = _Judges(Judge(original), Judge(compact.get("inputSchema", _ANY)))
    except Undecided as undecided:
        return ToolFidelity(tool.tool_id, fate, reason=undecided.reason)
    return _counted(ToolFidelity(tool.tool_id, fate), judges, _Source(tool.tool_id, seed, samples), original, probed)


def _counted(row: ToolFidelity, judges: _Judges, source: _Source, original: Any, probed: Any) -> ToolFidelity:
    drafts = _distinct(source.draws("drafts", original, judges.reasons))
    accepted = [draft for draft in drafts if judges.by_original(draft)]
    probes = _distinct([*source.draws("probes", probed, judges.reasons), *source.near_misses(accepted)])
    tried = _distinct([*drafts, *probes])
    valid = [each for each in tried if judges.verdicts(each)[0]]
    invalid = [each for each in tried if judges.verdicts(each)[0] is False]
    passing = [each for each in probes if judges.verdicts(each)[1]]
    refused = [each for each in valid if judges.verdicts(each)[1] is False]
    admitted = [each for each in passing if judges.verdicts(each)[0] is False]
    return replace(
        row,
        valid=len(valid),
        sound=len(valid) - len(refused),
        invalid=len(invalid),
        tight=sum(judges.verdicts(each)[1] is False for each in invalid),
        passing=len(passing),
        precise=len(passing) - len(admitted),
        left_out=judges.left_out,
        reason=judges.reason if judges.left_out or not (valid and passing) else "",
        wrongly_refused=refused[0] if refused else None,
        wrongly_admitted=admitted[0] if admitted else None,
    )


@dataclass(slots=True, frozen=True)
class _Source:
    """Where the objects of one tool come from: generators of random numbers that depend on seed, tool and purpose alone."""

    tool_id: str
    seed: int
    samples: int

    def draws(self, purpose: str, schema: Any, reasons: Counter[str]) -> Iterator[dict[str, Any]]:
        """Up to `samples` objects drawn from a schema; why others came to nothing is counted in `reasons`."""
        sampler = Sampler(schema, self._random(purpose))
        left = self.samples
        for _ in range(_TRIES * self.samples):
            try:
                yield sampler.draw()
            except NoSample as failure:
                reasons[failure.reason] += 1
                continue
            left -= 1
            if not left:
                return

    def near_misses(self, instances: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        """`samples` near-misses of some instances, or none of none."""
        random = self._random("near-misses")
        for _ in range(self.samples if instances else 0):
            yield near_miss(random, random.choice(instances), instances)

    def _random(self, purpose: str) -> Random:
        # Bytes, since an id may hold what UTF-8 cannot say, and since a seed of bytes is the same on every machine.
        return Random(f"{self.seed}\0{purpose}\0{self.tool_id}".encode("utf-8", "surrogatepass"))  # noqa: S311 - no secret


class _Judges:
    """The verdicts of the original and of the compact schema, each object judged once by each."""

    def __init__(self, original: Judge, compact: Judge) -> None:
        self._judges = (original, compact)
        self._known: dict[tuple[int, int], bool | None] = {}
        self._left_out: dict[int, Any] = {}
        self._held: list[Any] = []
        self.reasons: Counter[str] = Counter()

    def by_original(self, instance: dict[str, Any]) -> bool | None:
        """What the original says alone, so that what is tried next depends on no policy."""
        return self._verdict(0, instance)

    def verdicts(self, instance: dict[str, Any]) -> tuple[bool, bool] | tuple[None, None]:
        """What the two say, or None twice where one of them says nothing; such an object is left out of every share."""
        original, compact = self._verdict(0, instance), self._verdict(1, instance)
        if original is None or compact is None:
            self._left_out[id(instance)] = instance
            return None, None
        return original, compact

    @property
    def left_out(self) -> int:
        """The number of objects that `verdicts` said nothing of."""
        return len(self._left_out)

    def _verdict(self, which: int, instance: dict[str, Any]) -> bool | None:
        key = (which, id(instance))
        if key not in self._known:
            self._held.append(instance)  # keeps the id from being given to another object
            try:
                self._known[key] = self._judges[which].accepts(instance)
            except Undecided as undecided:
                self._known[key] = None
                self.reasons[undecided.reason] += 1
        return self._known[key]

    @property
    def reason(self) -> str:
        """The commonest reason why an object was not drawn or not judged; the first in the alphabet of several."""
        ranked = sorted(self.reasons.items(), key=lambda each: (-each[1], each[0]))
        return ranked[0][0] if ranked else "no sampled object is valid"


def _distinct(instances: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Each object once, as JSON sees them, in the order of their first appearance."""
    return list({freeze(each): each for each in reversed(list(instances))}.values())[::-1]
