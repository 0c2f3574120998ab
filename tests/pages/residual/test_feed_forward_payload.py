"""What the browser gets of hidden units: the strongest of neighbours, and the tokens that one promotes."""

from typing import Any

import numpy as np

from pages.residual.compute import feed_forward, promoted
from pages.residual.feed_forward import column_width, feed_forward_payload, widened
from tests.payloads import unpacked
from viz_core.analysis.next_token import vocabulary_label
from viz_core.checkpoint import Checkpoint
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
