"""
Names of tools as providers allow them.

Tool ids hold colons and dots (`mcp:github.create_issue`), which providers refuse. The rule: the scopes `openai:` and
`anthropic:`, which only say where the tool was read, go; every character that the provider does not allow becomes `_`; a name
that is then too long keeps its beginning and ends in eight hexadecimal digits of the id's SHA-256. No two tools of a catalog
may come out alike, so that `legal_names` can be read backwards: each name stands for exactly one id.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import Final

from workbench.catalog import Catalog
from workbench.errors import CatalogError
from workbench.values import join
from workbench.wording import quoted

__all__ = ["DOTTED", "PLAIN", "NameRule", "legal_names"]

_SCOPES: Final = re.compile(r"(?:openai|anthropic):(?=.)", re.DOTALL)
_DIGITS: Final = 8


@dataclass(frozen=True, slots=True)
class NameRule:
    """What a provider allows in the name of a function; `others` matches each character that it does not."""

    others: re.Pattern[str]
    longest: int = 64

    def legal(self, tool_id: str) -> str:
        """The name for a tool id."""
        name = self.others.sub("_", _SCOPES.sub("", tool_id, count=1)) or "_"
        if len(name) <= self.longest:
            return name
        # "replace": half a surrogate pair can stand in an id that was made in memory.
        digits = hashlib.sha256(tool_id.encode(errors="replace")).hexdigest()[:_DIGITS]
        return f"{name[: self.longest - _DIGITS - 1]}_{digits}"


#: `^[a-zA-Z0-9_-]{1,64}$`: OpenAI, and Anthropic up to its 64th character.
PLAIN: Final = NameRule(re.compile(r"[^a-zA-Z0-9_-]"))
#: Gemini, which allows dots and colons too, but no digit, dot, colon or dash in front.
DOTTED: Final = NameRule(re.compile(r"^[^a-zA-Z_]|[^a-zA-Z0-9_.:-]"))


def legal_names(catalog: Catalog, rule: NameRule) -> tuple[str, ...]:
    """
    The name of each tool, in catalog order.

    Raises:
        CatalogError: two tools would have one name; the message names both.
    """
    owners: dict[str, int] = {}
    names = []
    for place, tool in enumerate(catalog):
        name = rule.legal(tool.tool_id)
        other = owners.setdefault(name, place)
        if other != place:
            raise CatalogError(
                f"{quoted(catalog.tools[other].tool_id)} and {quoted(tool.tool_id)} would both be called {quoted(name)}, "
                "and a provider takes a name only once; rename one of them",
                source=catalog.source,
                pointer=join("", "tools", place),
            )
        names.append(name)
    return tuple(names)
