"""
Sessions: what a catalog costs in money over turns, with and without prompt caching, and how much of its text stays the same.

No price is built in, since prices change: the user gives them in a small file, JSON or TOML, per million tokens.

    currency = "USD"
    input = 3.00          # what a token of a prompt costs
    cacheWrite = 3.75     # the same when the provider keeps it for later; as `input` where it is left out
    cacheRead = 0.30      # the same on a later turn; where it is left out, nothing is cached

A provider caches a prompt up to the first byte that has changed, so a catalog is read at the discount only as long as it is
written out in the same way, in the same order. `stable_prefix` says how much of it still is after a change.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from workbench.budgets.values import Cost
from workbench.catalog import Catalog
from workbench.errors import InputError, UsageError
from workbench.renderings import rendering as named_rendering
from workbench.sources import read_bytes
from workbench.tables import Cell, Column, Table
from workbench.tokens import DEFAULT_ENCODING
from workbench.tokens import encoding as named_encoding
from workbench.values import read_json

__all__ = ["Bill", "Prefix", "Prices", "load_prices", "read_settings", "stable_prefix"]

_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Prices:
    """Prices per million tokens of a prompt; `cache_read` is None where nothing is cached."""

    input: float
    cache_write: float | None = None
    cache_read: float | None = None
    currency: str = ""

    def uncached(self, tokens: int, turns: int) -> float:
        """The price of sending `tokens` on each of `turns` turns."""
        return tokens * turns * self.input / _MILLION

    def cached(self, tokens: int, turns: int) -> float | None:
        """The same when the first turn writes them to the cache and the others read them; None where nothing is cached."""
        if self.cache_read is None:
            return None
        write = self.input if self.cache_write is None else self.cache_write
        return tokens * (write + (turns - 1) * self.cache_read) / _MILLION


@dataclass(frozen=True, slots=True, repr=False)
class Bill:
    """The price of a catalog over `sessions` sessions of `turns` turns, each of which begins with an empty cache."""

    tokens: Cost
    prices: Prices
    turns: int
    sessions: int = 1

    def __post_init__(self) -> None:
        if self.sessions < 1:
            raise UsageError(f"there is at least one session, not {self.sessions}")

    def uncached(self) -> tuple[float, float]:
        """Standard and compact, the whole catalog paid on every turn."""
        standard, compact = (self.prices.uncached(tokens, self.turns) for tokens in self._pair())
        return standard * self.sessions, compact * self.sessions

    def cached(self) -> tuple[float, float] | None:
        """Standard and compact with prompt caching; None where the prices have none."""
        found = [self.prices.cached(tokens, self.turns) for tokens in self._pair()]
        standard, compact = (None if price is None else price * self.sessions for price in found)
        return None if standard is None or compact is None else (standard, compact)

    def table(self) -> Table:
        """One row without and one with prompt caching."""
        money = [Column(name, "thousands", 4) for name in ("standard", "compact", "saved")]
        ways = {"sent anew on every turn": self.uncached(), "cached after the first turn": self.cached()}
        rows: list[list[Cell]] = [[way, *pair, pair[0] - pair[1]] for way, pair in ways.items() if pair]
        unit = f" in {self.prices.currency}" if self.prices.currency else ""
        each = f"{self.turns:,} turns" if self.turns > 1 else "1 turn"
        title = (
            f"Price of {each}{unit}" if self.sessions == 1 else f"Price of {self.sessions:,} sessions of {each}{unit}"
        )
        return Table((Column(""), *money), rows, title)

    def __repr__(self) -> str:
        return self.table().text()

    def _repr_html_(self) -> str:
        return self.table().html()

    def to_json(self) -> dict[str, Any]:
        """The prices, and what they come to."""
        pairs = {"uncached": self.uncached(), "cached": self.cached()}
        return {
            "currency": self.prices.currency,
            "sessions": self.sessions,
            "turns": self.turns,
            **{way: pair and {"standard": pair[0], "compact": pair[1]} for way, pair in pairs.items()},
        }

    def _pair(self) -> tuple[int, int]:
        return self.tokens.standard, self.tokens.compact


@dataclass(frozen=True, slots=True)
class Prefix:
    """What two catalogs have in common from the beginning, and where they part: at `pointer` of the tool `tool_id`."""

    #: Leading tokens that are the same in both; what a cache still holds.
    tokens: int
    #: Tokens of either text.
    before: int
    after: int
    #: Where the later one is different; None where it is not, or where that is between the tools.
    tool_id: str | None
    pointer: str

    def to_json(self) -> dict[str, Any]:
        """The same as a JSON object."""
        return {
            "tokens": self.tokens,
            "before": self.before,
            "after": self.after,
            "toolId": self.tool_id,
            "pointer": self.pointer,
        }


def stable_prefix(
    before: Catalog, after: Catalog, *, rendering: str = "wire", encoding: str = DEFAULT_ENCODING
) -> Prefix:
    """How much of a catalog's text is the same as in an earlier one, token by token from the beginning. Raises as `budget`."""
    writes, counts = named_rendering(rendering), named_encoding(encoding)
    segments = list(writes.segments(after))
    text = "".join(segment.text for segment in segments)
    old, new = counts.encode(writes.text(before)), counts.encode(text)
    differ = (place for place, pair in enumerate(zip(old, new, strict=False)) if pair[0] != pair[1])
    shared = next(differ, min(len(old), len(new)))
    tool_id, pointer = None, ""
    if shared < len(new):
        at = counts.starts(text)[shared]
        for piece, place in segments:
            at -= len(piece)
            if at < 0:
                tool_id = None if place.tool is None else after.tools[place.tool].tool_id
                pointer = str(place.path)
                break
    return Prefix(shared, len(old), len(new), tool_id, pointer)


def load_prices(path: str) -> Prices:
    """
    Read prices from a file, as described above.

    Raises:
        InputError: the file cannot be read, is neither JSON nor TOML, or holds something else than prices.
    """
    names = {"input": "input", "cacheWrite": "cache_write", "cacheRead": "cache_read", "currency": "currency"}
    found = read_settings(path, names)
    for name, value in found.items():
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if isinstance(value, str) if name == "currency" else number and math.isfinite(value) and value >= 0:
            continue
        what = "the name of a currency" if name == "currency" else "a number that is not negative"
        raise InputError(f"{name} is to be {what}", source=path, pointer=f"/{name}")
    if "input" not in found:
        raise InputError("input is missing: the price of a million tokens of a prompt", source=path)
    return Prices(**{names[name]: value for name, value in found.items()})


def read_settings(path: str, names: Mapping[str, Any]) -> dict[str, Any]:
    """
    A small file of settings: an object in JSON, or TOML where the file's name says so, with some of these names.

    Raises:
        InputError: it cannot be read, or has another name in it; the message lists those there are.
    """
    data, source = read_bytes(path)
    try:
        value = tomllib.loads(data.decode()) if path.endswith(".toml") else read_json(data, source=source)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"this is no TOML: {error}", source=source) from None
    if not isinstance(value, dict):
        raise InputError(f"this is no object; it may hold {', '.join(names)}", source=source)
    for name in value.keys() - names.keys():
        raise InputError(f"unknown setting {name!r}; there are {', '.join(names)}", source=source)
    return value
