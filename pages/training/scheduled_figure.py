"""Scheduled sampling as a table: what the decoder reads where some words are its own, and what that does to the loss."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pages.training.loss_figure import position_table
from viz_core.figures.base import plain
from viz_core.figures.palette import LIGHT, Palette

OWN = "◆"
"""Before a word of its own: what is marked by a colour alone, not everybody sees."""


@dataclass(frozen=True)
class MixedPosition:
    """One line.

    Attributes:
        coin: as text; empty where none is tossed.
        read: what the decoder reads.
        own: whether that is a word of its own.   right: the right one, where it reads another; else empty.
        write, writes: what it should write; and what it holds most probable, in the last column.
        numbers: p and −ln p of what should come, and −ln p with teacher forcing.
        change: of the loss, as text, with its sign; empty where it is the same.
    """

    coin: str
    read: str
    own: bool
    right: str
    write: str
    writes: str
    numbers: Sequence[str]
    change: str


def mixed_table(
    positions: Sequence[MixedPosition],
    sums: Sequence[Sequence[str]],
    *,
    headings: Sequence[str],
    highlighted: int,
    palette: Palette = LIGHT,
) -> str:
    """One line for each position, as HTML; then the sums, each its name and its numbers, the change last."""
    lines = []
    for at, one in enumerate(positions):
        read = f"{OWN} {plain(one.read)}" if one.own else plain(one.read)
        read += f" <s>{plain(one.right)}</s>" if one.right else ""
        cells = f'<td>{at + 1}</td><td>{plain(one.coin)}</td><td class="token {"own" if one.own else "read"}">{read}</td>'
        cells += f'<td class="token write">{plain(one.write)}</td>'
        cells += "".join(f"<td>{plain(number)}</td>" for number in one.numbers) + _change(one.change)
        cells += f'<td class="token">{plain(one.writes)}</td>'
        lines.append(f"<tr{' class=lit' if at == highlighted else ''}>{cells}</tr>")
    for name, *numbers, change in sums:
        cells = "".join(f"<td>{plain(number)}</td>" for number in numbers) + _change(change) + "<td></td>"
        lines.append(f'<tr class="sum"><td></td><td class="token" colspan="3">{plain(name)}</td>{cells}</tr>')
    kinds = ["", "", " class=token", " class=token", *[""] * (len(headings) - 5), " class=token"]
    return position_table(headings, kinds, lines, palette)


def _change(text: str) -> str:
    kind = ' class="rise"' if text.startswith("+") else ' class="fall"' if text else ""
    return f"<td{kind}>{plain(text)}</td>"
