"""Teacher forcing as a table, and the answer of one step beside what it is compared with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from viz_core.figures.attention import Floats
from viz_core.figures.base import FONT, figure, plain, region, say, token_axis
from viz_core.figures.palette import LIGHT, Palette

SQUARES = 24
"""Up to so many positions the mask is drawn."""

STYLE = """<style>
.draws.forced {{ overflow: auto; border: 1px solid {line}; border-radius: 8px; }}
.draws.forced {{ width: fit-content; max-width: 100%; max-height: 34rem; }}
.forced table {{ border-collapse: separate; border-spacing: 0; font-size: 18px; color: {ink}; }}
.forced th {{ background: {panel}; padding: .3rem .8rem; white-space: nowrap; text-align: right; position: sticky; top: 0; }}
.forced td {{ text-align: right; padding: .18rem .8rem; white-space: nowrap; font-variant-numeric: tabular-nums; }}
.forced .token {{ text-align: left; unicode-bidi: isolate; }}
.forced td.read {{ color: {q}; }} .forced td.write {{ color: {output}; }}
.forced .mask {{ text-align: left; }} .forced td.mask {{ letter-spacing: .12rem; font-family: monospace; color: {quiet}; }}
.forced .mask b {{ color: {q}; }}
.forced td.own {{ color: {k}; font-weight: 600; }} .forced s {{ color: {quiet}; font-weight: 400; }}
.forced td.rise {{ color: {k}; }} .forced td.fall {{ color: {v}; }}
.forced tr.lit td {{ background: {highlighted}; }} .forced tr.lit td:first-child {{ box-shadow: inset 5px 0 {accent}; }}
.forced tr.sum td {{ background: {panel}; font-weight: 600; }}
</style>"""


@dataclass(frozen=True)
class Position:
    """One line: what the decoder reads there, what it should write, and numbers as text."""

    read: str
    write: str
    numbers: Sequence[str]


def forced_table(
    positions: Sequence[Position],
    sums: Sequence[Sequence[str]],
    *,
    headings: Sequence[str],
    highlighted: int,
    palette: Palette = LIGHT,
) -> str:
    """One line for each position, as HTML; then the sums, each its name and its numbers.

    What has `data-writes` is what the model writes at that step, counted from 0: while it is to be guessed, the
    page hides it.

    Args:
        headings: of position, what is read, what may be looked at, what should be written, and of the numbers.
        highlighted: the current position.
    """
    count, lines = len(positions), []
    for at, one in enumerate(positions):
        seen = f"<b>{'■' * (at + 1)}</b>{'□' * (count - at - 1)}" if count <= SQUARES else f"1 … {at + 1}"
        read = f'<span data-writes="{at - 1}">{plain(one.read)}</span>' if at else plain(one.read)
        tokens = f'<td class="token read">{read}</td><td class="mask">{seen}</td>'
        tokens += f'<td class="token write"><span data-writes="{at}">{plain(one.write)}</span></td>'
        numbers = "".join(f"<td>{plain(number)}</td>" for number in one.numbers)
        lines.append(f"<tr{' class=lit' if at == highlighted else ''}><td>{at + 1}</td>{tokens}{numbers}</tr>")
    for name, *summed in sums:
        cells = "".join(f"<td>{plain(number)}</td>" for number in summed)
        lines.append(f'<tr class="sum"><td></td><td class="token" colspan="3">{plain(name)}</td>{cells}</tr>')
    kinds = ["", " class=token", " class=mask", " class=token", *[""] * (len(headings) - 4)]
    return position_table(headings, kinds, lines, palette)


def position_table(headings: Sequence[str], kinds: Sequence[str], lines: Sequence[str], palette: Palette) -> str:
    """The headings, each with its class as an attribute, and lines that are HTML already, in a frame that scrolls."""
    head = "".join(f'<th scope="col"{kind}>{plain(heading)}</th>' for kind, heading in zip(kinds, headings, strict=True))
    colours = {"line": palette.line, "ink": palette.ink, "panel": palette.panel, "accent": palette.accent, "quiet": palette.quiet}
    letters = {role: palette.role_text(role) for role in ("q", "k", "v", "output")}
    style = STYLE.format(**colours, **letters, highlighted=palette.words[4])
    return f'{style}<div class="draws forced" {region("forced")}><table><tr>{head}</tr>{"".join(lines)}</table></div>'


def target_bars(
    labels: Sequence[str], target: Floats, model: Floats, said: Sequence[tuple[str, str]], *,
    title: str, names: tuple[str, str], axes: tuple[str, str], highlighted: int, palette: Palette = LIGHT,
) -> go.Figure:  # fmt: skip
    """What the answer should be, as the loss has it, and what the model answers: by powers of ten, or ε / V could not be seen.

    Args:
        target, model: probabilities; 0 has no bar.
        said: of each token, what its two bars say.
        names: of the two.   axes: tokens, probability.
        highlighted: the right token.
    """
    fig = figure(palette, title=title, height=405)
    for which, (name, values, colour) in enumerate(((names[0], target, palette.output), (names[1], model, palette.accent))):
        fig.add_bar(
            x=list(range(len(labels))), y=[float(value) if value > 0 else None for value in values], name=plain(name),
            marker={"color": colour, "line": {"width": 0}}, hovertext=[plain(pair[which]) for pair in said],
            hovertemplate="%{hovertext}<extra></extra>",
        )  # fmt: skip
    fig.update_xaxes(
        **token_axis(labels, axes[0], highlighted, palette.output_text), tickangle=-40 if sum(map(len, labels)) > 55 else 0
    )
    fig.update_yaxes(title=plain(axes[1]), type="log", range=[-8, 0.1], dtick=2, showgrid=True, gridcolor=palette.line)
    fig.update_yaxes(exponentformat="power")
    legend = {"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom", "font": {"size": FONT}}
    fig.update_layout(barmode="group", bargap=0.25, showlegend=True, legend=legend)
    say(fig, *(plain(text) for text in said[highlighted]))
    return fig
