"""What guided attention costs, as lines of equal cost over an attention."""

from __future__ import annotations

import plotly.graph_objects as go

from viz_core.figures.attention import Floats
from viz_core.figures.palette import Palette

HALF = 0.5
"""A cell on the lines pays half of its weight."""


def cost_lines(fig: go.Figure, cost: Floats, palette: Palette, xaxis: str = "x") -> None:
    """A dashed line on each side of the cheap diagonal. cost: (Tq, Tk), W."""
    fig.add_contour(
        z=cost, xaxis=xaxis, contours={"start": HALF, "end": HALF, "size": 1, "coloring": "none"}, hoverinfo="skip",
        line={"color": palette.output_text, "width": 3, "dash": "dash", "smoothing": 0}, showscale=False,
    )  # fmt: skip
