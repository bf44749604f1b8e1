"""Making a report: sources in, a folder with everything that a reviewer needs out."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from workbench.catalog import Catalog
from workbench.errors import InputError, OutputError, UsageError
from workbench.evidence import MAX_BUNDLE, Evidence, Options, collect
from workbench.evidence.bundle import FORMAT
from workbench.reporting.folder import built
from workbench.reporting.fonts import a_place_for_fonts
from workbench.reporting.reading import named
from workbench.reporting.verdict import falls_short, verdict
from workbench.resources import notebooks_dir
from workbench.values import read_json

if TYPE_CHECKING:
    from workbench.evidence import Source

__all__ = ["FILES", "Report", "report", "write"]

#: All that a folder of a report holds.
FILES: Final = ("evidence.json", "figures", "index.html", "report.md")
#: What a folder that is replaced may hold.
_REPLACED: Final = (*FILES, "figures/*.svg", "figures/*.png")
_NOTEBOOK: Final = "05_what_is_the_evidence.ipynb"
#: Cells of the notebook that are for those who run it themselves.
_ABOUT_RUNNING: Final = ("parameters-note", "parameters", "next")


@dataclass(frozen=True, slots=True)
class Report:
    """A report that was made: its folder, what it rests on, and what falls short; `ok` when nothing does."""

    folder: Path
    evidence: Evidence
    short: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """Whether everything that is required holds, in all sources and views."""
        return not self.short

    @property
    def page(self) -> Path:
        """The page for people."""
        return self.folder / "index.html"

    @property
    def verdict(self) -> tuple[str, str, str]:
        """The three sentences that the page begins with."""
        return verdict(self.evidence)


def report(
    sources: Sequence[Source],
    out: str | os.PathLike[str],
    *,
    force: bool = False,
    embed: bool = False,
    options: Options | None = None,
    progress: Callable[[int, int], None] | None = None,
    **connection: Any,
) -> Report:
    """
    Examine sources and write the folder `out`: `index.html`, `report.md`, `figures/` and `evidence.json`.

    The folder is there as a whole or not at all. Evidence is collected once; the notebook that becomes the page reads it. With
    SOURCE_DATE_EPOCH set, the same inputs give the same bytes in all files. `progress` is called with the steps that are done and
    their number, `connection` are the options of `workbench.load`.

    Raises:
        OutputError: the folder is there already (with `force`: holds anything but a report, or one of the sources), or cannot be
            written.
        UsageError, InputError, EncodingUnavailable: as `workbench.collect` does.
        WorkbenchError: the notebook could not be run.
    """
    steps = _Steps(progress)
    if not os.fspath(out):
        raise UsageError("name the folder that the report is written into")
    if not isinstance(sources, str):
        _see_that_none_is_in(Path(out), sources)
    with built(Path(out), _REPLACED, force=force, ours=_is_report) as folder:
        evidence = collect(sources, options=options, embed=embed, progress=steps.examined, **connection)
        write(evidence, folder, steps.one_more, connection)
    return Report(Path(out), evidence, tuple(falls_short(evidence)))


def write(
    evidence: Evidence,
    folder: Path,
    done: Callable[[], None] = lambda: None,
    connection: Mapping[str, Any] = MappingProxyType({}),
) -> None:
    """
    Write `FILES` into a folder that is there; `done` is called three times.

    `connection` is how the sources were reached, which the report tells. Raises WorkbenchError as `report` does.
    """
    with a_place_for_fonts():
        _write(evidence, folder, done, connection)


def _write(evidence: Evidence, folder: Path, done: Callable[[], None], connection: Mapping[str, Any]) -> None:
    from workbench.reporting.markdown import markdown
    from workbench.reporting.page import page
    from workbench.reporting.pictures import save
    from workbench.reporting.running import run

    evidence.write(folder / "evidence.json")
    save(evidence, folder / "figures")
    (folder / "report.md").write_text(markdown(evidence, connection), "utf-8")
    done()
    node = run(notebooks_dir() / _NOTEBOOK, {"EVIDENCE": "evidence.json", "CONNECTION": dict(connection)}, folder)
    done()
    title = f"Evidence: {', '.join(named(evidence))}"
    (folder / "index.html").write_text(page(node, title=title, without=_ABOUT_RUNNING), "utf-8")
    done()


def _see_that_none_is_in(place: Path, sources: Sequence[Source]) -> None:
    """Raises OutputError where the folder holds a source: it would go with the report that is replaced."""
    for source in sources:
        name = source.source if isinstance(source, Catalog) else source
        if isinstance(name, str | os.PathLike) and _is_in(place, os.fspath(name)):
            raise OutputError(f"{place}: holds a source of the report ({Path(name).name}); name another folder")


def _is_in(place: Path, name: str) -> bool:
    try:
        path = Path(name).resolve()
        return path.is_relative_to(place.resolve()) and path.is_file()
    except (OSError, ValueError, RuntimeError):  # It is the name of no file.
        return False


def _is_report(folder: Path) -> bool:
    """Whether a folder holds a bundle, of whatever version."""
    try:
        data = (folder / "evidence.json").read_bytes()
        value = read_json(data, max_bytes=MAX_BUNDLE)
    except (OSError, InputError):
        return False
    return isinstance(value, dict) and value.get("format") == FORMAT


class _Steps:
    """Counts the steps of collecting, and three more: figures and Markdown, the notebook, the page."""

    def __init__(self, progress: Callable[[int, int], None] | None) -> None:
        self._say = progress or (lambda _done, _total: None)
        self._done = self._total = 0

    def examined(self, done: int, total: int) -> None:
        self._done, self._total = done, total + 3
        self._say(self._done, self._total)

    def one_more(self) -> None:
        self.examined(self._done + 1, self._total - 3)
