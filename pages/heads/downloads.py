"""The numbers of the page Heads as CSV: the roles, and all weights."""

from collections.abc import Iterator

import numpy as np

from viz_core.analysis.roles import Heads
from viz_core.analysis.roles.table import SHARES
from viz_core.app.csv_files import Cell, csv_file
from viz_core.explain import Explanation
from viz_core.trace import BLOCK, Kind


@csv_file("layer head role attends_to share uniform ratio")
def roles_csv(heads: Heads, kind: Kind) -> Iterator[list[Cell]]:
    """Every measure of each head: the share of its attention, the share under uniform attention, and the head's role."""
    for layer, row in enumerate(heads.roles):
        for head, role in enumerate(row):
            for name, measure in heads.measures.items():
                if name in SHARES[kind]:
                    share = float(measure.values[layer, head])
                    yield [layer + 1, head + 1, role, name, share, measure.uniform, share / measure.uniform]


@csv_file("attention layer head query_index query key_index key weight")
def weights_csv(explanation: Explanation) -> Iterator[list[Cell]]:
    """Every attention weight of the pass. The bertviz views draw the same weights, rounded to three decimals."""
    for kind in BLOCK:
        queries, keys = (side.labels for side in explanation.sides(kind))
        for layer, block in enumerate(explanation.trace.attentions(kind)):
            weights = block.weights
            for (head, i, j), weight in np.ndenumerate(weights):
                yield [kind, layer + 1, head + 1, i + 1, queries[i], j + 1, keys[j], weight]
