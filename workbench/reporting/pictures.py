"""The figures of a report, as files: SVG for documents, PNG for everything else, the same bytes for the same numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

from workbench.evidence import Evidence
from workbench.figures import Drawing, to_png, to_svg
from workbench.figures.evidence import costs_by_rendering, costs_by_source, fields_by_source, limits_by_source
from workbench.reporting.reading import named, recommended

__all__ = ["FIGURES", "drawn", "save"]

#: The figures by the names of their files.
FIGURES: Final[Mapping[str, Callable[..., Drawing]]] = MappingProxyType(
    {
        "tokens-by-source": costs_by_source,
        "tokens-by-rendering": costs_by_rendering,
        "tokens-by-field": fields_by_source,
        "limits": limits_by_source,
    }
)


def drawn(evidence: Evidence, name: str) -> Drawing:
    """One of `FIGURES`, of this evidence."""
    sources = {
        each: {**source, "tuning": {**source["tuning"], "recommended": recommended(source)}}
        for each, source in named(evidence).items()
    }
    return FIGURES[name](sources)


def save(evidence: Evidence, folder: Path) -> None:
    """Write all figures into a folder, which is made."""
    folder.mkdir()
    for name in FIGURES:
        figure = drawn(evidence, name)
        (folder / f"{name}.svg").write_text(to_svg(figure), "utf-8")
        (folder / f"{name}.png").write_bytes(to_png(figure))
