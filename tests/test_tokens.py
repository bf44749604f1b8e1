"""Counts are exact, offline and independent of tiktoken's own cache; package data is never touched."""

from __future__ import annotations

import hashlib
import os
import pickle
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import tiktoken
from hypothesis import given
from hypothesis import strategies as st

from workbench import tokens
from workbench.borders import run_pattern, split_runs
from workbench.errors import EncodingUnavailable, InputError, LimitError, UsageError
from workbench.resources import vocabularies_dir
from workbench.tokens import VOCABULARIES, Encoding, encoding, known_encodings, verify_vocabularies

ENCODINGS = ("o200k_base", "cl100k_base")
SPECIAL = "<|endoftext|>"

_TEXTS = st.one_of(
    st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=60),
    st.lists(
        st.sampled_from(["List", " open", "\n", "  ", "\t", "天気", "🦩", "e\u0301", "123456", SPECIAL, '{"a":', "'s"])
    ).map("".join),
)


@pytest.fixture(params=ENCODINGS)
def each(request: pytest.FixtureRequest) -> Encoding:
    return encoding(request.param)


@pytest.fixture
def fresh_loads(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Forgets every loaded encoding, here and in tiktoken, for the time of one test."""
    monkeypatch.setattr(tiktoken.registry, "ENCODINGS", {})
    tokens._load.cache_clear()
    yield
    tokens._load.cache_clear()


class TestLaws:
    @given(_TEXTS, st.sampled_from(ENCODINGS))
    def test_decoding_gives_the_text_back(self, text: str, name: str) -> None:
        assert encoding(name).decode_bytes(encoding(name).encode(text)).decode() == text

    @given(_TEXTS, st.sampled_from(ENCODINGS))
    def test_starts_are_one_per_token_and_never_decrease(self, text: str, name: str) -> None:
        starts = encoding(name).starts(text)
        assert len(starts) == encoding(name).count(text)
        assert starts == sorted(starts)
        assert starts[:1] == ([0] if text else [])
        assert all(0 <= start < len(text) for start in starts)

    @given(_TEXTS, st.sampled_from(ENCODINGS))
    def test_starts_agree_with_a_slow_reference(self, text: str, name: str) -> None:
        owners = [index for index, character in enumerate(text) for _ in character.encode()]
        expected, offset = [], 0
        for token in encoding(name).encode(text):
            expected.append(owners[offset])
            offset += len(encoding(name).decode_bytes([token]))
        assert encoding(name).starts(text) == expected

    @given(st.lists(_TEXTS, max_size=5), st.sampled_from(ENCODINGS))
    def test_counting_many_is_counting_each(self, texts: list[str], name: str) -> None:
        assert encoding(name).count_many(texts) == [encoding(name).count(text) for text in texts]

    @given(_TEXTS, st.sampled_from(ENCODINGS))
    def test_agrees_with_tiktoken(self, text: str, name: str) -> None:
        assert encoding(name).encode(text) == tiktoken.get_encoding(name).encode(text, disallowed_special=())

    @given(st.text(alphabet=" \t\xa0\u3000\n\ra1'!/é\u0301\x1c", max_size=30), st.sampled_from(ENCODINGS))
    def test_long_white_space_is_split_where_no_token_crosses(self, text: str, name: str) -> None:
        core = tiktoken.get_encoding(name)
        split = split_runs(text, run_pattern(name in tokens._LINE_BLIND, shortest=2))
        apart = [core._encode_single_piece(part) if run else core.encode_ordinary(part) for part, run in split]
        assert [token for part in apart for token in part] == core.encode_ordinary(text)


class TestCounts:
    @pytest.mark.parametrize(
        ("text", "o200k", "cl100k"),
        [
            ("", 0, 0),
            ("hello world", 2, 2),
            ("tiktoken is great!", 6, 6),  # OpenAI's cookbook on counting tokens gives the rows from here on
            ("antidisestablishmentarianism", 6, 6),
            ("2 + 2 = 4", 7, 7),
            ("お誕生日おめでとう", 8, 9),
            ("Lists open invoices.", 4, 4),
        ],
    )
    def test_published_counts(self, text: str, o200k: int, cl100k: int) -> None:
        assert (encoding("o200k_base").count(text), encoding("cl100k_base").count(text)) == (o200k, cl100k)

    def test_published_token_numbers(self) -> None:
        # The same page prints these.
        assert encoding("cl100k_base").encode("tiktoken is great!") == [83, 1609, 5963, 374, 2294, 0]
        assert encoding("o200k_base").encode("お誕生日おめでとう") == [
            8930,
            9697,
            243,
            128225,
            8930,
            17693,
            4344,
            48669,
        ]

    def test_raw_characters_are_counted_not_their_escapes(self) -> None:
        text = (
            '{"name":"天気予報","description":"都市名を受け取り、三日間の天気予報を返します。単位は摂氏です。","inputSchema":'
            '{"type":"object","properties":{"都市":{"type":"string","description":"例：札幌市"}},"required":["都市"]}}'
        )
        assert (encoding("o200k_base").count(text), encoding("cl100k_base").count(text)) == (68, 79)

    def test_special_text_is_ordinary(self, each: Encoding) -> None:
        assert each.count(SPECIAL) == 7
        assert each.count(SPECIAL) == len(each.starts(SPECIAL))

    def test_a_token_inside_a_character_belongs_to_it(self) -> None:
        assert encoding().starts("a🦩🦩b") == [0, 1, 1, 1, 2, 2, 2, 3]

    @pytest.mark.parametrize(
        ("unit", "times", "tail", "o200k", "cl100k"),
        [
            ("^", 1_000_000, "", 125_000, 250_000),
            ("a", 1_000_000, "", 125_000, 125_000),
            ("漢", 1_000_000, "", 1_000_000, 2_000_000),
            ("\n", 1_000_000, "", 62_500, 31_250),
            # tiktoken alone aborts on these. 128 is the longest token of blanks.
            (" ", 1_000_000, "", 7_813, 7_813),
            (" ", 128 * 10_000 + 1, "x", 10_001, 10_001),
        ],
    )
    def test_a_million_times_one_character(self, unit: str, times: int, tail: str, o200k: int, cl100k: int) -> None:
        text = unit * times + tail
        assert (encoding("o200k_base").count(text), encoding("cl100k_base").count(text)) == (o200k, cl100k)

    def test_a_panic_of_the_extension_is_a_limit(self, each: Encoding) -> None:
        unguarded = Encoding(each.name, each._core, None)
        with pytest.raises(LimitError, match="tiktoken gives up on this text of 1200001 characters"):
            unguarded.count(" " * 1_200_000 + "x")


class TestRefusals:
    @pytest.mark.parametrize("text", ["ab\ud83e", "\udd81", "\ud83e\udd81"])
    def test_half_a_surrogate_pair(self, each: Encoding, text: str) -> None:
        for call in (each.count, each.starts, each.encode):
            with pytest.raises(InputError, match="half a surrogate pair"):
                call(text)

    def test_unknown_token_numbers(self, each: Encoding) -> None:
        for number in (-1, 10**7, 10**12):
            with pytest.raises(InputError, match=f"token of {each.name}"):
                each.decode_bytes([number])

    def test_unknown_name_lists_what_there_is(self) -> None:
        with pytest.raises(UsageError, match=r"'nonsense'.*o200k_base, cl100k_base"):
            encoding("nonsense")


class TestNames:
    def test_one_object_per_encoding(self) -> None:
        assert encoding() is encoding("o200k_base") is encoding("gpt-4o") is encoding("gpt-4o-2024-05-13")
        assert encoding("gpt-4") is encoding("cl100k_base")

    def test_one_object_for_all_threads(self, fresh_loads: None) -> None:
        found: list[Encoding] = []
        threads = [threading.Thread(target=lambda: found.append(encoding())) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(found) == 8
        assert len(set(map(id, found))) == 1

    def test_survives_pickling_as_itself(self, each: Encoding) -> None:
        assert pickle.loads(pickle.dumps(each)) is each

    def test_harmony_shares_the_bundled_vocabulary(self) -> None:
        assert encoding("o200k_harmony").encode("open invoices") == encoding("o200k_base").encode("open invoices")

    def test_every_encoding_of_tiktoken_is_known(self) -> None:
        assert sorted(known_encodings()) == sorted(tiktoken.list_encoding_names())


class TestBundledFiles:
    def test_hashes_are_those_that_tiktoken_expects(self) -> None:
        import tiktoken_ext.openai_public

        source = Path(tiktoken_ext.openai_public.__file__).read_text()
        assert verify_vocabularies().keys() == VOCABULARIES.keys()
        for name, sha256 in verify_vocabularies().items():
            assert VOCABULARIES[name].url in source
            assert sha256 in source

    def test_the_readme_beside_them_tells_the_same(self) -> None:
        text = (vocabularies_dir() / "README.txt").read_text()
        for vocabulary in VOCABULARIES.values():
            assert all(fact in text for fact in (vocabulary.url, vocabulary.file_name, vocabulary.sha256))

    def test_nothing_else_lies_beside_them(self) -> None:
        names = {path.name for path in vocabularies_dir().iterdir()}
        assert names == {"README.txt"} | {vocabulary.file_name for vocabulary in VOCABULARIES.values()}

    def test_need_neither_network_nor_home_nor_a_place_to_write(self, tmp_path: Path) -> None:
        script = (
            "import socket\n"
            "def refuse(*_, **__): raise SystemExit('reached for the network')\n"
            "socket.socket.connect = socket.getaddrinfo = refuse\n"
            "from workbench.tokens import encoding\n"
            "print(encoding('o200k_base').count('Lists open invoices.'), encoding('cl100k_base').count('Lists open invoices.'))\n"
        )
        empty = tmp_path / "empty"
        empty.mkdir()
        environment = {"PATH": os.environ["PATH"], "HOME": str(empty), "TMPDIR": str(empty)}
        root = Path(tokens.__file__).parents[1]
        command = [sys.executable, "-c", script]
        done = subprocess.run(command, env=environment, cwd=root, capture_output=True, text=True, check=False)
        assert (done.stdout, done.stderr, done.returncode) == ("4 4\n", "", 0)
        assert list(empty.iterdir()) == []

    def test_loading_leaves_the_environment_as_it_was(self, fresh_loads: None, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("TIKTOKEN_CACHE_DIR", raising=False)
        before = dict(os.environ)
        encoding("cl100k_base")
        assert dict(os.environ) == before

    def test_importing_the_module_does_not_import_tiktoken(self) -> None:
        script = "import sys, workbench.tokens; sys.exit('tiktoken' in sys.modules)"
        root = Path(tokens.__file__).parents[1]
        assert subprocess.run([sys.executable, "-c", script], cwd=root, check=False).returncode == 0


@pytest.fixture
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fresh_loads: None) -> Path:
    """A copy of the bundled files that takes their place."""
    copy = tmp_path / "vocabularies"
    shutil.copytree(vocabularies_dir(), copy)
    monkeypatch.setattr(tokens, "vocabularies_dir", lambda: copy)
    monkeypatch.delenv("TIKTOKEN_CACHE_DIR", raising=False)
    return copy


class TestDamage:
    def test_a_damaged_file_is_refused_and_left_in_place(self, own_folder: Path) -> None:
        path = own_folder / VOCABULARIES["cl100k_base"].file_name
        path.write_bytes(path.read_bytes()[:-1] + b"x")
        before = hashlib.sha256(path.read_bytes()).digest()
        with pytest.raises(EncodingUnavailable, match=r"cl100k_base is damaged .*install the package again"):
            encoding("cl100k_base")
        with pytest.raises(EncodingUnavailable, match="cl100k_base is damaged"):
            verify_vocabularies()
        assert hashlib.sha256(path.read_bytes()).digest() == before
        assert encoding("o200k_base").count("Lists open invoices.") == 4

    def test_a_missing_file_is_said_and_never_fetched(self, own_folder: Path) -> None:
        path = own_folder / VOCABULARIES["o200k_base"].file_name
        path.unlink()
        with pytest.raises(EncodingUnavailable, match=f"o200k_base is missing .*TIKTOKEN_CACHE_DIR .*{path.name}"):
            encoding()
        assert not path.exists()


class TestCacheDirectoryOfTheUser:
    def test_is_honoured_where_it_holds_the_file(
        self, own_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        theirs = tmp_path / "theirs"
        shutil.copytree(own_folder, theirs)
        shutil.rmtree(own_folder)
        monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(theirs))
        assert encoding().count("Lists open invoices.") == 4
        assert os.environ["TIKTOKEN_CACHE_DIR"] == str(theirs)

    @pytest.mark.parametrize("content", [None, b"damaged"])
    def test_without_the_published_file_the_bundled_one_serves(
        self, own_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes | None
    ) -> None:
        theirs = tmp_path / "theirs"
        theirs.mkdir()
        path = theirs / VOCABULARIES["o200k_base"].file_name
        if content is not None:
            path.write_bytes(content)
        monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(theirs))
        assert encoding().count("Lists open invoices.") == 4
        assert (path.read_bytes() if path.exists() else None) == content


class TestOtherEncodings:
    """Nothing here may reach the network, so a proxy address on this machine at which nobody listens stands for its absence."""

    @pytest.fixture(autouse=True)
    def no_way_out(self, fresh_loads: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
            monkeypatch.setenv(name, "http://127.0.0.1:9")
            monkeypatch.setenv(name.lower(), "http://127.0.0.1:9")
        for name in ("NO_PROXY", "no_proxy"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))

    def test_one_that_cannot_be_fetched_is_named(self) -> None:
        with pytest.raises(EncodingUnavailable, match="p50k_base is not bundled and could not be fetched") as caught:
            encoding("p50k_base")
        assert "TIKTOKEN_CACHE_DIR" in str(caught.value)
        assert "\n" not in str(caught.value)

    def test_a_download_that_hangs_is_stopped(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(tokens, "_DOWNLOAD_SECONDS", 0.001)
        with pytest.raises(EncodingUnavailable, match="no answer within"):
            encoding("p50k_base")
