"""What the browser gets for the figure of the feed-forward network: its hidden units, and the most active ones of each token."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pages.residual.compute import UNITS, feed_forward, promoted
from pages.residual.feed_forward import column_width, feed_forward_payload, widened
from tests.payloads import unpacked
from viz_core.analysis.next_token import vocabulary_label
from viz_core.checkpoint import Checkpoint
from viz_core.config import Stack
from viz_core.explain import explain


def test_pooling_keeps_the_strongest_of_neighbours() -> None:
    hidden = np.zeros((2, 1024), dtype=np.float32)
    hidden[1, 401] = 5.0
    values, width = widened(hidden)
    assert (values.shape, width, column_width(1024)) == ((2, 256), 4, 4)
    assert values[1, 100] == 5.0
    assert values.sum() == 5.0
    assert column_width(200) == 1
    assert widened(np.ones((3, 1001)))[0].shape[0] == 3


@pytest.mark.parametrize("stack", ["encoder", "decoder"])
def test_its_numbers_are_those_of_the_trace(checkpoint: Checkpoint, stack: Stack) -> None:
    explained = explain(checkpoint, "The otter </script> paints.")
    tensors, about = unpacked(feed_forward_payload(checkpoint, explained, stack))
    for layer in range(explained.trace.config.n_layers):
        ffn = feed_forward(checkpoint.model, explained.trace, stack, layer)
        hidden = explained.trace.array(f"{stack}.{layer}.ffn.hidden")
        assert (about["size"], about["width"]) == (hidden.shape[1], 1) and (tensors["columns"][layer] == hidden).all()
        assert (tensors["zeros"][layer] == (hidden == 0).sum(-1)).all() and (tensors["active"][layer] == (hidden > 0).sum(-1)).all()
        for token, own in enumerate(hidden):
            units = tensors["units"][layer, token]
            listed = units[units >= 0]
            assert len(listed) == min(UNITS, (own > 0).sum()) and (np.diff(own[listed]) <= 0).all()
            assert own[listed[0]] == own.max()
            for rank, unit in enumerate(listed):
                at = layer, token, rank
                assert tensors["strengths"][at] == own[unit]
                total = tensors["products"][at] + tensors["biases"][at]
                assert total == pytest.approx(own[unit], abs=1e-4) and tensors["products"].dtype == np.float64
                assert tensors["lengths"][at] == np.linalg.norm(own[unit].astype(float) * ffn.w_2[unit].astype(float))
            whole = sum((own[unit] * ffn.w_2[unit] for unit in range(len(own))), start=ffn.b_2)
            assert tensors["totals"][layer, token] == pytest.approx(np.linalg.norm(whole), rel=1e-4)


def test_in_the_decoder_it_says_which_tokens_a_unit_promotes(checkpoint: Checkpoint) -> None:
    explained = explain(checkpoint, "The otter paints.")
    assert unpacked(feed_forward_payload(checkpoint, explained, "encoder"))[1]["promotes"] == []
    tensors, about = unpacked(feed_forward_payload(checkpoint, explained, "decoder"))
    ffn = feed_forward(checkpoint.model, explained.trace, "decoder", 1)
    units = sorted({int(unit) for unit in tensors["units"][1].ravel() if unit >= 0})
    assert [int(unit) for unit in about["promotes"][1]] == units
    model: Any = checkpoint.model
    gain = model.decoder.norm.gamma.detach().double().numpy()
    logits = checkpoint.model.generator.weight.detach().double().numpy() @ (ffn.w_2[units[0]] * gain)
    best = np.argsort(-logits)[:3].tolist()
    assert promoted(checkpoint.model, ffn.w_2[units[:1]]) == [best]
    words = ", ".join(f"«{vocabulary_label(checkpoint.tokenizer, i)}»" for i in best)
    assert about["promotes"][1][str(units[0])] == words
