"""Numbers of the page on heads as CSV: roles, importance, norm-weighted attention, attention through all layers, and weights."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from viz_core.analysis.roles import Heads
from viz_core.analysis.roles.table import SHARES
from viz_core.app.csv_files import Cell, written
from viz_core.explain import Explanation
from viz_core.figures.attention import Floats
from viz_core.trace import BLOCK, Kind


def roles_csv(heads: Heads, kind: Kind) -> bytes:
    """Every measure of each head: the share of its attention, what uniform attention would give, and the role that it has."""

    def lines() -> Iterator[list[Cell]]:
        for layer, row in enumerate(heads.roles):
            for head, role in enumerate(row):
                for name, measure in heads.measures.items():
                    if name in SHARES[kind]:
                        share = float(measure.values[layer, head])
                        yield [layer + 1, head + 1, role, name, share, measure.uniform, share / measure.uniform]

    return written("layer head role attends_to share uniform ratio", lines())


def importance_csv(drops: Floats, unit: str) -> bytes:
    """What is lost without each head, in this unit."""
    rows = ([layer + 1, head + 1, drops[layer, head]] for layer, head in np.ndindex(drops.shape))
    return written(f"layer head importance_in_{unit}", rows)


def norms_csv(weights: Floats, norms: Floats, queries: Sequence[str], keys: Sequence[str], allowed: npt.NDArray[np.bool_]) -> bytes:
    """A line for each cell that the mask allows: the weight, and the norm of the weighted vector."""

    def lines() -> Iterator[list[Cell]]:
        for i, j in np.argwhere(allowed).tolist():
            yield [i + 1, queries[i], j + 1, keys[j], weights[i, j], norms[i, j]]

    return written("query_index query key_index key weight norm", lines())


def flow_csv(values: Floats, queries: Sequence[str], keys: Sequence[str]) -> bytes:
    """A line for each cell of a map through the layers."""
    rows = ([i + 1, queries[i], j + 1, keys[j], values[i, j]] for i, j in np.ndindex(values.shape))
    return written("query_index query key_index key value", rows)


def weights_csv(explanation: Explanation) -> bytes:
    """Every attention weight of the pass, as the views of bertviz draw them; the page rounds them to three digits."""
    source, target = explanation.source.labels, explanation.target.labels

    def lines() -> Iterator[list[Cell]]:
        for kind in BLOCK:
            queries, keys = (source if kind == "self" else target), (target if kind == "masked" else source)
            for layer in range(explanation.trace.config.n_layers):
                weights = explanation.trace.attention(kind, layer).weights
                for (head, i, j), weight in np.ndenumerate(weights):
                    yield [kind, layer + 1, head + 1, i + 1, queries[i], j + 1, keys[j], weight]

    return written("attention layer head query_index query key_index key weight", lines())
