"""The stream, its LayerNorms, the feed-forward and the terms of a logit are exact, also in models whose parts are computed in
another way than the paper's.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

from pages.residual.compute import feed_forward
from tests.conftest import MakeModel
from viz_core.analysis.logits import logit_attribution
from viz_core.analysis.residual_stream import layer_norm, residual_sums
from viz_core.config import Stack
from viz_core.model import Transformer
from viz_core.taps import Recorder
from viz_core.trace import BLOCKS, Trace

Case = tuple[Transformer, Trace]
STACKS: tuple[Stack, ...] = ("encoder", "decoder")


@pytest.fixture(scope="module", params=["pre", "post"])
def case(request: pytest.FixtureRequest, make_model: Callable[..., Transformer]) -> Case:
    model, recorder = make_model(norm=request.param), Recorder()
    with torch.inference_mode():
        model(torch.tensor([[300, 301, 302, 2]]), torch.tensor([[1, 330, 331, 332, 333]]), recorder)
    return model, Trace(model.config, recorder.tensors)


@pytest.mark.parametrize("stack", STACKS)
def test_the_stream_is_the_input_and_all_that_was_added(case: Case, stack: Stack) -> None:
    _, trace = case
    for layer in range(trace.config.n_layers):
        for block in BLOCKS[stack]:
            found = residual_sums(trace, stack, layer, block)
            assert [one.total.tolist() for one in found] == trace.array(f"{stack}.{layer}.resid_{block}").tolist()
            for one in (found[0], found[3]):
                assert np.allclose(one.x + one.added, one.total, atol=1e-5)
                angle = torch.cosine_similarity(torch.tensor(one.x), torch.tensor(one.added), dim=0)
                assert one.cosine == pytest.approx(float(angle), abs=1e-5)


@pytest.mark.parametrize("stack", STACKS)
def test_hidden_units_add_up_to_what_the_module_gives(case: Case, stack: Stack) -> None:
    found = feed_forward(*case, stack, 1)
    unit = found.strongest(2, 1)[0]
    assert max(0.0, found.product(2, unit) + float(found.b_1[unit])) == pytest.approx(float(found.hidden[2].max()), abs=1e-5)
    everything = sum(found.adds(2, unit) for unit in range(found.hidden.shape[1])) + found.b_2
    assert np.allclose(everything, found.out[2], atol=1e-5)


COMMON: dict[str, Any] = {"n_layers": 2, "n_decoder_layers": 3, "output_bias": True, "tied_embeddings": False}
OTHERS: dict[str, dict[str, Any]] = {
    "marian": COMMON | {"norm": "post", "activation": "swish", "positions": "halves", "tied_generator": True},
    "bart": COMMON
    | {"norm": "post", "activation": "gelu", "positions": "learned", "embedding_norm": True, "scaled_embeddings": False},
    "mbart": COMMON | {"positions": "learned", "embedding_norm": True, "final_norm": True},
    "annotated": COMMON | {"layer_norm": "deviation", "layer_norm_eps": 1e-6},
    "torch, post-norm": COMMON | {"norm": "post", "final_norm": True},
    "torch, a norm at the decoder's end": COMMON | {"norm": "post", "decoder_final_norm": True},
}
SOURCE, TARGET = [17, 25, 33, 2], [1, 90, 91, 92]


@pytest.fixture(params=list(OTHERS.values()), ids=list(OTHERS))
def passed(request: pytest.FixtureRequest, make_model: MakeModel) -> tuple[Transformer, Trace]:
    model, recorder = make_model(**request.param), Recorder()
    with torch.inference_mode():
        model(torch.tensor([SOURCE]), torch.tensor([TARGET]), recorder)
    return model, Trace(model.config, recorder.tensors)


def test_a_logit_is_the_sum_of_what_all_parts_bring(passed: tuple[Transformer, Trace]) -> None:
    model, trace = passed
    for token, against in ((40, None), (40, 41)):
        found = logit_attribution(model, trace, 2, token, against)
        assert abs(found.remainder) < 1e-4 * max(abs(found.value), 1.0)


@pytest.mark.parametrize("stack", ["encoder", "decoder"])
def test_layer_norm_in_words_is_that_of_the_pass(passed: tuple[Transformer, Trace], stack: Any) -> None:
    model, trace = passed
    found = layer_norm(model, trace, stack, 1, "ffn", 2)
    np.testing.assert_allclose(found.gamma * found.standard + found.beta, found.out, atol=1e-5)
    np.testing.assert_allclose((found.x - found.mean) / found.spread, found.standard, atol=1e-6)
