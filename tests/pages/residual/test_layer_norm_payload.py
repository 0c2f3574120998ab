"""What the browser gets for the figure of LayerNorm: what each LayerNorm read and wrote, and what it has learned."""

from __future__ import annotations

import numpy as np
import pytest

from pages.residual.layer_norm import norm_payload
from tests.payloads import unpacked
from viz_core.analysis.residual_stream import layer_norm
from viz_core.checkpoint import Checkpoint
from viz_core.config import Stack
from viz_core.explain import explain
from viz_core.trace import BLOCKS


@pytest.mark.parametrize("stack", ["encoder", "decoder"])
def test_it_has_the_recorded_vectors_of_all_layers_and_tokens(checkpoint: Checkpoint, stack: Stack) -> None:
    explained = explain(checkpoint, "The otter </script> \x00 paints.")
    side = explained.source if stack == "encoder" else explained.target
    config = explained.trace.config
    for block in BLOCKS[stack]:
        tensors, about = unpacked(norm_payload(checkpoint.model, explained, stack, block))
        assert tensors["x"].shape == tensors["out"].shape == (config.n_layers, len(side), config.d_model)
        for layer in range(config.n_layers):
            for token in range(len(side)):
                one = layer_norm(checkpoint.model, explained.trace, stack, layer, block, token)
                for name in ("x", "out"):
                    assert tensors[name].dtype == np.float32 and (tensors[name][layer, token] == getattr(one, name)).all()
                for name in ("gamma", "beta"):
                    assert (tensors[name][layer] == getattr(one, name)).all()
                assert about["eps"][layer] == one.eps
        assert about["tokens"] == [label.replace("\x00", "⟨00⟩") for label in side.labels]
        assert (about["stack"], about["sublayer"], about["kind"]) == (stack, f"{stack}_{block}", "variance")
