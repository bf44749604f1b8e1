"""Connections: what a source that is not a file may need to be reached, as `load` and the command line take it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal, Self

from workbench.errors import UsageError
from workbench.sources.credentials import Credential
from workbench.values import MAX_BYTES

__all__ = ["Connection"]


@dataclass(frozen=True, slots=True)
class Connection:
    """How to reach a host or a server; it names the credential, and does not hold it."""

    #: The environment variable that holds the credential.
    token_env: str | None = None
    #: The major of the protocol; None is what the host prefers.
    major: Literal[1, 2] | None = None
    #: Whether plain http may leave this machine.
    allow_insecure: bool = False
    #: Seconds for one answer as a whole.
    timeout: float = 30.0
    #: Bytes of one body, decompressed.
    max_bytes: int = MAX_BYTES

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> Self:
        """What the options of `load` for it say. Raises UsageError for one that there is not."""
        known = [field.name for field in fields(cls)]
        for name in options:
            if name not in known:
                raise UsageError(f"load has no option {name!r}; there are server, view, {', '.join(known)}")
        return cls(**options)

    def credential(self) -> Credential | None:
        """What the environment holds under that name. Raises UsageError when it holds nothing of use."""
        return None if self.token_env is None else Credential.from_environment(self.token_env)
