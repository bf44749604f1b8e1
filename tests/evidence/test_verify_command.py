"""`workbench verify`, as a shell sees it."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from evidence.bundles import SMALL, bundle, copied
from workbench.cli import main
from workbench.evidence import Evidence, collect
from workbench.evidence.bundle import seal
from workbench.evidence.material import sha256


@pytest.fixture
def good(tmp_path: Path) -> str:
    path = tmp_path / "evidence.json"
    bundle().write(path)
    return str(path)


@pytest.fixture
def bad(tmp_path: Path) -> str:
    document = copied(bundle())
    for number, row in enumerate(document["sources"][0]["tuning"]["rows"]):
        row["tokens"] += 1000 + number
        row["shortened"] += 1
    document["sources"][1]["savings"][0]["rows"][0]["costs"] = "\x1b[31m"
    path = tmp_path / "bad.json"
    Evidence(document).write(path)
    return str(path)


def test_a_good_bundle_ends_with_nothing_to_say(good: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", good]) == 0
    out, err = capsys.readouterr()
    head, *sources = out.splitlines()
    assert head.endswith("values recomputed, all equal")
    assert len(sources) == 3 and all("sha256 " in each and each.endswith("(embedded)") for each in sources)
    assert err == ""


def test_what_does_not_hold_is_listed_with_both_values(bad: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", bad]) == 1
    out = capsys.readouterr().out
    document = Evidence.read(bad).document
    tokens = document["sources"][0]["tuning"]["rows"][0]["tokens"]
    assert f"/sources/0/tuning/rows/0/tokens\n  changed: {tokens} -> {tokens - 1000}\n" in out
    assert "the bundle was edited after it was sealed" in out
    assert "\x1b" not in out and "\\u001b" in out


def test_the_list_is_bounded_unless_all_is_asked_for(
    bad: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workbench.cli.verify_command._SHOWN", 3)
    assert main(["verify", bad]) == 1
    assert capsys.readouterr().out.splitlines()[-1] == "... and 7 more (--all)"
    assert main(["verify", bad, "--all"]) == 1
    assert "more (--all)" not in capsys.readouterr().out


def test_json_has_all_of_it(bad: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", bad, "--format", "json"]) == 1
    value = json.loads(capsys.readouterr().out)
    assert set(value) == {"ok", "compared", "differences", "sources", "skipped", "notes"}
    assert (value["ok"], len(value["differences"])) == (False, 10)
    assert value["differences"][0].keys() == {"pointer", "what", "old", "new"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["none.json"], "none.json: the bundle cannot be read"),
        (["tools.json"], "tools.json: this is no evidence bundle"),
        (["evidence.json", "none.json"], "none.json: there is no such file"),
        (["evidence.json", "tools.json"], "tools.json is none of the 3 sources of the bundle"),
    ],
)
def test_what_is_not_verifiable_ends_with_two(
    arguments: list[str],
    message: str,
    good: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tools.json").write_text('{"tools": []}')
    assert main(["verify", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == "" and message in err and err.count("\n") == 1


@pytest.mark.parametrize(("patience", "why"), [(30.0, "ProxyError"), (0.001, "no answer within")])
def test_an_encoding_that_cannot_be_had_ends_in_one_line(
    patience: float, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Anybody may name an encoding in a bundle; a proxy at which nobody listens stands for a machine without a network."""
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
        monkeypatch.setenv(name.upper(), "http://127.0.0.1:9")
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr("workbench.tokens._DOWNLOAD_SECONDS", patience)
    document = copied(bundle())
    document["options"]["encodings"] = ["p50k_base"]
    document["seal"] = seal(document)
    Evidence(document).write(tmp_path / "evidence.json")
    assert main(["verify", str(tmp_path / "evidence.json")]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1
    assert "this bundle cannot be computed again here: the vocabulary of p50k_base" in err and why in err


def test_a_report_is_verified_by_its_folder_and_a_bundle_from_standard_input(
    good: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["verify", str(tmp_path)]) == 0
    told = capsys.readouterr()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(Path(good).read_bytes())))
    assert main(["verify", "-"]) == 0
    assert capsys.readouterr() == told
    assert main(["verify", str(tmp_path.parent)]) == 2
    assert "the bundle cannot be read" in capsys.readouterr().err


def test_a_kind_that_fits_nothing_is_found_under_a_new_seal(good: str, capsys: pytest.CaptureFixture[str]) -> None:
    document = copied(Evidence.read(good))
    document["sources"][0]["kind"] = "host"
    document["seal"] = seal(document)
    Evidence(document).write(good)
    assert main(["verify", good]) == 1
    assert "/sources/0/kind" in capsys.readouterr().out


def test_a_hash_stands_beside_the_source_that_it_is_of(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = tmp_path / "made.json"
    collect([{"tools": []}], options=SMALL, embed=True).write(made)
    other = tmp_path / "other.json"
    other.write_text('{"tools": [ ]}')
    assert main(["verify", str(made), str(other)]) == 1
    out = capsys.readouterr().out
    assert f"  {other}: sha256 {sha256(other.read_bytes())} (for a value in memory)\n" in out
