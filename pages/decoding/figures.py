"""Figures of decoding: a truncated distribution, and what is copied from the source."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from viz_core.figures.attention import Floats, cell_height, frame, print_values
from viz_core.figures.base import FONT, figure, percent, plain, say, token_axis
from viz_core.figures.figure import Figure
from viz_core.figures.palette import LIGHT, Palette, rgb, scale
from viz_core.texts import named

POINTS = 300
"""Of the curve, at equal distances on its logarithmic axis."""
LOWEST = 1e-9
"""The lower end of the axis of probabilities."""
LEFT, RIGHT = (0.0, 0.43), (0.62, 0.86)
"""Shares of the width for the curve and for the bars; the rest is room for the number beside a full bar."""


def truncation_figure(
    labels: Sequence[str], ranks: Sequence[int], model: Floats, tempered: Floats, after: Floats, count: int, *, title: str,
    names: tuple[str, str, str], axes: tuple[str, str], ends: tuple[str, str, str], drawn: int | None = None,
    palette: Palette = LIGHT,
) -> Figure:  # fmt: skip
    """Left: the whole vocabulary by rank, kept and cut off. Right: the most probable tokens before and after truncation.

    Args:
        labels, ranks: of the tokens that have bars, K; ranks from 0.
        model, tempered, after: probabilities of all, by rank, (V,): as the model gave them, with the temperature, and truncated.
        count: how many tokens are kept.
        names: of these three.
        axes: titles of rank and of probability.
        ends: the notes on what is kept and on what is cut off, and the label of the last row, all other tokens together.
        drawn: index among the K of the token that was drawn.
    """
    total = len(model)
    fig = figure(palette, title=title, height=34 * (len(labels) + 1) + 150)
    at = np.unique(np.round(np.geomspace(1, total, POINTS)).astype(int))
    stays = at <= count
    for own, colour, opacity in ((stays, palette.output, 0.75), (~stays, palette.quiet, 0.25)):
        x, y = at[own].astype(float), np.maximum(tempered[at[own] - 1], LOWEST)
        if 0 < count < total:  # both areas meet between the last that is kept and the first that is not
            meet = float(np.sqrt(np.maximum(tempered[count - 1 : count + 1], LOWEST).prod()))
            end = len(x) if own is stays else 0
            x, y = np.insert(x, end, count + 0.5), np.insert(y, end, meet)
        if len(x):
            x, y = x.astype(np.float32), y.astype(np.float32)  # half as many bytes for the browser, and no pixel less
            fill = f"rgba{(*map(int, rgb(colour)), opacity)}"
            fig.add_scatter(
                x=x, y=y, mode="lines", line={"color": colour, "width": 3}, fill="tozeroy", fillcolor=fill, hoverinfo="skip"
            )
    fig.add_scatter(
        x=at, y=np.maximum(model[at - 1], LOWEST).astype(np.float32),
        mode="lines", line={"color": palette.ink, "width": 2, "dash": "dot"},
        hovertext=np.array([percent(float(model[rank - 1])) for rank in at]),  # an array is sent as a whole
        hovertemplate="%{x:,}. %{hovertext}<extra></extra>",
    )  # fmt: skip
    if count < total:
        line = np.log10(count + 0.5)
        fig.add_shape(
            type="line", x0=count + 0.5, x1=count + 0.5, y0=0, y1=1, yref="y domain", line={"color": palette.ink, "width": 3}
        )
        notes = [_note(ends[0], line, "right", palette)] if line > 1.2 else []
        fig.add_annotations([*notes, _note(ends[1], line, "left", palette)])
    rows = [*labels, ends[2]]
    before, now = ([*map(float, x[list(ranks)]), float(np.delete(x, ranks).sum())] for x in (tempered, after))
    written = [f"{percent(b)} → {percent(a)}" if a != b else percent(b) for b, a in zip(before, now, strict=True)]
    hover = [named(plain(label), text) for label, text in zip(rows, written, strict=True)]
    marker = {"color": [palette.output if value else palette.masked for value in now], "line": {"width": 0}}
    bars = {"y": list(range(len(rows))), "orientation": "h", "xaxis": "x2", "yaxis": "y2", "width": 0.62}
    clear = "rgba(0,0,0,0)"
    fig.add_bar(x=now, **bars, marker=marker, hovertext=hover)
    fig.add_bar(x=before, **bars, marker={"color": clear, "line": {"width": 2, "color": palette.quiet}}, hoverinfo="skip")
    fig.add_bar(
        x=[max(pair) for pair in zip(before, now, strict=True)], **bars, marker={"color": clear}, text=written,
        textposition="outside", textangle=0, constraintext="none", cliponaxis=False, hoverinfo="skip",
    )  # fmt: skip
    ticks = [f"<b>{plain(label)}</b>" if row == drawn else plain(label) for row, label in enumerate(rows)]
    powers, marks = [1e-9, 1e-6, 1e-3, 1.0], [0.0, 0.5, 1.0]
    fig.update_layout(
        barmode="overlay",
        margin_t=56,
        xaxis={
            "type": "log", "range": [-0.05, float(np.log10(total)) + 0.05], "domain": LEFT, "title": {"text": plain(axes[0])},
            "tickvals": [v for v in (1, 10, 100, 1000, 10000) if v <= total], "tickformat": ",",
        },
        yaxis={
            "type": "log", "range": [float(np.log10(LOWEST)), 0.1], "title": {"text": plain(axes[1])}, "tickvals": powers,
            "ticktext": [percent(v) for v in powers],
        },
        xaxis2={
            "domain": RIGHT, "anchor": "y2", "range": [0, 1], "tickvals": marks,
            "ticktext": [percent(v) for v in marks], "title": {"text": plain(axes[1])}, "showgrid": True,
        },
        yaxis2={
            "anchor": "x2", "range": [len(rows) - 0.4, -0.6], "tickvals": list(range(len(rows))), "ticktext": ticks,
            "ticks": "",
        },
    )  # fmt: skip
    above = {"y": 1, "xref": "paper", "yref": "paper", "xanchor": "left", "yanchor": "bottom"}
    fig.add_annotations([
        {"text": f"<b>{plain(names[0])}</b> · {plain(names[1])}", "x": LEFT[0], **above},
        {"text": plain(names[2]), "x": RIGHT[0] - 0.1, **above},
    ])  # fmt: skip
    say(fig, *hover[:3])
    return fig


def no_distribution_figure(title: str, palette: Palette = LIGHT) -> Figure:
    """Words alone at a step that has no distribution; the same halves, as plotly.js fails where a domain goes."""
    halves = {"xaxis_domain": LEFT, "xaxis2_domain": RIGHT}
    hidden = {f"{axis}_visible": False for axis in ("xaxis", "yaxis", "xaxis2", "yaxis2")}
    return figure(palette, title=title, height=120, **halves, **hidden)


def _note(text: str, edge: float, side: str, palette: Palette) -> dict[str, object]:
    """Words beside the cut, on the side away from it."""
    return {
        "text": "<br>".join(map(plain, text.split("\n"))), "align": "left", "x": edge, "y": 0.98, "xref": "x", "yref": "y domain",
        "yanchor": "top", "xanchor": side,
        "xshift": 8 if side == "left" else -8,
    }  # fmt: skip


BARS, CELLS = (0.0, 0.2), (0.23, 1.0)
"""Shares of the width for the two halves."""
MOST = 24
"""Rows, and columns, with room for their labels and numbers."""
WRITTEN = 0.005
"""The least contribution that is written into its cell."""


def around(at: int, count: int) -> range:
    """The indices for which there is room: all of `count`, or those around one of them."""
    first = max(0, min(at - MOST // 2, count - MOST))
    return range(first, min(count, first + MOST))


def copying_figures(
    written: Sequence[str], source: Sequence[str], shares: Floats, contributions: Floats, spelled: Sequence[Sequence[int]], *,
    axes: Callable[[range, range], tuple[str, str, str]], hover: Sequence[str], palette: Palette = LIGHT,
) -> Callable[[int, str], Figure]:  # fmt: skip
    """Left: the copied share of each output token. Right: what copying each source token contributes to it.

    Returns what makes the figure of a highlighted row with a title; these figures share all that is the same in each. Of a long
    sentence one sees MOST tokens around the highlighted one, and around the source token of which it copies most.

    A click on a cell hands back [row, column]. A cell with a number whose source token is the written one is framed: it adds to the
    written token's probability, the other cells to those of other tokens.

    Args:
        written, source: T and S labels; equal ones stay apart.
        shares: (T,), 0…1: the share of the written token's probability that copying contributes.
        contributions: (1 − p_gen) aᵢ, (T, S), 0…1.
        spelled: of each row the columns at which the written token stands.
        axes: titles of the rows, of the bars and of the cells, for the rows and columns that one sees; the last may have plotly's
            own markup.
        hover: of each row, as plain text.
    """
    rows, columns = contributions.shape
    seen = min(rows, MOST)
    fig = figure(palette, height=max(300, min(34, cell_height(seen)) * seen + 160))
    fig.add_bar(
        x=shares, y=list(range(rows)), orientation="h", width=0.7, hoverinfo="skip",
        text=[brief(share) for share in shares], textposition="outside",
        textangle=0, constraintext="none", textfont={"size": FONT, "color": palette.ink}, cliponaxis=rows > MOST,
    )  # fmt: skip
    tones: dict[str, Any] = {"colorscale": scale(palette.sequential), "zmin": 0.0, "zmax": 1.0}
    told = [plain(text) for text in hover]
    fig.add_heatmap(
        z=np.round(255 * contributions).astype(np.uint8), xaxis="x2", xgap=2, ygap=2, hovertext=told,
        hovertemplate="%{hovertext}<extra></extra>", showscale=False, **tones | {"zmax": 255},
    )  # fmt: skip
    texts = [[brief(value).removesuffix(" %") if value >= WRITTEN else "" for value in line] for line in contributions]
    before = len(fig.data)
    print_values(fig, contributions, texts, **tones)
    for heat in fig.data[before:]:
        heat |= {"xaxis": "x2", "z": np.zeros(contributions.shape, np.uint8)}
    fig.update_layout(
        xaxis={"domain": BARS, "range": [0, 1.5], "tickvals": [0, 1], "ticktext": ["0", "100 %"], "showgrid": True}, dragmode=False
    )
    slant = sum(map(len, source)) > 55 or columns > 10
    same = [(row, each) for row, own in enumerate(spelled) for each in own if contributions[row, each] >= WRITTEN]
    around_each = "".join(f"M{x - 0.5},{y - 0.5}H{x + 0.5}V{y + 0.5}H{x - 0.5}Z" for y, x in same)
    if same:
        fig.add_shape(type="path", path=around_each, xref="x2", line={"color": palette.ink, "width": 2})
    # Cells that are almost white stand on the colour of lines, so that a row of zeros is seen as one.
    field = {"x0": -0.5, "x1": columns - 0.5, "y0": -0.5, "y1": rows - 0.5, "xref": "x2"}
    fig.add_shape(type="rect", layer="below", fillcolor=palette.line, line={"width": 0}, **field)

    def highlighted(at: int, title: str) -> Figure:
        colours = [palette.accent if row == at else palette.quiet for row in range(rows)]
        one = figure(palette, title=title)
        strongest = int(np.argmax(contributions[at]))
        down, across = around(at, rows), around(strongest, columns)
        of_rows, of_bars, of_cells = axes(down, across)
        frame(one, (0, columns - 1), (at, at), palette.accent, 3, xref="x2")
        one.update_yaxes(**token_axis(written, plain(of_rows), at, palette.accent))
        one.update_yaxes(range=[down.stop - 0.5, down.start - 0.5], ticks="")  # the first token on top
        below = token_axis(source, of_cells, None, palette.k_text) | {"range": [across.start - 0.5, across.stop - 0.5]}
        below |= {"ticks": "", "tickangle": -40 if slant else 0, "domain": CELLS, "anchor": "y"}
        shapes = [*one.layout["shapes"], *fig.layout["shapes"]]
        bars = {**fig.layout["xaxis"], "title": {"text": plain(of_bars)}}
        own = {"title": one.layout["title"], "yaxis": one.layout["yaxis"], "xaxis": bars, "xaxis2": below, "shapes": shapes}
        one.layout = {**fig.layout, **own}
        one.data = [{**fig.data[0], "marker": {"color": colours, "line": {"width": 0}}}, *fig.data[1:]]
        say(one, told[at], plain(named(source[strongest], brief(contributions[at, strongest]))))
        return one

    return highlighted


def brief(share: float) -> str:
    """A share in whole percent, for which there is room: never 0 % or 100 % where it is neither."""
    if 0 < share < 0.005 or share in (0, 1):
        return percent(float(share))
    return ">99 %" if share >= 0.995 else f"{100 * share:.0f} %"
