"""What the browser gets for the figure of the residual stream: the lengths of the recorded vectors, each at its place."""

from __future__ import annotations

import numpy as np
import pytest

from pages.residual.stream import stream_payload
from tests.payloads import unpacked
from viz_core.checkpoint import Checkpoint
from viz_core.config import Stack
from viz_core.explain import explain
from viz_core.trace import BLOCKS


@pytest.mark.parametrize("stack", ["encoder", "decoder"])
def test_lengths_are_those_of_the_trace_at_the_places_that_the_axis_names(checkpoint: Checkpoint, stack: Stack) -> None:
    explained = explain(checkpoint, "The otter </script> \x00 paints.")
    trace, config = explained.trace, explained.trace.config
    ends = ("source.input", "encoder.memory") if stack == "encoder" else ("target.input", "decoder.states")
    for block in BLOCKS[stack]:
        tensors, about = unpacked(stream_payload(explained, stack, block))
        lengths, added = tensors["lengths"], tensors["added"]
        for at, site in ((0, ends[0]), (-1, ends[1])):
            assert np.allclose(lengths[at], np.linalg.norm(trace.array(site), axis=-1))
            assert np.isnan(added[at]).all() and about["stops"][at]["layer"] is None
        assert about["sublayer"] == f"{stack}_{block}"
        picked = [at for at, each in enumerate(about["sublayers"]) if each == about["sublayer"]]
        assert [about["stops"][at]["layer"] for at in picked] == [*range(config.n_layers)]
        for layer, at in enumerate(picked):
            assert np.allclose(lengths[at], np.linalg.norm(trace.array(f"{stack}.{layer}.resid_{block}"), axis=-1))
            assert np.allclose(added[at], np.linalg.norm(trace.array(f"{stack}.{layer}.{block}.out"), axis=-1))
        side = explained.source if stack == "encoder" else explained.target
        assert about["tokens"] == [label.replace("\x00", "⟨00⟩") for label in side.labels]
        assert lengths.dtype == np.float32 and lengths.shape == (len(about["stops"]), len(side))
