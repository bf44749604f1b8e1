"""
The other policy: a schema inside the subset stays, any other goes.

This is what the reference host does, made correct. It looks for keywords by name anywhere in the value, so an argument that is
called `title` vanishes and one called `not` takes the whole schema with it; here only schema positions count.
"""

from __future__ import annotations

import json
from typing import Any

from workbench.keywords import KEYWORDS, LOOPHOLES, Role
from workbench.lowering import Loss
from workbench.subset import inside
from workbench.values import dumps, join
from workbench.walk import walk

__all__ = ["kept"]


def kept(schema: dict[str, Any] | bool, profile: str) -> tuple[dict[str, Any] | None, list[Loss]]:
    """The schema without annotations if that is inside the subset, else None; and what was lost. The input is not changed."""
    stripped, losses = _stripped(schema)
    if not inside(stripped) or any(name in visit.schema for visit in walk(stripped) for name in _names(visit.schema)):
        return None, [Loss("", "", "left out", False, "it is not inside the compact subset")]
    if profile == "v2" and (others := [name for name in stripped if name not in ("type", "properties")]):
        return None, [Loss("", "", "left out", False, f"the 2.x schema does not admit {', '.join(others)} at the root")]
    return stripped, losses


def _names(schema: Any) -> tuple[str, ...]:
    return LOOPHOLES if isinstance(schema, dict) else ()


def _stripped(schema: Any) -> tuple[Any, list[Loss]]:
    """A copy without what says or identifies something and rejects nothing; descriptions stay."""
    # Text there and back copies at any depth that can be written; copying by recursion does not.
    copy = json.loads(dumps(schema))
    losses = []
    for visit in walk(copy):
        if not isinstance(visit.schema, dict):
            continue
        for name in [name for name in visit.schema if _is_idle(name)]:
            del visit.schema[name]
            losses.append(Loss(join(visit.pointer, name), name, "annotation removed", True))
    return copy, losses


def _is_idle(name: str) -> bool:
    row = KEYWORDS.get(name)
    if row is None or row.kept or row.banned or row.loophole:
        return False
    return row.role in (Role.ANNOTATION, Role.CORE)
