"""Fast decoding on a key/value cache, without taps: `Transformer.decode_step` in the fewest operations.

LayerNorm and attention are torch's own, and no mask is applied where all positions may be seen, so the last digits differ.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import torch.nn.functional as F
from torch import Tensor

from viz_core.model.blocks import ACTIVATIONS, LayerNorm
from viz_core.model.transformer import Transformer

Affine = tuple[Tensor, Tensor]  # weight and bias of a linear map


class LayerWeights(NamedTuple):
    """The weights of one decoder layer."""

    norm_self: LayerNorm
    q: Affine
    k: Affine
    v: Affine
    o: Affine
    norm_cross: LayerNorm
    cross_q: Affine
    cross_o: Affine
    norm_ffn: LayerNorm
    w_1: Affine
    w_2: Affine


class IncrementalDecoder:
    """Decoder on a cache of at most `room` positions, for the memory and mask that `encode` returns; without dropout."""

    def __init__(self, model: Transformer, memory: Tensor, memory_mask: Tensor, room: int) -> None:
        self._model, self._length = model, 0
        self._activation = ACTIVATIONS[model.config.activation]
        layers: list[Any] = list(model.decoder.layers)
        self._layers = [_weights(layer) for layer in layers]
        self._memory = [layer.cross_attn.keys_values(memory) for layer in layers]  # (B, h, S, d_k) each
        self._memory_mask = None if bool(memory_mask.all()) else memory_mask
        c = model.config
        self._past = memory.new_empty(len(layers), 2, memory.size(0), c.n_heads, room, c.d_k)  # keys and values

    def __call__(self, ids: Tensor) -> Tensor:
        model, embedding, t = self._model, self._model.target_embedding, self._length
        one, query = (ids.size(0), model.config.n_heads, model.config.d_k), (ids.size(0), model.config.n_heads, 1, model.config.d_k)
        self._length += 1
        x = embedding.weight[ids] * embedding.scale + embedding.positions[t]  # (B, D)
        if embedding.norm is not None:
            x = self._normed(x, embedding.norm)
        for layer, past, (memory_k, memory_v) in zip(self._layers, self._past, self._memory, strict=True):
            y = self._before(x, layer.norm_self)  # (B, D)
            past[0, :, :, t] = F.linear(y, *layer.k).view(one)
            past[1, :, :, t] = F.linear(y, *layer.v).view(one)
            k, v = past[:, :, :, : t + 1]  # (B, h, t + 1, d_k) each
            mix = F.scaled_dot_product_attention(F.linear(y, *layer.q).view(query), k, v)  # (B, h, 1, d_k)
            x = self._after(x + F.linear(mix.flatten(1), *layer.o), layer.norm_self)

            q = F.linear(self._before(x, layer.norm_cross), *layer.cross_q).view(query)  # (B, h, 1, d_k)
            mix = F.scaled_dot_product_attention(q, memory_k, memory_v, self._memory_mask)
            x = self._after(x + F.linear(mix.flatten(1), *layer.cross_o), layer.norm_cross)

            hidden = self._activation(F.linear(self._before(x, layer.norm_ffn), *layer.w_1))  # (B, F)
            x = self._after(x + F.linear(hidden, *layer.w_2), layer.norm_ffn)
        return model.generator.logits(model.decoder.norm(x))

    def reorder(self, rows: Tensor, moved: bool) -> None:
        read = self._past[..., : self._length, :].index_select(2, rows)  # (layers, 2, new B, h, t, d_k)
        if rows.size(0) != self._past.size(2):
            self._past = read.new_empty(*read.shape[:4], *self._past.shape[4:])
        self._past[..., : self._length, :] = read
        if moved:
            self._memory = [(k[rows], v[rows]) for k, v in self._memory]
            self._memory_mask = None if self._memory_mask is None else self._memory_mask[rows]

    def _before(self, x: Tensor, norm: LayerNorm) -> Tensor:
        return self._normed(x, norm) if self._model.config.norm == "pre" else x

    def _after(self, x: Tensor, norm: LayerNorm) -> Tensor:
        return x if self._model.config.norm == "pre" else self._normed(x, norm)

    def _normed(self, x: Tensor, norm: LayerNorm) -> Tensor:
        if norm.kind == "deviation":
            return norm(x)
        return F.layer_norm(x, x.shape[-1:], norm.gamma, norm.beta, norm.eps)


def _weights(layer: Any) -> LayerWeights:
    own, cross, ffn = layer.self_attn, layer.cross_attn, layer.ffn
    norms = [sublayer.norm for sublayer in (layer.add_self_attn, layer.add_cross_attn, layer.add_ffn)]
    maps = (own.w_q, own.w_k, own.w_v, own.w_o, cross.w_q, cross.w_o, ffn.w_1, ffn.w_2)
    q, k, v, o, cross_q, cross_o, w_1, w_2 = ((linear.weight, linear.bias) for linear in maps)
    return LayerWeights(norms[0], q, k, v, o, norms[1], cross_q, cross_o, norms[2], w_1, w_2)
