"""The bundle: a JSON value that fits its schema, sealed, written as a whole or not at all, and read with care."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from workbench.errors import InputError, LimitError
from workbench.evidence.examining import Examined
from workbench.evidence.material import sha256
from workbench.resources import schema
from workbench.sources.files import from_standard_input
from workbench.tables import Column, Table
from workbench.values import dumps, join, pretty, read_json, write_atomic

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator

__all__ = ["FORMAT", "MAX_BUNDLE", "VERSION", "Evidence", "seal"]

FORMAT: Final = "compact-tool-workbench evidence"
VERSION: Final = 1
#: Bytes that a bundle may have: catalogs in it may have 100 MiB each, and are embedded on request only.
MAX_BUNDLE: Final = 256 * 1024 * 1024
#: What a seal does not cover: itself, and what differs from run to run.
_UNSEALED: Final = ("seal", "generated")


@dataclass(frozen=True, slots=True, repr=False)
class Evidence:
    """
    An evidence bundle. `to_json` has all of it; its keys are in the docstring of `workbench.evidence`.

    `examined` holds the results that it was made of, source by source; a bundle that was read from a file has none.
    """

    document: dict[str, Any]
    examined: tuple[Examined, ...] = field(default=(), compare=False)

    @property
    def sources(self) -> list[dict[str, Any]]:
        """The part of each source, in the order asked for."""
        sources: list[dict[str, Any]] = self.document["sources"]
        return sources

    @property
    def seal(self) -> str:
        """The SHA-256 that names this bundle: the same for the same inputs, options and environment, whenever it is made."""
        found: str = self.document["seal"]
        return found

    def to_json(self) -> dict[str, Any]:
        """The bundle itself, not a copy."""
        return self.document

    def write(self, path: str | os.PathLike[str]) -> None:
        """
        Write the bundle, the same bytes for the same value.

        Raises:
            InputError: it does not fit the schema, which is a fault of whoever changed it.
            LimitError: it is over `MAX_BUNDLE` bytes.
            OutputError: the file cannot be written.
        """
        checked(self.document, source=os.fspath(path))
        text = pretty(self.document)
        if len(text.encode()) > MAX_BUNDLE:
            raise LimitError(f"the bundle would have over {MAX_BUNDLE:,} bytes; embed less", source=os.fspath(path))
        write_atomic(path, text)

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Evidence:
        """
        Read a bundle, by its file, a report's folder or `-`, and hold it to the schema. That its numbers are true is for
        `workbench.verify` to say.

        Raises:
            InputError: there is none, it cannot be read, it is cut off, no bundle, or one of another version.
            LimitError: it has over `MAX_BUNDLE` bytes.
        """
        name = os.fspath(path)
        return cls(checked(read_json(_bytes(name), source=name, max_bytes=MAX_BUNDLE), source=name))

    def table(self) -> Table:
        """One row for each source: what it costs and saves, what it breaks, and what the projection gave up."""
        columns = (
            *("source", Column("tools", "thousands"), Column("standard", "thousands"), Column("compact", "thousands")),
            *(Column("saved", "percent"), Column("must", "thousands"), Column("should", "thousands")),
            *(Column("losses", "thousands"), Column("precision", "percent")),
        )
        return Table(columns, [list(_row(source)) for source in self.sources], f"Evidence {self.seal[:12]}")

    def __repr__(self) -> str:
        return f"<Evidence of {len(self.sources)} source{'s' * (len(self.sources) != 1)}, seal {self.seal[:12]}>"

    def _repr_html_(self) -> str:
        return self.table().html()


def seal(document: dict[str, Any]) -> str:
    """The SHA-256 of the wire text of a bundle without its seal and its `generated` block."""
    return sha256(dumps({name: value for name, value in document.items() if name not in _UNSEALED}))


def checked(value: Any, *, source: str = "") -> dict[str, Any]:
    """The value, if it is a bundle of this version. Raises InputError, with a pointer, if not."""
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise InputError(f'this is no evidence bundle: it has no "format": "{FORMAT}"', source=source)
    if value.get("version") != VERSION:
        raise InputError(
            f"this bundle is of version {value.get('version')!r}, and this program reads version {VERSION}",
            source=source,
            pointer="/version",
        )
    for error in _validator().iter_errors(value):
        pointer = join("", *error.absolute_path)
        raise InputError(f"the bundle does not fit its schema: {_short(error.message)}", source=source, pointer=pointer)
    return value


def _bytes(name: str) -> bytes:
    if name == "-":
        return from_standard_input(most=MAX_BUNDLE)[0]
    try:
        path = Path(name)
        with (path / "evidence.json" if path.is_dir() else path).open("rb") as file:
            return file.read(MAX_BUNDLE + 1)
    except OSError as error:
        raise InputError(f"the bundle cannot be read: {error.strerror or error}", source=name) from error
    except ValueError as error:  # A NUL in the path.
        raise InputError(f"this is no path: {error}", source=name) from None


@cache
def _validator() -> Draft202012Validator:
    from jsonschema import Draft202012Validator

    return Draft202012Validator(schema("evidence"))


def _short(message: str, most: int = 160) -> str:
    return message if len(message) <= most else f"{message[:most]}..."


def _row(source: dict[str, Any]) -> Iterator[Any]:
    total = next((each["total"] for each in source["budgets"] if "total" in each), None)
    yield from (source["name"], source["tools"])
    yield from (total[name] for name in ("standard", "compact", "savedRatio")) if total else (None, None, None)
    counts = source["checks"]["standard"]["counts"]
    yield from (counts["must"], counts["should"])
    yield from (len(source["projection"]["losses"]), source["fidelity"]["precision"])
