"""What evidence is collected under: everything that moves a number of a bundle, and nothing else."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Final, get_args

from workbench.descriptions import STRATEGIES, UNITS, Strategy, Unit
from workbench.errors import UsageError
from workbench.fidelities.measuring import SAMPLES
from workbench.renderings import RENDERINGS
from workbench.renderings import rendering as named_rendering
from workbench.tokens import DEFAULT_ENCODING
from workbench.tokens import encoding as named_encoding

__all__ = ["MOST_SAMPLES", "Options"]

#: A bundle may come from anybody, and verifying it has to end.
MOST_SAMPLES: Final = 10_000


@dataclass(frozen=True, slots=True)
class Options:
    """
    What to count, sample and try; `normal` gives the same options with the names that a bundle has them under.

    Budgets are counted for each encoding and rendering. Whatever is counted once (savings, tuning, claims) is counted under the
    first encoding and the rendering `wire`.
    """

    encodings: tuple[str, ...] = (DEFAULT_ENCODING,)
    renderings: tuple[str, ...] = tuple(RENDERINGS)
    #: Objects sampled for each schema, and the seed that they are drawn with (`workbench.fidelity`).
    samples: int = SAMPLES
    seed: int = 0
    #: How descriptions are shortened, what limits count, and the limits to try; None for every one (`workbench.tune`).
    strategies: tuple[Strategy, ...] = STRATEGIES
    unit: Unit = "chars"
    limits: tuple[int, ...] | None = None

    def normal(self) -> Options:
        """
        The same, each list without repetitions, encodings by their own names and limits in order.

        Raises:
            UsageError: something is unknown, empty or out of range.
            EncodingUnavailable: the vocabulary of an encoding cannot be loaded.
        """
        encodings = tuple(dict.fromkeys(named_encoding(name).name for name in self.encodings))
        renderings = tuple(dict.fromkeys(named_rendering(name).name for name in self.renderings))
        strategies = tuple(dict.fromkeys(self.strategies))
        for what, chosen in (("encoding", encodings), ("rendering", renderings), ("strategy", strategies)):
            if not chosen:
                raise UsageError(f"evidence needs at least one {what}")
        for each in strategies:
            if each not in get_args(Strategy):
                raise UsageError(f"unknown strategy {each!r}; strategies are {', '.join(STRATEGIES)}")
        if self.unit not in UNITS:
            raise UsageError(f"unknown unit {self.unit!r}; units are {', '.join(UNITS)}")
        if not 1 <= self.samples <= MOST_SAMPLES:
            raise UsageError(f"fidelity is measured on 1 to {MOST_SAMPLES:,} samples, not on {self.samples}")
        limits = None if self.limits is None else tuple(sorted(set(self.limits)))
        if limits is not None and (not limits or limits[0] < 0):
            raise UsageError(f"limits are numbers of {self.unit} from 0 up, and at least one is needed")
        return Options(encodings, renderings, self.samples, self.seed, strategies, self.unit, limits)

    def to_json(self) -> dict[str, Any]:
        """The options as they stand in a bundle."""
        return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> Options:
        """The options of a bundle that fits the schema."""
        options: dict[str, Any] = {
            name: tuple(each) if isinstance(each, list) else each for name, each in value.items()
        }
        return cls(**options)
