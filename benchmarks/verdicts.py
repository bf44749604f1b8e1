"""What a schema says of the objects of a benchmark, by `jsonschema` in the schema's own dialect, fetching nothing."""

from __future__ import annotations

import warnings
from typing import Any, Final

import jsonschema
import referencing
from time_limits import OutOfTime, within

from workbench.lowering.dialects import DEFAULT_DRAFT, Dialect, dialect_of

__all__ = ["Judge", "draft_of"]

_VALIDATORS: Final = {
    4: jsonschema.Draft4Validator,
    6: jsonschema.Draft6Validator,
    7: jsonschema.Draft7Validator,
    2019: jsonschema.Draft201909Validator,
    2020: jsonschema.Draft202012Validator,
}
#: Seconds that one verdict may take; patterns that need longer are made to.
_LIMIT: Final = 5.0


def draft_of(schema: Any) -> int:
    """The draft that a schema is written in; 2020-12 where it does not say."""
    return dialect_of(schema, Dialect(DEFAULT_DRAFT)).draft


class Judge:
    """Says whether a schema, read under a draft, accepts an object; with `formats`, a broken `format` rejects."""

    def __init__(self, schema: Any, draft: int, *, formats: bool) -> None:
        # Draft 4 has no boolean schemas; they mean the same in all others.
        validator = _VALIDATORS[2020 if isinstance(schema, bool) else draft]
        checker = validator.FORMAT_CHECKER if formats else None
        self._validator = validator(schema, format_checker=checker, registry=referencing.Registry())

    def accepts(self, data: Any) -> bool | None:
        """True or False, or None where that takes too long or the schema is one that the validator cannot read."""
        try:
            with warnings.catch_warnings(), within(_LIMIT):
                warnings.simplefilter("ignore")
                return bool(self._validator.is_valid(data))
        except (Exception, OutOfTime):  # noqa: BLE001 - a malformed schema ends in any error; so does one too deep
            return None

    def failures(self, data: Any) -> list[tuple[str | int, ...]]:
        """The paths, from the schema's root, of the assertions that reject an object; those inside unions come after."""
        try:
            with within(_LIMIT):
                errors = list(self._validator.iter_errors(data))
                return [path for error in errors for path in _leaves(error)]
        except (Exception, OutOfTime):  # noqa: BLE001 - as above
            return []


def _leaves(error: jsonschema.ValidationError) -> list[tuple[str | int, ...]]:
    here = tuple(error.absolute_schema_path)
    return [here, *(path for below in error.context or () for path in _leaves(below))]
