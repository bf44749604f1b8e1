"""
The bundled schemas, sample catalogs and notebooks, and the only module that knows where they are.

A wheel carries them as `workbench/_data/schemas` and so on; a checkout and an editable install have `schemas/` and its sisters
beside the package. Both places are tried, in that order.
"""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from workbench.errors import InputError
from workbench.values import read_json

if TYPE_CHECKING:
    from referencing import Registry

__all__ = [
    "notebooks",
    "notebooks_dir",
    "registry",
    "sample",
    "sample_names",
    "sample_queries",
    "schema",
    "schemas",
    "vocabularies_dir",
]

_PACKAGE = Path(__file__).resolve().parent
_SUFFIX = ".schema.json"
#: Task sentences lie beside the sample that they are about.
_QUERIES = ".queries.jsonl"
#: The table of what each broken catalog breaks lies in the same folder; it is no catalog.
_EXPECTATIONS = "broken/expected"
#: One file that each folder must hold. In site-packages a folder beside the package may belong to another distribution.
_LANDMARKS = {
    "notebooks": "02_what_does_it_cost_on_every_turn.ipynb",
    "sample_catalogs": "small.json",
    "schemas": f"v1/tool-descriptor{_SUFFIX}",
}


def schema(name: str) -> dict[str, Any]:
    """
    A bundled JSON Schema, such as `v1/compact-tool-descriptor`, as a value of its own that the caller may change.

    Raises:
        InputError: no schema has that name (the message lists those that exist), or the data files are not installed.
    """
    found = _schema_files().get(name)
    if found is None:
        raise InputError(f"no bundled schema has this name; there are {', '.join(_schema_files())}", source=name)
    value = read_json(found.read_bytes(), source=found.name)
    if not isinstance(value, dict):
        raise InputError("a bundled schema is not an object; install the package again", source=found.name)
    return value


def schemas() -> Mapping[str, dict[str, Any]]:
    """All bundled JSON Schemas by name. Raises InputError when the data files are not installed."""
    return MappingProxyType({name: schema(name) for name in _schema_files()})


def registry() -> Registry[Any]:
    """
    The bundled schemas by `$id`, for `jsonschema` and `referencing`. Any other address is unknown: nothing is ever fetched.

    Raises:
        InputError: the data files are not installed.
    """
    from referencing import Registry, Resource

    empty: Registry[Any] = Registry()
    return empty.with_resources((document["$id"], Resource.from_contents(document)) for document in schemas().values())


def sample(name: str) -> bytes:
    """
    The bytes of a bundled sample catalog, such as `small` or `broken/exec-source`, exactly as they lie in the file.

    Names are looked up in the list of files, never joined to a path, so no name leads out of the folder.

    Raises:
        InputError: no sample has that name (the message lists those that exist), or the data files are not installed.
    """
    found = _sample_files().get(name)
    if found is None:
        broken = name.startswith("broken")
        known = sorted(sample_names(broken=broken), key=lambda each: each.startswith("broken/"))
        more = "" if broken else " (and broken ones: sample:broken lists them)"
        close = get_close_matches(name, _sample_files(), n=1)
        hint = f"; did you mean sample:{close[0]}?" if close else ""
        message = f"no bundled sample catalog has this name; there are {', '.join(known)}{more}{hint}"
        raise InputError(message, source=f"sample:{name}")
    return found.read_bytes()


def sample_names(*, broken: bool = False) -> list[str]:
    """The names that `sample` knows, sorted; with `broken`, those of the deliberately broken catalogs too."""
    return [name for name in _sample_files() if broken or not name.startswith("broken/")]


def sample_queries(name: str) -> bytes | None:
    """The task sentences that come with a bundled sample catalog, as JSON Lines; None for a sample without any."""
    found = _named(_folder("sample_catalogs"), _QUERIES).get(name)
    return None if found is None else found.read_bytes()


def notebooks() -> tuple[Path, ...]:
    """The bundled notebooks in reading order. Raises InputError when the data files are not installed."""
    return tuple(sorted(notebooks_dir().glob("[0-9][0-9]_*.ipynb")))


def notebooks_dir() -> Path:
    """The folder of the notebooks, and of what turns them into pages. Raises as `notebooks` does."""
    return _folder("notebooks")


def vocabularies_dir() -> Path:
    """The folder of the bundled tiktoken vocabularies; it is package data and lies at the same place in every installation."""
    return _PACKAGE / "_vocabularies"


@cache
def _schema_files() -> Mapping[str, Path]:
    return _named(_folder("schemas"), _SUFFIX)


@cache
def _sample_files() -> Mapping[str, Path]:
    files = _named(_folder("sample_catalogs"), ".json")
    return MappingProxyType({name: path for name, path in files.items() if name != _EXPECTATIONS})


def _named(folder: Path, suffix: str) -> Mapping[str, Path]:
    """Files below a folder by their path in it, without the suffix and with `/` on every system, sorted by name."""
    names = {path.relative_to(folder).as_posix().removesuffix(suffix): path for path in folder.rglob(f"*{suffix}")}
    return MappingProxyType(dict(sorted(names.items())))


def _folder(name: str, package: Path = _PACKAGE) -> Path:
    for place in (package / "_data" / name, package.parent / name):
        if (place / _LANDMARKS[name]).is_file():
            return place
    raise InputError(
        f"the data folder {name} is not installed with the package; reinstall compact-tool-workbench", source=name
    )
