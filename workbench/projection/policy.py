"""How to project: what becomes of schemas, and how long descriptions may be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from workbench.descriptions import STRATEGIES, UNITS, Strategy, Unit
from workbench.errors import UsageError

__all__ = ["Policy", "Profile", "SchemaPolicy"]

SchemaPolicy: TypeAlias = Literal["lower", "omit"]
"""`lower` brings every schema into the subset; `omit` leaves out those that are not in it, as the reference host does."""

Profile: TypeAlias = Literal["v1", "v2"]
"""The major whose compact schema the result fits; that of 2.x admits only `type` and `properties` at the root of a schema."""


@dataclass(frozen=True, slots=True)
class Policy:
    """
    The options of a projection. Limits count in `unit`, as `workbench.descriptions` does; None leaves descriptions as they are.

    Raises UsageError when an option does not fit.
    """

    schemas: SchemaPolicy = "lower"
    max_description: int | None = None
    max_parameter_description: int | None = None
    unit: Unit = "chars"
    strategy: Strategy = "hard"
    profile: Profile = "v1"

    def __post_init__(self) -> None:
        known = (
            ("schemas", self.schemas, get_args(SchemaPolicy)),
            ("unit", self.unit, UNITS),
            ("strategy", self.strategy, STRATEGIES),
            ("profile", self.profile, get_args(Profile)),
        )
        for name, value, values in known:
            if value not in values:
                raise UsageError(f"unknown {name} {value!r}; there are {', '.join(values)}")
        for limit in (self.max_description, self.max_parameter_description):
            if limit is not None and (isinstance(limit, bool) or limit < 0):
                raise UsageError(f"a limit is a number of {self.unit} from 0 up, not {limit!r}")
