"""What is derived from logits, against an independent computation."""

import math

import numpy as np
import pytest
import torch

from viz_core.analysis.next_token import distribution, logit_limits, logit_terms, score, vocabulary_label
from viz_core.checkpoint import Checkpoint
from viz_core.config import EOS_ID
from viz_core.edits.typed import forced_token
from viz_core.explain import Explanation, explain
from viz_core.tokenizer import BpeTokenizer


@pytest.fixture(scope="module")
def explained(checkpoint: Checkpoint) -> Explanation:
    return explain(checkpoint, "The otter hides the map.", "Der Otter versteckt die Karte.")


def test_softmax_equals_torch_in_float64(explained: Explanation) -> None:
    for step in range(len(explained.steps)):
        found = distribution(explained.trace, step)
        exact = explained.trace["output.logits"][0, step].double()
        assert np.allclose(found.probabilities, exact.softmax(-1), atol=1e-7)
        assert found.log_sum_exp == pytest.approx(float(exact.logsumexp(-1)), abs=1e-9)
        assert np.allclose(found.logits - found.log_sum_exp, found.log_probs, atol=1e-5)


def test_entropy_is_torchs(explained: Explanation) -> None:
    found = distribution(explained.trace, 1)
    expected = torch.distributions.Categorical(logits=explained.trace["output.logits"][0, 1].double()).entropy() / math.log(2)
    assert found.entropy == pytest.approx(float(expected), rel=1e-5)
    equal = type(found)(found.logits, found.log_probs, np.full(8, 1 / 8), 0.0)
    assert equal.entropy == pytest.approx(3.0)


def test_the_axis_of_logits_holds_every_one(explained: Explanation) -> None:
    logits, (low, high) = explained.trace.array("output.logits"), logit_limits(explained.trace)
    assert low <= min(0.0, logits.min()) and high >= max(0.0, logits.max())


def test_a_logit_is_its_terms_and_the_others(checkpoint: Checkpoint, explained: Explanation) -> None:
    ids = np.array([[300, 5]] * len(explained.steps))
    found = logit_terms(checkpoint.model, explained.trace, ids, count=4)
    products = found.states.astype(np.float64) * found.weights
    np.testing.assert_allclose(products.sum(-1) + found.others, found.values, atol=1e-4)
    np.testing.assert_array_equal(found.values, explained.trace.array("output.logits")[:, [300, 5]])
    for (step, token), dims in np.ndenumerate(found.dims[..., 0]):
        assert found.states[step, token, 0] == explained.trace.array("decoder.states")[step, dims]
        assert found.weights[step, token, 0] == float(checkpoint.model.generator.weight[ids[step, token], dims])
    assert (np.diff(np.abs(products)) <= 0).all(), "the largest come first"


def test_a_sentences_score_is_the_sum_over_its_tokens(explained: Explanation) -> None:
    found = score(explained.steps)
    table = explained.trace["output.log_probs"][0].double()
    each = [float(table[t, token.id]) for t, token in enumerate(explained.output)]
    assert found.log_prob == pytest.approx(sum(each))
    assert list(found.ranks) == [1 + int((table[t] > table[t, token.id]).sum()) for t, token in enumerate(explained.output)]
    assert (found.best >= found.probabilities).all()


def test_a_token_inside_a_word_is_led_by_a_dot() -> None:
    tokenizer = BpeTokenizer.train(["▁low", "▁low", "wing", "wing", "'s", "'s"] * 4, 400)
    assert vocabulary_label(tokenizer, EOS_ID) == "⟨/s⟩"
    assert vocabulary_label(tokenizer, 4 + 0xE4) == "⟨E4⟩"
    labels = {token: vocabulary_label(tokenizer, tokenizer.vocab.index(token)) for token in ("▁low", "g", ".", "'s")}
    assert labels == {"▁low": "low", "g": "·g", ".": ".", "'s": "'s"}


def test_a_chinese_token_is_marked_where_it_follows_a_blank() -> None:
    tokenizer = BpeTokenizer.train(["▁我", "我", "。"] * 4, 400)
    labels = {token: vocabulary_label(tokenizer, tokenizer.vocab.index(token)) for token in ("▁我", "我", "。")}
    assert labels == {"▁我": "▁我", "我": "我", "。": "。"}
    for token, label in labels.items():
        assert tokenizer.vocab[forced_token(label, tokenizer).id] == token
