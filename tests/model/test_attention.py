"""Attention against torch's own with the same weights, and what a mask does."""

import math

import pytest
import torch
from torch import Tensor, nn

from viz_core.config import ModelConfig
from viz_core.model.attention import MultiHeadAttention, scaled_dot_product_attention
from viz_core.taps import Recorder

TOLERANCE = {torch.float32: 1e-5, torch.float64: 1e-10}
B, H, TQ, TK, D = 2, 4, 9, 10, 32


def random_heads(*shape: int) -> Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(sum(shape)))


@pytest.fixture
def attention() -> MultiHeadAttention:
    torch.manual_seed(3)
    module = MultiHeadAttention(ModelConfig(source_vocab=9, target_vocab=9, d_model=D, n_heads=H))
    return module.requires_grad_(False)


@pytest.mark.parametrize("gradients", [False, True])
@pytest.mark.parametrize("dtype", TOLERANCE)
def test_equals_torch_multihead_attention(attention: MultiHeadAttention, dtype: torch.dtype, gradients: bool) -> None:
    ours = attention.to(dtype)
    theirs = nn.MultiheadAttention(D, H, batch_first=True, dtype=dtype).eval().requires_grad_(False)
    theirs.in_proj_weight.copy_(torch.cat([ours.w_q.weight, ours.w_k.weight, ours.w_v.weight]))
    theirs.in_proj_bias.copy_(torch.cat([ours.w_q.bias, ours.w_k.bias, ours.w_v.bias]))
    theirs.out_proj.load_state_dict(ours.w_o.state_dict())
    x, y = random_heads(B, TQ, D).to(dtype), random_heads(B, TK, D).to(dtype)
    real = torch.arange(TK) < torch.tensor([[TK], [TK - 2]])  # (B, Tk): the second sentence is padded

    recorder = Recorder()
    with torch.set_grad_enabled(gradients):  # without gradients, products are done by other kernels
        out = ours(x, y, real[:, None, None, :], recorder)
        expected, weights = theirs(x, y, y, key_padding_mask=~real, average_attn_weights=False)

    assert out.dtype == dtype
    assert (out - expected).abs().max() <= TOLERANCE[dtype]
    assert (recorder.tensors["weights"] - weights).abs().max() <= TOLERANCE[dtype]


def test_rows_sum_to_one_and_masked_cells_are_exactly_zero() -> None:
    mask = torch.rand(B, 1, TQ, TK, generator=torch.Generator().manual_seed(1)) < 0.6
    mask[..., 0] = True  # each row may look somewhere
    recorder = Recorder()
    scaled_dot_product_attention(random_heads(B, H, TQ, 8), random_heads(B, H, TK, 8), random_heads(B, H, TK, 8), mask, recorder)
    weights = recorder.tensors["weights"]
    assert torch.equal(recorder.tensors["masked"] == -math.inf, ~mask.expand_as(weights))
    assert (weights.sum(-1) - 1).abs().max() < 1e-6
    assert (weights[~mask.expand_as(weights)] == 0).all()
    assert (weights[mask.expand_as(weights)] > 0).all()


def test_stages_are_what_their_names_say() -> None:
    q, k, v = random_heads(B, H, TQ, 8), random_heads(B, H, TK, 8), random_heads(B, H, TK, 8)
    recorder = Recorder()
    scaled_dot_product_attention(q, k, v, torch.ones(1, 1, 1, TK, dtype=torch.bool), recorder)
    cell = (q[1, 2, 3] * k[1, 2, 4]).sum()
    assert recorder.tensors["scores"][1, 2, 3, 4] == pytest.approx(float(cell), rel=1e-5)
    assert recorder.tensors["scaled"][1, 2, 3, 4] == pytest.approx(float(cell) / math.sqrt(8), rel=1e-5)


def test_a_query_that_may_attend_to_nothing_gets_zeros_and_no_nan() -> None:
    q, k, v = (random_heads(1, 1, n, 4).requires_grad_() for n in (3, 5, 5))
    mask = torch.ones(1, 1, 3, 5, dtype=torch.bool)
    mask[0, 0, 1] = False
    recorder = Recorder()
    mix = scaled_dot_product_attention(q, k, v, mask, recorder)
    assert (mix[0, 0, 1] == 0).all()
    assert (recorder.tensors["weights"][0, 0, 1] == 0).all()
    mix.sum().backward()
    for tensor in (mix, q.grad, k.grad, v.grad):
        assert tensor is not None
        assert tensor.isfinite().all()
