"""
What credentials look like: formats that providers publish, and names that ask for a secret.

A known format is found by the rules of `detect-secrets` that recognise one, and by a few for newer formats; nothing is verified
over a network.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any

__all__ = ["is_material", "is_secret_name", "known_formats"]

#: Characters that are searched at once, and that are searched again where two stretches meet.
_STRETCH, _OVERLAP = 1_024, 256

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


def is_secret_name(name: str | int) -> bool:
    """Whether a name, written in any of the usual ways, asks for a password, key or token."""
    if not isinstance(name, str) or len(name) > 100:
        return False
    return _SECRET_NAME.search(_CAMEL.sub("_", name).lower().replace("-", "_")) is not None


def is_material(value: Any) -> bool:
    """Whether a value given to such a name may be a secret: one word, and no placeholder."""
    return (
        isinstance(value, str)
        and 6 <= len(value) <= 5_000
        and value.split() == [value]
        and not _PLACEHOLDER.fullmatch(value)
    )


def known_formats(text: str) -> Iterator[tuple[str, str]]:
    """What in a text has a known credential format: the name of the format, and the credential."""
    for start in range(0, max(1, len(text) - _OVERLAP), _STRETCH - _OVERLAP):
        stretch = text[start : start + _STRETCH]
        for name, pattern in _FORMATS:
            for match in pattern.finditer(stretch):
                yield name, match[0]
        for name, search in _detectors():
            for found in search(stretch):
                if name != _ADDRESS or not _PLACEHOLDER.fullmatch(found):
                    yield name, found


@cache
def _detectors() -> tuple[tuple[str, Callable[[str], Iterable[str]]], ...]:
    from detect_secrets.core.plugins.util import get_mapping_from_secret_type_to_class

    found: dict[str, Any] = get_mapping_from_secret_type_to_class()
    return tuple((name, found[name]().analyze_string) for name in sorted(found) if name not in _LEFT_OUT)
