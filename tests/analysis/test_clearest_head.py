"""The head on which a page opens: the one whose weights a loop over the trace finds, too."""

import pytest

from viz_core import explain
from viz_core.analysis.attention import clearest_head
from viz_core.checkpoint import Checkpoint
from viz_core.trace import Kind


@pytest.mark.parametrize("kind", ["self", "masked", "cross"])
@pytest.mark.parametrize("text", ["The gardener waters her roses every morning.", "No."])
def test_the_clearest_head_is_found(shipped: Checkpoint, text: str, kind: Kind) -> None:
    ex = explain(shipped, text)
    every = {(i, h): weights for i in range(4) for h, weights in enumerate(ex.trace.attention(kind, i).weights)}
    rows, columns = every[0, 0].shape
    together = sum(every.values())

    def looked_at(row: int) -> int:
        if kind != "cross":
            return row - 1
        return max(range(columns), key=lambda column: together[row][column])

    first = 0 if kind == "cross" else 1
    shares = {head: sum(weights[row][looked_at(row)] for row in range(first, rows)) for head, weights in every.items()}
    assert clearest_head(ex, kind) == max(shares, key=lambda head: shares[head])
