"""The stacks against torch's own with the same weights, and what may depend on what."""

from collections.abc import Iterator
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from tests.conftest import Batch, MakeModel
from viz_core.config import PAD_ID
from viz_core.model import Transformer
from viz_core.model.attention import MultiHeadAttention
from viz_core.model.blocks import DecoderLayer, EncoderLayer, LayerNorm
from viz_core.model.embedding import positional_encoding
from viz_core.taps import Recorder

pytestmark = pytest.mark.filterwarnings("ignore:.*nested.tensor")
TOLERANCE = {torch.float32: 1e-5, torch.float64: 1e-10}


def copy_attention(ours: MultiHeadAttention, theirs: nn.MultiheadAttention) -> None:
    theirs.in_proj_weight.copy_(torch.cat([ours.w_q.weight, ours.w_k.weight, ours.w_v.weight]))
    theirs.in_proj_bias.copy_(torch.cat([ours.w_q.bias, ours.w_k.bias, ours.w_v.bias]))
    theirs.out_proj.load_state_dict(ours.w_o.state_dict())


def copy_norm(ours: LayerNorm, theirs: nn.LayerNorm) -> None:
    theirs.weight.copy_(ours.gamma)
    theirs.bias.copy_(ours.beta)


def copy_encoder_layer(ours: nn.Module, theirs: nn.Module) -> None:
    assert isinstance(ours, EncoderLayer)
    assert isinstance(theirs, nn.TransformerEncoderLayer)
    copy_attention(ours.self_attn, theirs.self_attn)
    theirs.linear1.load_state_dict(ours.ffn.w_1.state_dict())
    theirs.linear2.load_state_dict(ours.ffn.w_2.state_dict())
    copy_norm(ours.add_self_attn.norm, theirs.norm1)
    copy_norm(ours.add_ffn.norm, theirs.norm2)


def copy_decoder_layer(ours: nn.Module, theirs: nn.Module) -> None:
    assert isinstance(ours, DecoderLayer)
    assert isinstance(theirs, nn.TransformerDecoderLayer)
    copy_attention(ours.self_attn, theirs.self_attn)
    copy_attention(ours.cross_attn, theirs.multihead_attn)
    theirs.linear1.load_state_dict(ours.ffn.w_1.state_dict())
    theirs.linear2.load_state_dict(ours.ffn.w_2.state_dict())
    copy_norm(ours.add_self_attn.norm, theirs.norm1)
    copy_norm(ours.add_cross_attn.norm, theirs.norm2)
    copy_norm(ours.add_ffn.norm, theirs.norm3)


def copy_stacks(ours: Transformer, theirs: nn.Transformer) -> None:
    for stack, other, copy_layer in (
        (ours.encoder, theirs.encoder, copy_encoder_layer),
        (ours.decoder, theirs.decoder, copy_decoder_layer),
    ):
        for layer, other_layer in zip(stack.layers, other.layers, strict=True):
            copy_layer(layer, other_layer)
        if isinstance(stack.norm, LayerNorm):
            copy_norm(stack.norm, other.norm)
        else:
            other.norm = None  # torch puts one there after post-norm layers too, where the paper has none


@pytest.fixture(params=[False, True], ids=["using", "learning"], autouse=True)
def gradients(request: pytest.FixtureRequest) -> Iterator[None]:
    """Each fact holds both ways: without gradients, products are done by other kernels."""
    with torch.set_grad_enabled(request.param):
        yield


@pytest.fixture(params=["pre", "post"])
def norm(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(params=TOLERANCE, ids=str)
def dtype(request: pytest.FixtureRequest) -> torch.dtype:
    assert isinstance(request.param, torch.dtype)
    return request.param


@pytest.fixture
def ours(make_model: MakeModel, norm: str, dtype: torch.dtype) -> Transformer:
    return make_model(norm=norm).to(dtype)


@pytest.fixture
def options(ours: Transformer, norm: str, dtype: torch.dtype) -> dict[str, Any]:
    c = ours.config
    sizes: dict[str, Any] = {
        "d_model": c.d_model, "nhead": c.n_heads, "dim_feedforward": c.d_ff, "layer_norm_eps": c.layer_norm_eps,
    }  # fmt: skip
    return sizes | {"dropout": 0.0, "batch_first": True, "norm_first": norm == "pre", "dtype": dtype}


def largest_difference(ours: Tensor, theirs: Tensor, ids: Tensor) -> float:
    """At the real positions: what stands at padding is nobody's business."""
    assert ours.dtype == theirs.dtype
    return float((ours - theirs)[ids != PAD_ID].abs().max())


def test_both_stacks_equal_torch(ours: Transformer, options: dict[str, Any], batch: Batch, dtype: torch.dtype) -> None:
    source, target = batch
    c = ours.config
    theirs = nn.Transformer(num_encoder_layers=c.n_layers, num_decoder_layers=c.n_layers, **options).eval().requires_grad_(False)
    copy_stacks(ours, theirs)
    expected = theirs(
        ours.source_embedding(source),
        ours.target_embedding(target),
        tgt_mask=nn.Transformer.generate_square_subsequent_mask(target.size(1), dtype=dtype).isinf(),
        src_key_padding_mask=source == PAD_ID,
        tgt_key_padding_mask=target == PAD_ID,
        memory_key_padding_mask=source == PAD_ID,
    )
    assert largest_difference(ours.states(source, target), expected, target) <= TOLERANCE[dtype]


def test_positions_are_those_of_the_paper() -> None:
    table = positional_encoding(50, 8)
    assert table.shape == (50, 8)
    assert torch.equal(table[0], torch.tensor([0.0, 1.0] * 4))
    angle = torch.tensor(37 / 10000 ** (4 / 8), dtype=torch.float64)
    assert table[37, 4] == pytest.approx(float(angle.sin()), abs=1e-7)
    assert table[37, 5] == pytest.approx(float(angle.cos()), abs=1e-7)


def test_the_first_layer_reads_scaled_embedding_plus_position(model: Transformer, batch: Batch) -> None:
    recorder = Recorder()
    model(*batch, recorder)
    expected = model.source_embedding.weight[batch[0][0, 3]] * 32**0.5 + positional_encoding(40, 32)[3]
    assert torch.allclose(recorder.tensors["source.input"][0, 3], expected, atol=1e-6)


def test_a_source_of_nothing_but_padding_gives_no_nan(model: Transformer) -> None:
    assert model(torch.zeros(1, 4, dtype=torch.long), torch.tensor([[1, 300]])).isfinite().all()


@pytest.mark.parametrize("tied", [True, False])
def test_a_model_for_reading_computes_the_same(make_model: MakeModel, batch: Batch, tied: bool) -> None:
    """Another layout in the memory, and nothing else: names, numbers and the shared matrix stay."""
    model, laid = make_model(tied_embeddings=tied), make_model(tied_embeddings=tied).train().requires_grad_(True).for_reading()
    assert not laid.training and not any(p.requires_grad for p in laid.parameters())
    for (name, ours), (other, theirs) in zip(model.named_parameters(), laid.named_parameters(), strict=True):
        assert name == other and torch.equal(ours, theirs)
        assert theirs.dim() < 2 or theirs.stride(0) == 1
    assert (model(*batch) - laid(*batch)).abs().max() < 1e-5


def test_tied_embeddings_are_one_matrix(model: Transformer, make_model: MakeModel, batch: Batch) -> None:
    assert model.generator.weight is model.source_embedding.weight is model.target_embedding.weight
    untied = make_model(tied_embeddings=False, target_vocab=500)
    assert len({id(untied.generator.weight), id(untied.source_embedding.weight), id(untied.target_embedding.weight)}) == 3
    assert untied(*batch).shape == (3, 6, 500)
