"""A time limit for code that has none: hostile patterns in `re`, references that a converter inlines without end."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

__all__ = ["OutOfTime", "within"]


class OutOfTime(BaseException):
    """The time is up. No `Exception`, so that no converter takes it for one of its own."""


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """
    Ends the block with `OutOfTime` after so many seconds, which reaches even `re`; in the main thread only.

    Where the system has no such timer (Windows), nothing is limited.
    """
    if not hasattr(signal, "setitimer"):
        yield
        return
    before = signal.signal(signal.SIGALRM, _up)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _up(number: int, frame: FrameType | None) -> None:
    raise OutOfTime
