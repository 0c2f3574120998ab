"""Prediction difference against a pass that is put together by hand, for every kind of small model."""

import numpy as np
import pytest
import torch

from tests.analysis.conftest import explained
from tests.conftest import Traced
from viz_core.analysis import alignment
from viz_core.analysis.alignment import prediction_difference
from viz_core.analysis.words import groups
from viz_core.checkpoint import Checkpoint
from viz_core.edits import Edits, Sublayer
from viz_core.explain import Explanation, explain
from viz_core.model import Transformer
from viz_core.model.embedding import causal_mask


def test_a_word_is_taken_away_with_all_its_tokens_and_its_place_stays(traced: Traced, ex: Explanation) -> None:
    model, (labels, positions) = traced[0], groups(ex.source)
    losses = prediction_difference(model, ex)
    assert losses.shape == (len(ex.output), len(labels))
    assert labels[-1] == "⟨/s⟩" and max(map(len, positions)) > 1
    s, t = model.source_embedding, model.target_embedding
    mask = torch.ones(1, 1, 1, len(ex.source), dtype=torch.bool)
    for word, tokens in enumerate(positions):
        x = s.weight[ex.source.ids] * s.scale
        x[tokens] = 0
        memory = model.encoder((x + s.positions[: len(x)])[None], mask)
        y = (t.weight[ex.target.ids] * t.scale + t.positions[: len(ex.target)])[None]
        without = model.generator(model.decoder(y, memory, causal_mask(len(ex.target)), mask))[0]
        lost = [float(ex.trace["output.log_probs"][0, at, p.id] - without[at, p.id]) for at, p in enumerate(ex.output)]
        assert losses[:, word] == pytest.approx(lost, abs=1e-4)


def test_batches_change_nothing(model: Transformer, checkpoint: Checkpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = prediction_difference(model, explained(checkpoint, model))
    monkeypatch.setattr(alignment, "POSITIONS", 1)
    assert prediction_difference(model, explained(checkpoint, model)) == pytest.approx(whole, abs=1e-5)


def test_without_cross_attention_no_source_word_is_missed(model: Transformer, checkpoint: Checkpoint) -> None:
    deaf = Edits(sublayers={Sublayer("decoder", layer, "cross_attn") for layer in range(model.config.n_layers)})
    assert prediction_difference(model, explained(checkpoint, model, deaf)) == pytest.approx(0, abs=1e-5)
    assert np.abs(prediction_difference(model, explained(checkpoint, model))).max() > 0.1


def test_the_shipped_model_loses_its_noun_without_the_noun(shipped: Checkpoint) -> None:
    ex = explain(shipped, "My grandmother bakes bread every Sunday.")
    losses, words = prediction_difference(shipped.model, ex), groups(ex.source)[0]
    for noun, origin in {"Großmutter": "grandmother", "Sonntag": "Sunday", "Brot": "bread"}.items():
        step = next(t for t, token in enumerate(ex.output) if token.text == noun)
        assert words[losses[step].argmax()] == origin
        assert losses[step].max() > 2
