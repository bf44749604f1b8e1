"""The judge of soundness: jsonschema, for the original in its own dialect, for the lowered schema in 2020-12."""

from __future__ import annotations

from typing import Any

import jsonschema
from jsonschema.protocols import Validator
from jsonschema.validators import validator_for
from jsonschema_specifications import REGISTRY

__all__ = ["accepts", "check_form", "lowered", "original"]


def original(schema: Any) -> Validator | None:
    """The validator of a schema in its own dialect; None for what jsonschema cannot even begin with."""
    try:
        cls = validator_for(schema, default=jsonschema.Draft202012Validator)
        # With a registry of its own it fetches nothing.
        return cls(schema, registry=REGISTRY)
    except (AttributeError, TypeError):
        return None


def lowered(schema: dict[str, Any]) -> Validator:
    """The validator of a lowered schema."""
    return jsonschema.Draft202012Validator(schema)


def check_form(schema: dict[str, Any]) -> None:
    """Raises unless a schema is valid against the metaschema of 2020-12, patterns included."""
    jsonschema.Draft202012Validator.check_schema(schema)


def accepts(validator: Validator | None, instance: Any) -> bool | None:
    """
    Whether a validator accepts an instance; None where it has no answer: a reference that leads nowhere or round in a circle,
    a malformed keyword, a pattern that `re` does not take.
    """
    if validator is None:
        return None
    try:
        return validator.is_valid(instance)
    except Exception:  # noqa: BLE001 - whatever goes wrong in there, there is no verdict
        return None
    except BaseException as error:
        if type(error).__name__ == "PanicException":  # what running out of stack becomes inside an extension
            return None
        raise
