"""Two sentences beside each other, word under word, with lines between the words that belong together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from viz_core.figures.attention import click_targets
from viz_core.figures.base import FONT, annotate, figure, plain, say
from viz_core.figures.palette import LIGHT, Palette

ROW = 34
"""Pixels of a word."""
WIDEST = 14.0
"""Pixels of the thickest line."""
LONGEST = 20
"""Letters of a word."""


@dataclass(frozen=True)
class Line:
    """From a word on the left to one on the right, with how thick it is, 0…1 of the thickest, and what it says."""

    left: int
    right: int
    share: float
    hover: str


def word_lines(
    left: Sequence[str],
    right: Sequence[str],
    lines: Sequence[Line],
    *,
    title: str,
    names: tuple[str, str],
    highlighted: int | None,
    data: Sequence[int],
    palette: Palette = LIGHT,
) -> go.Figure:
    """Lines between words; a click on a word of the right side hands back its number of `data`.

    Args:
        names: of the two sides, above them.
        highlighted: the word of the right side whose line is in full colour.
        data: for each word of the right side what a click on it hands back.
    """
    rows = max(len(left), len(right), 1)
    fig = figure(palette, title=title, height=ROW * rows + 130)
    for line in sorted(lines, key=lambda line: line.right == highlighted):  # the highlighted one last, over the others
        mine = line.right == highlighted
        fig.add_scatter(
            x=[0, 1], y=[line.left, line.right], mode="lines", hoverinfo="skip", opacity=1.0 if mine else 0.5,
            line={"color": palette.accent if mine else palette.quiet, "width": max(1.5, WIDEST * line.share)},
        )  # fmt: skip
    fig.add_scatter(
        x=[0.5] * len(lines), y=[(line.left + line.right) / 2 for line in lines], mode="markers", marker={"size": 16, "opacity": 0},
        hovertext=[plain(line.hover) for line in lines], hovertemplate="%{hovertext}<extra></extra>",
    )  # fmt: skip
    linked = {line.left for line in lines if line.right == highlighted}
    click_targets(fig, [1.15] * len(right), list(range(len(right))), [[at] for at in data], [plain(word) for word in right])
    notes = [_word(word, -0.03, row, "right", palette, row in linked) for row, word in enumerate(left)]
    notes += [_word(word, 1.03, row, "left", palette, row == highlighted) for row, word in enumerate(right)]
    notes += [
        _word(name, x, -1, anchor, palette, False) for name, x, anchor in zip(names, (-0.03, 1.03), ("right", "left"), strict=True)
    ]
    annotate(fig, notes)
    fig.update_layout(hoverdistance=40)
    fig.update_xaxes(visible=False, range=[-0.75, 1.75])
    fig.update_yaxes(visible=False, range=[rows - 0.4, -1.6])
    say(fig, *(plain(line.hover) for line in sorted(lines, key=lambda line: line.right != highlighted)))
    return fig


def _word(word: str, x: float, y: float, anchor: str, palette: Palette, highlighted: bool) -> dict[str, object]:
    """A word at the end of its lines; the names of the sides, in row −1, are quiet."""
    text = plain(word if len(word) <= LONGEST else f"{word[: LONGEST - 1]}…")
    colour = palette.accent if highlighted else palette.quiet if y < 0 else palette.ink
    return {
        "text": f"<b>{text}</b>" if highlighted else text, "x": x, "y": y, "xanchor": anchor, "showarrow": False,
        "font": {"size": FONT + 2 * highlighted, "color": colour}, "captureevents": False,
    }  # fmt: skip
