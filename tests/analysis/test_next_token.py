"""What is derived from logits, and what an edit changed, against independent computations."""

import math

import numpy as np
import pytest

from viz_core.analysis.divergence import WordRun, compare_explanations, divergence, word_runs
from viz_core.analysis.next_token import distribution, logit_terms, score, vocabulary_label
from viz_core.checkpoint import Checkpoint
from viz_core.config import EOS_ID
from viz_core.edits import Edits, site_edits
from viz_core.explain import Explanation, explain, traced_pass
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


TEXT = "The tall nurse carries a green kettle."
EDITS = Edits(no_scale=True, no_positions=True)


def test_words_run_by_run() -> None:
    before = ["Die", "Katze", "schläft", "auf", "dem", "Sofa", "."]
    after = ["Die", "alte", "Katze", "schläft", "dem", "Hund", "."]
    assert word_runs(before, after) == (
        WordRun(("Die",), ("Die",)), WordRun((), ("alte",)), WordRun(("Katze", "schläft"), ("Katze", "schläft")),
        WordRun(("auf",), ()), WordRun(("dem",), ("dem",)), WordRun(("Sofa",), ("Hund",)), WordRun((".",), (".",)),
    )  # fmt: skip
    assert [run.same for run in word_runs(["a"], ["b"])] == [False]
    assert word_runs([], []) == ()


def test_divergence_in_bits() -> None:
    p, q = [[0.5, 0.25, 0.25], [1.0, 0.0, 0.0]], [[0.25, 0.25, 0.5], [0.5, 0.5, 0.0]]
    by_hand = [sum(a * math.log2(a / b) for a, b in zip(x, y, strict=True) if a) for x, y in zip(p, q, strict=True)]
    with np.errstate(divide="ignore"):
        assert divergence(np.log(p), np.log(q)).tolist() == pytest.approx(by_hand)
        assert by_hand == pytest.approx([0.25, 1.0])
        assert divergence(np.log(q), np.log(p)).tolist()[1] == math.inf
        assert not divergence(np.log(p), np.log(p)).any()


def test_the_same_output_under_both_models(checkpoint: Checkpoint) -> None:
    before, after = explain(checkpoint, TEXT), explain(checkpoint, TEXT, edits=EDITS)
    same = traced_pass(checkpoint, [after.source.ids], [before.target.ids], site_edits(EDITS, checkpoint.config))
    found = compare_explanations(before, after, same)
    p, q = (np.exp(trace.array("output.log_probs").astype(np.float64)) for trace in (before.trace, same))
    written = [token.id for token in before.output]
    drop = sum(math.log(p[t, i]) - math.log(q[t, i]) for t, i in enumerate(written))
    assert found.drop == pytest.approx(drop, abs=1e-4)
    assert found.drop > 0
    assert found.log_probs()[1] == pytest.approx([math.log(q[t, i]) for t, i in enumerate(written)])
    for t, bits in enumerate(found.divergence):
        assert bits == pytest.approx(sum(a * math.log2(a / b) for a, b in zip(p[t], q[t], strict=True)), abs=1e-5)
    terms = p[2] * np.log2(p[2] / q[2])
    largest = found.largest_terms(2, 3)
    assert [each.id for each in largest] == sorted(range(len(terms)), key=lambda i: -abs(terms[i]))[:3]
    assert (largest[0].before, largest[0].after) == pytest.approx((p[2, largest[0].id], q[2, largest[0].id]))
    assert [word for run in found.words for word in run.before] == [word.text for word in before.target.words]
    assert [word for run in found.words for word in run.after] == [word.text for word in after.target.words]
