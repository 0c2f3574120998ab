"""The residual stream as CSV."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from pages.residual.compute import Floats, Stop
from viz_core.app.csv_files import Cell, written


def lengths_csv(stops: Sequence[Stop], tokens: Sequence[str], lengths: Floats, added: Floats) -> bytes:
    """The length of each token's vector at each place of the stream, and of what was added there.

    Args:
        lengths, added: (stops, T); added is NaN where nothing is added.
    """

    def lines() -> Iterator[list[Cell]]:
        for at, stop in enumerate(stops):
            layer = None if stop.layer is None else stop.layer + 1
            for i, token in enumerate(tokens):
                brought = float(added[at, i])
                yield [layer, stop.name, i + 1, token, float(lengths[at, i]), None if np.isnan(brought) else brought]

    return written("layer place position token length added_length", lines())
