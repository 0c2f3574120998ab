"""Vectors of one head, drawn: a dot product term by term, and a weighted sum of values."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from viz_core.figures.attention import Floats, cell_height, frame, signed, thin_rows
from viz_core.figures.base import FONT, figure, percent, plain, say, token_axis
from viz_core.figures.figure import Figure
from viz_core.figures.palette import LIGHT, Palette, scale
from viz_core.texts import fill, texts


def role_scale(palette: Palette, role: str) -> list[list[float | str]]:
    """A diverging scale centred on 0 whose positive side has the colour of a role: q, k, v or output."""
    return scale((palette.quiet, palette.surface, palette.role(role)))


def products(
    q: Floats,
    k: Floats,
    *,
    query: str,
    key: str,
    names: tuple[str, str, str],
    total: float,
    title: str,
    axis: str,
    palette: Palette = LIGHT,
) -> Figure:
    """The dot product q · k term by term: the two vectors as strips, their products as bars below.

    Args:
        q, k: (d_k,) each.
        query, key: the two tokens.
        names: labels of the three lines, such as "q", "k" and "q × k".
        total: q · k as recorded, said between the vectors and the bars, where no bar can reach.
        axis: title of the axis of dimensions.
    """
    n = len(q)
    across, terms = list(range(1, n + 1)), q * k
    limit = max(float(np.abs(q).max()), float(np.abs(k).max()), 1e-9)
    fig = figure(palette, title=title, height=470)
    for values, role, which, token in ((q, "q", "y", query), (k, "k", "y2", key)):
        fig.add_heatmap(
            x=across, y=[0], z=[values], yaxis=which, colorscale=role_scale(palette, role), zmin=-limit, zmax=limit, xgap=1,
            showscale=False,
            hovertext=[[f"«{plain(token)}»: {role}[{i}] = {signed(v, 3)}" for i, v in enumerate(values, 1)]],
        )  # fmt: skip
    fig.add_bar(
        x=across, y=terms, yaxis="y3", marker={"color": [palette.diverging[5 if v >= 0 else 1] for v in terms]},
        hovertext=[f"{signed(a, 3)} × {signed(b, 3)} = {signed(c, 3)}" for a, b, c in zip(q, k, terms, strict=True)],
        hovertemplate="%{x}: %{hovertext}<extra></extra>",
    )  # fmt: skip
    shared = {"automargin": True}
    strip = {**shared, "tickmode": "array", "tickvals": [0], "range": [-0.5, 0.5]}
    for number, (low, high, name, role) in enumerate(((0.86, 1.0, names[0], "q"), (0.69, 0.83, names[1], "k")), 1):
        label = f'<b><span style="color:{palette.role_text(role)}">{plain(name)}</span></b>'
        fig.update_layout(**{f"yaxis{number if number > 1 else ''}": {**strip, "domain": [low, high], "ticktext": [label]}})
    bars = {**shared, "domain": [0, 0.53], "zeroline": True}
    fig.update_layout(yaxis3={**bars, "title": {"text": plain(names[2])}})
    at = {"x": 1, "y": 0.66, "xref": "paper", "yref": "paper", "xanchor": "right", "yanchor": "top"}
    fig.add_annotation(
        text=f"<b>Σ = {signed(total, 3)}</b>", font={"size": FONT + 6, "color": palette.ink}, bgcolor=palette.panel, **at
    )
    say(fig, f"{plain(names[0])} · {plain(names[1])} = {signed(total, 3)}")
    fig.update_xaxes(title={"text": axis}, range=[0.5, n + 0.5], dtick=max(1, n // 8), tick0=n // 8 if n >= 8 else 1, anchor="y3")
    return fig


def mixing(
    weights: Floats,
    values: Floats,
    mix: Floats,
    keys: Sequence[str],
    *,
    titles: tuple[str, str, str],
    total: str,
    axes: tuple[str, str],
    highlighted: int | None = None,
    palette: Palette = LIGHT,
) -> Figure:
    """Σ weight · v: each key's weight, its value, what is taken of it, and their sum at the bottom.

    Args:
        weights: (Tk,), NaN where masked.
        values: (Tk, d_k).
        mix: (d_k,), as recorded.
        titles: over the three columns.
        total: label of the last row, the sum.
        axes: titles of the keys' axis and of the dimensions' axes.
        highlighted: the picked key, framed.
    """
    n, d_k = values.shape
    taken = np.nan_to_num(weights)[:, None] * values
    limit = max(float(np.abs(values).max()), float(np.abs(mix).max()), 1e-9)
    cell = min(cell_height(n), 40)
    fig = figure(palette, height=cell * (n + 2) + 130)
    shares = ["" if np.isnan(weight) else percent(float(weight)) for weight in weights]
    words = texts("figures.hovers")
    hover = [
        fill(words["taken" if share else "not_taken"], {"key": plain(key), "share": share})
        for key, share in zip(keys, shares, strict=True)
    ]
    rows, across = list(range(n)), list(range(1, d_k + 1))
    fig.add_bar(
        x=np.nan_to_num(weights), y=rows, orientation="h", marker={"color": palette.weight}, width=0.6,
        text=shares if n <= 24 else None, textposition="outside",
        hovertext=hover,
    )  # fmt: skip
    shared = {"zmin": -limit, "zmax": limit, "ygap": 1 if n <= 40 else 0, "showscale": False, "x": across}
    green = {**shared, "colorscale": role_scale(palette, "v"), "hovertemplate": "%{x}: %{z:.3f}<extra></extra>"}
    fig.add_heatmap(y=rows, z=values, xaxis="x2", **green)
    fig.add_heatmap(y=rows, z=taken, xaxis="x3", **green)
    purple = {**shared, "colorscale": role_scale(palette, "output"), "hovertemplate": "%{x}: %{z:.3f}<extra></extra>"}
    fig.add_heatmap(y=[n + 0.6], z=[mix], xaxis="x3", **purple, dy=1)
    place = {"anchor": "y"}
    dims = {**place, "range": [0.5, d_k + 0.5], "title": {"text": axes[1]}, "dtick": max(1, d_k // 4), "tick0": d_k // 4 or 1}
    fig.update_layout(
        xaxis={**place, "domain": [0, 0.22], "range": [0, 1.5], "visible": False},
        xaxis2={**dims, "domain": [0.25, 0.6]},
        xaxis3={**dims, "domain": [0.65, 1]},
    )
    bottom = f'<b><span style="color:{palette.output_text}">{plain(total)}</span></b>'
    axis = token_axis(keys, axes[0], highlighted, palette.k_text, thin=thin_rows(n))
    axis |= {"tickvals": [*axis["tickvals"], n + 0.6], "ticktext": [*axis["ticktext"], bottom], "range": [n + 1.15, -0.5]}
    fig.update_yaxes(**axis)
    for middle, text in zip((0.08, 0.425, 0.825), titles, strict=True):
        at = {"x": middle, "y": 1, "xref": "paper", "yref": "paper", "xanchor": "center", "yanchor": "bottom"}
        fig.add_annotation(text=plain(text), **at)
    say(fig, hover[int(np.nan_to_num(weights).argmax()) if highlighted is None else highlighted])
    if highlighted is not None:
        for x in ("x2", "x3"):
            frame(fig, (1, d_k), (highlighted, highlighted), palette.accent, 3, xref=x)
    fig.update_layout(margin={"t": 40})
    return fig
