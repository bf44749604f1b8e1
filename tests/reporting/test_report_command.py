"""`workbench report`, as a shell sees it, where no page has to be made for it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from workbench.cli import main
from workbench.evidence import Options, collect
from workbench.reporting import Report

KEY = "sk-proj-" + "a1B2c3D4e5F6g7H8i9J0k1L2"
HOSTED = '[{"type": "mcp", "server_label": "deep", "headers": {"Authorization": "Bearer %s"}}]'
FEW = Options(renderings=("wire",), samples=1, strategies=("hard",), limits=(0,))


@pytest.mark.parametrize("embed", [True, False])
def test_a_bundle_that_holds_a_key_is_warned_of(
    embed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def report(sources: Sequence[str], out: str, *, embed: bool, **_: Any) -> Report:
        return Report(Path(out), collect(sources, options=FEW, embed=embed), ())

    monkeypatch.setattr("workbench.reporting.report", report)
    source = tmp_path / "tools.json"
    source.write_text(HOSTED % KEY)
    assert main(["report", str(source), "--out", str(tmp_path / "r"), *(["--embed"] if embed else [])]) == 0
    out, err = capsys.readouterr()
    warned = "evidence.json holds credential material as it came: openai:mcp.deep at /headers/Authorization"
    assert (warned in err) is embed
    assert KEY not in out + err
