"""What the overview draws: the recorded tensors of every step, layer and head, and the bars of each step."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from tests.payloads import Payload, unpacked
from viz_core.app.view_options import ATTENTIONS, OPTIONS
from viz_core.browser.attention_payload import attention_payload
from viz_core.browser.overview_payload import TOP, overview_payload
from viz_core.checkpoint import Checkpoint
from viz_core.edits import Edits
from viz_core.explain import Explanation, explain
from viz_core.texts import visible
from viz_core.trace import BLOCK, BLOCKS

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def typed(checkpoint: Checkpoint) -> Explanation:
    return explain(checkpoint, "The otter hides the map.", "Der Otter </script> \x00 <b>bemalt</b>.")


def read(explanation: Explanation, checkpoint: Checkpoint) -> Payload:
    return unpacked(overview_payload(explanation, checkpoint.tokenizer))


@pytest.fixture(scope="module")
def payload(checkpoint: Checkpoint, typed: Explanation) -> Payload:
    return read(typed, checkpoint)


def test_each_attention_is_all_that_the_attention_view_reads(payload: Payload, typed: Explanation) -> None:
    tensors, _ = payload
    for kind in BLOCK:
        assert tensors[kind].tobytes() == attention_payload(typed, kind)


def halves(array: npt.NDArray[np.float32]) -> npt.NDArray[np.float16]:
    """As what is only drawn travels."""
    return array.astype(np.float16)


def test_vectors_are_those_of_the_trace(payload: Payload, typed: Explanation) -> None:
    tensors, _ = payload
    trace, last = typed.trace, typed.trace.config.n_layers - 1
    found = {"source_embedding": "source.embedding", "source_input": "source.input", "target_input": "target.input"}
    for name, site in found.items():
        assert np.array_equal(tensors[name], trace.array(site)), name
    assert np.array_equal(tensors["memory"], halves(trace.array("encoder.memory")))
    assert np.allclose(tensors["target_embedding"] + tensors["target_positions"], tensors["target_input"], atol=1e-6)
    assert np.array_equal(tensors["states"], halves(trace.array("decoder.states")))
    for stack, blocks in BLOCKS.items():
        for block in blocks:
            name, site = f"{stack}_{block}", f"{stack}.{last}"
            assert np.array_equal(tensors[f"{name}_out"][last], trace.array(f"{site}.{block}.out"))
            assert np.array_equal(tensors[f"{name}_norm"][last], halves(trace.array(f"{site}.norm_{block}")))
            assert f"{name}_sum" not in tensors  # the browser adds it up
        assert np.array_equal(tensors[f"{stack}_ffn_hidden"][0], halves(trace.array(f"{stack}.0.ffn.hidden")))
    fires = trace.array("encoder.0.ffn.hidden") > 0
    assert tensors["firing_encoder"][0].tolist() == fires.sum(-1).tolist()


def test_with_post_norm_the_stream_is_the_norm_and_travels_exactly(make_model: Any, checkpoint: Checkpoint) -> None:
    post = Checkpoint(**{**vars(checkpoint), "model": make_model(norm="post")})
    explanation = explain(post, "The otter hides the map.", "Der Otter.")
    tensors, _ = read(explanation, post)
    trace = explanation.trace
    assert np.array_equal(tensors["encoder_ffn_norm"][1], trace.array("encoder.memory"))
    assert np.array_equal(tensors["decoder_ffn_norm"][1], trace.array("decoder.states"))
    summed = tensors["decoder_ffn_norm"][0] + tensors["decoder_self_attn_out"][1]
    assert np.array_equal(summed, trace.array("decoder.1.resid_self_attn"))


def test_a_sum_that_an_edit_made_something_else_is_sent(checkpoint: Checkpoint) -> None:
    explanation = explain(checkpoint, "The otter hides the map.", "Der Otter.", edits=Edits(no_residual=True))
    tensors, _ = read(explanation, checkpoint)
    assert np.array_equal(tensors["decoder_cross_attn_sum"][1], explanation.trace.array("decoder.1.resid_cross_attn"))


def test_bars_are_the_most_probable_and_what_was_typed(payload: Payload, typed: Explanation) -> None:
    _, about = payload
    assert about["given_target"]
    for t, (shown, step) in enumerate(zip(about["steps"], typed.steps, strict=True)):
        shares = [share for _, share, *_ in shown["bars"]]
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


def test_what_is_long_travels_in_halves(checkpoint: Checkpoint, typed: Explanation, monkeypatch: pytest.MonkeyPatch) -> None:
    embedding = typed.trace.array("source.embedding")
    for bytes_, kind in ((embedding.nbytes, np.float32), (embedding.nbytes - 1, np.float16)):
        monkeypatch.setattr("viz_core.browser.overview_payload.EXACT", bytes_)
        sent = read(typed, checkpoint)[0]["source_embedding"]
        assert sent.dtype == kind
        assert np.array_equal(sent, embedding.astype(kind))


def test_each_block_names_the_line_that_computes_what_it_shows(payload: Payload) -> None:
    _, about = payload
    assert set(about["code"]) == set(OPTIONS["open"]) - {""}
    for block, code in about["code"].items():
        text = dict(zip(code["numbers"], code["lines"], strict=True))
        file = (ROOT / code["place"]).read_text("utf-8").splitlines()
        assert all(line.strip() in file[number - 1] for number, line in text.items())
        assert '"""' not in "".join(code["lines"])
        assert set(code["highlight"]) == (set(OPTIONS["stage"]) if block in ATTENTIONS else {""})
        computes = "q = self.split(self.w_q(x))" if block.endswith("_qkv") else "tap("
        assert all(computes in text[number] for number in code["highlight"].values())
    assert "softmax" in " ".join(about["code"]["cross"]["lines"])
