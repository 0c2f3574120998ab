"""A token in several sentences: how similar its vectors are after each layer, and which other tokens come close."""

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

HEIGHT, PLOT = 470, 360  # in px: the figure, and the area between its axes
LINE = 25  # px between two labels at the lines' ends
ROOM = 0.92  # how much wider the plot is for these labels, as a share of the lines' width


@dataclass(frozen=True, eq=False)
class Other:
    """The same token in another sentence.

    Attributes:
        text: the sentence.   cosines: with the token on display, (places,).   unit: its vectors at unit length, (places, D).
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
    """A line for each other sentence with its text at the end, and a dashed line for the average. A click carries the layer.

    Args:
        others: the sentences, the most similar at the last place first.
        average: the mean cosine with all tokens, (places,).
        places: names of the places, which are before the first layer and after each.
        current: index of the place on display.
        axis, name: the titles of the vertical axis and of the average.
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
    # The first shape in every state, so that only this one changes with the layer.
    fig.add_vline(x=current, line={"color": palette.accent, "width": 2, "dash": "dot"}, layer="below")
    notes = []
    for y, end, (text, colour) in zip(spread(ends, (1.02 - low) * LINE / PLOT), ends, words, strict=True):
        notes.append({"x": last + 0.2, "y": y, "text": text, "xanchor": "left", "font": {"size": FONT, "color": colour}})
        line = {"type": "line", "x0": last + 0.04, "y0": end, "x1": last + 0.18, "y1": y, "line": {"color": colour, "width": 1}}
        fig.add_shape(**line)
    fig.add_annotations(notes)
    for y in (0.0, 0.5, 1.0):  # grid lines that end before the labels
        fig.add_shape(type="line", x0=0, x1=last, y0=y, y1=y, line={"color": palette.line, "width": 1}, layer="below")
    say(fig, *(f"«{plain(other.text)}»: {signed(float(other.cosines[-1]))}" for other in others))
    fig.update_xaxes(
        tickmode="array", tickvals=across, ticktext=[plain(place) for place in places], range=[-0.1, last * (1 + ROOM) + 0.3]
    )  # fmt: skip
    fig.update_yaxes(title={"text": plain(axis)}, range=[low - 0.02, 1.02], dtick=0.2)
    spots = across[1:]
    hovers = [named(plain(places[i]), signed(float(average[i]))) for i in spots]
    click_targets(fig, spots, [low] * len(spots), [[i - 1, 0] for i in spots], hovers)
    return fig


def _colour(other: Other, others: Sequence[Other], palette: Palette) -> str:
    """Strong for the more similar half, quiet for the rest, so that the two groups can be told apart."""
    if other.typed:
        return palette.ink
    rest = [sentence for sentence in others if not sentence.typed]
    return palette.accent if rest.index(other) < (len(rest) + 1) // 2 else palette.quiet


def spread(values: Sequence[float], gap: float) -> list[float]:
    """The positions nearest to these values that are at least `gap` apart, in the same order."""
    order = np.argsort(-np.asarray(values), kind="stable")
    positions, groups = {}, []
    for i in order:  # a group is centred on the mean of its values; groups that touch are joined
        groups.append([int(i)])
        while len(groups) > 1 and _middle(groups[-2], values) - _middle(groups[-1], values) < gap * _reach(groups[-2:]):
            groups[-2:] = [groups[-2] + groups[-1]]
    for group in groups:
        top = _middle(group, values) + gap * (len(group) - 1) / 2
        positions.update({i: top - gap * rank for rank, i in enumerate(group)})
    return [positions[i] for i in range(len(values))]


def _middle(group: Sequence[int], values: Sequence[float]) -> float:
    return sum(values[i] for i in group) / len(group)


def _reach(groups: Sequence[Sequence[int]]) -> float:
    """How many gaps apart the middles of two touching groups are."""
    return sum(map(len, groups)) / 2


def neighbours_table(
    near: Sequence[Sequence[tuple[str, float]]], places: Sequence[str], *, rank: str, palette: Palette = LIGHT
) -> str:
    """The most similar tokens as an HTML table: a column for each place, the nearest on top. The column of the layer on display is
    highlighted.

    Args:
        near: for each place, (label, cosine) of the nearest tokens, the same number everywhere.
    """
    rows = [
        [str(i + 1), *(cell(f"{label}  {signed(cosine)}", "word") for label, cosine in line)]
        for i, line in enumerate(zip(*near, strict=True))
    ]  # fmt: skip
    picked = ", ".join(f'[data-layer="{layer}"] .in-context td:nth-child({layer + 3})' for layer in range(len(places) - 1))
    style = f"{picked} {{ background: {palette.highlight}; }}.in-context td.word {{ white-space: pre; }}"
    return html_table("in-context", [rank, *places], rows, words=range(1, len(places) + 1), style=style, palette=palette)
