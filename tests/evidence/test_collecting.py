"""Collecting: a bundle says what the results say, is the same for the same, and is written and read with care."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest
from catalog_strategies import catalogs
from hypothesis import given, settings

import workbench as wb
from evidence.bundles import KEYS, SMALL, bundle, copied
from workbench.catalog import Catalog
from workbench.errors import CatalogError, HostError, InputError, LimitError, OutputError, UsageError, WorkbenchError
from workbench.evidence import Evidence, Options, collect, verify
from workbench.evidence import bundle as bundle_module
from workbench.evidence.bundle import seal
from workbench.renderings import RENDERINGS
from workbench.values import dumps

EPOCH = "1700000000"


# Laws


@settings(max_examples=6)
@given(catalog=catalogs(max_size=2))
def test_what_was_collected_is_read_again_and_verifies(catalog: Catalog) -> None:
    evidence = collect([catalog], options=SMALL, embed=True)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "evidence.json")
        evidence.write(path)
        assert Evidence.read(path) == evidence
        assert verify(path).differences == ()


def test_two_processes_write_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One of them is this one; its hash seed is another."""
    code = (
        "import workbench as wb; from workbench.evidence import Options\n"
        f"options = Options(samples={SMALL.samples}, limits={SMALL.limits}, strategies={SMALL.strategies})\n"
        "wb.collect(['sample:small'], options=options, embed=True).write('theirs.json')"
    )
    monkeypatch.setenv("SOURCE_DATE_EPOCH", EPOCH)
    other = "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2"
    with subprocess.Popen(
        [sys.executable, "-c", code], cwd=tmp_path, env=os.environ | {"PYTHONHASHSEED": other}
    ) as process:
        collect(["sample:small"], options=SMALL, embed=True).write(tmp_path / "ours.json")
    assert process.returncode == 0
    assert (tmp_path / "ours.json").read_bytes() == (tmp_path / "theirs.json").read_bytes()


def test_only_the_generated_block_differs_from_run_to_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    tools = [{"toolId": "mcp:a", "source": "mcp", "safetyTier": "read"}]
    now = collect([tools], options=SMALL)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", EPOCH)
    then = collect([tools], options=SMALL)
    differing = {name for name, value in now.document.items() if then.document[name] != value}
    assert differing == {"generated"}
    assert then.document["generated"] == {
        "at": "2023-11-14T22:13:20Z",
        "seconds": None,
        "sources": [{"seconds": None, "timings": {}}],
    }
    assert now.seal == then.seal


def test_a_bundle_says_what_the_results_say() -> None:
    for part, examined in zip(bundle().sources, bundle().examined, strict=True):
        catalog = examined.catalog
        assert [each["rendering"] for each in part["budgets"]] == list(RENDERINGS)
        whole = wb.budget(catalog).to_json()
        assert {name: part["budgets"][0][name] for name in whole.keys() - {"turns"}} == {
            name: value for name, value in whole.items() if name != "turns"
        }
        for by in ("field", "keyword", "depth"):
            assert sum(row["standard"] for row in part["budgets"][0][f"{by}s"]) == whole["total"]["standard"]
        assert part["checks"]["standard"] == wb.check(catalog).to_json()
        assert part["projection"]["losses"] == [loss.to_json() for loss in wb.project(catalog).losses]
        tuning = examined.tuning.to_json()
        assert part["tuning"]["cap"] == tuning["cap"] and part["tuning"]["recommended"] == tuning["recommended"]
        for curve in part["tuning"]["curves"]:
            rows = [row for row in tuning["rows"] if row["strategy"] == curve["strategy"]]
            assert list(zip(part["tuning"]["limits"], curve["tokens"], strict=True)) == [
                (row["limit"], row["tokens"]) for row in rows
            ]
    host = bundle().examined[2].material.host
    assert host is not None
    assert bundle().sources[2]["probe"] == host.probe.to_json()


def test_a_rendering_that_cannot_be_made_says_why() -> None:
    refused = {each["rendering"]: each["refused"] for each in bundle().sources[0]["budgets"] if "refused" in each}
    assert set(refused) == {"openai", "openai-responses", "anthropic", "gemini", "harmony"}
    assert "would both be called" in refused["openai"]


def test_the_seal_names_a_bundle_whatever_the_time() -> None:
    document = copied(bundle())
    document["generated"]["at"] = "2001-01-01T00:00:00Z"
    assert seal(document) == bundle().seal
    document["sources"][0]["tools"] += 1
    assert seal(document) != bundle().seal


def test_no_credential_and_no_name_of_this_machine_is_in_a_bundle() -> None:
    text = dumps(bundle().document)
    assert not [key for key in KEYS.values() if key in text]
    assert os.uname().nodename not in dumps(bundle().document["environment"])


# Sources


def test_a_catalog_is_known_by_the_bytes_that_came(tmp_path: Path) -> None:
    path = tmp_path / "tools.json"
    path.write_bytes(b'\xef\xbb\xbf{ "tools": [{"name": "book", "description": "B\xc3\xbccher"}] }\n')
    part = collect([str(path)], options=SMALL, embed=True, server=None).sources[0]
    assert (part["kind"], part["form"], part["name"]) == ("file", "mcp", str(path))
    assert part["received"]["bytes"] == path.stat().st_size
    assert part["embedded"]["catalog"].encode() == path.read_bytes()


def test_the_name_of_a_server_is_found_again(tmp_path: Path) -> None:
    path = tmp_path / "tools.json"
    path.write_text('{"tools": [{"name": "book"}, {"name": "find.free"}]}')
    named = wb.load(path, server="office.north")
    evidence = collect([named], options=SMALL, embed=True)
    assert evidence.sources[0]["server"] == "office.north"
    assert evidence.sources[0]["budgets"][0]["tools"][1]["toolId"] == "mcp:office.north.find.free"
    assert verify(evidence).ok


def test_a_catalog_that_was_changed_after_it_was_read_is_its_own_text() -> None:
    whole = wb.load("sample:small")
    fewer = Catalog(whole.tools[:2], "standard", whole.source, whole.form, (), whole.received)
    evidence = collect([fewer], options=SMALL, embed=True)
    assert evidence.sources[0]["tools"] == 2
    assert evidence.sources[0]["received"] == evidence.sources[0]["views"]["standard"]
    assert verify(evidence).ok


def test_a_catalog_that_only_bears_the_name_of_a_sample_has_none_of_its_sentences() -> None:
    other = Catalog.from_json([{"toolId": "mcp:a", "source": "mcp", "safetyTier": "read"}], source="sample:twenty")
    assert collect([other], options=SMALL).sources[0]["tuning"]["queries"] == 0


@pytest.mark.parametrize(
    ("sources", "options", "message"),
    [
        ([], Options(), "at least one source"),
        ("sample:small", Options(), "a list"),
        (["sample:none"], Options(), "no bundled sample"),
        (["sample:small"], Options(encodings=("no",)), "unknown encoding"),
        (["sample:small"], Options(encodings=()), "at least one encoding"),
        (["sample:small"], Options(renderings=("no",)), "unknown rendering"),
        (["sample:small"], Options(samples=0), "1 to 10,000 samples"),
        (["sample:small"], Options(samples=10_001), "1 to 10,000 samples"),
        (["sample:small"], Options(strategies=("no",)), "unknown strategy"),  # type: ignore[arg-type]
        (["sample:small"], Options(unit="no"), "unknown unit"),  # type: ignore[arg-type]
        (["sample:small"], Options(limits=()), "at least one is needed"),
        (["sample:small"], Options(limits=(-1,)), "from 0 up"),
        ([wb.project(wb.load("sample:small")).catalog], Options(), "standard view"),
    ],
)
def test_what_does_not_fit_is_refused(sources: Any, options: Options, message: str) -> None:
    with pytest.raises(WorkbenchError, match=message):
        collect(sources, options=options)


def test_a_credential_is_not_sent_to_two_hosts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KEY", "k" * 20)
    two = ["https://one.example", "mcp:https://two.example/mcp"]
    with pytest.raises(UsageError, match="several hosts"):
        collect(two, options=SMALL, token_env="KEY")
    with pytest.raises(UsageError, match="several hosts"):
        verify(bundle(), two, token_env="KEY")


def test_a_time_that_is_none_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "yesterday")
    with pytest.raises(UsageError, match="SOURCE_DATE_EPOCH"):
        collect([[]], options=SMALL)


def test_progress_counts_to_the_end() -> None:
    said: list[tuple[int, int]] = []
    collect([[], []], options=SMALL, progress=lambda done, total: said.append((done, total)))
    assert [done for done, _ in said] == list(range(1, said[-1][1] + 1))
    assert len({total for _, total in said}) == 1


# Files


def _changed(**changes: Any) -> dict[str, Any]:
    return {**copied(bundle()), **changes}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "JSON"),
        ("[]", "no evidence bundle"),
        ('{"tools": []}', "no evidence bundle"),
        (dumps(bundle_module.FORMAT), "no evidence bundle"),
        (lambda: dumps(_changed(version=2)), "version 2, and this program reads version 1"),
        (lambda: dumps(_changed(version=True)), "at /version"),
        (lambda: dumps(_changed(version=1.0, extra=1)), "'extra' was unexpected"),
        (lambda: dumps(bundle().document)[:-40], "line 1"),
        (lambda: dumps(_changed(seal="x" * 64)), "at /seal"),
        (lambda: dumps(_changed(seal="A" * 64)), "at /seal"),
        (lambda: dumps(_changed(seal="a" * 64 + "\n")), "at /seal"),
        (lambda: dumps(_changed(options=None)), "at /options"),
        (lambda: dumps(_changed(sources=[])), "at /sources"),
        (lambda: dumps(bundle().document).replace('"tools":3,', '"tools":3,"tools":3,', 1), "twice"),
    ],
)
def test_what_is_no_bundle_is_refused_and_says_why(tmp_path: Path, content: Any, message: str) -> None:
    path = tmp_path / "evidence.json"
    path.write_text(content if isinstance(content, str) else content())
    with pytest.raises(InputError, match=re.escape(message)) as refusal:
        Evidence.read(path)
    assert str(path) in str(refusal.value)


def test_a_missing_folder_or_over_large_file_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="No such file"):
        Evidence.read(tmp_path / "none.json")
    with pytest.raises(InputError, match="cannot be read"):
        Evidence.read(tmp_path)
    bundle().write(tmp_path / "evidence.json")
    monkeypatch.setattr(bundle_module, "MAX_BUNDLE", 1_000)
    with pytest.raises(LimitError, match="1,000"):
        Evidence.read(tmp_path / "evidence.json")
    with pytest.raises(LimitError, match="embed less"):
        bundle().write(tmp_path / "evidence.json")


def test_a_bundle_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "evidence.json"
    bundle().write(path)
    before = path.read_bytes()
    with pytest.raises(InputError, match="does not fit its schema"):
        Evidence(_changed(seal=7)).write(path)
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["evidence.json"]
    with pytest.raises(OutputError):
        bundle().write(tmp_path / "none" / "evidence.json")


def test_a_bundle_shows_itself() -> None:
    assert "<table" in bundle()._repr_html_()
    assert re.fullmatch(r"<Evidence of 3 sources, seal [0-9a-f]{12}>", repr(bundle()))
    assert json.loads(json.dumps(bundle().to_json())) == bundle().document


def test_a_catalog_that_is_none_names_its_source(tmp_path: Path) -> None:
    (tmp_path / "tools.json").write_text('{"tools": 7}')
    with pytest.raises(CatalogError, match=r"tools\.json"):
        collect([tmp_path / "tools.json"], options=SMALL)


def test_the_options_of_load_are_those_of_a_host_too() -> None:
    """A name for servers means nothing to a host, and what no source has is refused before any is reached."""
    url = "http://127.0.0.1:9"
    with pytest.raises(HostError, match="no connection"):
        collect([url], server="office", view="standard")
    for source in (url, "sample:small"):
        with pytest.raises(UsageError, match="the standard view"):
            collect([source], view="compact")
        with pytest.raises(UsageError, match="no option 'retries'"):
            collect([source], retries=1)
