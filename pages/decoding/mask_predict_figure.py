"""A sentence after each pass that fills its places: passes downward, places across."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from viz_core.figures.base import percent, plain
from viz_core.figures.described import region
from viz_core.figures.ink import mixed, readable
from viz_core.figures.palette import LIGHT, Palette

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
.filling .lit th[scope=row] {{ color: {accent}; box-shadow: inset 5px 0 {accent}; }}
.filling.dense table {{ border-spacing: 3px; }} .filling.dense :is(td, tbody th) {{ line-height: 1.1; }}
.filling.dense td {{ padding-block: 0; }} .filling.dense th small {{ display: inline; margin-left: .5rem; }}
.filling.dense .twin {{ box-shadow: 0 4px 0 -1px {twin}; }}
.filling p {{ margin: .2rem .2rem 0; display: flex; flex-wrap: wrap; gap: .3rem 1.6rem; color: {quiet}; }}
.filling p span {{ padding: 0 .35rem; border: 3px solid transparent; border-radius: 6px; color: {ink}; }}
.filling p b {{ display: inline; }}
</style>"""


@dataclass(frozen=True)
class Cell:
    """A place after a pass.

    Attributes:
        label: its token.
        probability: of the token in the pass that wrote it.
        hidden: whether it was open in this pass.
        other: whether another token stood there before.
        twin: whether a neighbour has the same token.
    """

    label: str
    probability: float
    hidden: bool
    other: bool
    twin: bool

    @property
    def marks(self) -> str:
        """The names of what holds."""
        return " ".join(name for name in ("hidden", "other", "twin") if getattr(self, name))


def filling_table(
    rows: Sequence[tuple[str, str, Sequence[Cell]]],
    legend: Mapping[str, str],
    *,
    place: str,
    highlighted: int,
    dense: bool = False,
    palette: Palette = LIGHT,
) -> str:
    """One line a pass, as HTML: its name, what is told of it, and a cell a place on a ground as strong as its probability.

    Args:
        legend: words for the marks, `hidden`, `other` and `twin`; those that are in no cell are left out.
        place: what a column is called, for those who hear the table.
        highlighted: the pass to look at.
        dense: low lines, on which the probability is only the ground.
    """
    numbers = "".join(f'<th scope="col" aria-label="{plain(place)} {i}">{i}</th>' for i in range(1, len(rows[0][2]) + 1))
    lines = []
    for index, (name, told, cells) in enumerate(rows):
        drawn = "".join(_drawn(cell, dense, palette) for cell in cells)
        lines.append(
            f'<tr{" class=lit" * (index == highlighted)}><th scope="row">{plain(name)}<small>{plain(told)}</small></th>{drawn}</tr>'
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


def _drawn(cell: Cell, dense: bool, palette: Palette) -> str:
    ground = mixed(palette.sequential, cell.probability)
    colour = ",".join(f"{part:.0f}" for part in ground)
    style = f"background-color:rgb({colour});color:{readable(ground)}"
    number = "" if dense else percent(cell.probability)
    return f'<td class="{cell.marks}" style="{style}"><b>{plain(cell.label)}</b>{number}</td>'
