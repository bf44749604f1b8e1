"""
Credential material in a descriptor, which has to be free of it (RFC 0078 and RFC 0112, content-free of secrets).

Three signs count: a top-level field whose name the official suite rejects; a value of a known credential format, found by the
rules of `detect-secrets` that recognise a format and by a few for newer formats; and a plain value given to something that is
called a password, key or token. A parameter may well be called `password`: it is the value that matters, in `default`, `const`,
`examples`, in text or anywhere else. Nothing is verified over a network, and no message repeats what was found.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any

from workbench.catalog import Tool
from workbench.checks.texts import texts
from workbench.findings import Finding
from workbench.values import join
from workbench.walk import Path, walk

__all__ = ["SECRET_FIELDS", "secrets"]

#: Top-level fields that the official suite rejects in every view.
SECRET_FIELDS = frozenset({"secret", "credential", "credentials", "token", "apiKey", "password"})

#: Characters that are searched at once, and that are searched again where two stretches meet.
_STRETCH, _OVERLAP = 1_024, 256
_SHORTEST = 12

#: Formats that the library does not know yet or takes too easily, from the publishers' own documentation.
_FORMATS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("Google API key", re.compile(r"\bAIza[0-9A-Za-z_-]{35}(?![0-9A-Za-z_-])")),
    ("Anthropic key", re.compile(r"\bsk-ant-[a-z0-9]{2,10}-[0-9A-Za-z_-]{20,}")),
    ("OpenAI key", re.compile(r"\bsk-(?:proj|svcacct|admin)-[0-9A-Za-z_-]{20,}")),
    ("GitHub token", re.compile(r"\bgithub_pat_[0-9A-Za-z_]{40,}")),
    ("Hugging Face token", re.compile(r"\bhf_[A-Za-z]{34}\b")),
    ("Shopify token", re.compile(r"\bshp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}\b")),
    # The library takes the header alone for a key; manuals of tools quote the header.
    ("private key", re.compile(r"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----(?:\s|\\[nr])*[0-9A-Za-z+/=]{32,}")),
    ("bearer token", re.compile(r"\b[Bb]earer +(?=[^\s]{0,200}[0-9])[0-9A-Za-z._~+/-]{20,}")),
)
#: What looks for words or for disorder, and not for a format, finds too much in descriptions.
_LEFT_OUT = frozenset(
    {"Private Key", "Secret Keyword", "Base64 High Entropy String", "Hex High Entropy String", "Public IP (ipv4)"}
)
_ADDRESS = "Basic Auth Credentials"

_SECRET_NAME = re.compile(
    r"(?:^|_)(?:password|passwd|passphrase|pwd|secret|api_?key|access_?key|secret_?key|private_?key|credentials?|authorization"
    r"|(?<!next_)(?<!page_)(?<!sync_)(?<!continuation_)(?<!cursor_)token)$"
)
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
#: Values that stand for a credential without being one.
_PLACEHOLDER = re.compile(
    r"<.*>|\$?\{.*\}|\$\w+|%\w+%|\[.*\]|(.)\1*|\.\.\.|(?:your|my|some|the)[-_ ].*"
    r"|(?:user(?:name)?|pass(?:word|wd|phrase)?|pwd|secret|token|(?:api|access|private|secret)[-_]?key|key|string|text|value|changeme"
    r"|example|placeholder|none|null|auto|default|optional|required|redacted|bearer|basic|env(?:ironment)?)\d{0,3}",
    re.IGNORECASE | re.DOTALL,
)


def secrets(tool: Tool) -> Iterator[Finding]:
    """`secret`: each place of one descriptor that holds credential material, once."""
    said = set()
    for path, what, suite in _signs(tool.descriptor):
        pointer = str(path)
        if pointer not in said:
            said.add(pointer)
            message = f"{what}: a descriptor carries no credential material"
            yield Finding("secret", "must", tool.tool_id, pointer, None, suite, message)


def _signs(descriptor: dict[str, Any]) -> Iterator[tuple[Path, str, bool]]:
    for field in descriptor:
        if field in SECRET_FIELDS:
            yield Path() / field, f"a field called {field}", True
    for path, text, is_name in texts(descriptor):
        if len(text) >= _SHORTEST and (what := _format(text)):
            # A pointer to a name that is a credential would repeat it.
            yield (path.parent or path) if is_name else path, f"a value of the format {what}", False
        elif not is_name and _is_secret_name(path.token) and _is_material(text):
            yield path, f"a value for {join('', path.token)[1:]}", False
    for key in ("inputSchema", "outputSchema"):
        yield from _given(descriptor.get(key), Path() / key)


def _given(schema: Any, base: Path) -> Iterator[tuple[Path, str, bool]]:
    """Values that a schema gives a parameter whose name asks for a secret."""
    for visit in walk(schema):
        properties = visit.schema.get("properties") if isinstance(visit.schema, dict) else None
        if not isinstance(properties, dict):
            continue
        for name, below in properties.items():
            if isinstance(below, dict) and _is_secret_name(name):
                for tokens in _material(below):
                    place = _under(base, visit.path) / "properties" / name
                    for token in tokens:
                        place = place / token
                    yield place, f"a value for the parameter {join('', name)[1:]}", False


def _material(schema: dict[str, Any]) -> Iterator[tuple[str | int, ...]]:
    for keyword in ("default", "const", "example"):
        if _is_material(schema.get(keyword)):
            yield (keyword,)
    examples = schema.get("examples")
    for index, example in enumerate(examples if isinstance(examples, list) else ()):
        if _is_material(example):
            yield "examples", index


def _under(base: Path, path: Path) -> Path:
    for token in path.tokens():
        base = base / token
    return base


def _is_secret_name(name: str | int) -> bool:
    if not isinstance(name, str) or len(name) > 100:
        return False
    return _SECRET_NAME.search(_CAMEL.sub("_", name).lower().replace("-", "_")) is not None


def _is_material(value: Any) -> bool:
    return (
        isinstance(value, str)
        and 6 <= len(value) <= 5_000
        and value.split() == [value]
        and not _PLACEHOLDER.fullmatch(value)
    )


def _format(text: str) -> str | None:
    """The name of the first credential format that occurs in a text."""
    for start in range(0, max(1, len(text) - _OVERLAP), _STRETCH - _OVERLAP):
        stretch = text[start : start + _STRETCH]
        for name, pattern in _FORMATS:
            if pattern.search(stretch):
                return name
        for name, search in _detectors():
            if any(name != _ADDRESS or not _PLACEHOLDER.fullmatch(found) for found in search(stretch)):
                return name
    return None


@cache
def _detectors() -> tuple[tuple[str, Callable[[str], Iterable[str]]], ...]:
    from detect_secrets.core.plugins.util import get_mapping_from_secret_type_to_class

    found: dict[str, Any] = get_mapping_from_secret_type_to_class()
    return tuple((name, found[name]().analyze_string) for name in sorted(found) if name not in _LEFT_OUT)
