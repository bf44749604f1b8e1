"""
Credential material in a descriptor, which has to be free of it (RFC 0078 and RFC 0112, content-free of secrets).

Three signs count: a top-level field whose name the official suite rejects; a value of a known credential format, found by the
rules of `detect-secrets` that recognise a format and by a few for newer formats; and a plain value given to something that is
called a password, key or token. A parameter may well be called `password`: it is the value that matters, in `default`, `const`,
`examples`, in text or anywhere else. Nothing is verified over a network, and no message repeats what was found.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from workbench.catalog import Tool
from workbench.checks.texts import texts
from workbench.credential_formats import is_material, is_secret_name, known_formats
from workbench.findings import Finding
from workbench.values import join
from workbench.walk import Path, walk

__all__ = ["SECRET_FIELDS", "secrets", "secrets_beside"]

#: Top-level fields that the official suite rejects in every view.
SECRET_FIELDS = frozenset({"secret", "credential", "credentials", "token", "apiKey", "password"})
#: A shorter text is no credential of any known format.
_SHORTEST = 12


def secrets(tool: Tool) -> Iterator[Finding]:
    """`secret`: each place of one descriptor that holds credential material, once."""
    return _once(tool, _signs(tool.descriptor), "a descriptor carries no credential material")


def secrets_beside(tool: Tool) -> Iterator[Finding]:
    """The same of what its descriptor leaves out of a tool, such as the headers of a server that a provider calls."""
    return _once(tool, _held(tool.rest), "this is in the tool as it came, and not in its descriptor")


def _once(tool: Tool, signs: Iterator[tuple[Path, str, bool]], verdict: str) -> Iterator[Finding]:
    said = set()
    for path, what, suite in signs:
        pointer = str(path)
        if pointer not in said:
            said.add(pointer)
            yield Finding("secret", "must", tool.tool_id, pointer, None, suite, f"{what}: {verdict}")


def _signs(descriptor: dict[str, Any]) -> Iterator[tuple[Path, str, bool]]:
    for field in descriptor:
        if field in SECRET_FIELDS:
            yield Path() / field, f"a field called {field}", True
    yield from _held(descriptor)
    for key in ("inputSchema", "outputSchema"):
        yield from _given(descriptor.get(key), Path() / key)


def _held(value: dict[str, Any]) -> Iterator[tuple[Path, str, bool]]:
    """Texts that are credentials by their format, or by the name that they are given to."""
    for path, text, is_name in texts(value):
        if len(text) >= _SHORTEST and (what := next(known_formats(text), None)):
            # A pointer to a name that is a credential would repeat it.
            yield (path.parent or path) if is_name else path, f"a value of the format {what[0]}", False
        elif not is_name and is_secret_name(path.token) and is_material(text):
            yield path, f"a value for {join('', path.token)[1:]}", False


def _given(schema: Any, base: Path) -> Iterator[tuple[Path, str, bool]]:
    """Values that a schema gives a parameter whose name asks for a secret."""
    for visit in walk(schema):
        properties = visit.schema.get("properties") if isinstance(visit.schema, dict) else None
        if not isinstance(properties, dict):
            continue
        for name, below in properties.items():
            if isinstance(below, dict) and is_secret_name(name):
                for tokens in _material(below):
                    place = _under(base, visit.path) / "properties" / name
                    for token in tokens:
                        place = place / token
                    yield place, f"a value for the parameter {join('', name)[1:]}", False


def _material(schema: dict[str, Any]) -> Iterator[tuple[str | int, ...]]:
    for keyword in ("default", "const", "example"):
        if is_material(schema.get(keyword)):
            yield (keyword,)
    examples = schema.get("examples")
    for index, example in enumerate(examples if isinstance(examples, list) else ()):
        if is_material(example):
            yield "examples", index


def _under(base: Path, path: Path) -> Path:
    for token in path.tokens():
        base = base / token
    return base
