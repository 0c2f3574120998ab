"""Words that belong together: by what is lost without each, against a pass put together by hand; by attention; by their letters."""

import numpy as np
import pytest
import torch

from tests.conftest import Traced
from viz_core.analysis.alignment import LEAST, agreement, prediction_difference, sides, word_attention, word_losses
from viz_core.analysis.words import align_words, groups
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation, explain
from viz_core.model.embedding import causal_mask
from viz_core.words import TokenizedText


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


def read(checkpoint: Checkpoint, text: str) -> TokenizedText:
    return explain(checkpoint, text).source


def test_the_same_words_and_those_in_their_place_belong_together_with_all_their_tokens(shipped: Checkpoint) -> None:
    left, right = read(shipped, "The old bridge was too wide."), read(shipped, "The unbelievably old bridge was too long.")
    found = align_words(left, right)
    same = [match.texts[0] for match in found.matches if match.same]
    assert same == ["The", "old", "bridge", "was", "too", ".", "⟨/s⟩"]
    assert [match.texts for match in found.matches if not match.same] == [("wide", "long")]
    assert found.alone == ((), ("unbelievably",))
    for match in found.matches:  # each word with its own tokens on its own side
        for side, text, tokens in zip((left, right), match.texts, match.tokens, strict=True):
            labels, positions = groups(side)
            assert list(tokens) == positions[labels.index(text)]


def test_where_nothing_says_which_words_belong_together_they_stay_alone(shipped: Checkpoint) -> None:
    found = align_words(read(shipped, "She quickly left."), read(shipped, "She never came back here."))
    assert [match.texts[0] for match in found.matches] == ["She", ".", "⟨/s⟩"]
    assert found.alone == (("quickly", "left"), ("never", "came", "back", "here"))
