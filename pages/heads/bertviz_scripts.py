"""The scripts of bertviz's views, with our changes: larger letters, our colours, our data, and no network."""

import functools
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

from viz_core.app.typeface import font_faces
from viz_core.browser.bundle import DIST, inline_code
from viz_core.figures.base import FAMILY, FONT
from viz_core.figures.palette import Palette

Name = Literal["head_view", "model_view"]
FOLDER = Path(__file__).parent
BOX, GAP, LINE = 220, 340, 28
"""In pixels, in the head view: the width of a column of tokens, the width of the lines between two, and the height of a token."""
SIZES: Mapping[Name, Mapping[str, tuple[float, float | str]]] = {
    "head_view": {
        "TEXT_SIZE": (15, FONT),
        "BOXWIDTH": (110, BOX),
        "BOXHEIGHT": (22.5, LINE),
        "MATRIX_WIDTH": (115, GAP),
        "CHECKBOX_SIZE": (20, 0),  # nameless squares, hidden; the frame's buttons press them
        "TEXT_TOP": (30, 6),
    },
    "model_view": {
        "TEXT_SIZE": (13, FONT),
        "HEADING_TEXT_SIZE": (15, FONT),
        "DIV_WIDTH": (970, "Math.max(800, document.documentElement.clientWidth)"),
        "DETAIL_WIDTH": (300, 480),
        "DETAIL_BOX_WIDTH": (80, 160),
        "DETAIL_ATTENTION_WIDTH": (140, 160),
        "DETAIL_BOX_HEIGHT": (18, LINE),
    },
}
"""The sizes in pixels: bertviz's own, then ours."""
ADDRESSES = (
    """require.config({
  paths: {
      d3: 'https://cdnjs.cloudflare.com/ajax/libs/d3/5.7.0/d3.min',
    jquery: 'https://cdnjs.cloudflare.com/ajax/libs/jquery/2.0.0/jquery.min',
  }
});""",
    "",
)
"""Where require.js would load the libraries from."""
DATA = (
    "const params = PYTHON_PARAMS; // HACK: PYTHON_PARAMS is a template marker that is replaced by actual params.",
    "const params = window.payload.params;",
)
STRENGTH = ('.append("line")', '.select(function (d) { return d ? this.appendChild(d3.creator("svg:line").call(this)) : null; })')
"""A weight of 0 gets no line. `select` keeps the indices of the others, from which bertviz computes the ends of each line."""
FAINT = ("return d / activeHeads()", "return d / Math.sqrt(activeHeads())")
"""With 8 heads, an eighth of a weight would be almost invisible."""
HEAD_COLOURS = ("d3.scaleOrdinal(d3.schemeCategory10)", "d3.scaleOrdinal(window.payload.colours.heads)")
LAYER_COLOURS = ("const LAYER_COLORS = d3.schemeCategory10;", "const LAYER_COLORS = Array(10).fill(window.payload.colours.lines);")
"""Each layer has its own row in the model view, so all share one colour, whose strength is the weight."""
AXES = (
    ('.text("Heads")', ".text(window.payload.words.heads_axis)"),
    ('.text("Layers")', ".text(window.payload.words.layers_axis)"),
)
BOTH = (ADDRESSES, DATA, STRENGTH)
CHANGES: Mapping[Name, tuple[tuple[str, str], ...]] = {
    "head_view": (*BOTH, FAINT, HEAD_COLOURS),
    "model_view": (*BOTH, *AXES, LAYER_COLOURS),
}


@functools.cache
def scripts(name: Name) -> tuple[str, ...]:
    """The scripts in the order in which they run. They need `<script type="application/json" id="payload">` and `#bertviz`."""
    libraries = [file("vendor/d3.min.js"), file("vendor/jquery.slim.min.js")]  # jQuery has a harmless "<script" in a pattern
    start, frame = ((DIST / f"{script}.js").read_text("utf-8") for script in ("start", name))
    return *libraries, *(inline_code(script) for script in (start, _drawing(name), frame))


def file(name: str) -> str:
    """The content of a file in this folder."""
    return (FOLDER / name).read_text("utf-8")


def _drawing(name: Name) -> str:
    """The drawing script of bertviz with our changes.

    Raises:
        ModuleNotFoundError: bertviz is not installed.
        ValueError: it differs from the version in `requirements.txt`.
    """
    spec = find_spec("bertviz")  # finds it without importing it, which would bring IPython and torch
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError("bertviz is not installed", name="bertviz")
    script = (Path(spec.origin).parent / f"{name}.js").read_text("utf-8")
    sizes = [(f"const {size} = {theirs};", f"const {size} = {ours};") for size, (theirs, ours) in SIZES[name].items()]
    for theirs, ours in [*CHANGES[name], *sizes]:
        if theirs not in script:
            raise ValueError(f"{name}.js of bertviz has no {theirs!r}: is it the version of requirements.txt?")
        script = script.replace(theirs, ours)
    return script


def style(palette: Palette, **lengths: str) -> str:
    """The style sheet's start: the font, and the theme as CSS variables."""
    names = ("ink", "quiet", "surface", "panel", "line", "accent", "q_text", "k_text")
    values = {**{name: getattr(palette, name) for name in names}, "family": FAMILY, **lengths}
    theme = " ".join(f"--{name}: {value};" for name, value in values.items())
    return f"{font_faces(FAMILY)}\n:root {{ color-scheme: {'dark' if palette.dark else 'light'}; {theme} }}"
