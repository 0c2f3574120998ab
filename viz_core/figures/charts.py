"""Lines through points, such as a loss over the steps of a training."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from viz_core.figures.base import plain
from viz_core.figures.figure import Figure
from viz_core.figures.palette import Palette

DASHES = ("solid", "dash", "dot")


@dataclass(frozen=True)
class Curve:
    """One line: its name, its points, and their hover texts.

    Attributes:
        role: `q`, `k`, `v` or `output` for its colour; empty for the accent.
        dash: index of DASHES.
        dots: mark its points, which are few.
        faint: draw it paler, for comparison.
        labelled: write its name at its end.
    """

    name: str
    x: Sequence[float]
    y: Sequence[float]
    hover: Sequence[str]
    role: str = ""
    dash: int = 0
    dots: bool = False
    faint: bool = False
    labelled: bool = False


def add_curve(fig: Figure, curve: Curve, palette: Palette, yaxis: str = "y", **options: Any) -> None:
    """Draws one line. options: of plotly's scatter trace."""
    fig.add_scatter(
        x=list(curve.x), y=list(curve.y), name=plain(curve.name), mode="lines+markers" if curve.dots else "lines",
        line={"color": palette.role(curve.role) if curve.role else palette.accent, "width": 3, "dash": DASHES[curve.dash]},
        marker={"size": 7}, opacity=0.6 if curve.faint else 1, cliponaxis=not curve.dots,
        hovertext=[plain(text) for text in curve.hover], yaxis=yaxis, **options,
    )  # fmt: skip
    if curve.labelled:
        ink = palette.role_text(curve.role) if curve.role else palette.ink
        fig.add_annotation(
            text=plain(curve.name), x=curve.x[-1], y=curve.y[-1], yref=yaxis, xanchor="right", yanchor="top",
            font_color=ink,
        )  # fmt: skip
