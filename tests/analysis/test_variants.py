"""Each variant against an independent construction, and its effect on models of both kinds."""

from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from tests.conftest import TRACED_IDS, MakeModel
from viz_core.analysis.variants import VARIANTS, effect, parts
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation, explain
from viz_core.model import Transformer
from viz_core.model.embedding import positional_encoding
from viz_core.taps import Edit, Editor, Recorder

TEXT = "Our neighbour sold his red tractor."


@pytest.fixture(scope="module", params=["pre", "post"])
def small(request: pytest.FixtureRequest, make_model: MakeModel) -> Transformer:
    return make_model(norm=request.param)


@pytest.fixture(scope="module")
def explanation(shipped: Checkpoint) -> Explanation:
    return explain(shipped, TEXT)


@torch.inference_mode()
def traced(model: Transformer, edits: dict[str, Edit] | None = None) -> dict[str, Tensor]:
    recorder = Recorder()
    source, target = (torch.tensor([ids]) for ids in TRACED_IDS)
    model(source, target, Editor(edits, recorder) if edits else recorder)
    return recorder.tensors


def test_every_norm_is_that_of_numpy_with_the_unbiased_deviation(small: Transformer) -> None:
    edited = traced(small, parts.layer_norm_edits(small))
    for stack, block in (("encoder", "ffn"), ("decoder", "cross_attn")):
        reads = f"{stack}.1.resid_{block}"
        if small.config.norm == "pre":
            blocks = ("self_attn", "ffn") if stack == "encoder" else ("self_attn", "cross_attn", "ffn")
            reads = f"{stack}.1.resid_{blocks[blocks.index(block) - 1]}"
        x = edited[reads][0].double().numpy()
        norm: Any = small.get_submodule(f"{stack}.layers.1.add_{block}.norm")
        gamma, beta = (each.double().numpy() for each in (norm.gamma, norm.beta))
        expected = gamma * (x - x.mean(-1, keepdims=True)) / (x.std(-1, ddof=1, keepdims=True) + 1e-6) + beta
        assert np.allclose(edited[f"{stack}.1.norm_{block}"][0].numpy(), expected, atol=1e-5)


def test_the_convolutions_are_the_linear_layers(small: Transformer) -> None:
    usual, edited = traced(small), traced(small, parts.convolution_edits(small))
    for site, tensor in usual.items():
        if tensor.is_floating_point():
            assert torch.allclose(tensor, edited[site], atol=2e-5), site
    ffn: Any = small.get_submodule("encoder.layers.0.ffn")
    first, second = nn.Conv1d(32, 48, 1), nn.Conv1d(48, 32, 1)
    first.weight.data, first.bias.data = ffn.w_1.weight[:, :, None], ffn.w_1.bias  # type: ignore[union-attr]
    second.weight.data, second.bias.data = ffn.w_2.weight[:, :, None], ffn.w_2.bias  # type: ignore[union-attr]
    x = usual[f"encoder.0.norm_{'ffn' if small.config.norm == 'pre' else 'self_attn'}"]
    expected = second(first(x.clone().transpose(1, 2)).relu()).transpose(1, 2)
    made = parts.convolution(x, ffn)
    assert torch.allclose(made, expected, atol=1e-6)
    assert torch.allclose(made, usual["encoder.0.ffn.out"], atol=1e-5)


def test_large_negative_numbers_give_the_same_weights_where_something_is_open(small: Transformer) -> None:
    usual = traced(small)
    for value in parts.MASK_VALUES:
        edited = traced(small, parts.mask_value_edits(small, value))
        for site, tensor in usual.items():
            assert torch.equal(tensor, edited[site]), (value, site)
    shy = traced(small, parts.mask_value_edits(small, -1.0))  # and one that is not large shows
    assert not torch.equal(shy["decoder.0.self_attn.weights"], usual["decoder.0.self_attn.weights"])


def test_scores_inputs_and_positions_are_those_of_their_formulas(small: Transformer) -> None:
    config, usual = small.config, traced(small)  # d_k 8, 4 heads
    scaled, plain, moved = (
        traced(small, make(small)) for make in (parts.scale_edits, parts.embed_edits, parts.shifted_positions_edits)
    )
    for at in parts.attentions(config):
        assert torch.allclose(scaled[f"{at}.scaled"], scaled[f"{at}.scores"] / 2**0.5)
    for side, ids in zip(("source", "target"), TRACED_IDS, strict=True):
        table = positional_encoding(len(ids) + 1, config.d_model)
        assert torch.allclose(plain[f"{side}.input"][0], small.get_parameter(f"{side}_embedding.weight")[ids] + table[:-1])
        assert torch.equal(moved[f"{side}.positions"], table[1:]) and torch.equal(usual[f"{side}.positions"], table[:-1])


def test_a_variants_translation_is_that_of_reading_anew_at_each_step(shipped: Checkpoint, explanation: Explanation) -> None:
    """Moved positions differ in each step of a cached decoding, where only one of them passes."""
    variant = VARIANTS["padding_row"]
    assert variant.edits and variant.whole
    found = effect(shipped, explanation, lambda: variant.edits(shipped.model), variant.whole)  # type: ignore[misc]
    ids, source = [1], torch.tensor([explanation.source.ids])
    with torch.inference_mode():
        while ids[-1] != 2 and len(ids) < 60:
            ids.append(
                int(
                    shipped.model(source, torch.tensor([ids]), Editor(parts.shifted_positions_edits(shipped.model)))[0, -1].argmax()
                )
            )
    assert found.text == shipped.tokenizer.decode(ids[1:-1])


def test_an_effect_is_measured_over_the_same_tokens(shipped: Checkpoint, explanation: Explanation) -> None:
    made = {
        name: effect(shipped, explanation, lambda v=variant: v.edits(shipped.model), variant.whole)  # type: ignore[misc]
        for name, variant in VARIANTS.items()
        if variant.edits
    }
    for name, found in made.items():
        assert found.known and found.before.shape == found.after.shape == (len(explanation.steps), 8000), name
        assert found.usual == explanation.text
        changes = np.abs(np.exp(found.after) - np.exp(found.before))
        assert found.greatest == pytest.approx(float(changes.max()), abs=1e-6)
        assert found.steps == [i for i in range(len(found.before)) if found.before[i].argmax() != found.after[i].argmax()]
    assert made["mask_value"].greatest == 0
    assert made["convolution"].greatest < 1e-4 < made["norm_formula"].greatest < 0.05
    # on some processors it gives the very same numbers, so that these do not tell whether it was used
    used = {name for name in VARIANTS["convolution"].edits(shipped.model) if name.endswith(".ffn.out")}  # type: ignore[misc]
    assert used == {name for name in explanation.trace if name.endswith(".ffn.out")}
    assert made["scale"].greatest > 0.02
    assert made["no_root"].greatest > 0.5 and made["no_root"].text != explanation.text
    assert made["convolution"].text == made["mask_value"].text == explanation.text
