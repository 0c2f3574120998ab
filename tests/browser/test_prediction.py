"""What Predict asks: the choices and the answers are those of the trace."""

import numpy as np
import pytest

from viz_core import Explanation, explain
from viz_core.analysis.next_token import vocabulary_label
from viz_core.browser.prediction import prediction
from viz_core.checkpoint import Checkpoint

TEXT = "The old fisherman repaired his net."


@pytest.fixture(scope="module")
def explained(shipped: Checkpoint) -> Explanation:
    return explain(shipped, TEXT)


def test_the_next_token_is_among_the_most_probable(shipped: Checkpoint, explained: Explanation) -> None:
    asked = prediction(explained, shipped.tokenizer, "word")
    mean = np.mean([explained.trace.attention("cross", i).weights for i in range(4)], axis=(0, 1))
    assert asked["heads"] == 32
    for step, question, weights in zip(explained.steps, asked["steps"], mean, strict=True):
        labels = [label for label, _ in question["choices"]]
        assert labels == sorted(labels, key=str.casefold)
        assert {*labels} == {vocabulary_label(shipped.tokenizer, i) for i in np.argsort(-step.log_probs)[:5].tolist()}
        right, share = question["choices"][question["right"]]
        assert (right, share) == question["written"]
        assert share == pytest.approx(float(np.exp(step.log_probs.max())))
        assert question["looks"] == (explained.source.labels[int(weights.argmax())], pytest.approx(weights.max()))


def test_a_typed_token_that_is_improbable_is_another_one(shipped: Checkpoint) -> None:
    typed = explain(shipped, TEXT, target="Zebra")
    question = prediction(typed, shipped.tokenizer, "word")["steps"][0]
    assert question["right"] == 5


def test_the_largest_weight_of_each_head_and_step(shipped: Checkpoint, explained: Explanation) -> None:
    asked = prediction(explained, shipped.tokenizer, "source")
    assert asked["tokens"] == explained.source.labels
    for layer, heads in enumerate(asked["strongest"]):
        assert heads == explained.trace.attention("cross", layer).weights.argmax(-1).tolist()
