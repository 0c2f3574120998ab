"""Each variant against an independent construction, and its effect on models of both kinds."""

import math
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from pages.code.variants import NUMBERS
from tests.conftest import TRACED_IDS, MakeModel
from viz_core.analysis.variants import VARIANTS, effect, parts
from viz_core.analysis.variants.initialisation import HOWS, gradients, initialise, spread
from viz_core.checkpoint import Checkpoint
from viz_core.config import ModelConfig
from viz_core.edits import Edits
from viz_core.explain import Explanation, explain, traced_pass
from viz_core.model import Transformer
from viz_core.model.embedding import positional_encoding
from viz_core.source import source_of
from viz_core.taps import Edit, Editor, Recorder
from viz_core.texts import texts

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


def test_the_helpers_compute_what_the_model_computes_where_they_are_given_its_own_modules(small: Transformer) -> None:
    usual = traced(small)
    for edits in (parts.at_norms(small, lambda x, norm: norm(x)), parts.at_feed_forwards(small, lambda x, ffn: ffn(x))):
        edited = traced(small, edits)
        for site, tensor in usual.items():
            assert torch.equal(tensor, edited[site]), site
    norms = [site for site in parts.at_norms(small, lambda x, norm: x) if ".norm_" in site]
    assert len(norms) == 2 * (2 + 3)
    assert len(list(parts.attentions(small.config))) == 2 * 3


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


def test_where_the_spread_is_wide_both_norms_differ_by_the_unbiased_root_alone() -> None:
    config = ModelConfig(source_vocab=9, target_vocab=9, d_model=16, n_heads=2)
    row = torch.randn(16, generator=torch.Generator().manual_seed(1))
    (wide, narrow, none) = parts.layer_norm_outputs(row, config, (10.0, 1e-3, 1e-6))
    assert wide == pytest.approx((1.0, math.sqrt(15 / 16)), abs=1e-4)
    assert narrow[0] == pytest.approx(1e-3 / math.sqrt(1e-6 + 1e-5), rel=1e-3)
    assert none[1] == pytest.approx(1 / (math.sqrt(16 / 15) + 1), rel=1e-2)


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


@pytest.mark.parametrize("activation", ["gelu", "swish"])
def test_the_convolutions_have_the_function_of_the_model(activation: str, make_model: MakeModel) -> None:
    model = make_model(activation=activation)
    assert torch.allclose(traced(model, parts.convolution_edits(model))["output.logits"], traced(model)["output.logits"], atol=2e-5)


IMPOSSIBLE = {
    "norm_formula": {"layer_norm": "deviation"},
    "no_root": {"scaled_embeddings": False},
    "padding_row": {"positions": "learned"},
}


@pytest.mark.parametrize(("name", "how"), IMPOSSIBLE.items())
def test_a_model_that_cannot_have_a_variant_is_told_why(name: str, how: dict[str, Any], make_model: MakeModel) -> None:
    assert not VARIANTS[name].possible(make_model(**how).config)
    assert VARIANTS[name].possible(make_model().config)
    assert texts("code")["impossible"][name]


def test_large_negative_numbers_give_the_same_weights_where_something_is_open(small: Transformer) -> None:
    usual = traced(small)
    for value in parts.MASK_VALUES:
        edited = traced(small, parts.mask_value_edits(small, value))
        for site, tensor in usual.items():
            assert torch.equal(tensor, edited[site]), (value, site)
    shy = traced(small, parts.mask_value_edits(small, -1.0))  # and one that is not large shows
    assert not torch.equal(shy["decoder.0.self_attn.weights"], usual["decoder.0.self_attn.weights"])


def test_where_all_is_masked_there_is_no_number_or_every_key_alike() -> None:
    scaled, nowhere = torch.tensor([1.0, 2.0, -3.0, 0.5]), torch.zeros(4, dtype=torch.bool)
    for dtype in (torch.float32, torch.float16):
        infinite = parts.masked_rows(scaled, nowhere, -math.inf, dtype)
        assert infinite is not None and infinite.isnan().all()
        assert (parts.model_rows(scaled[None], nowhere, dtype) == 0).all()
        assert torch.allclose(parts.model_rows(scaled[None], ~nowhere, dtype), scaled.softmax(-1), atol=1e-3)
        mild = parts.masked_rows(scaled, nowhere, -1e4, dtype)
        assert mild is not None and torch.allclose(mild, torch.full((4,), 0.25))
    assert parts.masked_rows(scaled, nowhere, -1e9, torch.float16) is None
    big = parts.masked_rows(scaled, nowhere, -1e9, torch.float32)
    assert big is not None and torch.allclose(big, torch.full((4,), 0.25))
    half = parts.masked_rows(scaled, torch.tensor([True, True, False, False]), -1e4, torch.float16)
    assert half is not None and torch.allclose(half, torch.tensor([0.2689, 0.7311, 0, 0]), atol=1e-3)


def test_the_scale_is_that_of_d_k_divided_once_more(small: Transformer) -> None:
    config = small.config  # d_k 8, 4 heads
    edited = traced(small, parts.scale_edits(small))
    for at in parts.attentions(config):
        assert torch.allclose(edited[f"{at}.scaled"], edited[f"{at}.scores"] / math.sqrt(2))
    assert not parts.scale_possible(ModelConfig(source_vocab=9, target_vocab=9, d_model=32, n_heads=8))
    assert parts.scale_possible(ModelConfig(source_vocab=9, target_vocab=9, d_model=64, n_heads=8))


def test_without_the_root_the_looked_up_row_is_added_as_it_is(small: Transformer) -> None:
    usual, edited = traced(small), traced(small, parts.embed_edits(small))
    for side, ids in zip(("source", "target"), TRACED_IDS, strict=True):
        embedding: Any = small.get_submodule(f"{side}_embedding")
        expected = embedding.weight[ids] + positional_encoding(len(ids), small.config.d_model)
        assert torch.allclose(edited[f"{side}.input"][0], expected)
        assert not torch.allclose(edited[f"{side}.input"], usual[f"{side}.input"])


def test_with_a_row_for_padding_every_token_is_moved_by_one(small: Transformer) -> None:
    usual, edited = traced(small), traced(small, parts.shifted_positions_edits(small))
    for side, ids in zip(("source", "target"), TRACED_IDS, strict=True):
        longer = positional_encoding(len(ids) + 1, small.config.d_model)
        assert torch.equal(edited[f"{side}.positions"], longer[1:])
        assert torch.equal(edited[f"{side}.positions"][:-1], usual[f"{side}.positions"][1:])


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


def test_a_variant_comes_after_the_edits(shipped: Checkpoint) -> None:
    edited = explain(shipped, TEXT, edits=Edits(no_scale=True))
    nothing = effect(shipped, edited, dict)
    assert nothing.greatest == 0 and nothing.text == nothing.usual == edited.text
    right = effect(
        shipped, edited, lambda: {f"{at}.scaled": lambda x: x / math.sqrt(32) for at in parts.attentions(shipped.config)}
    )
    same = traced_pass(shipped, [edited.source.ids], [edited.target.ids])
    assert np.allclose(right.after, same.array("output.log_probs"), atol=1e-3)
    plain = explain(shipped, TEXT)
    assert not np.allclose(right.before, right.after, atol=1e-1)
    assert right.text == plain.text


def test_gradients_are_those_of_the_loss_by_finite_differences(checkpoint: Checkpoint) -> None:
    explained = explain(checkpoint, "The otter paints a green kettle.", "Der Otter bemalt.")
    for place in ("post",):
        found = gradients(checkpoint, explained, place, 5)  # type: ignore[arg-type]
        with torch.random.fork_rng():
            torch.manual_seed(5)
            model = Transformer(
                ModelConfig(**checkpoint.config.to_json() | {"norm": place, "dropout": 0.0})  # type: ignore[arg-type]
            ).double()
        source, target = torch.tensor([explained.source.ids]), torch.tensor([explained.target.ids])
        following = torch.tensor([token.id for token in explained.output])

        def loss(model: Transformer = model, source: Tensor = source, target: Tensor = target, ids: Tensor = following) -> Tensor:
            return nn.functional.cross_entropy(model(source, target)[0], ids)

        assert found.loss == pytest.approx(float(loss().detach()), abs=1e-4)
        weight = model.get_parameter("decoder.layers.1.ffn.w_2.weight")
        (gradient,) = torch.autograd.grad(loss(), weight)
        assert found.gradients["decoder"][1] == pytest.approx(float(gradient.norm()), rel=1e-3)
        with torch.no_grad():  # a small step along the gradient raises the loss by its length
            weight.add_(1e-4 * gradient / gradient.norm())
            raised = float(loss())
            weight.sub_(2e-4 * gradient / gradient.norm())
            assert (raised - float(loss())) / 2e-4 == pytest.approx(found.gradients["decoder"][1], rel=1e-2)


def test_weights_are_drawn_as_it_is_said(shipped: Checkpoint, explanation: Explanation) -> None:
    found = {how: spread(shipped, explanation, how, 3) for how in HOWS}
    most = math.log(8000)
    assert found["ours"].logits == pytest.approx(1, abs=0.05)
    assert found["torch"].logits == pytest.approx(16, abs=1)
    assert found["torch"].lookup == pytest.approx(1, abs=0.1)
    assert found["xavier"].lookup == pytest.approx(math.sqrt(2 / (8000 + 256)), rel=0.1)
    assert abs(found["xavier"].loss - most) < 0.3 and abs(found["ours"].loss - most) < 1
    assert found["torch"].loss > 10 * most
    model = Transformer(shipped.config)
    before = model.encoder.layers[0].ffn.w_1.weight.clone()  # type: ignore[union-attr,operator]
    initialise(model, "ours")
    assert torch.equal(before, model.get_parameter("encoder.layers.0.ffn.w_1.weight"))
    initialise(model, "torch")
    bound = model.get_parameter("encoder.layers.0.ffn.w_1.weight").detach().abs().max()
    assert 0.99 / math.sqrt(256) < float(bound) <= 1 / math.sqrt(256)


def test_the_table_names_code_that_is_there() -> None:
    assert set(NUMBERS) == set(VARIANTS)
    for variant in VARIANTS.values():
        for function, highlighted in (variant.ours, variant.theirs):
            assert highlighted in source_of(function)[0]
