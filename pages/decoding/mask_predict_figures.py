"""Figures of non-autoregressive decoding: the sentence after each pass, and two neighbouring positions' predictions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from viz_core.figures.attention import Floats
from viz_core.figures.base import FONT, figure, percent, percent_ticks, plain, say, token_axis
from viz_core.figures.charts import add_bars
from viz_core.figures.figure import Figure
from viz_core.figures.palette import LIGHT, Palette, mixed, readable
from viz_core.figures.table import Html, html_table
from viz_core.texts import named


@dataclass(frozen=True)
class PassCell:
    """One position after one pass.

    Attributes:
        label: its token.
        probability: the token's probability in the pass that predicted it.
        hidden: whether it was masked before this pass or, without masks, differs from greedy's token.
        other: whether it changed in this pass.
    """

    label: str
    probability: float
    hidden: bool
    other: bool
    twin: bool

    @property
    def marks(self) -> str:
        return " ".join(name for name in ("hidden", "other", "twin") if getattr(self, name))


def passes_table(
    rows: Sequence[tuple[str, str, Sequence[PassCell]]], legend: Mapping[str, str], *, position: str, dense: bool = False,
    palette: Palette = LIGHT,
) -> str:  # fmt: skip
    """A row for each pass, as HTML: its name, a note, and a cell for each position, shaded by its probability.

    Highlights the pass with the number of the current step, or the last pass if there are fewer passes than steps.

    Args:
        legend: the texts for the marks `hidden`, `other` and `twin`; a mark that no cell has is left out.
        position: the name of a column, for screen readers.
        dense: lower rows, in which only the shade shows the probability.
    """
    columns = range(1, len(rows[0][2]) + 1)
    headings = ["", *(Html(f'<th scope="col" aria-label="{plain(position)} {i}">{i}</th>') for i in columns)]
    lines = [
        [Html(f'<th scope="row">{plain(name)}<small>{plain(note)}</small></th>'), *(_cell(cell, dense, palette) for cell in cells)]
        for name, note, cells in rows
    ]
    met = {mark for *_, cells in rows for cell in cells for mark in cell.marks.split()}
    marks = [f'<i><span class="{mark}"><b>ab</b></span> {plain(text)}</i>' for mark, text in legend.items() if mark in met]
    style = f"<style>{_passes_of_steps(len(rows))} {{ color: var(--accent); box-shadow: inset 5px 0; }}</style>"
    table = html_table("dense filling" if dense else "filling", headings, lines)
    return f"{style}{table}<p>{''.join(marks)}</p>"


def _passes_of_steps(passes: int) -> str:
    """A selector for the heading of the pass whose number is the step's, which the document has as `data-step`, from 0."""
    steps = [f'html[data-step="{step}"]' for step in range(passes - 1)]
    before = "".join(f':not([data-step="{step}"])' for step in range(passes - 1))
    rows = [f"{step} .filling tbody > :nth-child({i}) > th" for i, step in enumerate(steps, start=1)]
    return ", ".join([*rows, f"html{before} .filling tbody > :last-child > th"])


def _cell(cell: PassCell, dense: bool, palette: Palette) -> Html:
    ground = mixed(palette.sequential, cell.probability)
    colour = ",".join(f"{part:.0f}" for part in ground)
    style = f"background-color:rgb({colour});color:{readable(ground)}"
    number = "" if dense else percent(cell.probability)
    return Html(f'<td class="{cell.marks}" style="{style}"><b>{plain(cell.label)}</b>{number}</td>')


def rivals_figure(
    tokens: Sequence[str], series: Sequence[tuple[str, Floats]], *, others: str, title: str, axes: tuple[str, str],
    highlighted: int, palette: Palette = LIGHT,
) -> Figure:  # fmt: skip
    """The probabilities of a few tokens and of all others together, side by side, on one fixed axis from 0 to 100 %.

    Args:
        series: (name, (tokens + 1,)): the two positions, and the second once all others are known.
        others: names the other tokens, whose sum stands last.
        axes: titles of the tokens' axis (down) and of the probabilities' (across).
        highlighted: index of the token that both may get.
    """
    labels, quoted = [*tokens, others], [*(f"«{plain(token)}»" for token in tokens), plain(others)]
    fig = figure(palette, title=title, height=190 + 26 * len(series) * len(labels))
    says = []
    colours = (palette.accent, palette.k, palette.k)
    for i, ((name, values), colour) in enumerate(zip(series, colours, strict=False)):
        written = [percent(float(value)) for value in values]
        hover = [named(plain(name), f"{token} {share}") for token, share in zip(quoted, written, strict=True)]
        says.append(hover[highlighted])
        add_bars(
            fig, name, values, colour, palette, hover=hover, hatched=i == 2, orientation="h", text=written,
            textposition="outside", textfont={"size": FONT - 2}, constraintext="none", cliponaxis=False,
        )  # fmt: skip
    say(fig, *says)
    down = token_axis(labels, axes[0], highlighted, palette.accent)
    fig.update_yaxes(**down | {"range": down["range"][::-1]})
    fig.update_xaxes(title={"text": axes[1]}, range=[0, 1.12], **percent_ticks(0, 0.25, 0.5, 0.75, 1), showgrid=True)
    fig.update_layout(bargap=0.2, legend_traceorder="normal")
    return fig
