"""
Exact token counts with tiktoken, offline for the vocabularies that this package bundles.

tiktoken fetches a vocabulary on first use, rewrites its cache folder, and deletes a cached file whose hash is wrong. None of that
may happen to package data, so a bundled file is checked here first and tiktoken is shown the folder only while it loads it.
A count is never an estimate: text that tiktoken cannot take is either split where no token can cross, or refused.
"""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
import tempfile
import textwrap
import threading
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from workbench.borders import LONG, parts, run_pattern, split_runs
from workbench.errors import EncodingUnavailable, InputError, LimitError, UsageError
from workbench.resources import vocabularies_dir

if TYPE_CHECKING:
    import tiktoken

__all__ = [
    "DEFAULT_ENCODING",
    "VOCABULARIES",
    "Encoding",
    "Vocabulary",
    "encoding",
    "environment",
    "known_encodings",
    "verify_vocabularies",
    "vocabulary_folder",
]

DEFAULT_ENCODING = "o200k_base"

#: Seconds that loading a vocabulary that is not bundled may take, network included.
_DOWNLOAD_SECONDS = 30.0
#: Characters of a reason that is not ours; it is cut between words.
_LONGEST_REASON = 160
_CACHE_VARIABLE = "TIKTOKEN_CACHE_DIR"
_CONTINUATION_BYTES = bytes(range(0x80, 0xC0))

#: One load at a time: the environment is the only way to tell tiktoken where to look, and one encoding object exists per name.
_LOCK = threading.RLock()


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """A published vocabulary file: where it came from and the hash under which its publisher's own loader accepts it."""

    url: str
    sha256: str

    @property
    def file_name(self) -> str:
        """The name under which tiktoken caches the file: the SHA-1 of its address."""
        return hashlib.sha1(self.url.encode(), usedforsecurity=False).hexdigest()


_PUBLISHED = "https://openaipublic.blob.core.windows.net/encodings"
#: The bundled files by the name of the encoding that they belong to.
VOCABULARIES: Mapping[str, Vocabulary] = MappingProxyType(
    {
        "cl100k_base": Vocabulary(
            f"{_PUBLISHED}/cl100k_base.tiktoken", "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7"
        ),
        "o200k_base": Vocabulary(
            f"{_PUBLISHED}/o200k_base.tiktoken", "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"
        ),
    }
)
#: Encodings that need no download, and the bundled file each reads.
_BUNDLED = MappingProxyType({"o200k_base": "o200k_base", "cl100k_base": "cl100k_base", "o200k_harmony": "o200k_base"})
#: Encodings whose splitting pattern does not tell line ends from other white space.
_LINE_BLIND = frozenset({"gpt2", "p50k_base", "p50k_edit", "r50k_base"})


@dataclass(frozen=True, slots=True, eq=False)
class Encoding:
    """
    One tiktoken vocabulary, read as a model's provider reads plain text: text that looks like a special token is ordinary.

    Every method that takes text raises InputError for a lone surrogate, which has no UTF-8 form and which tiktoken would
    silently count as U+FFFD, and LimitError for text on which tiktoken itself gives up.
    """

    name: str
    _core: tiktoken.Encoding
    _runs: re.Pattern[str] | None

    def __repr__(self) -> str:
        return f"<Encoding {self.name}>"

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return encoding, (self.name,)

    @property
    def splits_words(self) -> bool:
        """Whether its splitting pattern is one of the published ones, of which is known where pieces surely end."""
        return self.name in _BUNDLED or self.name in _LINE_BLIND

    def count(self, text: str) -> int:
        """Tokens in a text; 0 for the empty text."""
        return sum(map(len, self._encoded(text)))

    def count_many(self, texts: Iterable[str]) -> list[int]:
        """Tokens in each text, in order."""
        # One after the other: for texts as short as descriptions, tiktoken's own thread pool is five times slower.
        return [self.count(text) for text in texts]

    def starts(self, text: str) -> list[int]:
        """
        For each token the index of the CHARACTER at which it starts, never decreasing; as long as `count` is large.

        A token that starts in the middle of a character belongs to that character.
        """
        return list(self.each_start(text))

    def each_start(self, text: str) -> Iterator[int]:
        """The same, one after the other, without ever holding all tokens of a long text."""
        begun = 0
        for tokens in self._encoded(text):
            for token in self._core.decode_tokens_bytes(tokens):
                mid_character = 0x80 <= token[0] < 0xC0
                yield begun - mid_character
                begun += len(token.translate(None, _CONTINUATION_BYTES))

    def encode(self, text: str) -> list[int]:
        """The token numbers of a text; `decode_bytes` gives its UTF-8 bytes back."""
        return list(chain.from_iterable(self._encoded(text)))

    def _encoded(self, text: str) -> Iterator[Sequence[int]]:
        """The tokens of a text, those of a long one part by part."""
        _refuse_lone_surrogates(text)
        if self._runs is None or len(text) < LONG:
            yield self._ordinary(text)
            return
        for part in parts(text):
            yield _kept(self, part) if len(part) >= LONG else self._ordinary(part)

    def _with_runs(self, part: str) -> Iterator[int]:
        assert self._runs is not None, "only where the pattern is known"
        for piece, is_run in split_runs(part, self._runs):
            # Private, but the only way in: tiktoken's own step once its pattern has found a piece, and a run is one piece.
            yield from self._core._encode_single_piece(piece) if is_run else self._ordinary(piece)  # noqa: SLF001

    def decode_bytes(self, tokens: Sequence[int]) -> bytes:
        """
        The UTF-8 bytes of some tokens; a slice of tokens may begin or end inside a character.

        Raises:
            InputError: a number is no token of this encoding.
        """
        try:
            return self._core.decode_bytes(tokens)
        except (KeyError, OverflowError) as error:
            raise InputError(f"not every number is a token of {self.name}") from error

    def _ordinary(self, text: str) -> list[int]:
        try:
            return self._core.encode_ordinary(text)
        except BaseException as error:
            # A panic of the extension derives from BaseException, so that `except Exception` would let it end the program.
            if type(error).__name__ != "PanicException":
                raise
            raise LimitError(f"tiktoken gives up on this text of {len(text)} characters ({self.name})") from error


@lru_cache(maxsize=1)
def _kept(encoding: Encoding, part: str) -> array[int]:
    """A long part without a border: it takes longest, and a text like it is written into several others and counted in each."""
    return array("I", encoding._with_runs(part))  # noqa: SLF001


def encoding(name: str = DEFAULT_ENCODING) -> Encoding:
    """
    The encoding of that name, or of the OpenAI model of that name (`gpt-4o`); one object per encoding and process.

    Bundled vocabularies need no network. `TIKTOKEN_CACHE_DIR` is honoured where it holds the published file. Any other
    encoding that tiktoken knows is fetched once by tiktoken, within half a minute.

    Raises:
        UsageError: neither an encoding nor a model has that name; the message lists the encodings.
        EncodingUnavailable: the vocabulary is damaged, or neither bundled, cached nor reachable.
    """
    with _LOCK:
        return _load(_resolve(name))


def known_encodings() -> tuple[str, ...]:
    """The names of all encodings, those that need no download first."""
    import tiktoken

    return (*_BUNDLED, *sorted(set(tiktoken.list_encoding_names()) - set(_BUNDLED)))


def verify_vocabularies() -> dict[str, str]:
    """
    The SHA-256 of each bundled vocabulary by its name, read again from disk and compared with what was published.

    Raises:
        EncodingUnavailable: a file is missing or differs; the message names it.
    """
    folder = vocabularies_dir()
    for name, vocabulary in VOCABULARIES.items():
        if not _is_published(folder / vocabulary.file_name, vocabulary):
            raise EncodingUnavailable(_what_is_wrong(name, folder / vocabulary.file_name))
    return {name: vocabulary.sha256 for name, vocabulary in VOCABULARIES.items()}


def _resolve(name: str) -> str:
    import tiktoken

    known = known_encodings()
    if name in known:
        return name
    try:
        return tiktoken.encoding_name_for_model(name)
    except KeyError:
        raise UsageError(f"unknown encoding or model {name!r}; encodings are {', '.join(known)}") from None


@cache
def _load(name: str) -> Encoding:
    core = _load_bundled(name) if name in _BUNDLED else _load_other(name)
    return Encoding(name, core, run_pattern(name in _LINE_BLIND) if name in _BUNDLED or name in _LINE_BLIND else None)


def vocabulary_folder(name: str) -> Path:
    """
    A folder that holds the vocabulary of a bundled encoding under the name that tiktoken gives it; its hash has been checked.

    Raises:
        EncodingUnavailable: the file is missing or damaged.
    """
    vocabulary = VOCABULARIES[_BUNDLED[name]]
    own = vocabularies_dir()
    # The user's folder first, should the bundled file be damaged; a folder without the file must not cost the offline guarantee.
    chosen = os.environ.get(_CACHE_VARIABLE)
    folders = [Path(chosen), own] if chosen else [own]
    for folder in folders:
        if _is_published(folder / vocabulary.file_name, vocabulary):
            return folder
    raise EncodingUnavailable(_what_is_wrong(name, own / vocabulary.file_name))


def _load_bundled(name: str) -> tiktoken.Encoding:
    import tiktoken

    with environment({_CACHE_VARIABLE: str(vocabulary_folder(name))}):
        return tiktoken.get_encoding(name)


def _load_other(name: str) -> tiktoken.Encoding:
    """
    Loads a vocabulary that is not bundled, after a process of its own has filled tiktoken's cache.

    tiktoken downloads without any time-out, and holds its lock meanwhile; only another process can be stopped for certain.
    """
    import tiktoken

    folder = Path(os.environ.get(_CACHE_VARIABLE) or Path(tempfile.gettempdir()) / "data-gym-cache")
    with environment({_CACHE_VARIABLE: str(folder)}):
        failure = _fill_cache(name)
        if failure:
            raise EncodingUnavailable(
                f"the vocabulary of {name} is not bundled and could not be fetched ({failure}); bundled are "
                f"{', '.join(_BUNDLED)}; or set {_CACHE_VARIABLE} to a folder that a machine with a network has filled"
            )
        return tiktoken.get_encoding(name)


def _fill_cache(name: str) -> str:
    """Has tiktoken load an encoding in a process of its own; returns why that failed, or nothing."""
    # -P: a file of the current folder that is called tiktoken.py is not what is meant.
    command = [sys.executable, "-P", "-c", "import sys, tiktoken; tiktoken.get_encoding(sys.argv[1])", name]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, errors="replace", timeout=_DOWNLOAD_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return f"no answer within {_DOWNLOAD_SECONDS:.0f} seconds"
    except OSError as error:
        return f"no process could be started: {error.strerror}"
    reason = (done.stderr.strip() or "no reason given").splitlines()[-1]
    return "" if done.returncode == 0 else textwrap.shorten(reason, _LONGEST_REASON, placeholder=" ...")


def _what_is_wrong(name: str, path: Path) -> str:
    return (
        f"the bundled vocabulary of {name} is {'damaged' if path.exists() else 'missing'} ({path}); install the package again, "
        f"or set {_CACHE_VARIABLE} to a folder that holds the published file under the name {path.name}"
    )


def _is_published(path: Path, vocabulary: Vocabulary) -> bool:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest() == vocabulary.sha256
    except OSError:
        return False


@contextmanager
def environment(variables: Mapping[str, str | None]) -> Iterator[None]:
    """Set variables of this process, None for those that must not be set, and put them back as they were."""
    with _LOCK:
        before = {name: os.environ.get(name) for name in variables}
        _set(variables)
        try:
            yield
        finally:
            _set(before)


def _set(variables: Mapping[str, str | None]) -> None:
    for name, value in variables.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value


def _refuse_lone_surrogates(text: str) -> None:
    if text.isascii():
        return
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise InputError(
            f"the text holds half a surrogate pair, U+{ord(text[error.start]):04X}, at character {error.start}, "
            "which has no UTF-8 form and so no tokens"
        ) from None
