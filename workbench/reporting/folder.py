"""A folder that is there as a whole or not at all: built under another name beside its place, and renamed at the end."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from fnmatch import fnmatchcase
from pathlib import Path
from tempfile import mkdtemp

from workbench.errors import OutputError

__all__ = ["built"]


@contextmanager
def built(
    place: Path, names: Collection[str], *, force: bool = False, ours: Callable[[Path], bool] = Path.is_dir
) -> Iterator[Path]:
    """
    An empty folder to build in, which takes its `place` when the block ends, and vanishes when it fails or is interrupted.

    A folder that is there must be empty, or with `force` be one of `ours` and hold nothing, at any depth, but what `names`, which
    are patterns, allow: then it is replaced, and kept if that fails.

    Raises:
        OutputError: the place is taken, or cannot be written.
    """
    place = place.resolve()
    _see_that_it_is_free(place, names, force, ours)
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        building = Path(mkdtemp(prefix=f".{place.name}.", dir=place.parent))
    except OSError as error:
        raise OutputError(f"{place}: cannot make a folder beside it: {error.strerror or error}") from error
    try:
        yield building
        _see_that_it_is_free(place, names, force, ours)
        _replace(place, building)
    except OSError as error:
        raise OutputError(f"{place}: cannot be written: {error.strerror or error}") from error
    finally:
        shutil.rmtree(building, ignore_errors=True)


def _see_that_it_is_free(place: Path, names: Collection[str], force: bool, ours: Callable[[Path], bool]) -> None:
    if not place.exists():
        return
    try:
        there = sorted(place.iterdir())
        inside = sorted(path.relative_to(place).as_posix() for path in place.rglob("*"))
    except OSError as error:
        raise OutputError(f"{place}: {error.strerror or error}; name a folder that is not there yet") from error
    strange = [name for name in inside if not any(fnmatchcase(name, allowed) for allowed in names)]
    if strange:
        raise OutputError(f"{place}: is there and holds more than a report ({strange[0]}); name another folder")
    if there and not force:
        raise OutputError(f"{place}: is there already; --force replaces it")
    if there and not ours(place):
        raise OutputError(f"{place}: is there and is no report, for all the names in it; name another folder")


def _replace(place: Path, building: Path) -> None:
    """Put what was built into its place; what was there goes only when that is done."""
    building.chmod(0o777 & ~_umask())
    if not place.exists():
        building.rename(place)
        return
    old = Path(mkdtemp(prefix=f".{place.name}.", dir=place.parent))
    try:
        place.rename(old / place.name)
        try:
            building.rename(place)
        except BaseException:
            with suppress(OSError):
                (old / place.name).rename(place)
            raise
    finally:
        shutil.rmtree(old, ignore_errors=True)


def _umask() -> int:
    """What new files are kept from; there is no way to read it but to set it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
