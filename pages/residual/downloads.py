"""The numbers of the page's views as CSV."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from pages.residual.compute import FeedForwardPass, Floats
from pages.residual.stream_figures import Stop
from viz_core.analysis.residual_stream import LayerNormTerms
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


def norm_csv(one: LayerNormTerms) -> bytes:
    """One LayerNorm of one token, a line for each dimension."""
    numbers = zip(one.x, one.standard, one.gamma, one.beta, one.out, strict=True)
    return written("dimension x standardized gamma beta output", ([i, *five] for i, five in enumerate(numbers, 1)))


def hidden_csv(tokens: Sequence[str], found: FeedForwardPass) -> bytes:
    """The activation of each hidden unit for each token."""
    lines = ([i, token, unit, value] for i, token in enumerate(tokens, 1) for unit, value in enumerate(found.hidden[i - 1], 1))
    return written("position token unit activation", lines)


def units_csv(units: Sequence[int], activations: Floats, lengths: Floats, promoted: Sequence[str]) -> bytes:
    """The most active units of one token: activation, length of what each adds, and the tokens that it promotes."""
    numbers = zip(units, activations, lengths, promoted, strict=True)
    return written("unit activation added_length promotes", ([unit + 1, *rest] for unit, *rest in numbers))
