"""A notebook that was run, as one page that stands alone: `notebooks/page` says how it looks, and what a browser may do with it."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from copy import deepcopy
from html import unescape
from tempfile import TemporaryDirectory
from typing import Any, Final

from workbench.resources import notebooks_dir

__all__ = ["page"]

_TEMPLATE: Final = "page"
_CORNER: Final = re.compile(r'<th scope="col"([^>]*)></th>')
_CAPTION: Final = re.compile(r"<caption[^>]*>(.*?)</caption>", re.DOTALL)
_MINUS: Final = re.compile(r"(<td[^>]*>)-(?=[\d.,]+%?</td>)")
_POINTER: Final = re.compile(r"(?<=>)/[^<>\s]+(?=</td>)")


def page(notebook: Any, *, title: str = "", without: Collection[str] = ()) -> str:
    """
    The HTML of a notebook node; the same for the same cells and outputs.

    `title` is what a browser shows in its tab, where the notebook's own heading is not enough; cells whose id is in `without` are
    left out, and so is code that shows nothing. Raises InputError when the template is not installed.
    """
    from nbconvert import HTMLExporter
    from traitlets.config import Config

    node = deepcopy(notebook)
    node.cells = [cell for cell in node.cells if cell.get("id") not in without and cell.get("outputs", True)]
    for output in (output for cell in node.cells for output in cell.get("outputs", [])):
        if "text/html" in output.get("data", {}):
            table = output.data["text/html"]
            output.data["text/html"] = _tidied(table)
            caption = _CAPTION.search(table)
            output.metadata["caption"] = unescape(caption[1]) if caption else ""
    if title:
        node.metadata["title"] = title
    # Figures first: their words are the text beside them. Nothing else that a cell offers is rendered.
    settings = Config({"NbConvertBase": {"display_data_priority": ["text/html", "image/png", "text/plain"]}})
    with _no_settings():
        exporter = HTMLExporter(  # type: ignore[no-untyped-call]
            config=settings,
            template_name=_TEMPLATE,
            extra_template_basedirs=[str(notebooks_dir())],
            exclude_anchor_links=True,
        )
        html, _ = exporter.from_notebook_node(node)
    return f"{html.strip()}\n"


def _tidied(table: str) -> str:
    """A table for a page: minus signs as in sentences, and JSON Pointers that break where their parts begin."""
    # A corner without a name is no heading, or a screen reader would read out nothing.
    table = _MINUS.sub("\\1\u2212", _CORNER.sub(r"<td\1></td>", table))
    return _POINTER.sub(lambda match: match[0].replace("/", "/<wbr>"), table)


@contextmanager
def _no_settings() -> Iterator[None]:
    """Nothing of the user's own Jupyter settings reaches a page: no style, no template."""
    with TemporaryDirectory(prefix="workbench-") as folder:
        before = os.environ.get("JUPYTER_CONFIG_DIR")
        os.environ["JUPYTER_CONFIG_DIR"] = folder
        try:
            yield
        finally:
            if before is None:
                del os.environ["JUPYTER_CONFIG_DIR"]
            else:
                os.environ["JUPYTER_CONFIG_DIR"] = before
