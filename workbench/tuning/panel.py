"""
A panel for a notebook: turn a limit, and see at once what the catalog costs and what becomes of descriptions.

It is a live set of widgets where a kernel runs, and two plain tables everywhere else: on a page, in a viewer, in a printout.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from workbench.catalog import Catalog
from workbench.descriptions import STRATEGIES, Strategy
from workbench.errors import UsageError, WorkbenchError
from workbench.renderings import RENDERINGS
from workbench.renderings import rendering as named_rendering
from workbench.tables import Column, Table
from workbench.tokens import DEFAULT_ENCODING
from workbench.tokens import encoding as named_encoding
from workbench.tuning.sweep import Sweep, Swept
from workbench.tuning.trying import CAP

if TYPE_CHECKING:
    from ipywidgets import VBox  # type: ignore[import-untyped]

__all__ = ["Panel"]

#: Set where notebooks are recorded: a recorded widget has no kernel behind it and would show nothing but an error.
_STATIC_VARIABLE: Final = "WORKBENCH_STATIC"
_ENCODINGS: Final = ("o200k_base", "cl100k_base")
#: Tools whose descriptions are shown, and the longest limit that the slider reaches.
_SHOWN: Final = 3
_REACH: Final = 1_024


class Panel:
    """
    A catalog under one strategy, limit (characters), encoding and rendering, each of which can be changed.

    `tools` are the ids of those whose descriptions are shown; the three longest ones unless given.

    Raises:
        UsageError: an option that does not fit, or a tool that the catalog has not.
        EncodingUnavailable: the vocabulary cannot be loaded.
    """

    def __init__(
        self,
        catalog: Catalog,
        *,
        strategy: Strategy = "word",
        limit: int = CAP // 2,
        encoding: str = DEFAULT_ENCODING,
        rendering: str = "wire",
        tools: Sequence[str] | None = None,
    ) -> None:
        self.catalog = catalog
        self.strategy: Strategy = strategy
        self.limit = limit
        self.encoding = encoding
        self.rendering = rendering
        self._sweeps: dict[tuple[str, str], Sweep] = {}
        texts = self._sweep().full()
        by_length = sorted(range(len(texts)), key=lambda place: -len(texts[place]))[:_SHOWN]
        unknown = [tool_id for tool_id in tools or () if tool_id not in catalog.ids]
        if unknown:
            raise UsageError(f"the catalog has no tool {unknown[0]!r}")
        self._places = [catalog.ids.index(tool_id) for tool_id in tools] if tools else sorted(by_length)
        self._swept()

    def costs(self) -> Table:
        """What the compact view costs with descriptions as they are and at this limit, and what is saved."""
        sweep, swept = self._sweep(), self._swept()
        standard, full = (sweep.rendering.count(view, sweep.counts) for view in (self.catalog, sweep.compact))
        (tokens,), (shortened,) = swept.tokens, swept.shortened
        columns = (
            "descriptions",
            Column("tokens", "thousands"),
            Column("saved %", "percent"),
            Column("shortened", "thousands"),
        )
        under = f"rendering {self.rendering}, encoding {self.encoding}, {sweep.rendering.certainty}"
        rows = [
            ("as they are", full, (standard - full) / standard, 0),
            (f"{self.strategy}, {self.limit:,} characters", tokens, (standard - tokens) / standard, shortened),
        ]
        return Table(columns, rows, f"Compact view ({under})")

    def texts(self) -> Table:
        """The descriptions of the chosen tools before and after."""
        before, after = self._sweep().full(), self._swept().texts[self.limit]
        rows = [(self.catalog.ids[place], before[place], after[place]) for place in self._places]
        return Table(("tool", "before", "after"), rows)

    def html(self) -> str:
        """Both tables; text of the catalog is data in them."""
        return f"{self.costs().html()}\n{self.texts().html()}"

    def widget(self) -> VBox:
        """The live panel; needs ipywidgets in the browser too, which JupyterLab and Notebook bring."""
        return self._widget

    @cached_property
    def _widget(self) -> VBox:
        import ipywidgets as widgets

        longest = max((len(text) for text in self._sweep().full()), default=1)
        controls = {
            "strategy": widgets.Dropdown(options=STRATEGIES, value=self.strategy, description="strategy"),
            "limit": widgets.IntSlider(
                self.limit, 0, max(self.limit, min(_REACH, longest)), description="limit", layout={"width": "480px"}
            ),
            "encoding": widgets.Dropdown(
                options=sorted({*_ENCODINGS, self.encoding}), value=self.encoding, description="encoding"
            ),
            "rendering": widgets.Dropdown(options=list(RENDERINGS), value=self.rendering, description="rendering"),
        }
        shown = widgets.HTML(_dense(self.html()))

        def change(name: str, value: Any) -> None:
            setattr(self, name, value)
            try:
                shown.value = _dense(self.html())
            except WorkbenchError as error:  # Not every catalog can be written in every rendering.
                shown.value = _dense(Table(("not to be had",), [(str(error),)]).html())

        for name, control in controls.items():
            control.observe(lambda event, name=name: change(name, event["new"]), names="value")
        rows = (("strategy", "limit"), ("encoding", "rendering"))
        return widgets.VBox([*(widgets.HBox([controls[name] for name in row]) for row in rows), shown])

    def _sweep(self) -> Sweep:
        key = (self.rendering, self.encoding)
        if key not in self._sweeps:
            self._sweeps[key] = Sweep(self.catalog, named_rendering(self.rendering), named_encoding(self.encoding))
        return self._sweeps[key]

    def _swept(self) -> Swept:
        return self._sweep().run(self.strategy, "chars", [self.limit], [self.limit])

    def __repr__(self) -> str:
        return f"{self.costs().text()}\n{self.texts().text(120)}"

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        live = {} if os.environ.get(_STATIC_VARIABLE) else self.widget()._repr_mimebundle_()
        return {**live, "text/html": self.html(), "text/plain": repr(self)}


def _dense(html: str) -> str:
    """As tables look elsewhere in a notebook; left alone, text of a widget has lines as high as buttons, and tables no rules."""
    return f'<div class="jp-RenderedHTMLCommon jp-OutputArea-output" style="line-height:normal;padding:0">{html}</div>'
