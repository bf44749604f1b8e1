"""
The deciders: one small function for each requirement, of a `Reading` and of nothing else.

Importing this package registers all of them; `tests` hold that none is missing.
"""

from __future__ import annotations

from workbench.conformance.deciders import (
    caching,
    descriptors,
    discovery,
    fields,
    ids,
    lists,
    parameters,
    principals,
    protocol,
    schemas,
)

__all__ = [
    "caching",
    "descriptors",
    "discovery",
    "fields",
    "ids",
    "lists",
    "parameters",
    "principals",
    "protocol",
    "schemas",
]
