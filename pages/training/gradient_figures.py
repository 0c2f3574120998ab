"""The loss as one weight changes, with the tangent and one step."""

from __future__ import annotations

from collections.abc import Sequence

from pages.training.compute import GradientStep
from viz_core.figures.attention import Floats
from viz_core.figures.base import figure, plain, say
from viz_core.figures.figure import Figure
from viz_core.figures.palette import LIGHT, Palette

HEIGHT = 400
MARGIN = 0.12
"""Above and below the curve, as a share of its height."""
FLATTEST = 1e-7
"""A curve that rises less is drawn as flat: rounding is no landscape."""
SIZE = 15
"""Of a dot, in px."""


def loss_figure(
    weights: Floats, losses: Floats, step: GradientStep, hover: Sequence[str], *,
    title: str, names: Sequence[str], axes: tuple[str, str], palette: Palette = LIGHT,
) -> Figure:  # fmt: skip
    """The loss over one weight, the tangent at its value, an arrow along the tangent to w′, and the loss really found there.

    Args:
        weights, losses: of the curve, (n,) each, in rising order of the weights.
        hover: of each of its points.
        names: of the curve, the tangent, the point before and the one after the step, for the legend.
        axes: titles of the weight's axis (across) and of the loss's (up).
    """
    fig = figure(palette, title=title, height=HEIGHT)
    ends = [float(weights[0]), float(weights[-1])]
    tangent = [step.loss + step.slope * (end - step.weight) for end in ends]
    quiet = {"color": palette.quiet, "width": 2, "dash": "dash"}
    fig.add_scatter(
        x=weights.tolist(), y=losses.tolist(), name=plain(names[0]), mode="lines+markers", marker_size=6,
        line={"color": palette.accent, "width": 3}, hovertext=[plain(text) for text in hover],
    )  # fmt: skip
    fig.add_scatter(x=ends, y=tangent, name=plain(names[1]), mode="lines", line=quiet, hoverinfo="skip")
    dots = ((step.weight, step.loss, palette.ink, names[2]), (step.new_weight, step.new_loss, palette.output_text, names[3]))
    for x, y, colour, name in dots:
        look = {"size": SIZE, "color": colour, "line": {"color": palette.surface, "width": 2}}
        fig.add_scatter(x=[x], y=[y], name=plain(name), mode="markers", marker=look, hovertext=[plain(name)])
    low, high = min(*losses, step.predicted, step.new_loss), max(*losses, step.predicted, step.new_loss)
    room = MARGIN * (high - low if high - low > FLATTEST else max(abs(step.loss), FLATTEST))
    if step.new_weight != step.weight:
        _arrow(fig, step, palette)
    fig.update_layout(showlegend=True)
    fig.update_xaxes(title=plain(axes[0]), range=ends, nticks=7)
    fig.update_yaxes(title=plain(axes[1]), range=[float(low) - room, float(high) + room], nticks=6, showgrid=True)
    say(fig, *(plain(name) for name in names))
    return fig


def _arrow(fig: Figure, step: GradientStep, palette: Palette) -> None:
    """Down the tangent to where the step should lead, and from there to the loss that was found."""
    ink = palette.output_text
    fig.add_annotation(
        x=step.new_weight, y=step.predicted, ax=step.weight, ay=step.loss, xref="x", yref="y", axref="x", ayref="y", text="",
        showarrow=True, arrowhead=2, arrowwidth=3, arrowsize=1.1, arrowcolor=ink, standoff=0, startstandoff=SIZE / 2,
    )  # fmt: skip
    line = {"color": ink, "width": 2, "dash": "dot"}
    fig.add_shape(type="line", x0=step.new_weight, x1=step.new_weight, y0=step.predicted, y1=step.new_loss, line=line)
