"""
The notebooks as files: complete, small, clean, and readable from top to bottom.

Whether their recorded outputs are true is decided by running them (`make notebooks`); a cell without a recorded output would
not be compared there, so that it has one is decided here.
"""

from __future__ import annotations

import ast
import json
import re
import shlex
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import nbformat
import pytest

import workbench as wb

NOTEBOOKS = Path(__file__).parent.parent / "notebooks"
PATHS = sorted(NOTEBOOKS.glob("*.ipynb"))
SANITIZE = NOTEBOOKS / "sanitize.cfg"
#: What runs them knows these; any other is a misspelling that does nothing.
TAGS = {"parameters", "raises-exception", "nbval-ignore-output", "nbval-skip", "skip-execution"}
SIZE = 250_000  # bytes
CELLS = (10, 60)
DEF_LINES = 3
FOLDS = ("details", "summary")


def cells(path: Path, kind: str | None = None) -> list[Any]:
    found = nbformat.read(path, as_version=4).cells  # type: ignore[no-untyped-call]
    return [cell for cell in found if kind in (None, cell.cell_type)]


def outputs(path: Path) -> list[Any]:
    return [output for cell in cells(path, "code") for output in cell.outputs]


def data(path: Path, mimetype: str) -> list[str]:
    return [str(output.data[mimetype]) for output in outputs(path) if mimetype in output.get("data", {})]


def test_they_are_numbered_in_reading_order() -> None:
    assert [path.name[:3] for path in PATHS] == [f"{number:02}_" for number in range(1, len(PATHS) + 1)]
    assert PATHS


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
class TestEachNotebook:
    def test_is_valid_and_small(self, path: Path) -> None:
        nbformat.validate(nbformat.read(path, as_version=4))  # type: ignore[no-untyped-call]
        assert path.stat().st_size < SIZE
        assert CELLS[0] <= len(cells(path)) <= CELLS[1]

    def test_asks_a_question_and_says_what_openwop_is(self, path: Path) -> None:
        first = cells(path)[0]
        assert first.cell_type == "markdown"
        title, *prose = first.source.splitlines()
        assert title.startswith("# ")
        assert title.endswith("?")
        for word in ("OpenWOP", "RFC 0112", "**tool catalog**", "**standard view**", "**compact view**"):
            assert word in " ".join(prose)

    def test_explains_before_it_shows(self, path: Path) -> None:
        kinds = [cell.cell_type for cell in cells(path)]
        runs = re.findall(r"(?:code )+", " ".join(kinds) + " ")
        assert max(run.count("code") for run in runs) <= 3

    def test_reads_what_each_section_shows(self, path: Path) -> None:
        """A sentence about it: printed, with its numbers, or a text cell that says so in its id. The summary is one by itself."""
        sections: list[list[Any]] = [[]]
        for cell in cells(path):
            if cell.source.startswith("## "):
                sections.append([])
            sections[-1].append(cell)
        for section in sections:
            kinds = {output.output_type for cell in section for output in cell.get("outputs", [])}
            read = "stream" in kinds or any(cell.id.endswith("reading") for cell in section)
            assert read or not kinds or any(cell.id in ("closing", "panel") for cell in section), section[0].source

    def test_keeps_numbers_out_of_prose(self, path: Path) -> None:
        """Nothing compares prose with what was measured; a cell prints the sentence that has the number."""
        for cell in cells(path, "markdown"):
            prose = re.sub(r"`[^`]*`|\]\([^)]*\)|RFC \d{4}", "", cell.source)
            assert not re.search(r"\d", prose), prose

    def test_has_parameters_that_are_literals(self, path: Path) -> None:
        (place, found), *others = [
            (place, cell)
            for place, cell in enumerate(cells(path, "code"))
            if "parameters" in cell.metadata.get("tags", [])
        ]
        assert (place, others) == (0, [])
        statements = ast.parse(found.source).body
        assert ast.unparse(statements[0]).startswith(("SOURCE = 'sample:", "SOURCES = ['sample:"))
        for statement in statements:
            assert isinstance(statement, ast.Assign)
            ast.literal_eval(statement.value)

    def test_was_run_from_top_to_bottom_without_a_fault(self, path: Path) -> None:
        code = cells(path, "code")
        assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
        kinds = {output.output_type for output in outputs(path)}
        assert kinds <= {"execute_result", "stream", "display_data"}
        assert {output.name for output in outputs(path) if output.output_type == "stream"} <= {"stdout"}

    def test_carries_nothing_of_the_machine_it_ran_on(self, path: Path) -> None:
        for cell in cells(path):
            assert set(cell.metadata) <= {"tags"}
            assert set(cell.metadata.get("tags", [])) <= TAGS
        text = path.read_text("utf-8")
        for trace in ("/home/", "/root/", "/Users/", "/tmp/", "site-packages", "object at 0x", '"version": "3.'):
            assert trace not in text
        assert nbformat.read(path, as_version=4).metadata.kernelspec.name == "python3"  # type: ignore[no-untyped-call]

    def test_calls_the_package_and_leaves_the_logic_to_it(self, path: Path) -> None:
        for cell in cells(path, "code"):
            for node in ast.walk(ast.parse(cell.source)):
                assert not isinstance(node, ast.ClassDef)
                if isinstance(node, ast.FunctionDef):
                    assert (node.end_lineno or 0) - node.lineno < DEF_LINES

    def test_asserts_what_it_claims(self, path: Path) -> None:
        nodes = [node for cell in cells(path, "code") for node in ast.walk(ast.parse(cell.source))]
        assert sum(isinstance(node, ast.Assert) for node in nodes) >= 3

    def test_shows_text_of_a_catalog_as_data_only(self, path: Path) -> None:
        """The tables of this package escape every cell; nothing else may bring HTML or Markdown along."""
        for shown in data(path, "text/html"):
            assert shown.startswith('<table class="workbench-table')
            assert set(re.findall(r"<(\w+)", shown)) <= {
                *("table", "caption", "thead", "tbody", "tr", "th", "td"),
                *FOLDS,
            }
        for mimetype in ("text/markdown", "text/latex", "application/javascript"):
            assert data(path, mimetype) == []

    def test_gives_the_numbers_before_a_picture_draws_them(self, path: Path) -> None:
        """Pictures are not compared with the recorded ones; the table before each, and its words, are."""
        tables = 0
        for cell in cells(path, "code"):
            for output in cell.outputs:
                tables += "text/html" in output.get("data", {})
                if "image/png" in output.get("data", {}):
                    assert tables > 0
                    assert output.data["text/plain"] == output.metadata["image/png"]["alt"]
                    tables = 0

    def test_works_wherever_it_is_copied(self, path: Path) -> None:
        """Nothing is read from beside it: catalogs that come with the workbench are asked for by `sample:`."""
        for cell in cells(path, "code"):
            assert not re.search(r"open\(|Path\(|\.\./|\.jsonl?\b|__file__|getcwd|^[!%]", cell.source, re.MULTILINE)

    def test_names_cells_so_that_they_can_be_spoken_of(self, path: Path) -> None:
        ids = [cell.id for cell in cells(path)]
        assert len(set(ids)) == len(ids)
        assert all(re.fullmatch(r"[a-z]+(-[a-z]+)*", name) for name in ids)

    def test_has_no_link_that_a_page_made_of_it_could_not_follow(self, path: Path) -> None:
        for cell in cells(path, "markdown"):
            assert set(re.findall(r"\]\((?!https://)([^)]*)\)", cell.source)) == set()


class TestOtherSources:
    """Notebook 1 as a user runs it: with the parameters changed, and nothing else."""

    def test_a_host_by_its_address(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        with wb.serve(wb.load("sample:small"), faults=["dropped-tool"]) as host:
            for name, key in host.keys.items():
                monkeypatch.setenv(f"KEY_OF_{name.upper()}", key)
            names = run(PATHS[0], SOURCE=host.url, KEY="KEY_OF_ALICE", OTHER_KEY="KEY_OF_BOB", FAULTS=["no-401"])
        assert names["result"].host == host.url
        assert [each.id for each in names["failed"]] == ["unauthenticated"]
        assert names["result"]["same-tool-ids"].status == "fail"
        assert names["result"]["non-disclosure"].status == "pass"
        assert len(names["catalog"]) == 5
        assert not any(key in capsys.readouterr().out for key in host.keys.values())

    def test_an_mcp_server(self) -> None:
        command = [str(Path(sys.executable).parent / "mcp-server-time"), "--local-timezone", "UTC"]
        names = run(PATHS[0], SOURCE=f"mcp:{shlex.join(command)}")
        assert {tool_id.partition(".")[2] for tool_id in names["catalog"].ids} == {"convert_time", "get_current_time"}
        assert names["result"].ok


#: Catalogs of users that are unlike the samples: nothing in them, nothing said, nothing told apart, nothing right.
PLAIN: dict[str, Any] = {"type": "object", "properties": {"q": {"type": "string"}}}
_SCHEMAS: tuple[Any, ...] = (None, [], "x", True, {"type": 17}, {"properties": {"x": {"$ref": "#/no"}}})
OWN: dict[str, list[dict[str, Any]]] = {
    "empty": [],
    "one": [{"name": "one", "description": "Does one thing.", "inputSchema": PLAIN}],
    "undescribed": [{"name": "a", "inputSchema": {"type": "object"}}, {"name": "b", "inputSchema": {"type": "object"}}],
    "chinese": [
        {"name": "查询天气", "description": "查询指定城市的天气预报。请勿频繁调用。", "inputSchema": PLAIN},
        {"name": "发送邮件", "description": "向指定收件人发送电子邮件。", "inputSchema": PLAIN},
    ],
    "twice": [{"toolId": "mcp:a", "source": "mcp", "safetyTier": "exec", "description": "x"}] * 2,
    "broken": [
        {"toolId": f"mcp:{place}", "source": "mcp", "safetyTier": "write", "description": place, "inputSchema": schema}
        for place, schema in enumerate(_SCHEMAS)
    ],
    "beside": [
        {
            "toolId": f"mcp:{place}",
            "source": "mcp",
            "safetyTier": "write",
            "inputSchema": {"properties": {"x": {place: None}}},
        }
        for place in ("const", "enum", "items", "required", "maximum", "minLength")
    ],
    "hosted": [{"type": "web_search"}, {"type": "code_interpreter", "container": {"type": "auto"}}],
}


@pytest.mark.parametrize("kind", OWN)
@pytest.mark.parametrize("path", PATHS[:4], ids=lambda path: path.stem[:2])
def test_runs_on_any_catalog_that_can_be_read(
    path: Path, kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "tools.json"
    source.write_text(json.dumps({"tools": OWN[kind]}), "utf-8")
    names = run(path, SOURCE=str(source), OTHERS=["small"])
    assert len(names["catalog"]) == len(OWN[kind])
    told = capsys.readouterr().out
    assert told
    for trace in ("of None", "nan", "inf", "null"):
        assert trace not in told


def run(path: Path, **parameters: Any) -> dict[str, Any]:
    """Run the cells of a notebook in this process, with other parameters, make what they show, and give its names."""
    names: dict[str, Any] = {}
    for cell in cells(path, "code"):
        body = ast.parse(cell.source).body
        last = body.pop() if isinstance(body[-1], ast.Expr) else None
        exec(compile(ast.Module(body, []), cell.id, "exec"), names)
        shown = (
            eval(compile(ast.Expression(last.value), cell.id, "eval"), names) if isinstance(last, ast.Expr) else None
        )
        getattr(shown, "_repr_html_", lambda: None)()
        given = parameters.keys() & names.keys() if "parameters" in cell.metadata.get("tags", []) else ()
        names.update({name: parameters[name] for name in given})
    return names


def test_every_notebook_but_the_last_leads_to_the_next() -> None:
    for path, following in pairwise(PATHS):
        assert f"`{following.name}`" in cells(path)[-1].source


def test_what_is_sanitized_is_no_number_that_we_claim() -> None:
    lines = [line for line in SANITIZE.read_text().splitlines() if line.startswith(("regex: ", "replace: "))]
    assert [line.partition(":")[0] for line in lines] == ["regex", "replace"] * (len(lines) // 2)
    for pattern in (line.removeprefix("regex: ") for line in lines[::2]):
        for claim in ("9,313", "29.8%", "0.5", "1591", "100.0%"):
            assert not re.search(pattern, claim)
    assert all(line.removeprefix("replace: ").isupper() for line in lines[1::2])
