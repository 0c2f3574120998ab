"""What the browser is sent of a sentence, where neither tests/golden nor tests/web sees it: which way round it is, what travels
apart, what is odd, and what Predict asks.
"""

from typing import Any

import numpy as np
import pytest

from tests.plots import Payload, unpacked
from viz_core.analysis.divergence import Comparison, compare_explanations
from viz_core.analysis.next_token import vocabulary_label
from viz_core.browser.attention_payload import attention_payload
from viz_core.browser.inside_payload import inside_payload
from viz_core.browser.output_payload import TOP, Side, comparison_payload
from viz_core.browser.overview_payload import overview_payload
from viz_core.browser.prediction import prediction
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation, explain
from viz_core.trace import Kind


@pytest.fixture(scope="module")
def typed(checkpoint: Checkpoint) -> Explanation:
    return explain(checkpoint, "The otter hides the map.", "Der Otter </script> \x00 bemalt.")


def read(explanation: Explanation, kind: Kind) -> Payload:
    return unpacked(attention_payload(explanation, kind))


def test_rows_are_queries_and_columns_are_keys(typed: Explanation) -> None:
    source, target = len(typed.source), len(typed.target)
    assert source != target
    for kind, shape in (("self", (source, source)), ("masked", (target, target)), ("cross", (target, source))):
        tensors, about = read(typed, kind)  # type: ignore[arg-type]
        assert tensors["mask"].shape == tensors["weights"].shape[2:] == (len(about["rows"]), len(about["columns"])) == shape
        if kind == "self":
            assert about["writes"] is None
        else:
            assert about["writes"] == [*about["rows"][1:], "⟨/s⟩"]
    assert about["special_columns"] == [source - 1] and about["special_rows"] == [0]


def test_typed_text_stays_text_and_control_characters_can_be_seen(typed: Explanation) -> None:
    _, about = read(typed, "masked")
    joined = "".join(about["row_words"]["labels"])
    assert "</script>" in joined and "⟨00⟩" in joined and "\0" not in joined
    assert sorted(at for tokens in about["row_words"]["tokens"] for at in tokens) == list(range(len(typed.target)))


def test_with_post_norm_the_stream_is_the_norm_and_travels_exactly(make_model: Any, checkpoint: Checkpoint) -> None:
    post = Checkpoint(**{**vars(checkpoint), "model": make_model(norm="post")})
    explanation = explain(post, "The otter hides the map.", "Der Otter.")
    tensors, _ = unpacked(inside_payload(explanation))
    trace = explanation.trace
    assert np.array_equal(tensors["encoder_ffn_norm"][1], trace.array("encoder.memory"))
    assert np.array_equal(tensors["decoder_ffn_norm"][1], trace.array("decoder.states"))
    summed = tensors["decoder_ffn_norm"][0] + tensors["decoder_self_attn_out"][1]
    assert np.array_equal(summed, trace.array("decoder.1.resid_self_attn"))


def test_what_only_an_open_block_shows_travels_in_a_file_alone(shipped: Checkpoint) -> None:
    explanation = explain(shipped, "The otter paints the map.")
    sent = overview_payload(explanation, shipped.tokenizer, "/inside/token")
    tensors, about = unpacked(sent)
    assert about["inside"] == "/inside/token" and "inside" not in tensors
    assert 8 * len(sent) < len(inside_payload(explanation))
    whole, _ = unpacked(overview_payload(explanation, shipped.tokenizer))
    assert whole["inside"].tobytes() == inside_payload(explanation)


def test_equal_probabilities_stand_by_id_and_unknown_ones_come_last(checkpoint: Checkpoint) -> None:
    before = explain(checkpoint, "A baker paints the </script> well-worn map.")
    found = compare_explanations(before, before, before.trace)
    flat = np.full_like(found.after, -6.0)
    flat[1, :] = np.nan
    flat[2, ::2] = np.nan
    flat[3, 7] = -5.0
    side = Side("", before, checkpoint)
    tensors, _ = unpacked(
        comparison_payload(side, side, Comparison(found.words, found.before, flat, found.output, found.divergence))
    )
    top = tensors["right_ids"][:4, :TOP].tolist()
    assert top == [[0, 1, 2, 3, 4], [0, 1, 2, 3, 4], [1, 3, 5, 7, 9], [7, 0, 1, 2, 3]]
    assert np.isnan(tensors["right_own"][1]).all()


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
