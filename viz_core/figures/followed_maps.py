"""The heatmaps of `maps` for all steps, layers and heads at once: of each the numbers alone.

What is written in the cells, said of them and framed, `viz_core/browser/plot/maps.js` makes of the numbers that are looked at.
Written out for each layer and head, it would be many times as long as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from viz_core.figures.base import plain
from viz_core.figures.figure import Figure
from viz_core.figures.maps import Panel, maps, thin_labels
from viz_core.figures.palette import LIGHT, Palette

Written = Literal["percent", "hundredths", "brief"]


@dataclass(frozen=True, eq=False)
class FollowedPanel:
    """One map in all states.

    Attributes:
        numbers: the name of its numbers among those that the browser has, (…, Tq, Tk); NaN where the mask forbids.
        name: stands over it.
        hover: of a cell, with places for `query`, `key`, `value`, which is a share in % or a number.
        masked: of a cell that the mask forbids, the same.
        written: in a cell: whole %, two decimals, or as many digits as the greatest number of the map has room for.
        limit, end: the end of its scale, and what is written there; None for its greatest number in each state.
    """

    numbers: str
    name: str
    hover: str
    masked: str = ""
    written: Written = "percent"
    limit: float | None = None
    end: str = ""


def followed_maps(
    panels: Sequence[FollowedPanel],
    queries: Sequence[str],
    keys: Sequence[str],
    *,
    titles: Any,
    axes: tuple[str, str],
    of_step: bool,
    greatest: str = "",
    pressed: bool = False,
    palette: Palette = LIGHT,
) -> tuple[Figure, dict[str, Any]]:
    """The figure without its numbers and texts, and what the browser makes these of.

    The picked cell has a frame; while none is picked, the greatest number of one row.

    Args:
        titles: of each layer a list with that of each head; of a list, beyond its end the last holds.
        of_step: whether that row is the one of the step; else it is the first.
        greatest: the name of the numbers of which it is the greatest; without it, of the first map.
        queries, keys, axes, pressed: as for `maps`.
    """
    empty, zeros = [[""] * len(keys)] * len(queries), np.zeros((len(queries), len(keys)), np.float32)
    first = [Panel(zeros, panel.name, empty, empty, panel.limit or 1.0, "") for panel in panels]
    fig = maps(first, queries, keys, title=titles[0][0], axes=axes, cell=(0, 0), pressed=pressed, followed=True, palette=palette)
    for trace in fig.data:
        trace.update({name: [] for name in ("z", "text", "hovertext") if name in trace})
    each = len(fig.data) // len(panels)  # traces of one map: its cells, and one for either ink
    across, down = thin_labels(len(queries), len(keys), len(panels), pressed=pressed)
    about = {
        "panels": [
            {
                "numbers": panel.numbers,
                "hover": plain(panel.hover),
                "masked": plain(panel.masked),
                "written": panel.written,
                "limit": panel.limit,
                "end": plain(panel.end),
                "cells": at * each,
                "inks": [at * each + ink for ink in range(1, each)],
            }
            for at, panel in enumerate(panels)
        ],
        "titles": [[plain(title) for title in row] for row in titles],
        "rows": {"labels": [*map(plain, queries)], "thin": down, "accent": palette.q_text},
        "columns": {"labels": [*map(plain, keys)], "thin": across, "accent": palette.k_text},
        "of_step": of_step,
        "greatest": greatest or panels[0].numbers,
        "scale": palette.sequential,
    }
    return fig, about
