"""What is lost without each source word, against a pass put together by hand; alignment by it and by attention."""

import numpy as np
import pytest
import torch

from tests.conftest import Traced
from viz_core.analysis.alignment import LEAST, agreement, prediction_difference, sides, word_attention, word_losses
from viz_core.analysis.words import groups
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation, explain
from viz_core.model.embedding import causal_mask


@pytest.fixture(scope="module")
def kettle(checkpoint: Checkpoint) -> Explanation:
    return explain(checkpoint, "The nurse paints a kettle.", "Die Pflegerin bemalt den Kessel.")


def test_the_row_that_writes_a_token_stands_before_the_row_that_reads_it(kettle: Explanation) -> None:
    ex = kettle
    both = sides(ex)
    writes = word_attention(ex)
    layers, heads = ex.trace.config.n_layers, ex.trace.config.n_heads
    assert writes.shape == (layers, heads, len(both.output), len(both.source) + 1)
    weights = ex.trace.attention("cross", 1).weights[2]
    for word, tokens in enumerate(both.output_tokens):
        for at in tokens:
            assert ex.target.tokens[at + 1].text == ex.output[at].text  # what row t answers, row t + 1 reads
        for key, sources in enumerate(both.source_tokens):
            share = weights[:, sources].sum(-1)
            assert writes[1, 2, word, key] == pytest.approx(share[tokens].mean(), abs=1e-6)


def test_what_a_word_needs_is_the_sum_over_its_tokens(checkpoint: Checkpoint, kettle: Explanation) -> None:
    ex = kettle
    losses, words = word_losses(checkpoint.model, ex), sides(ex).output_tokens
    tokens = prediction_difference(checkpoint.model, ex)
    assert max(map(len, words)) > 1
    for word, at in enumerate(words):
        assert losses[word] == pytest.approx(np.sum([tokens[t] for t in at], axis=0))


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


def test_agreement_counts_the_words_that_need_a_source_word() -> None:
    losses = np.array([[3.0, 0.2, 9.0], [0.1, 2.0, 0.0], [0.8 * LEAST, 0.0, 0.0]])  # the last column is ⟨/s⟩
    right = np.array([[0.9, 0.1, 0.0], [0.1, 0.9, 0.0], [0.0, 1.0, 0.0]])
    end = np.array([[0.1, 0.1, 0.8], [0.1, 0.9, 0.0], [1.0, 0.0, 0.0]])
    agreed, counted = agreement(np.stack([right, end]), losses, 2)
    assert (agreed.tolist(), counted) == ([2, 1], 2)
