"""All heads in one batch give what as many passes give, each with one head taken out."""

import dataclasses

import numpy as np
import pytest

from tests.conftest import MakeModel
from viz_core.analysis.roles.importance import importance
from viz_core.checkpoint import Checkpoint
from viz_core.edits import NONE, Edits, Head, site_edits
from viz_core.explain import Explanation, explain, traced_pass
from viz_core.trace import BLOCK

TEXT = "My aunt hides the well-worn map."
SEVERAL = Edits(no_scale=True, no_layer_norm=True, no_residual=True, heads={Head("cross", 0, 1)})


def written(checkpoint: Checkpoint, ex: Explanation, edits: Edits) -> np.ndarray:
    """The logarithm of the probability of each token, from a pass of its own."""
    trace = traced_pass(checkpoint, [ex.source.ids], [ex.target.ids], site_edits(edits, checkpoint.config))
    return trace.array("output.log_probs")[np.arange(len(ex.output)), [token.id for token in ex.output]].astype(np.float64)


@pytest.mark.parametrize(("norm", "cells", "edits"), [("pre", 1, NONE), ("post", 60_000, SEVERAL), ("post", 1 << 24, NONE)])
def test_one_batch_is_as_many_passes(checkpoint: Checkpoint, make_model: MakeModel, norm: str, cells: int, edits: Edits) -> None:
    checkpoint = dataclasses.replace(checkpoint, model=make_model(norm=norm))
    ex = explain(checkpoint, TEXT, "Meine Tante versteckt die alte Karte.", edits)
    found = importance(checkpoint.model, ex, cells)
    np.testing.assert_allclose(found.log_probs, written(checkpoint, ex, edits), atol=2e-4, rtol=1e-5)
    for kind in BLOCK:
        assert found.without[kind].shape == (2, 4, len(ex.output))
        for layer in range(2):
            for head in range(4):
                one = dataclasses.replace(edits, heads=edits.heads | {Head(kind, layer, head)})
                alone = written(checkpoint, ex, one)
                np.testing.assert_allclose(found.without[kind][layer, head], alone, atol=2e-4, rtol=1e-5)
                assert found.drops(kind)[layer, head] == pytest.approx(found.log_probs.sum() - alone.sum(), abs=4e-3)
