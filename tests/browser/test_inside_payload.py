"""What an open block shows: the recorded tensors of every step, layer and head."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from tests.payloads import Payload, unpacked
from viz_core.browser.attention_payload import attention_payload
from viz_core.browser.inside_payload import inside_payload
from viz_core.checkpoint import Checkpoint
from viz_core.edits import Edits
from viz_core.explain import Explanation, explain
from viz_core.trace import BLOCK, BLOCKS


def read(explanation: Explanation) -> Payload:
    return unpacked(inside_payload(explanation))


@pytest.fixture(scope="module")
def typed(checkpoint: Checkpoint) -> Explanation:
    return explain(checkpoint, "The otter hides the map.", "Der Otter </script> \x00 <b>bemalt</b>.")


@pytest.fixture(scope="module")
def payload(typed: Explanation) -> Payload:
    return read(typed)


def test_with_the_weights_each_attention_is_all_that_the_attention_view_reads(checkpoint: Checkpoint, typed: Explanation) -> None:
    edited = explain(checkpoint, "The otter hides the map.", edits=Edits(temperature=2.0))
    for explanation, more in ((typed, 0), (edited, 2)):
        tensors, _ = read(explanation)
        for kind in BLOCK:
            wanted, _ = unpacked(attention_payload(explanation, kind))
            own = {site: tensors[f"{kind}_{site}"] for site in wanted if site not in ("weights", "mask")}
            assert len(own) == 5 + more
            assert all(np.array_equal(own[site], wanted[site]) and own[site].dtype == wanted[site].dtype for site in own)


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


def test_with_post_norm_the_stream_is_the_norm_and_travels_exactly(make_model: Any, checkpoint: Checkpoint) -> None:
    post = Checkpoint(**{**vars(checkpoint), "model": make_model(norm="post")})
    explanation = explain(post, "The otter hides the map.", "Der Otter.")
    tensors, _ = read(explanation)
    trace = explanation.trace
    assert np.array_equal(tensors["encoder_ffn_norm"][1], trace.array("encoder.memory"))
    assert np.array_equal(tensors["decoder_ffn_norm"][1], trace.array("decoder.states"))
    summed = tensors["decoder_ffn_norm"][0] + tensors["decoder_self_attn_out"][1]
    assert np.array_equal(summed, trace.array("decoder.1.resid_self_attn"))
