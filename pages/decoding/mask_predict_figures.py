"""Figures of non-autoregressive decoding: the sentence after each pass, and what two neighbouring positions predict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from viz_core.figures.attention import Floats
from viz_core.figures.base import FONT, figure, percent, plain, region, say, token_axis
from viz_core.figures.palette import LIGHT, Palette, mixed, readable

STYLE = """<style>
.filling {{ overflow: auto; border: 1px solid {line}; border-radius: 8px; color: {ink}; font-size: 18px;
  padding: .3rem .4rem .5rem; }}
.filling table {{ border-collapse: separate; border-spacing: 3px 7px; }}
.filling tbody th {{ font-weight: 600; text-align: left; padding: 0 .5rem 0 .7rem; white-space: nowrap; line-height: 1.25; }}
.filling th small {{ display: block; font-size: inherit; font-weight: 400; color: {quiet}; }}
.filling thead th {{ color: {quiet}; text-align: center; padding: 0; line-height: 1; }}
.filling td {{ border: 3px solid transparent; border-radius: 6px; padding: .1rem .3rem; text-align: center; white-space: nowrap;
  line-height: 1.25; background-clip: padding-box; }}
.filling b {{ display: block; unicode-bidi: plaintext; }}
.filling .hidden {{ border-color: {accent}; border-style: dashed; }}
.filling .other b {{ text-decoration: underline 3px; text-underline-offset: 3px; }}
.filling .twin {{ box-shadow: 0 6px 0 -1px {twin}; }}
.filling .highlighted th[scope=row] {{ color: {accent}; box-shadow: inset 5px 0 {accent}; }}
.filling.dense table {{ border-spacing: 3px; }} .filling.dense :is(td, tbody th) {{ line-height: 1.1; }}
.filling.dense td {{ padding-block: 0; }} .filling.dense th small {{ display: inline; margin-left: .5rem; }}
.filling.dense .twin {{ box-shadow: 0 4px 0 -1px {twin}; }}
.filling p {{ margin: .2rem .2rem 0; display: flex; flex-wrap: wrap; gap: .3rem 1.6rem; color: {quiet}; }}
.filling p span {{ padding: 0 .35rem; border: 3px solid transparent; border-radius: 6px; color: {ink}; }}
.filling p b {{ display: inline; }}
</style>"""


@dataclass(frozen=True)
class PassCell:
    """One position after one pass.

    Attributes:
        label: its token.
        probability: of the token in the pass that predicted it.
        hidden: whether it was masked before this pass, or differs from greedy's.
        other: whether it changed since the pass before.
        twin: whether a neighbour has the same token.
    """

    label: str
    probability: float
    hidden: bool
    other: bool
    twin: bool

    @property
    def marks(self) -> str:
        """Its CSS classes."""
        return " ".join(name for name in ("hidden", "other", "twin") if getattr(self, name))


def passes_table(
    rows: Sequence[tuple[str, str, Sequence[PassCell]]],
    legend: Mapping[str, str],
    *,
    position: str,
    highlighted: int,
    dense: bool = False,
    palette: Palette = LIGHT,
) -> str:
    """One line a pass, as HTML: its name, a note, and a cell a position, shaded by its probability.

    Args:
        legend: words for the marks, `hidden`, `other` and `twin`; those of no cell are left out.
        position: what a column is called, for screen readers.
        highlighted: the current pass.
        dense: low lines, in which the probability is shown by the shade alone.
    """
    numbers = "".join(f'<th scope="col" aria-label="{plain(position)} {i}">{i}</th>' for i in range(1, len(rows[0][2]) + 1))
    lines = []
    for index, (name, note, cells) in enumerate(rows):
        drawn = "".join(_drawn(cell, dense, palette) for cell in cells)
        lines.append(
            f'<tr{" class=highlighted" * (index == highlighted)}>'
            f'<th scope="row">{plain(name)}<small>{plain(note)}</small></th>{drawn}</tr>'
        )
    seen = {mark for *_, cells in rows for cell in cells for mark in cell.marks.split()}
    marks = "".join(
        f'<i><span class="{mark}"><b>ab</b></span> {plain(words)}</i>' for mark, words in legend.items() if mark in seen
    )
    colours = {"line": palette.line, "ink": palette.ink, "quiet": palette.quiet, "accent": palette.accent, "twin": palette.k}
    return (
        f'{STYLE.format(**colours)}<div class="filling{" dense" * dense}" {region("filling")}><table>'
        f"<thead><tr><td></td>{numbers}</tr></thead>"
        f"<tbody>{''.join(lines)}</tbody></table><p>{marks}</p></div>"
    )


def _drawn(cell: PassCell, dense: bool, palette: Palette) -> str:
    ground = mixed(palette.sequential, cell.probability)
    colour = ",".join(f"{part:.0f}" for part in ground)
    style = f"background-color:rgb({colour});color:{readable(ground)}"
    number = "" if dense else percent(cell.probability)
    return f'<td class="{cell.marks}" style="{style}"><b>{plain(cell.label)}</b>{number}</td>'


def rivals_figure(
    tokens: Sequence[str],
    series: Sequence[tuple[str, Floats]],
    *,
    title: str,
    axes: tuple[str, str],
    highlighted: int,
    palette: Palette = LIGHT,
) -> go.Figure:
    """The probabilities of a few tokens, side by side, on one fixed axis from 0 to 100 %.

    Args:
        series: (name, (tokens,)): the two positions, and the second once all others are known.
        axes: titles of the tokens' axis (down) and of the probabilities' (across).
        highlighted: the token that both may get.
    """
    fig = figure(palette, title=title, height=190 + 26 * len(series) * len(tokens))
    looks = ((palette.accent, ""), (palette.k, ""), (palette.k, "/"))
    says = []
    for (name, values), (colour, pattern) in zip(series, looks, strict=False):
        hover = [f"{plain(name)}: «{plain(token)}» {percent(float(v))}" for token, v in zip(tokens, values, strict=True)]
        says.append(hover[highlighted])
        marker = {"color": colour, "line": {"width": 0}}
        marker |= {"pattern": {"shape": pattern, "fgcolor": palette.surface, "size": 8, "fillmode": "overlay"}}
        fig.add_bar(
            y=list(range(len(tokens))), x=values, orientation="h", name=plain(name), marker=marker,
            hovertext=hover, hovertemplate="%{hovertext}<extra></extra>", text=[percent(float(v)) for v in values],
            textposition="outside", textfont={"size": FONT - 2}, constraintext="none", cliponaxis=False,
        )  # fmt: skip
    say(fig, *says)
    down = token_axis(tokens, axes[0], highlighted, palette.accent)
    fig.update_yaxes(**down | {"range": down["range"][::-1]})
    across = {"range": [0, 1.12], "tickvals": [0, 0.25, 0.5, 0.75, 1], "tickformat": ".0%"}
    fig.update_xaxes(title={"text": axes[1]}, showgrid=True, gridcolor=palette.line, **across)
    legend = {"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom", "font": {"size": FONT}, "traceorder": "normal"}
    fig.update_layout(barmode="group", bargap=0.2, showlegend=True, legend=legend)
    return fig
