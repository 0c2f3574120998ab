"""The stream, its LayerNorms and the feed-forward, for both places of LayerNorm, against the model's own modules."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

from pages.residual.compute import feed_forward
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
def test_layer_norm_is_what_the_module_does(case: Case, stack: Stack) -> None:
    model, trace = case
    layers: Any = model.encoder.layers if stack == "encoder" else model.decoder.layers
    for block in BLOCKS[stack]:
        one = layer_norm(model, trace, stack, 1, block, 2)
        module = getattr(layers[1], f"add_{block}").norm
        assert np.allclose(module(torch.tensor(one.x)), one.out, atol=1e-5)
        assert np.allclose(one.gamma * one.standard + one.beta, one.out, atol=1e-5)
        assert one.standard.mean() == pytest.approx(0, abs=1e-9)
        assert one.mean == pytest.approx(float(one.x.astype(np.float64).mean()))


@pytest.mark.parametrize("stack", STACKS)
def test_hidden_units_add_up_to_what_the_module_gives(case: Case, stack: Stack) -> None:
    found = feed_forward(*case, stack, 1)
    unit = found.strongest(2, 1)[0]
    assert max(0.0, found.product(2, unit) + float(found.b_1[unit])) == pytest.approx(float(found.hidden[2].max()), abs=1e-5)
    everything = sum(found.adds(2, unit) for unit in range(found.hidden.shape[1])) + found.b_2
    assert np.allclose(everything, found.out[2], atol=1e-5)
