"""With what a bundle was computed, and when: the parts of it that verifying reports on and does not recompute."""

from __future__ import annotations

import hashlib
import os
import platform
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final

from workbench.errors import UsageError
from workbench.tokens import VOCABULARIES, vocabulary_folder
from workbench.version import __version__

__all__ = ["environment", "generated"]

#: The libraries whose version can move a number or a verdict.
_PACKAGES: Final = (
    "bm25s",
    "detect-secrets",
    "google-re2",
    "jsonschema",
    "numpy",
    "openai-harmony",
    "referencing",
    "regex",
    "scikit-learn",
    "scipy",
    "sentencex",
    "tiktoken",
)
_EPOCH: Final = "SOURCE_DATE_EPOCH"


def environment() -> dict[str, Any]:
    """
    The versions of all that moves a number, the machine's kind (never its name), and the hashes of the vocabularies.

    Raises:
        EncodingUnavailable: a bundled vocabulary is missing or damaged.
    """
    return {
        "workbench": __version__,
        "python": platform.python_version(),
        "implementation": platform.python_implementation(),
        "system": platform.system(),
        "machine": platform.machine(),
        "packages": {name: _version(name) for name in _PACKAGES},
        "vocabularies": {
            name: {"published": vocabulary.sha256, "checked": _checked(name)}
            for name, vocabulary in VOCABULARIES.items()
        },
    }


def generated(began: float, ended: float, sources: Sequence[tuple[float, Mapping[str, float]]]) -> dict[str, Any]:
    """
    When a bundle was made, and the seconds that it took, in all and for each source, with what was timed at a host.

    With SOURCE_DATE_EPOCH set, that is the time, and no seconds are told (https://reproducible-builds.org/specs/source-date-epoch).

    Raises:
        UsageError: SOURCE_DATE_EPOCH is no number of seconds.
    """
    epoch = os.environ.get(_EPOCH)
    if epoch is None:
        return {
            "at": _time(ended),
            "seconds": round(ended - began, 3),
            "sources": [
                {"seconds": round(seconds, 3), "timings": {name: round(each, 6) for name, each in timings.items()}}
                for seconds, timings in sources
            ],
        }
    try:
        return {
            "at": _time(int(epoch)),
            "seconds": None,
            "sources": [{"seconds": None, "timings": {}} for _ in sources],
        }
    except (ValueError, OverflowError, OSError):
        raise UsageError(f"{_EPOCH} is a whole number of seconds since 1970, not {epoch!r}") from None


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(int(seconds), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _checked(name: str) -> str:
    """The hash of the file that is really read."""
    return hashlib.sha256((vocabulary_folder(name) / VOCABULARIES[name].file_name).read_bytes()).hexdigest()
