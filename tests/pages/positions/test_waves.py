"""The payload of the waves: dots are the recorded values, bit for bit, and each curve runs through its own."""

from __future__ import annotations

import numpy as np
import pytest

from pages.positions.compute import wave
from pages.positions.data import waves_payload
from tests.payloads import unpacked
from viz_core.checkpoint import Checkpoint
from viz_core.explain import explain

DIMS = (0, 1, 6)


@pytest.mark.parametrize("side", ["source", "target"])
def test_dots_are_what_the_pass_added_and_lie_on_their_curve(checkpoint: Checkpoint, side: str) -> None:
    explanation = explain(checkpoint, "The otter </script> \x00 hides.")
    tokens = (explanation.source if side == "source" else explanation.target).labels
    rows = explanation.trace.array(f"{side}.positions")
    tensors, about = unpacked(waves_payload(side, [wave(dim, rows.shape[1]) for dim in DIMS], rows, tokens))
    assert np.array_equal(tensors["points"], rows[:, DIMS].T)
    for points, curve in zip(tensors["points"], tensors["curves"], strict=True):
        assert np.allclose(np.interp(range(len(rows)), tensors["fine"], curve), points, atol=0.02)
    assert [(each["dim"], each["name"]) for each in about["waves"]] == [(1, "sin"), (2, "cos"), (7, "sin")]
    assert (about["side"], len(about["tokens"])) == (side, len(rows))
    assert not any("\x00" in token for token in about["tokens"])
