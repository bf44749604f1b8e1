"""
What every figure shares: a calm style, colours that colour-blind readers tell apart, and text that stays text.

Figures are made without pyplot, so that no global state is touched and no window can open, and independent of the reader's own
matplotlib settings, so that the same numbers give the same picture. Names from a catalog are data: no mathtext, no control
characters, and a visible box for each character that the bundled font cannot draw.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Any, Final

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, findfont, get_font
from PIL import Image

from workbench.visible import visible

__all__ = [
    "ACCENT",
    "BOX",
    "INK",
    "MUTED",
    "PALE",
    "PARTS",
    "Drawing",
    "drawing",
    "figure_alt",
    "label",
    "to_png",
    "to_svg",
]

#: Text, secondary text, what is compared with, what it is about. The last two also differ in lightness.
INK, MUTED, PALE, ACCENT = "#1f2933", "#5f6c7b", "#c3ccd6", "#0b62a4"
#: For parts of a whole, in order; Paul Tol's "muted" scheme, made for colour-blind readers.
PARTS: Final = (
    "#332288",
    "#88ccee",
    "#44aa99",
    "#117733",
    "#999933",
    "#ddcc77",
    "#cc6677",
    "#882255",
    "#bbbbbb",
)
_OURS: Final = frozenset(bytes.fromhex(color[1:]) for color in (INK, MUTED, PALE, ACCENT, *PARTS))
#: Stands for a character that the font cannot draw.
BOX: Final = "\u25a1"
#: matplotlib ships this font, so it is there on every machine.
_FONT: Final = "DejaVu Sans"
#: Inches; fits a page and a notebook cell.
_WIDTH: Final = 8.0
#: Pixels of a page per inch, so that letters of a figure are as large as those around it; its own pixels are finer.
_PAGE_DPI: Final = 96
#: Colours of a PNG image: those above exactly, those of smoothed edges nearly.
_PALETTE: Final = 32
_STYLE: Final[Mapping[str, Any]] = {
    "font.family": _FONT,
    "font.size": 9,
    "text.color": INK,
    # Hinted text is wider at some resolutions than at others, and then reaches over an edge that it kept at layout.
    "text.hinting": "no_hinting",
    "text.usetex": False,
    "text.parse_math": False,
    "axes.edgecolor": PALE,
    "axes.labelcolor": MUTED,
    "axes.spines.left": False,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "xtick.color": MUTED,
    "xtick.major.size": 0,
    "ytick.color": INK,
    "ytick.left": False,
    "figure.facecolor": "white",
    "svg.hashsalt": "workbench",
    "svg.fonttype": "path",
}


class Drawing(Figure):
    """A figure with a text that says what it shows; notebooks show the picture and keep the text beside it."""

    alt: str = ""

    def _repr_mimebundle_(self, **_: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        shown = {"alt": self.alt, "width": round(self.get_figwidth() * _PAGE_DPI)}
        return {"image/png": to_png(self), "text/plain": self.alt}, {"image/png": shown}


@contextmanager
def drawing(height: float, title: str, subtitle: str, panels: int = 1) -> Iterator[tuple[Drawing, list[Axes]]]:
    """
    An empty figure of a fixed width and `height` inches, and its axes, one below the other; draw inside the `with` block.

    The subtitle says under which rendering and encoding the numbers hold.
    """
    with _style():
        figure = Drawing(figsize=(_WIDTH, height), layout="constrained")
        heading: dict[str, Any] = {"x": 0.012, "ha": "left", "va": "top", "parse_math": False, "in_layout": False}
        figure.text(y=1 - 0.08 / height, s=title, fontsize=12, fontweight="bold", **heading)
        figure.text(y=1 - 0.34 / height, s=subtitle, color=MUTED, **heading)
        figure.set_layout_engine("constrained", rect=(0, 0, 1, 1 - 0.6 / height), h_pad=0.06, w_pad=0.16)
        yield figure, list(figure.subplots(panels, sharex=True, sharey=True, squeeze=False)[:, 0])
        # Laid out once and for all: matplotlib would do it anew on every save, each time with a slightly different outcome.
        figure.draw_without_rendering()
        figure.set_layout_engine("none")


def label(text: str, longest: int = 44) -> str:
    """
    A name from a catalog, ready to be drawn: at most `longest` characters, and nothing that acts.

    What is left out stands near the front: names of one server begin alike. Characters without a glyph become `BOX`.
    """
    glyphs = _glyphs()
    drawn = "".join(char if ord(char) in glyphs else BOX for char in visible(" ".join(text.split())))
    if len(drawn) <= longest:
        return drawn
    head = longest // 3
    return f"{drawn[:head]}\u2026{drawn[head + 1 - longest :]}"


def figure_alt(figure: Figure) -> str:
    """What a figure shows, in words, for readers who cannot see it; empty for a figure that is not ours."""
    return figure.alt if isinstance(figure, Drawing) else ""


def to_svg(figure: Figure) -> str:
    """The figure as SVG text; the same figure gives the same text, without a date."""
    return _saved(figure, "svg", {"Date": None, "Creator": None}).decode()


def to_png(figure: Figure, dpi: int = 120) -> bytes:
    """The figure as a PNG image with `dpi` pixels per inch, in its most frequent colours: a third of the size, and as sharp."""
    image = Image.open(io.BytesIO(_saved(figure, "png", {"Software": None}, dpi=dpi))).convert("RGB")
    colors, places, counts = np.unique(
        np.asarray(image).reshape(-1, 3), axis=0, return_inverse=True, return_counts=True
    )
    ours = np.array([bytes(color) in _OURS for color in colors])
    palette = colors[np.lexsort((-counts, ~ours))[:_PALETTE]].astype(int)
    distances = ((colors[:, None, :].astype(int) - palette[None, :, :]) ** 2).sum(axis=2)
    pixels = distances.argmin(axis=1)[places].reshape(image.height, image.width)
    reduced = Image.fromarray(pixels.astype(np.uint8))
    reduced.putpalette(palette.astype(np.uint8).tobytes())
    out = io.BytesIO()
    reduced.save(out, "png", optimize=True, dpi=(dpi, dpi))
    return out.getvalue()


def _saved(figure: Figure, form: str, metadata: dict[str, Any], **options: Any) -> bytes:
    out = io.BytesIO()
    with _style():
        figure.savefig(out, format=form, metadata=metadata, **options)
    return out.getvalue()


@contextmanager
def _style() -> Iterator[None]:
    # Backends are left out: setting one would load pyplot.
    settings: dict[Any, Any] = {key: to for key, to in mpl.rcParamsDefault.items() if not key.startswith("backend")}
    with mpl.rc_context(settings | dict(_STYLE)):
        yield


@cache
def _glyphs() -> frozenset[int]:
    """The code points that the font draws."""
    return frozenset(get_font(findfont(FontProperties(family=_FONT))).get_charmap())
