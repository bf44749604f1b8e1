"""What a report says about itself: how to get it again, with what it was made, and of which bytes."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Final

from workbench.evidence import Evidence, Options
from workbench.reporting.reading import clipped, named, tabled
from workbench.sources.connection import Connection
from workbench.sources.credentials import MASKED
from workbench.tables import Cell, Column, Table
from workbench.visible import visible

__all__ = ["commands", "environment", "examined", "options"]

#: Options of `report` that are told where they are not as usual; those that `verify` has too come last.
_USUAL: Final[dict[str, Any]] = {"server": None, "major": None, "other_token_env": None, **asdict(Connection())}
_OF_VERIFY: Final = ("token_env", "other_token_env", "allow_insecure", "timeout", "max_bytes")
#: The name of a file that stands for a catalog without a name.
_VALUE: Final = "catalog.json"
_DEFAULT: Final = Options().to_json()


def commands(evidence: Evidence, connection: Mapping[str, Any] | None = None) -> list[str]:
    """
    What to type to get the report again, and to have every number of it recomputed.

    `connection` is how the sources were reached, as `report` was told. What cannot be typed is said, in lines that are comments.
    """
    told = {**_of_evidence(evidence), **(connection or {})}
    embedded = _embedded(evidence)
    names = _names(evidence)
    report = ["--out report", *(["--embed"] if embedded else []), *_flags(told, tuple(_USUAL))]
    again = _typed("workbench report", names, report) if _typable(evidence) else _python(evidence, told)
    bundle = "report/evidence.json"
    verify = [bundle] if embedded else [bundle, *names]
    lines = [f"# {line}" for line in _comments(evidence)]
    return [*lines, again, _typed("workbench verify", verify, [] if embedded else _flags(told, _OF_VERIFY))]


def _typed(command: str, names: list[str], flags: list[str]) -> str:
    words = [_word(name) for name in names]
    if any(name.startswith("-") and name != "-" for name in names):
        return " ".join([command, *flags, "--", *words])
    return " ".join([command, *words, *flags])


def _embedded(evidence: Evidence) -> bool:
    return all(source["embedded"] for source in evidence.sources)


def _names(evidence: Evidence) -> list[str]:
    return [_VALUE if source["kind"] == "memory" else source["name"] for source in evidence.sources]


def _of_evidence(evidence: Evidence) -> dict[str, Any]:
    """What a bundle itself tells of how its sources were reached."""
    servers = {source["server"] for source in evidence.sources if source["kind"] not in ("mcp", "host")} - {None}
    majors = {(source["host"] or {}).get("asked") for source in evidence.sources} - {None}
    return {name: found.pop() for name, found in (("server", servers), ("major", majors)) if len(found) == 1}


def _comments(evidence: Evidence) -> list[str]:
    found = []
    if any(MASKED in source["name"] for source in evidence.sources if source["kind"] in ("mcp", "host")):
        found.append(f"{MASKED} stands for a key that is not repeated here; put yours in its place")
    if any(source["kind"] == "memory" for source in evidence.sources):
        found.append(f"{_VALUE} stands for a catalog that was given as a value; write it into a file of that name")
    return found


def _flags(told: Mapping[str, Any], names: tuple[str, ...]) -> list[str]:
    flags = []
    for name in names:
        value, flag = told.get(name, _USUAL[name]), f"--{name.replace('_', '-')}"
        if value != _USUAL[name]:
            flags.append(flag if value is True else f"{flag} {_word(str(value))}")
    return flags


def _typable(evidence: Evidence) -> bool:
    """Whether the evidence was collected under the options that the command line collects it under."""
    return bool(evidence.document["options"] == _DEFAULT)


def _python(evidence: Evidence, told: Mapping[str, Any]) -> str:
    """The same in Python, which has options that the command line has not."""
    chosen = {name: value for name, value in evidence.document["options"].items() if value != _DEFAULT[name]}
    options = ", ".join(f"{name}={value!a}" for name, value in chosen.items())
    given = {name: value for name in _USUAL if (value := told.get(name, _USUAL[name])) != _USUAL[name]}
    given |= {"embed": True} if _embedded(evidence) else {}
    further = "".join(f", {name}={value!a}" for name, value in given.items())
    code = "import workbench as wb; from workbench.evidence import Options; "
    code += f"wb.report({_names(evidence)!a}, 'report', options=Options({options}){further})"
    return f"python -c {shlex.quote(code)}"


def _word(text: str) -> str:
    """A word as a shell reads it, with nothing hidden in it: what would not show is written as its bytes."""
    if text.isprintable() and visible(text) == text:
        return shlex.quote(text)
    escaped = {"\\": "\\\\", "'": "\\'"}
    return "$'" + "".join(escaped.get(char) or (char if _shows(char) else _bytes(char)) for char in text) + "'"


def _shows(char: str) -> bool:
    return char.isascii() and char.isprintable()


def _bytes(char: str) -> str:
    return "".join(f"\\x{byte:02x}" for byte in char.encode("utf-8", "surrogatepass"))


def examined(evidence: Evidence) -> Table | None:
    """What was examined: the sources as they were named, and the bytes that came, by size and SHA-256."""
    rows: list[tuple[Cell, ...]] = []
    for name, source in named(evidence).items():
        texts = {"received": source["received"], **source["views"]}
        rows += [
            (name, what, text["bytes"], text["sha256"], source["kind"], source["name"]) for what, text in texts.items()
        ]
    columns = ("source", "text", Column("bytes", "thousands"), Column("SHA-256", "code"), "kind", "as named")
    return tabled(evidence, columns, rows, "What was examined")


def environment(evidence: Evidence) -> Table:
    """With what: versions, and the hashes of the vocabularies that tokens were counted with."""
    found = evidence.document["environment"]
    rows = [("evidence, seal", evidence.seal), ("made at", evidence.document["generated"]["at"])]
    rows += [(name, str(value)) for name, value in found.items() if isinstance(value, str)]
    rows += sorted(found["packages"].items())
    rows += [(f"vocabulary {name}, SHA-256", each["checked"]) for name, each in found["vocabularies"].items()]
    return clipped(("what", Column("version", "code")), rows, "Versions")


def options(evidence: Evidence) -> Table:
    """Under which options."""
    rows = [(name, _said(value)) for name, value in evidence.document["options"].items()]
    return clipped(("option", "value"), rows, "Options")


def _said(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else "every one" if value is None else str(value)
