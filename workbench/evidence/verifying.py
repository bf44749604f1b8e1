"""
Verifying: a bundle in, everything in it computed again, every place that does not hold out.

What can be told, and what cannot. A number, a verdict or a hash that was changed differs from what comes out; so do all that
depend on an option or a catalog that was changed. What cannot be computed (names, where a catalog came from, the environment) is
under the seal, which breaks when a bundle is edited. Whoever computes all of it anew, seal included, has made a true bundle of
another catalog: which one it is of is said by its SHA-256, so compare that.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from workbench.errors import EncodingUnavailable, InputError, UsageError
from workbench.evidence.bundle import Evidence, checked, seal
from workbench.evidence.comparing import Difference, differing, leaves
from workbench.evidence.environment import environment
from workbench.evidence.examining import STEPS, examine
from workbench.evidence.material import (
    Material,
    Source,
    from_embedded,
    from_source,
    named,
    one_credential_one_origin,
    sha256,
)
from workbench.evidence.options import Options
from workbench.tables import Table
from workbench.values import dumps, join

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Verification", "Verified", "verify"]

#: What is known of a source and does not follow from its text.
_GIVEN: Final = ("name", "kind", "notes", "embedded")
#: What a file cannot give again.
_OF_HOSTS: Final = ("host", "probe")
_KIND: Final = "what was read of a host stands beside the kind host, and nowhere else"
_EDITED: Final = "the bundle was edited after it was sealed"
_SHOWN: Final = 25
_LONGEST: Final = 80


@dataclass(frozen=True, slots=True)
class Verified:
    """One source that was computed again: its name, the SHA-256 of the text that was used, and where that came from."""

    name: str
    sha256: str
    #: `embedded`, or the source as it was given.
    taken_from: str


@dataclass(frozen=True, slots=True, repr=False)
class Verification:
    """What came out of computing a bundle again."""

    differences: tuple[Difference, ...]
    #: Values that were computed again and compared.
    compared: int
    sources: tuple[Verified, ...]
    #: What could not be computed again, by pointer: of a host that a file was given for.
    skipped: tuple[str, ...] = ()
    #: What may explain differences: other versions, another catalog.
    notes: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """True when every value came out as it stands in the bundle, and the seal is whole."""
        return not self.differences

    def to_json(self) -> dict[str, Any]:
        """The JSON object that `workbench verify` prints."""
        return {
            "ok": self.ok,
            "compared": self.compared,
            "differences": [difference.to_json() for difference in self.differences],
            "sources": [{"name": each.name, "sha256": each.sha256, "from": each.taken_from} for each in self.sources],
            "skipped": list(self.skipped),
            "notes": list(self.notes),
        }

    def table(self, most: int | None = None) -> Table:
        """The differences, at most so many of them; long values are cut."""
        rows = [[each.pointer, each.what, _short(each.old), _short(each.new)] for each in self.differences[:most]]
        return Table(("pointer", "what", "in the bundle", "computed"), rows, self.headline())

    def frame(self) -> pd.DataFrame:
        """All differences as a pandas frame, one row each."""
        return self.table().frame()

    def headline(self) -> str:
        """The result in a line."""
        values = f"{self.compared:,} values recomputed"
        if self.skipped:
            values = f"{values} (not {', '.join(self.skipped)}: no host was given)"
        if self.ok:
            return f"{values}, all equal"
        count = len(self.differences)
        return f"{values}; {count:,} place{'s' * (count != 1)} in the bundle {'do' if count != 1 else 'does'} not hold"

    def __repr__(self) -> str:
        return f"<Verification of {len(self.sources)} source{'s' * (len(self.sources) != 1)}: {self.headline()}>"

    def _repr_html_(self) -> str:
        return self.table(_SHOWN).html()


def verify(
    evidence: Evidence | str | os.PathLike[str],
    sources: Sequence[Source] = (),
    *,
    progress: Callable[[int, int], None] | None = None,
    **connection: Any,
) -> Verification:
    """
    Compute every number and verdict of a bundle again, from the catalogs in it or from sources given in their place.

    A source given belongs to the part of the bundle that was made of the same text; where none was, and as many are given as the
    bundle has, to the one in the same place, and then a note says that it is another one. All but `generated` and `environment` is
    compared. `progress` is called with the steps that are done and their number; `connection` are the options of `workbench.load`.

    Raises:
        InputError: no bundle of this version, a source that cannot be read, or a catalog that is neither embedded nor given.
        UsageError: a source that the bundle has no part for.
        EncodingUnavailable: a vocabulary that the bundle counts with cannot be loaded.
    """
    bundle = evidence.document if isinstance(evidence, Evidence) else Evidence.read(evidence).document
    checked(bundle)
    options = _options(bundle)
    one_credential_one_origin(sources, connection)
    read = [
        from_source(each, seed=options.seed, **_asked(bundle, place) | connection) for place, each in enumerate(sources)
    ]
    named_so = [_called(*each) for each in zip(sources, read, strict=True)]
    given = _matched(bundle["sources"], list(zip(named_so, read, strict=True)))
    count = 0

    def done() -> None:
        nonlocal count
        count += 1
        if progress:
            progress(count, len(bundle["sources"]) * STEPS)

    differences = list(differing(bundle["options"], options.to_json(), "/options"))
    compared, verified, skipped, notes = 0, [], list[str](), list(_elsewhere(bundle["environment"]))
    for place, part in enumerate(bundle["sources"]):
        pointer = join("", "sources", place)
        try:
            material, origin = _material(part, given.get(place), pointer, options)
            again = examine(material, options, done).to_json()
        except (InputError, UsageError) as error:
            if place in given or part["embedded"] is None:
                raise
            differences.append(Difference(f"{pointer}/embedded", part["received"]["sha256"], None, str(error)))
            continue
        notes += _remarks(part, again, origin, place)
        left_out: tuple[str, ...] = _GIVEN
        if place in given and part["host"] and not again["host"]:
            left_out = (*_GIVEN, *_OF_HOSTS)
            skipped += [f"{pointer}/{name}" for name in _OF_HOSTS]
        elif (part["kind"] == "host") != (again["host"] is not None):
            differences.append(
                Difference(f"{pointer}/kind", part["kind"], None if again["host"] is None else "host", _KIND)
            )
        old, new = ({name: value for name, value in each.items() if name not in left_out} for each in (part, again))
        differences += differing(old, new, pointer)
        compared += leaves(new)
        verified.append(Verified(part["name"], again["received"]["sha256"], origin))
    if bundle["seal"] != (now := seal(bundle)):
        differences.append(Difference("/seal", bundle["seal"], now, _EDITED))
    return Verification(tuple(differences), compared, tuple(verified), tuple(skipped), tuple(notes))


def _options(bundle: dict[str, Any]) -> Options:
    try:
        return Options.from_json(bundle["options"]).normal()
    except UsageError as error:
        raise InputError(f"the bundle's options do not fit: {error.message}", pointer="/options") from None
    except EncodingUnavailable as error:
        raise EncodingUnavailable(f"this bundle cannot be computed again here: {error.message}") from None


def _matched(parts: list[dict[str, Any]], given: list[tuple[str, Material]]) -> dict[int, tuple[str, Material]]:
    """The sources given, by the place of the part that each stands for."""
    found: dict[int, tuple[str, Material]] = {}
    left: list[tuple[int, tuple[str, Material]]] = []
    for position, each in enumerate(given):
        text = sha256(each[1].catalog.received)
        same = [i for i, part in enumerate(parts) if i not in found and part["received"]["sha256"] == text]
        if same:
            found[position if position in same else same[0]] = each
        else:
            left.append((position, each))
    for position, each in left:
        if len(given) != len(parts) or position in found:
            raise UsageError(
                f"{each[0]} is none of the {len(parts)} sources of the bundle: none has the SHA-256 "
                f"{sha256(each[1].catalog.received)}; give as many sources as the bundle has to compare them in order"
            )
        found[position] = each
    return found


def _asked(bundle: dict[str, Any], place: int) -> dict[str, Any]:
    """The major that the host in this place was asked for."""
    hosts = [part["host"] for part in bundle["sources"][place : place + 1]]
    return {"major": hosts[0]["asked"]} if hosts and hosts[0] else {}


def _called(source: Source, read: Material) -> str:
    """How a note speaks of a source that was given."""
    return read.name if isinstance(source, str | os.PathLike) else "the source given"


def _material(
    part: dict[str, Any], given: tuple[str, Material] | None, pointer: str, options: Options
) -> tuple[Material, str]:
    """What to compute from, and where it is from."""
    if given is not None:
        return named(given[1], part), given[0]
    if part["embedded"] is None:
        raise InputError(
            f"what {part['name']} was read as is not in the bundle; give that source after the bundle's name",
            pointer=f"{pointer}/embedded",
        )
    return from_embedded(part, seed=options.seed), "embedded"


def _remarks(part: dict[str, Any], again: dict[str, Any], origin: str, place: int) -> Iterator[str]:
    """What a reader should know about the source that was used."""
    now, then = again["received"]["sha256"], part["received"]["sha256"]
    if origin != "embedded" and now != then:
        yield (
            f"{origin} is another catalog than source {place + 1} of the bundle, or written otherwise: "
            f"its SHA-256 is {now}, not {then}"
        )


def _elsewhere(then: dict[str, Any]) -> list[str]:
    """How the environment of the bundle differs from this one."""
    return [
        f"{each.pointer.lstrip('/')} was {_short(each.old)} and is {_short(each.new)} here"
        for each in differing(then, environment(), "/environment")
    ]


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else dumps(value)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
