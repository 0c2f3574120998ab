"""What the closed overview draws: weights, the first numbers of vectors, and the bars of each step."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
import pytest

from tests.payloads import Payload, unpacked
from viz_core.browser.attention_payload import attention_payload
from viz_core.browser.inside_payload import inside_payload
from viz_core.browser.overview_payload import CELLS, LINES, TOP, overview_payload
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation, explain
from viz_core.texts import visible
from viz_core.trace import BLOCK, BLOCKS


@pytest.fixture(scope="module")
def typed(checkpoint: Checkpoint) -> Explanation:
    return explain(checkpoint, "The otter hides the map.", "Der Otter </script> \x00 <b>bemalt</b>.")


def read(explanation: Explanation, checkpoint: Checkpoint) -> Payload:
    return unpacked(overview_payload(explanation, checkpoint.tokenizer))


@pytest.fixture(scope="module")
def payload(checkpoint: Checkpoint, typed: Explanation) -> Payload:
    return read(typed, checkpoint)


def test_what_the_flow_draws_are_numbers_of_the_trace(payload: Payload, typed: Explanation) -> None:
    tensors, about = payload
    trace = typed.trace
    for kind in BLOCK:
        blocks = trace.attentions(kind)
        assert np.array_equal(tensors[f"{kind}_weights"], np.stack([block.weights for block in blocks]))
        assert np.array_equal(tensors[f"{kind}_mask"], blocks[0].mask)
    vectors = {"memory": trace.array("encoder.memory")}
    for side, count in (("source", len(typed.source)), ("target", len(typed.target))):
        vectors |= {f"{side}_{part}": trace.array(f"{side}.{part}")[:count] for part in ("embedding", "positions", "input")}
    for name, array in vectors.items():
        assert np.array_equal(tensors[f"{name}_print"], array[:, :CELLS].astype(np.float16)), name
    for stack in BLOCKS:
        for layer in range(trace.config.layers(stack)):
            hidden = trace.array(f"{stack}.{layer}.ffn.hidden")
            assert np.array_equal(tensors[f"{stack}_ffn_hidden_print"][layer], hidden[:, : LINES * CELLS].astype(np.float16))
            assert tensors[f"firing_{stack}"][layer].tolist() == (hidden > 0).sum(-1).tolist()
            vectors[f"{stack}_stream"] = trace.array(f"{stack}.{layer}.resid_ffn")
            assert np.allclose(tensors[f"{stack}_stream_length"][layer], lengths(vectors[f"{stack}_stream"]), rtol=1e-7)
    for name in ("memory", "source_input", "target_input"):
        assert np.allclose(tensors[f"{name}_length"], lengths(vectors[name]), rtol=1e-7)
    assert (about["dims"], about["units"]) == (trace.config.d_model, hidden.shape[-1])


def lengths(vectors: npt.NDArray[np.float32]) -> list[float]:
    """‖x‖₂ of each."""
    return [math.hypot(*map(float, vector)) for vector in vectors]


def test_each_attention_says_what_the_attention_view_reads(payload: Payload, typed: Explanation) -> None:
    _, about = payload
    for kind in BLOCK:
        said = about["attentions"][kind]
        whole = {**said, "texts": {**about["attention_texts"], **said["texts"]}}
        assert whole == unpacked(attention_payload(typed, kind))[1]


def test_what_only_an_open_block_shows_travels_in_a_file_alone(shipped: Checkpoint) -> None:
    explanation = explain(shipped, "The otter paints the map.")
    sent = overview_payload(explanation, shipped.tokenizer, "/inside/token")
    tensors, about = unpacked(sent)
    assert about["inside"] == "/inside/token" and "inside" not in tensors
    assert 8 * len(sent) < len(inside_payload(explanation))
    whole, _ = unpacked(overview_payload(explanation, shipped.tokenizer))
    assert whole["inside"].tobytes() == inside_payload(explanation)


def test_bars_are_the_most_probable_and_what_was_typed(payload: Payload, typed: Explanation) -> None:
    _, about = payload
    assert about["given_target"]
    for t, (shown, step) in enumerate(zip(about["steps"], typed.steps, strict=True)):
        shares = [share for _, share, *_ in shown["bars"]]
        count, others = shown["others"]
        assert count == typed.trace.config.target_vocab - len(shares)
        assert others == pytest.approx(1 - sum(shares), abs=1e-5) and others >= 0
        assert shares[:TOP] == [share for _, share in step.top(TOP)]
        label, share, before, logit = shown["bars"][shown["written"]]
        assert share == step.probability(step.expected.id)
        assert before == (typed.steps[t - 1].probability(step.expected.id) if t else None)
        assert logit == typed.trace.array("output.logits")[t, step.expected.id]
        assert np.exp(logit - shown["log_sum"]) == pytest.approx(share, rel=1e-5)
        assert label.lstrip("·") == about["output"][t].lstrip("·")


def test_tokens_are_as_typed_and_signs_without_a_shape_can_be_seen(payload: Payload, typed: Explanation) -> None:
    _, about = payload
    assert about["target"] == [visible(token.label) for token in typed.target.tokens]
    assert any("⟨00⟩" in label for label in about["target"])
    assert len(about["output"]) == len(about["steps"]) == len(typed.target)
