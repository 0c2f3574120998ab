"""Heat maps of queries × keys with one framed cell: one map, or two side by side, for any layer and head."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np

from viz_core.app.page import Page
from viz_core.browser.pack import EXACT, compact, pack
from viz_core.figures.attention import Floats
from viz_core.texts import texts, visible


@dataclass(frozen=True, eq=False)
class Stack:
    """Numbers of all layers, or of all heads of all layers.

    Attributes:
        by: `layer`, or `layer` and `head`, or nothing.
        values: (…, n, m), with one leading axis for each name in `by`.
    """

    by: tuple[str, ...]
    values: Floats


Numbers = Mapping[str, Stack]


@dataclass(frozen=True)
class TokenMap:
    """One map.

    Attributes:
        numbers: the name of its numbers, (…, Tq, Tk); NaN where masked.
        name: its title.
        hover, masked: texts for a cell, and for a masked one, with places for `query`, `key` and `value`.
        zero, below: texts for 0 and for negative numbers; the scale then has 0 in its middle.
        written: format of a cell: whole %, two digits of it, two decimals, as many digits as the map's greatest number has room
            for, or a signed whole number.
        limit, end: end of the scale, and its label; None for the greatest number in each layer and head.
        times: factor by which the numbers are written.
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
    of_step: bool, file: str, greatest: str = "", border: str = "", cell: tuple[int, int] | None = None, **more: Any,
) -> bytes:  # fmt: skip
    """The payload of the maps. Tensors are the numbers by name, as computed if they are few, else float32 or `compact`.

    Args:
        sides: labels of the queries (rows) and keys (columns).
        numbers: the numbers of the maps and of a cell's arithmetic.
        titles: for each layer a list with one title for each head; beyond the end of a list, its last entry holds.
        axes: names of rows and columns.
        of_step: while no cell is picked, frame the greatest number of the step's row instead of the first row's.
        file: name of the saved picture.
        greatest: name of the numbers that decide which is the greatest; by default, the first map's.
        border: name of numbers; a line separates those below ½ from the others.
        cell: the framed cell, if none can be picked.
        more: what else the page's own figure needs.
    """
    metadata = {
        "maps": [asdict(token_map) for token_map in maps],
        "queries": [visible(label) for label in sides[0]],
        "keys": [visible(label) for label in sides[1]],
        "by": {name: stack.by for name, stack in numbers.items()},
        "titles": titles,
        "axes": axes,
        "of_step": of_step,
        "greatest": greatest or maps[0].numbers,
        "border": border,
        "cell": cell,
        **more,
        "texts": {"file": file},
    }
    arrays = {name: stack.values for name, stack in numbers.items()}
    tensors = {name: array if array.nbytes <= EXACT else compact(array.astype(np.float32)) for name, array in arrays.items()}
    return pack(tensors, metadata)


def say_clickable(p: Page) -> None:
    """Says that a click picks a cell."""
    with p.controls():
        p.write_text(texts("app.frame")["click_cell"], "click_cell")
