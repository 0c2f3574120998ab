"""A model with a torch.nn.Transformer inside, computed by torch itself: what an import is compared with."""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from viz_core.config import ModelConfig, Stack
from viz_core.importing.parts import Parts, rows
from viz_core.importing.source import Original
from viz_core.model.embedding import positional_encoding


@dataclass(frozen=True, eq=False)
class TorchModel:
    """The tensors of a file, and the names by which torch's own modules take them.

    Attributes:
        config: for heads, depth and how the Transformer was made.
        layers, norms: how the names of each stack's layers, and of its last norm, begin.
        bias: of the output; None where there is none.
    """

    config: ModelConfig
    tensors: dict[str, Tensor]
    layers: dict[Stack, str]
    norms: dict[Stack, str]
    parts: Parts
    bias: str | None


def original(model: TorchModel) -> Original:
    """torch.nn.Transformer with these very tensors, between an embedding and a linear map."""
    c, tensors = model.config, {name: tensor.float() for name, tensor in model.tensors.items()}
    state, ends = dict[str, Tensor](), dict[Stack, bool]()
    for stack, at in model.layers.items():
        norm = f"{model.norms[stack]}."
        state |= {f"{stack}.layers.{name.removeprefix(at)}": each for name, each in tensors.items() if name.startswith(at)}
        end = {f"{stack}.norm.{name.removeprefix(norm)}": each for name, each in tensors.items() if name.startswith(norm)}
        ends[stack] = bool(end)
        state |= end
    with torch.device("meta"):
        transformer = nn.Transformer(
            c.d_model, c.n_heads, c.layers("encoder"), c.layers("decoder"), c.d_ff, 0.0,
            F.silu if c.activation == "swish" else c.activation,
            layer_norm_eps=c.layer_norm_eps, batch_first=True, norm_first=c.norm == "pre",
        )  # fmt: skip
    for stack, has_end in ends.items():
        if not has_end:
            getattr(transformer, stack).norm = None
    for name, each in transformer.state_dict().items():
        if name.endswith("bias"):
            state.setdefault(name, torch.zeros(each.shape))
    transformer.load_state_dict(state, assign=True)
    transformer.eval()

    def read(name: str, side: int, ids: Tensor) -> Tensor:
        vectors = F.embedding(ids, tensors[name]) * (math.sqrt(c.d_model) if c.scaled_embeddings else 1.0)
        at = model.parts.positions[side] if model.parts.positions else None
        if at and (c.positions == "learned" or model.tensors[at].dtype.itemsize > 2):  # else the file has rounded the formula
            return vectors + rows(tensors[at])[: ids.size(1)]
        return vectors + positional_encoding(ids.size(1), c.d_model, c.positions == "halves")

    def logits(source: Tensor, target: Tensor) -> Tensor:
        later = nn.Transformer.generate_square_subsequent_mask(target.size(1))
        states = transformer(
            read(model.parts.source, 0, source), read(model.parts.target, 1, target), tgt_mask=later, tgt_is_causal=True
        )
        return F.linear(states, tensors[model.parts.generator], tensors[model.bias] if model.bias else None)

    return Original("torch.nn.Transformer", logits)
