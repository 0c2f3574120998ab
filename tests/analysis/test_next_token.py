"""What is derived from logits, against an independent computation."""

import numpy as np
import pytest

from viz_core.analysis.next_token import distribution, logit_terms, score, vocabulary_label
from viz_core.checkpoint import Checkpoint
from viz_core.config import EOS_ID
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
