"""
Commands of MCP servers: their words, and the name under which anybody may read of one.

Many servers take a key on their command line. What looks like one is masked where the command is named: values of options and
variables whose names ask for a secret, passwords in addresses, and whatever has a known credential format.
"""

from __future__ import annotations

import re
import shlex
import shutil
from typing import Final, NamedTuple

from workbench.credential_formats import is_secret_name, known_formats
from workbench.errors import UsageError
from workbench.sources.credentials import MASKED

__all__ = ["KEYS_SEEN", "Command", "command_of"]

KEYS_SEEN: Final = (
    "there is a key on this command line (***), where others on this machine can see it; "
    "give it in an environment variable that the server reads"
)
#: On a command line, names that end so ask for a secret as well, and so does -k.
_ASKING: Final = re.compile(r"(?:.*[-_.])?(?:key|bearer|pat|cookie|jwt)|k", re.IGNORECASE)
#: What stands before a value: `NAME=`, `Name: `, `"name": `.
_NAME: Final = re.compile(r"([A-Za-z][\w.-]*)[\"']?\s*[=:]\s*")
_PASSWORD: Final = re.compile(r"(?<=://)([^/?#@:\s]*:)([^/?#\s]+)(?=@)")
_SCHEME: Final = re.compile(r"(?:bearer|basic|token)\s+", re.IGNORECASE)
#: What holds a credential as a whole, but for the formats with a space in them.
_PIECE: Final = re.compile(r"[^\s\"',;&=?]+")
#: Words that no shell would read otherwise; the mask is not for running.
_PLAIN: Final = re.compile(r"[\w@%+=:,./*-]+")


class Command(NamedTuple):
    """A command that can be run: its words, the name of the source, and what is masked in that."""

    words: list[str]
    source: str
    secrets: frozenset[str]


def command_of(text: str) -> Command:
    """
    Read a command as a shell does.

    Raises:
        UsageError: it cannot be read, has no word, or its program is not there.
    """
    try:
        words = shlex.split(text)
    except ValueError as error:
        # Where its words end nobody knows, so none but the first can be repeated.
        first = text.split(maxsplit=1)[0]
        raise UsageError(f"mcp:{first} ...: the command cannot be read: {str(error).lower()}") from None
    if not words:
        raise UsageError('name the command of an MCP server, or its address, after "mcp:"')
    found: set[str] = set()
    shown = [_shown(word, before, found) for before, word in zip(["", *words], words, strict=False)]
    source = f"mcp:{' '.join(map(_quoted, shown)) if found else text}"
    program = shutil.which(words[0])
    if program is None:
        raise UsageError(f"{source}: there is no program {shown[0]!r} (no shell reads this: no variables, pipes or ~)")
    return Command([program, *words[1:]], source, frozenset(found))


def _shown(word: str, before: str, found: set[str]) -> str:
    """A word without the secrets in it, which are added to those found; `before` may be the option that it belongs to."""
    if before.startswith("-") and not word.startswith("-") and _asks(before.lstrip("-")):
        found.add(word)
        return MASKED
    found.update(match[2] for match in _PASSWORD.finditer(word))
    shown = _without_named(_PASSWORD.sub(rf"\1{MASKED}", word), "://" in word, found)
    for _, sign in known_formats(shown):
        # Of some formats it is only how they begin.
        for secret in [sign] if " " in sign else _PIECE.findall(shown):
            if sign and sign in secret:
                found.add(secret)
                shown = shown.replace(secret, MASKED)
    return shown


def _without_named(text: str, address: bool, found: set[str]) -> str:
    """A text without the values in it whose names ask for a secret; each goes to its closing quote, `&`, or the end."""
    match = _NAME.search(text)
    if match is None:
        return text
    head, rest = text[: match.end()], text[match.end() :]
    if not _asks(match[1]):
        return head + _without_named(rest, address, found)
    if rest[:1] in ("'", '"'):
        value, end, rest = rest[1:].partition(rest[0])
        head, rest = head + end, end + rest
    else:
        value = re.split("[&#]", rest, maxsplit=1)[0] if address else rest
        rest = rest[len(value) :]
    secret = _SCHEME.sub("", value, count=1)
    if secret in ("", MASKED):
        return head + value + _without_named(rest, address, found)
    found.add(secret)
    return head + MASKED + _without_named(rest, address, found)


def _asks(name: str) -> bool:
    return is_secret_name(name) or _ASKING.fullmatch(name) is not None


def _quoted(word: str) -> str:
    return word if _PLAIN.fullmatch(word) else shlex.quote(word)
