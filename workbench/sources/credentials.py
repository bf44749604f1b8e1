"""
Credentials: from the environment to the one origin they were given for, and nowhere else.

A credential shows itself nowhere: not in its text, not in a pickle, not in `dataclasses.asdict`. A host may send it back, in a
header or in a body, plain or escaped; `Mask` takes it out of whatever is kept or shown.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from typing import Any, Final, NoReturn

from workbench.errors import UsageError

__all__ = ["MASKED", "Credential", "Mask"]

#: What stands where a credential stood.
MASKED: Final = "***"
_MASKED_BYTES: Final = MASKED.encode()
#: A bearer credential is one word of visible ASCII (RFC 6750, 2.1, and what a header can carry at all: RFC 9110, 5.5).
_WORD: Final = re.compile(r"[!-~]+")


class Credential:
    """A bearer credential. Its `value` is there for whoever asks for it by name, and shows itself nowhere else."""

    __slots__ = ("_value",)

    def __init__(self, value: str, *, name: str = "the credential") -> None:
        """Take a key as it is. Raises UsageError, which does not repeat it, when a header cannot carry it."""
        if not _WORD.fullmatch(value):
            raise UsageError(
                f"{name} is not one word of visible ASCII; give the key alone, without 'Bearer', spaces or a line end"
            )
        self._value = value

    @classmethod
    def from_environment(cls, name: str) -> Credential:
        """
        The credential in an environment variable.

        Raises:
            UsageError: the variable is not set, is empty, or holds what a header cannot carry.
        """
        value = os.environ.get(name)
        if not value:
            what = "is empty" if value == "" else "is not set"
            raise UsageError(f"the environment variable {name!r} {what}; it has to hold the credential")
        return cls(value, name=f"the value of the environment variable {name!r}")

    @property
    def value(self) -> str:
        """The key itself."""
        return self._value

    def __repr__(self) -> str:
        return "<Credential>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Credential) and self._value == other._value

    def __hash__(self) -> int:
        return hash(self._value)

    def __copy__(self) -> Credential:
        return self

    def __deepcopy__(self, _memo: dict[int, Any]) -> Credential:
        return self

    def __reduce__(self) -> NoReturn:
        raise TypeError("a credential is never written anywhere, so it cannot be pickled")


class Mask:
    """Replaces secrets in text and bytes, also where they are escaped as JSON, addresses, HTML or UTF-16 have it."""

    __slots__ = ("_pattern",)

    def __init__(self, secrets: Iterable[str]) -> None:
        known = sorted({secret for secret in secrets if secret}, key=lambda secret: (-len(secret), secret))
        # Names of hosts come back in lower case, so case makes no difference.
        self._pattern = re.compile(b"|".join(map(_escapable, known)), re.IGNORECASE) if known else None

    def data(self, data: bytes) -> bytes:
        """Bytes without the secrets."""
        return data if self._pattern is None else self._pattern.sub(_MASKED_BYTES, data)

    def text(self, text: str) -> str:
        """Text without the secrets."""
        return self.data(text.encode("utf-8", "surrogatepass")).decode("utf-8", "surrogatepass")

    def __repr__(self) -> str:
        return "<Mask>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a mask knows credentials, so it cannot be pickled")


def _escapable(secret: str) -> bytes:
    """A pattern for a secret, each character of which may stand there itself or as an escape."""
    return rb"\x00{0,3}".join(map(_character, secret.encode()))


def _character(code: int) -> bytes:
    written = [re.escape(chr(code)), rf"\\u00{code:02x}", f"%{code:02x}", f"&#0*{code};", f"&#x0*{code:02x};"]
    if chr(code) in '/"\\':
        written.append(re.escape(f"\\{chr(code)}"))
    return f"(?:{'|'.join(reversed(written))})".encode("latin-1")
