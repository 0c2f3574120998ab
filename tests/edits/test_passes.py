"""Each edit of a pass against the same thing built otherwise: changed weights, or the formulas written out once more."""

import copy
import math
from typing import Any

import pytest
import torch
from torch import Tensor

from tests.conftest import Batch, MakeModel
from tests.edit_examples import EXAMPLES
from viz_core.config import PAD_ID
from viz_core.edits import Edits, Head, site_edits
from viz_core.model import Transformer
from viz_core.model import transformer as transformer_module
from viz_core.taps import Editor, Recorder

UNUSED_ID = 400


@pytest.fixture(scope="module", params=["pre", "post"])
def model(request: pytest.FixtureRequest, make_model: MakeModel) -> Transformer:
    """Untied, so that a changed embedding leaves the generator as it is."""
    return make_model(norm=request.param, tied_embeddings=False)


def edited(model: Transformer, batch: Batch, edits: Edits) -> dict[str, Tensor]:
    recorder = Recorder()
    model(*batch, Editor(site_edits(edits, model.config), recorder))
    return recorder.tensors


def attentions(model: Any) -> dict[tuple[str, int], Any]:
    found = {("self", i): layer.self_attn for i, layer in enumerate(model.encoder.layers)}
    found |= {("masked", i): layer.self_attn for i, layer in enumerate(model.decoder.layers)}
    return found | {("cross", i): layer.cross_attn for i, layer in enumerate(model.decoder.layers)}


def assert_same(model: Transformer, batch: Batch, edits: Edits, twin: Transformer, twin_batch: Batch | None = None) -> None:
    """The edited model gives what the rebuilt one gives, and not what the model as it was gives."""
    real = batch[1] != PAD_ID
    ours, theirs = edited(model, batch, edits)["output.log_probs"][real], twin(*(twin_batch or batch))[real]
    torch.testing.assert_close(ours, theirs, atol=2e-4, rtol=1e-4)
    assert (ours - model(*batch)[real]).abs().max() > 1e-2


def without_heads(model: Transformer, out: set[tuple[str, int, int]]) -> Transformer:
    """The columns of W^O that belong to these heads are 0."""
    twin, d_k = copy.deepcopy(model), model.config.d_k
    for kind, layer, head in out:
        attentions(twin)[kind, layer].w_o.weight[:, head * d_k : (head + 1) * d_k] = 0
    return twin


def test_a_head_is_out_where_w_o_has_no_columns_for_it(model: Transformer, batch: Batch) -> None:
    edits = EXAMPLES["heads"]
    assert_same(model, batch, edits, without_heads(model, set(edits.heads)))


def test_only_these_heads_stay_in_their_attentions(model: Transformer, batch: Batch) -> None:
    out = {("cross", 0, 0), ("cross", 0, 1), ("self", 1, 1), ("self", 1, 2), ("self", 1, 3)}
    assert_same(model, batch, EXAMPLES["only"], without_heads(model, out))
    both = Edits(only={Head("cross", 0, 2), Head("cross", 0, 3)}, heads={Head("cross", 0, 2)})
    assert_same(model, batch, both, without_heads(model, {("cross", 0, head) for head in (0, 1, 2)}))


def test_a_sublayer_is_out_where_its_last_weights_are_0(model: Transformer, batch: Batch) -> None:
    twin: Any = copy.deepcopy(model)
    for last in (twin.encoder.layers[0].ffn.w_2, twin.decoder.layers[1].cross_attn.w_o):
        last.weight[:], last.bias[:] = 0, 0
    assert_same(model, batch, EXAMPLES["sublayers"], twin)


@pytest.mark.parametrize(("edits", "factor"), [(EXAMPLES["no_scale"], math.sqrt(8)), (EXAMPLES["temperature"], 4.0)])
def test_scale_and_temperature_are_larger_queries(model: Transformer, batch: Batch, edits: Edits, factor: float) -> None:
    twin = copy.deepcopy(model)
    for attention in attentions(twin).values():
        attention.w_q.weight *= factor
        attention.w_q.bias *= factor
    assert_same(model, batch, edits, twin)


def test_uniform_attention_is_attention_without_queries(model: Transformer, batch: Batch) -> None:
    twin = copy.deepcopy(model)
    for (kind, _), attention in attentions(twin).items():
        if kind in EXAMPLES["uniform"].uniform:
            attention.w_q.weight[:], attention.w_q.bias[:] = 0, 0
    assert_same(model, batch, EXAMPLES["uniform"], twin)
    weights = edited(model, batch, EXAMPLES["uniform"])["decoder.1.self_attn.weights"]  # (B, h, T, T)
    expected = torch.tensor([1.0]), torch.full((2,), 0.5), torch.full((3,), 1 / 3)
    for i, row in enumerate(expected):
        torch.testing.assert_close(weights[1, 0, i, : i + 1], row)


def test_without_a_causal_mask_later_tokens_are_seen_and_padding_is_not(
    model: Transformer, batch: Batch, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = edited(model, batch, EXAMPLES["no_causal_mask"])["output.log_probs"]
    assert (ours - model(*batch))[0, 0].abs().max() > 1e-3  # the first row
    monkeypatch.setattr(transformer_module, "causal_mask", lambda length, device: torch.ones(1, 1, length, length).bool())
    assert torch.equal(ours, model(*batch))


def test_without_a_padding_mask_padding_is_a_token_like_others(model: Transformer, batch: Batch) -> None:
    source, target = batch
    twin = copy.deepcopy(model)
    twin.source_embedding.weight[UNUSED_ID] = twin.source_embedding.weight[PAD_ID]
    assert_same(model, batch, EXAMPLES["no_padding_mask"], twin, (source.masked_fill(source == PAD_ID, UNUSED_ID), target))


def test_no_positions_are_a_table_of_0(model: Transformer, batch: Batch) -> None:
    twin = copy.deepcopy(model)
    for embedding in (twin.source_embedding, twin.target_embedding):
        embedding.positions.zero_()
    assert_same(model, batch, EXAMPLES["no_positions"], twin)


def test_reversed_positions_are_a_table_turned_round(model: Transformer, batch: Batch) -> None:
    one = batch[0][:1], batch[1][:1, :3]  # a sentence without padding, S = 7
    twin = copy.deepcopy(model)
    twin.source_embedding.positions[:7] = twin.source_embedding.positions[:7].flip(0)
    assert_same(model, one, EXAMPLES["reversed_positions"], twin)


def reference(model: Any, batch: Batch, residual: bool, norm: bool) -> Tensor:
    """The whole model once more, from its weights alone."""
    config = model.config
    pre = config.norm == "pre"

    def layer_norm(x: Tensor, module: Any) -> Tensor:
        shape = (config.d_model,)
        return torch.nn.functional.layer_norm(x, shape, module.gamma, module.beta, config.layer_norm_eps) if norm else x

    def add(x: Tensor, module: Any, sub: Any, *given: Any) -> Tensor:
        y = layer_norm(x, module) if pre else x
        out = sub(y, *given)
        out = x + out if residual else out
        return out if pre else layer_norm(out, module)

    def attend(x: Tensor, m: Any, y: Tensor | None, mask: Tensor) -> Tensor:
        y = x if y is None else y
        mixed = []
        for head in range(config.n_heads):
            at = slice(head * config.d_k, (head + 1) * config.d_k)
            q, k, v = (t @ w.weight[at].T + w.bias[at] for t, w in ((x, m.w_q), (y, m.w_k), (y, m.w_v)))
            mixed.append((q @ k.mT / math.sqrt(config.d_k) - 1e9 * ~mask).softmax(-1) @ v)
        return torch.cat(mixed, -1) @ m.w_o.weight.T + m.w_o.bias

    def feed(x: Tensor, m: Any) -> Tensor:
        return (x @ m.w_1.weight.T + m.w_1.bias).clamp(min=0) @ m.w_2.weight.T + m.w_2.bias

    def embed(m: Any, ids: Tensor) -> Tensor:
        return m.weight[ids] * math.sqrt(config.d_model) + m.positions[: ids.size(1)]

    source, target = batch
    seen = (source != PAD_ID)[:, None, :]
    x = embed(model.source_embedding, source)
    for layer in model.encoder.layers:
        x = add(x, layer.add_self_attn.norm, attend, layer.self_attn, None, seen)
        x = add(x, layer.add_ffn.norm, feed, layer.ffn)
    memory = layer_norm(x, model.encoder.norm) if pre else x
    past = torch.ones(target.size(1), target.size(1)).tril().bool() & (target != PAD_ID)[:, None, :]
    x = embed(model.target_embedding, target)
    for layer in model.decoder.layers:
        x = add(x, layer.add_self_attn.norm, attend, layer.self_attn, None, past)
        x = add(x, layer.add_cross_attn.norm, attend, layer.cross_attn, memory, seen)
        x = add(x, layer.add_ffn.norm, feed, layer.ffn)
    states = layer_norm(x, model.decoder.norm) if pre else x
    return (states @ model.generator.weight.T).log_softmax(-1)


@pytest.mark.parametrize("residual", [True, False])
@pytest.mark.parametrize("norm", [True, False])
def test_without_residual_or_norm_it_is_the_model_written_without_them(
    model: Transformer, batch: Batch, residual: bool, norm: bool
) -> None:
    ours = edited(model, batch, Edits(no_residual=not residual, no_layer_norm=not norm))["output.log_probs"]
    theirs = reference(model, batch, residual, norm)
    real = batch[1] != PAD_ID
    torch.testing.assert_close(ours[real], theirs[real], atol=1e-3, rtol=1e-4)
    assert (residual and norm) == torch.equal(ours, model(*batch))


def test_a_set_of_edits_is_made_anew_for_each_pass(model: Transformer, batch: Batch) -> None:
    """What one pass remembers never reaches another that runs between its layers."""
    edits = Edits(no_layer_norm=True, no_residual=True)
    alone = edited(model, batch, edits)["output.log_probs"]
    other = batch[0][:1], batch[1][:1]

    class Meanwhile(Recorder):
        def __call__(self, site: str, value: Tensor) -> Tensor:
            edited(model, other, edits)
            return value

        def at(self, prefix: str) -> Recorder:
            return self

    assert torch.equal(model(*batch, Editor(site_edits(edits, model.config), Meanwhile())), alone)
