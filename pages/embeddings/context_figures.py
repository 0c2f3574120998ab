"""A token in several sentences: how similar its vectors are after each layer, and the other tokens that come close."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from viz_core.figures.attention import click_targets, signed
from viz_core.figures.base import FONT, figure, plain, say
from viz_core.figures.figure import Figure
from viz_core.figures.palette import LIGHT, Palette
from viz_core.figures.table import cell, html_table
from viz_core.texts import named
from viz_core.trace import Array, Floats

HEIGHT, PLOT = 470, 360  # px of the figure, and of the area between its axes
LINE = 25  # px between two labels at the ends of the lines
ROOM = 0.92  # of the width of the lines again, for these labels


@dataclass(frozen=True, eq=False)
class Other:
    """The same token in another sentence.

    Attributes:
        text: the sentence.   cosines: with the token here, (places,).   unit: its vectors at unit length, (places, D).
        typed: whether the reader typed the sentence.
    """

    text: str
    cosines: Floats
    unit: Array
    typed: bool = False


def context_lines(
    others: Sequence[Other], average: Floats, places: Sequence[str], *, current: int, title: str, axis: str, name: str,
    palette: Palette = LIGHT,
) -> Figure:  # fmt: skip
    """A line for each other sentence, its text at the end; dashed, the average of all tokens. A click carries the layer.

    Args:
        others: the most similar at the last place first.
        average: the mean cosine with all tokens, (places,).
        places: names of the places, before the first layer and after each.
        current: index of the place after the picked layer.
        axis, name: title of the vertical axis; what stands at the end of the average.
    """
    fig = figure(palette, title=title, height=HEIGHT)
    across, last = list(range(len(places))), len(places) - 1
    lines = [(other.cosines, other.text, _colour(other, others, palette), 5.0 if other.typed else 3.0) for other in others]
    low = min(0.0, float(average.min()), *(float(other.cosines.min()) for other in others))
    for values, text, colour, width in lines:
        fig.add_scatter(
            x=across, y=values, mode="lines+markers", line={"color": colour, "width": width}, marker={"size": 8},
            hovertext=[f"«{plain(text)}»: {signed(float(value))}" for value in values], cliponaxis=False,
        )  # fmt: skip
    fig.add_scatter(x=across, y=average, mode="lines", line={"color": palette.quiet, "width": 2, "dash": "dash"}, hoverinfo="skip")
    ends = [*(float(values[-1]) for values, *_ in lines), float(average[-1])]
    words = [*((f"{signed(end)}  {plain(text)}", colour) for end, (_, text, colour, _) in zip(ends, lines, strict=False))]
    words.append((f"{signed(ends[-1])}  {plain(name)}", palette.quiet))
    # The first of all shapes in every state, so that it alone moves with the layer.
    fig.add_vline(x=current, line={"color": palette.accent, "width": 2, "dash": "dot"}, layer="below")
    notes = []
    for y, end, (text, colour) in zip(spread(ends, (1.02 - low) * LINE / PLOT), ends, words, strict=True):
        notes.append({"x": last + 0.2, "y": y, "text": text, "xanchor": "left", "font": {"size": FONT, "color": colour}})
        line = {"type": "line", "x0": last + 0.04, "y0": end, "x1": last + 0.18, "y1": y, "line": {"color": colour, "width": 1}}
        fig.add_shape(**line)
    fig.add_annotations(notes)
    for y in (0.0, 0.5, 1.0):  # a grid that ends where the labels begin
        fig.add_shape(type="line", x0=0, x1=last, y0=y, y1=y, line={"color": palette.line, "width": 1}, layer="below")
    say(fig, *(f"«{plain(other.text)}»: {signed(float(other.cosines[-1]))}" for other in others))
    fig.update_xaxes(
        tickmode="array", tickvals=across, ticktext=[plain(place) for place in places], range=[-0.1, last * (1 + ROOM) + 0.3]
    )  # fmt: skip
    fig.update_yaxes(title={"text": plain(axis)}, range=[low - 0.02, 1.02], dtick=0.2)
    spots = across[1:]
    said = [named(plain(places[i]), signed(float(average[i]))) for i in spots]
    click_targets(fig, spots, [low] * len(spots), [[i - 1, 0] for i in spots], said)
    return fig


def _colour(other: Other, others: Sequence[Other], palette: Palette) -> str:
    """Dark for the more similar half, the quiet ink for the rest, so that one sees them part."""
    if other.typed:
        return palette.ink
    rest = [each for each in others if not each.typed]
    return palette.accent if rest.index(other) < (len(rest) + 1) // 2 else palette.quiet


def spread(values: Sequence[float], gap: float) -> list[float]:
    """Places as near to these values as can be, at least `gap` apart, in the same order of size."""
    order = np.argsort(-np.asarray(values), kind="stable")
    at, groups = {}, []
    for i in order:  # each group stands around the mean of its values; groups that would touch are joined
        groups.append([int(i)])
        while len(groups) > 1 and _middle(groups[-2], values) - _middle(groups[-1], values) < gap * _reach(groups[-2:]):
            groups[-2:] = [groups[-2] + groups[-1]]
    for group in groups:
        top = _middle(group, values) + gap * (len(group) - 1) / 2
        at.update({i: top - gap * rank for rank, i in enumerate(group)})
    return [at[i] for i in range(len(values))]


def _middle(group: Sequence[int], values: Sequence[float]) -> float:
    return sum(values[i] for i in group) / len(group)


def _reach(groups: Sequence[Sequence[int]]) -> float:
    """How many gaps the middles of two groups that touch are apart."""
    return sum(map(len, groups)) / 2


def neighbours_table(
    near: Sequence[Sequence[tuple[str, float]]], places: Sequence[str], *, rank: str, palette: Palette = LIGHT
) -> str:
    """The most similar tokens at each place, as HTML: a column for each place, the nearest on top; that after the layer which the
    browser shows is highlighted.

    Args:
        near: for each place, (label, cosine) of the nearest, equally many.
    """
    rows = [
        [str(i + 1), *(cell(f"{label}  {signed(cosine)}", "word") for label, cosine in line)]
        for i, line in enumerate(zip(*near, strict=True))
    ]  # fmt: skip
    picked = ", ".join(f'[data-layer="{layer}"] .in-context td:nth-child({layer + 3})' for layer in range(len(places) - 1))
    style = f"{picked} {{ background: {palette.highlight}; }}.in-context td.word {{ white-space: pre; }}"
    return html_table("in-context", [rank, *places], rows, words=range(1, len(places) + 1), style=style, palette=palette)
