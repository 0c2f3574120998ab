"""Maps of queries × keys with one framed cell, of all layers and heads at once: what is sent of them, and the picked cell."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
import streamlit as st

from viz_core.app import session
from viz_core.app.arithmetic import Varying
from viz_core.app.controls import CELL
from viz_core.app.page import Page
from viz_core.app.plot import plot_payload
from viz_core.app.view_options import unwatched
from viz_core.figures.attention import CLICKABLE, Floats
from viz_core.figures.followed_maps import FollowedCell, FollowedPanel, followed_maps
from viz_core.trace import Kind

MOST = 1 << 15
"""Numbers of one map in all layers and heads, up to which they are sent at once: those of 32 tokens in 4 layers of 8 heads."""


@dataclass(frozen=True)
class Followed:
    """Of which layers, heads and steps the page sends the numbers: of all, or only of those on display.

    complete: whether the browser can frame the cell of any step, layer and head by itself, as far as Python has not read them.
    """

    layers: Sequence[int]
    heads: Sequence[int]
    steps: Sequence[int]
    complete: bool

    def of(self, values: Floats) -> Floats:
        """Those of an array (L, …) or (L, h, …) of all layers and heads."""
        return values[np.ix_(self.layers, self.heads)] if values.ndim == 4 else values[np.array(self.layers)]

    def each(self, names: Sequence[str], make: Callable[[tuple[int, ...]], Any]) -> Any:
        """What is made at each place of an array of `of`, in lists one inside the other."""
        lengths = [len(getattr(self, f"{name}s")) for name in names]

        def inner(index: tuple[int, ...]) -> Any:
            if len(index) == len(lengths):
                return make(index)
            return [inner((*index, at)) for at in range(lengths[len(index)])]

        return inner(())

    def of_cells(
        self,
        names: tuple[str, ...],
        queries: Sequence[str],
        weights: Floats,
        cell: FollowedCell,
        make: Callable[[tuple[int, ...], int, int], Mapping[str, Any]],
    ) -> list[Varying]:
        """The values of the framed cell, as the browser frames it: those of the greatest of each row, over them the picked cell's.

        Args:
            names, weights: the names before rows and columns, and the array of `of` in which a row's greatest is looked for.
            make: called with the place in the array, row and column; `query` is added.
        """
        rows = self.steps if cell.row else [0]

        def of_row(row: int) -> Any:
            return self.each(names, lambda index: make(index, row, int(weights[index][row].argmax())))

        found = [Varying(("step",), [{"query": queries[row]} for row in rows])]
        if cell.cell is None or cell.step is not None:
            found.append(Varying(("step", *names), [of_row(row) for row in rows]))
        if cell.cell is None:
            return found
        query, key = cell.cell
        picked = self.each(names, lambda index: {"query": queries[query], **make(index, query, key)})
        if cell.step is None or not self.complete:
            return [*found, Varying(names, picked)]
        nothing: Any = {}
        for _ in names:
            nothing = [nothing]
        return [*found, Varying(("step", *names), [picked if step == cell.step else nothing for step in self.steps])]


def followed(p: Page, names: Sequence[str], shape: tuple[int, int], *, known: bool) -> Followed:
    """Of what a map is to be sent: of everything, unless that is too much, or some of it is no number."""
    every = {name: range(p.counts[name]) for name in ("layer", "head", "step")}
    if known and prod(shape) <= CLICKABLE and prod(shape) * prod(len(every[name]) for name in names) <= MOST:
        return Followed(every["layer"], every["head"], every["step"], True)
    heads = [p.view.head] if "head" in names else every["head"]
    return Followed([p.view.layer], heads, [p.view.step], False)


def cell_to_follow(
    p: Page, kind: Kind, sides: tuple[Sequence[str], Sequence[str]], weights: Floats, at: Followed, *, of: tuple[str, ...]
) -> FollowedCell:
    """The cell with a frame: a picked one holds at the step at which it was picked, and in the encoder at all steps.

    Args:
        weights: (…, Tq, Tk), of which the greatest of a row has the frame where none is picked.
        of: another resets it.
    """
    is_of_step = kind != "self"
    with p.controls(), st.container(horizontal=True, width="content"), unwatched() if at.complete else nullcontext():
        step, place = p.view.step, (p.view.layer, p.view.head)[: weights.ndim - 2]
        row = step if is_of_step else 0
        first = tuple(min(index, length - 1) for index, length in zip(place, weights.shape, strict=False))
        default = row, int(weights[first][row].argmax())
        picked = CELL.draw(p, *sides, default, of=(*of, step if is_of_step else None))
    if picked == default:
        return FollowedCell(is_of_step)
    if is_of_step:
        p.at_step[CELL.name] = step
    return FollowedCell(is_of_step, picked, step if is_of_step else None)


def show_maps(
    p: Page, key: str, panels: Sequence[FollowedPanel], sides: tuple[Sequence[str], Sequence[str]], titles: Any, kind: Kind,
    at: Followed, cell: FollowedCell,
) -> None:  # fmt: skip
    """The maps; a click on a cell is a run. titles: of `followed_maps`."""
    several = {"step": at.steps, "layer": at.layers, "head": at.heads}
    figure, maps = followed_maps(
        panels, *sides, titles=titles, axes=(p.table("query_axes")[kind], p.table("key_axes")[kind]), cell=cell,
        pressed=bool(session.get("_lecture")), palette=p.palette,
    )  # fmt: skip

    def payload(**about: Any) -> bytes:
        return plot_payload(figure, (), maps=maps, **about)

    p.draw(payload, tuple(name for name, each in several.items() if len(each) > 1), key, clicks=True, least="wide")
