"""Parts of the model as others write them, a few lines each, and the edits that put them into a model for one pass."""

import math
from collections.abc import Callable, Iterator

import torch
import torch.nn.functional as F
from torch import Tensor

from viz_core.analysis.residual_stream import feed_forward_input
from viz_core.config import ModelConfig
from viz_core.model import Transformer
from viz_core.model.attention import scaled_dot_product_attention
from viz_core.model.blocks import FeedForward, LayerNorm
from viz_core.model.embedding import positional_encoding
from viz_core.taps import Captured, Edit, Editor, Recorder
from viz_core.trace import BLOCK, BLOCKS


def at_norms(model: Transformer, compute: Callable[[Tensor, LayerNorm], Tensor]) -> dict[str, Edit]:
    """Replaces every LayerNorm by a function of its input and its parameters."""
    edits: dict[str, Edit] = {}
    for stack, blocks in BLOCKS.items():
        stream, part = Captured(), model.get_submodule(stack)
        edits["source.input" if stack == "encoder" else "target.input"] = stream.capture
        for layer in range(model.config.layers(stack)):
            for block in blocks:
                norm = part.get_submodule(f"layers.{layer}.add_{block}.norm")
                edits[f"{stack}.{layer}.norm_{block}"] = stream.then(_bind(norm, compute))
                edits[f"{stack}.{layer}.resid_{block}"] = stream.capture
        if model.config.has_final_norm(stack):
            end = "encoder.memory" if stack == "encoder" else "decoder.states"
            edits[end] = stream.then(_bind(part.get_submodule("norm"), compute))
    return edits


def at_feed_forwards(model: Transformer, compute: Callable[[Tensor, FeedForward], Tensor]) -> dict[str, Edit]:
    """Replaces every feed-forward by a function of its input and its parameters."""
    edits: dict[str, Edit] = {}
    for stack in BLOCKS:
        for layer in range(model.config.layers(stack)):
            x, ffn = Captured(), model.get_submodule(f"{stack}.layers.{layer}.ffn")
            edits[feed_forward_input(model.config, stack, layer)] = x.capture
            edits[f"{stack}.{layer}.ffn.out"] = x.then(_bind(ffn, compute))
    return edits


def attentions(config: ModelConfig) -> Iterator[str]:
    """The names of all attentions, such as `decoder.0.cross_attn`."""
    for stack, block in BLOCK.values():
        for layer in range(config.layers(stack)):
            yield f"{stack}.{layer}.{block}"


def _bind(module: object, compute: Callable[..., Tensor]) -> Callable[[Tensor], Tensor]:
    return lambda x: compute(x, module)


MASK_VALUES = (-math.inf, -1e9, -1e4)


def masked_weights(scaled: Tensor, mask: Tensor, value: float) -> Tensor:
    """Softmax of the scores, with `value` in place of masked ones."""
    return scaled.masked_fill(~mask, value).softmax(-1)


def masked_rows(scaled: Tensor, mask: Tensor, value: float, dtype: torch.dtype) -> Tensor | None:
    """The weights for rows of scores, (…, Tk), in this precision; None if torch refuses the value as out of range."""
    try:
        return masked_weights(scaled.to(dtype), mask, value).float()
    except RuntimeError:
        return None


def model_rows(scaled: Tensor, mask: Tensor, dtype: torch.dtype) -> Tensor:
    """The weights that this model's own attention computes for rows of scores, (…, Tq, Tk), in this precision."""
    *heads, queries, keys = scaled.shape
    q, k = torch.zeros(*heads, queries, 1, dtype=dtype), torch.zeros(*heads, keys, 1, dtype=dtype)
    recorder = Recorder()
    scaled_dot_product_attention(q, k, k, mask, Editor({"scaled": lambda _: scaled.to(dtype)}, recorder))
    return recorder.tensors["weights"].float()


def mask_value_edits(model: Transformer, value: float = -1e9) -> dict[str, Edit]:
    edits: dict[str, Edit] = {}
    for name in attentions(model.config):
        scaled, mask = Captured(), Captured()
        edits |= {f"{name}.scaled": scaled.capture, f"{name}.mask": mask.capture, f"{name}.weights": _weights(scaled, mask, value)}
    return edits


def _weights(scaled: Captured, mask: Captured, value: float) -> Edit:
    return lambda _: masked_weights(scaled.value, mask.value, value)


def scale(scores: Tensor, d_k: int, n_heads: int) -> Tensor:
    """Scores / √(d_k // h): d_k, already the size of one head, is divided by the number of heads once more."""
    return scores / math.sqrt(d_k // n_heads)


def scale_possible(config: ModelConfig) -> bool:
    """True if `scale` divides by more than 0."""
    return config.d_k >= config.n_heads


def scale_edits(model: Transformer) -> dict[str, Edit]:
    edits: dict[str, Edit] = {}
    for name in attentions(model.config):
        scores = Captured()
        edits[f"{name}.scores"] = scores.capture
        edits[f"{name}.scaled"] = scores.then(lambda value: scale(value, model.config.d_k, model.config.n_heads))
    return edits


def layer_norm(x: Tensor, gamma: Tensor, beta: Tensor, eps: float = 1e-6) -> Tensor:
    """γ (x − μ) / (σ + ε) + β, where σ² is the sum of squares over D − 1."""
    mean = x.mean(-1, keepdim=True)
    std = x.std(-1, keepdim=True)  # (B, T, 1)
    return gamma * (x - mean) / (std + eps) + beta


def layer_norm_edits(model: Transformer) -> dict[str, Edit]:
    return at_norms(model, lambda x, norm: layer_norm(x, norm.gamma, norm.beta))


@torch.inference_mode()
def layer_norm_outputs(row: Tensor, config: ModelConfig, deviations: tuple[float, ...]) -> list[tuple[float, float]]:
    """σ after the model's LayerNorm and after `layer_norm`, with γ = 1 and β = 0, for one vector, (D,), scaled to each σ given."""
    ours, one, zero = LayerNorm(config), torch.ones_like(row), torch.zeros_like(row)
    unit = (row - row.mean()) / row.std(correction=0)
    given = [(unit * deviation)[None, None] for deviation in deviations]
    return [(_deviation(ours(x)), _deviation(layer_norm(x, one, zero))) for x in given]


def _deviation(x: Tensor) -> float:
    return float(x.std(correction=0))


def embed(lookup: Tensor, positions: Tensor) -> Tensor:
    """E_id + PE_pos: embedding plus position, without √d_model."""
    return lookup + positions


def embed_edits(model: Transformer) -> dict[str, Edit]:
    edits: dict[str, Edit] = {}
    summed = "summed" if model.config.embedding_norm else "input"
    for side in ("source", "target"):
        lookup, positions = Captured(), Captured()
        edits |= {
            f"{side}.lookup": lookup.capture,
            f"{side}.positions": positions.capture,
            f"{side}.{summed}": _sum(lookup, positions),
        }
    return edits


def _sum(lookup: Captured, positions: Captured) -> Edit:
    return lambda _: embed(lookup.value, positions.value)


def shifted_positions(length: int, d_model: int, halves: bool = False) -> Tensor:
    """Rows 1 … length of a position table whose row 0 is reserved for padding: the first token is at position 1, not 0."""
    table = positional_encoding(length + 1, d_model, halves)  # (length + 1, D)
    table[0] = 0.0
    return table[torch.arange(1, length + 1)]  # (length, D)


def shifted_positions_edits(model: Transformer) -> dict[str, Edit]:
    """`shifted_positions` for source and target; for passes that begin at the first token."""
    halves = model.config.positions == "halves"
    return {
        f"{side}.positions": lambda usual: shifted_positions(len(usual), usual.size(1), halves) for side in ("source", "target")
    }


def convolution(x: Tensor, ffn: FeedForward) -> Tensor:
    """The feed-forward as two convolutions of width 1: the same weights as kernels that see one position at a time."""
    channels = x.mT  # (B, D, T): a convolution takes the dimensions before the positions
    hidden = ffn.activation(F.conv1d(channels, ffn.w_1.weight[:, :, None], ffn.w_1.bias))  # (B, F, T)
    return F.conv1d(hidden, ffn.w_2.weight[:, :, None], ffn.w_2.bias).mT  # (B, T, D)


def convolution_edits(model: Transformer) -> dict[str, Edit]:
    return at_feed_forwards(model, convolution)
