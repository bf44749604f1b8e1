"""Retries: a request that only reads is sent again when the host was busy or the connection failed, a few times and no more."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Final

import tenacity

from workbench.sources.exchanges import Exchange

__all__ = ["BUSY", "MAX_WAIT", "Attempt", "persistently", "seconds_to_wait", "too_long"]

#: Statuses that say: not now.
BUSY: Final = frozenset({429, 502, 503, 504})
MAX_WAIT: Final = 30.0
"""Seconds that a `Retry-After` may ask for; a host that wants more is not asked again."""

_BACK_OFF: Final = tenacity.wait_exponential(multiplier=0.25, max=4)


@dataclass(frozen=True, slots=True)
class Attempt:
    """What one attempt gave, and whether another may help."""

    exchange: Exchange
    again: bool


def persistently(send: Callable[[], Attempt], *, retries: int, pause: Callable[[float], None]) -> Exchange:
    """Send until there is an answer or `retries` are used up, waiting as the host asks, or longer from one to the next."""
    retrying: tenacity.Retrying = tenacity.Retrying(
        stop=tenacity.stop_after_attempt(retries + 1),
        wait=_wait,
        retry=tenacity.retry_if_result(_worth_repeating),
        sleep=pause,
        retry_error_callback=_last,
    )
    sent = 0

    def once() -> Attempt:
        nonlocal sent
        attempt = send()
        sent += attempt.exchange.attempts
        return attempt

    return replace(retrying(once).exchange, attempts=sent)


def too_long(exchange: Exchange) -> float | None:
    """The seconds that a busy host asks to be left alone, where they are more than are waited for; else None."""
    wait = seconds_to_wait(exchange) if exchange.status in BUSY else None
    return wait if wait is not None and wait > MAX_WAIT else None


def _last(state: tenacity.RetryCallState) -> Any:
    return state.outcome.result() if state.outcome is not None else None


def _worth_repeating(attempt: Attempt) -> bool:
    wait = seconds_to_wait(attempt.exchange)
    return attempt.again and (wait is None or wait <= MAX_WAIT)


def _wait(state: tenacity.RetryCallState) -> float:
    asked = seconds_to_wait(_last(state).exchange)
    return asked if asked is not None else _BACK_OFF(state)


def seconds_to_wait(exchange: Exchange) -> float | None:
    """What `Retry-After` asks for, given in seconds or as a date (RFC 9110, 10.2.3); None where it says nothing."""
    text = (exchange.header("retry-after") or "").strip()
    if text.isascii() and text.isdigit():
        return float(text[:12])
    try:
        date = parsedate_to_datetime(text)
    except (TypeError, ValueError):
        return None
    date = date if date.tzinfo else date.replace(tzinfo=UTC)
    return max(0.0, (date - datetime.now(UTC)).total_seconds())
