"""Lines through points, such as a loss over the steps of a training, and bars side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from viz_core.figures.attention import Floats, thin_columns
from viz_core.figures.base import figure, percent, percent_ticks, plain, say, token_axis
from viz_core.figures.figure import Figure
from viz_core.figures.palette import LIGHT, Palette
from viz_core.texts import fill, named, texts

DASHES = ("solid", "dash", "dot")


@dataclass(frozen=True)
class Curve:
    """One line: its name, its points, and the hover text of each.

    Attributes:
        role: the colour of `q`, `k`, `v` or `output`; none is the accent.
        dash: index of DASHES.
        dots: whether its points, few and far between, are marked.
        faint: drawn behind the others, for comparison.
        labelled: whether its name is written at its end.
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


def add_bars(
    fig: Figure, name: str, values: Sequence[float | None] | Floats, colour: str, palette: Palette,
    *, hover: Sequence[str] = (), hatched: bool = False, **options: Any,
) -> None:  # fmt: skip
    """One more bar for each place, beside those that are there; a legend above the figure names them.

    Args:
        hover: of each bar, escaped; none if empty.
        hatched: so that it can be told from others without its colour.
    """
    pattern = {"shape": "/" if hatched else "", "fgcolor": palette.surface, "size": 8, "fillmode": "overlay"}
    said = {"hovertext": hover} if hover else {"hoverinfo": "skip"}
    marker = {"color": colour, "line": {"width": 0}, "pattern": pattern}
    across = options.get("orientation") == "h"
    places = list(range(len(values)))
    fig.add_bar(
        **{"y" if across else "x": places, "x" if across else "y": values}, name=plain(name), marker=marker, **said, **options
    )
    fig.update_layout(barmode="group", bargap=0.25, showlegend=True)


def compare_rows(
    keys: Sequence[str],
    real: Floats,
    other: Floats,
    *,
    names: tuple[str, str],
    title: str,
    axes: tuple[str, str],
    highlighted: int | None = None,
    shaded: int | None = None,
    shade: str = "",
    palette: Palette = LIGHT,
) -> Figure:
    """One query's weights as it was computed and as it would be, on one fixed axis from 0 to 100 %.

    Args:
        real, other: (Tk,) each.
        names: of the two, for the legend and the hover.
        axes: titles of the keys' axis (across) and of the weights' axis (up).
        shaded: keys from this one on lie behind a grey field, with `shade` as its words.
    """
    n = len(keys)
    fig = figure(palette, title=title, height=420)
    words = texts("figures.hovers")["at_key"]
    spot, says = int(real.argmax()) if highlighted is None else highlighted, []
    for name, values, colour in ((names[0], real, palette.accent), (names[1], other, palette.quiet)):
        hover = [
            plain(named(name, fill(words, {"share": percent(float(v)), "key": key}))) for key, v in zip(keys, values, strict=True)
        ]
        says.append(hover[spot])
        add_bars(fig, name, values, colour, palette, hover=hover, hatched=name == names[1])
    say(fig, *says)
    if shaded is not None and shaded < n:
        field = {"fillcolor": palette.masked, "line": {"width": 0}, "layer": "below", "opacity": 0.6}
        fig.add_shape(type="rect", x0=shaded - 0.5, x1=n - 0.5, y0=0, y1=1.05, **field)
        at = {"x": n - 0.55, "y": 1.03, "xanchor": "right", "yanchor": "top"}
        fig.add_annotation(text=plain(shade), **at)
    fig.update_xaxes(**token_axis(keys, axes[0], highlighted, palette.k_text, thin=thin_columns(n)), tickangle=-40 if n > 10 else 0)
    fig.update_yaxes(title={"text": axes[1]}, range=[0, 1.05], **percent_ticks(0, 0.25, 0.5, 0.75, 1), showgrid=True)
    return fig
