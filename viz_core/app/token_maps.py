"""Heat maps of queries × keys with one framed cell: one, or two beside each other, in whatever layer and head."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np
import streamlit as st

from viz_core.app.page import Page
from viz_core.browser.pack import EXACT, compact, pack
from viz_core.figures.attention import Floats
from viz_core.texts import texts, visible


@dataclass(frozen=True, eq=False)
class Stack:
    """Numbers of all layers, or of all heads of all layers.

    Attributes:
        by: `layer`, or `layer` and `head`, or nothing.
        values: (…, n, m), in front an axis for each name of `by`.
    """

    by: tuple[str, ...]
    values: Floats


Numbers = Mapping[str, Stack]


@dataclass(frozen=True)
class TokenMap:
    """One map.

    Attributes:
        numbers: the name of its numbers, (…, Tq, Tk); NaN where the mask forbids.
        name: stands over it.
        hover, masked: what is said of a cell, and of one that the mask forbids, with places for `query`, `key` and `value`.
        zero, below: the same of 0 and of numbers below it; the scale then has 0 in its middle.
        written: in a cell: whole %, two digits of it, two decimals, as many digits as the greatest number of the map has room for,
            or a whole number with its sign.
        limit, end: the end of its scale, and what is written there; None for its greatest number at each place.
        times: numbers are written so many times as large.
    """

    numbers: str
    name: str
    hover: str
    masked: str = ""
    zero: str = ""
    below: str = ""
    written: Literal["percent", "share", "hundredths", "brief", "whole"] = "percent"
    limit: float | None = None
    end: str = ""
    times: float = 1.0


def token_maps_payload(
    maps: Sequence[TokenMap], sides: tuple[Sequence[str], Sequence[str]], numbers: Numbers, *, titles: Any, axes: tuple[str, str],
    of_step: bool, file: str, greatest: str = "", border: str = "", cell: tuple[int, int] | None = None,
) -> bytes:  # fmt: skip
    """Tensors: the numbers by their names, as they were computed where they are few, else float32 or `compact`.

    Args:
        sides: labels of the queries, down, and of the keys, across.
        numbers: what the maps are of, and what the arithmetic of a cell is made of.
        titles: of each layer a list with that of each head; of a list, beyond its end the last holds.
        axes: names of rows and columns.
        of_step: whether, while no cell is picked, the greatest number of the step's row is framed; else that of the first row.
        file: name of the picture.
        greatest: the name of the numbers of which it is the greatest; without it, of the first map.
        border: the name of numbers of which a line parts those below ½ from the others.
        cell: the framed one, where none can be picked.
    """
    about = {
        "maps": [asdict(each) for each in maps],
        "queries": [visible(label) for label in sides[0]],
        "keys": [visible(label) for label in sides[1]],
        "by": {name: stack.by for name, stack in numbers.items()},
        "titles": titles,
        "axes": axes,
        "of_step": of_step,
        "greatest": greatest or maps[0].numbers,
        "border": border,
        "cell": cell,
        "texts": {**texts("browser.token_maps"), "file": file},
    }
    arrays = {name: stack.values for name, stack in numbers.items()}
    return pack({name: each if each.nbytes <= EXACT else compact(each.astype(np.float32)) for name, each in arrays.items()}, about)


def show_token_maps(p: Page, view: Callable[..., bytes], *by: str, **values: Any) -> None:
    """The figure that `view` answers. by: of layer and head, what the maps are of."""
    with p.controls():
        st.markdown(texts("app.frame")["click_cell"])
    p.answer(view, part="token_maps", chosen_by=by, **values)
