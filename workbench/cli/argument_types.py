"""Types of options that can be written in more than one way."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any, Final

import click

__all__ = ["MAJOR", "PROFILE", "TOKENS", "WINDOW"]

_AMOUNT: Final = re.compile(r"(\d{1,3}(?:[_,]\d{3})+|\d{1,12}(?:\.\d{1,6})?)([kKmM]?)", re.ASCII)
_UNITS: Final = {"": 1, "k": 1_000, "m": 1_000_000}


class _Protocol(click.Choice[str]):
    """The majors of the protocol, each written with and without its `v`."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        bare = str(value).removeprefix("v")
        return super().convert(
            next((each for each in self.choices if each.removeprefix("v") == bare), value), param, ctx
        )


class _Tokens(click.ParamType[int]):
    """A number of tokens: 128000, 128_000, 128k or 1m."""

    name = "tokens"

    def __init__(self, least: int) -> None:
        self.least = least

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        found = _AMOUNT.fullmatch(str(value))
        if found is None:
            self.fail(f"{value!r} is no number of tokens, such as 128000, 128_000, 128k or 1m", param, ctx)
        amount = Decimal(found[1].replace("_", "").replace(",", "")) * _UNITS[found[2].lower()]
        if amount != int(amount) or amount < self.least:
            self.fail(f"{value!r} is no whole number from {self.least} up", param, ctx)
        return int(amount)


#: Types of options: a major as the schemas of `check` are named, as the profiles of the projection are; token counts.
MAJOR: Final = _Protocol(["1", "2"])
PROFILE: Final = _Protocol(["v1", "v2"])
TOKENS: Final = _Tokens(0)
WINDOW: Final = _Tokens(1)
