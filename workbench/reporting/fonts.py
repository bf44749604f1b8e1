"""A place for what matplotlib keeps of the fonts that it found."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

__all__ = ["a_place_for_fonts"]


@contextmanager
def a_place_for_fonts() -> Iterator[None]:
    """
    Give matplotlib a folder of its own, here and in kernels, where it could write into none: it would say so, line by line.

    It has to be in place when matplotlib is imported first.
    """
    if "MPLCONFIGDIR" in os.environ or all(map(_can_be_written, _folders())):
        yield
        return
    with TemporaryDirectory(prefix="workbench-") as folder:
        os.environ["MPLCONFIGDIR"] = folder
        try:
            yield
        finally:
            del os.environ["MPLCONFIGDIR"]


def _folders() -> Iterator[Path]:
    """Where it keeps settings and fonts, unless told otherwise."""
    for name, usual in (("XDG_CONFIG_HOME", ".config"), ("XDG_CACHE_HOME", ".cache")):
        yield Path(os.environ.get(name) or Path.home() / usual, "matplotlib")


def _can_be_written(folder: Path) -> bool:
    there = next(each for each in (folder, *folder.parents) if each.exists())
    return there.is_dir() and os.access(there, os.W_OK | os.X_OK)
