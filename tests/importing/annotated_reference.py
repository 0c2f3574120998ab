"""The model that The Annotated Transformer describes, written anew from its description, with the names of its parts.

Pre-norm, one more norm after each stack, norms by the standard deviation (n − 1), embeddings × √d_model, a generator of its own.
Every attention keeps its last weights.
"""

import math
from typing import Any

import torch
from torch import Tensor, nn


class Attention(nn.Module):
    def __init__(self, heads: int, d: int) -> None:
        super().__init__()
        self.linears, self.heads = nn.ModuleList(nn.Linear(d, d) for _ in range(4)), heads
        self.weights = torch.empty(0)

    def forward(self, x: Tensor, y: Tensor, seen: Tensor) -> Tensor:
        maps = zip(self.linears, (x, y, y), strict=False)
        q, k, v = (linear(each).unflatten(-1, (self.heads, -1)).transpose(1, 2) for linear, each in maps)
        scores = torch.einsum("bhqd,bhkd->bhqk", q, k) / math.sqrt(q.size(-1))
        self.weights = scores.masked_fill(~seen, -1e9).softmax(-1)
        return self.linears[3](torch.einsum("bhqk,bhkd->bqhd", self.weights, v).flatten(2))


class Norm(nn.Module):
    def __init__(self, d: int) -> None:
        super().__init__()
        self.a_2, self.b_2 = nn.Parameter(torch.ones(d)), nn.Parameter(torch.zeros(d))

    def forward(self, x: Tensor) -> Tensor:
        return (x - x.mean(-1, keepdim=True)) / (x.std(-1, keepdim=True) + 1e-6) * self.a_2 + self.b_2


class Layer(nn.Module):
    def __init__(self, d: int, heads: int, width: int, cross: bool) -> None:
        super().__init__()
        self.self_attn, self.feed_forward = (
            Attention(heads, d),
            nn.ModuleDict({"w_1": nn.Linear(d, width), "w_2": nn.Linear(width, d)}),
        )
        if cross:
            self.src_attn = Attention(heads, d)
        self.sublayer = nn.ModuleList(nn.ModuleDict({"norm": Norm(d)}) for _ in range(2 + cross))

    def forward(self, x: Tensor, seen: Tensor, memory: Tensor | None = None, memory_seen: Tensor | None = None) -> Tensor:
        norms, feed = [around["norm"] for around in self.sublayer], self.feed_forward  # type: ignore[index,operator]
        normed = norms[0](x)
        x = x + self.self_attn(normed, normed, seen)
        if memory is not None:
            x = x + self.src_attn(norms[1](x), memory, memory_seen)
        return x + feed["w_2"](feed["w_1"](norms[-1](x)).relu())


class Stack(nn.Module):
    def __init__(self, *how: Any, depth: int) -> None:
        super().__init__()
        self.layers, self.norm = nn.ModuleList(Layer(*how) for _ in range(depth)), Norm(how[0])

    def forward(self, x: Tensor, *what: Tensor) -> Tensor:
        for layer in self.layers:
            x = layer(x, *what)
        return self.norm(x)


class AnnotatedTransformer(nn.Module):
    """The whole model; pad: the id of padding."""

    def __init__(self, source: int, target: int, d: int, heads: int, width: int, depth: int, pad: int) -> None:
        super().__init__()
        self.encoder, self.decoder = (Stack(d, heads, width, cross, depth=depth) for cross in (False, True))
        self.src_embed, self.tgt_embed = (
            nn.ModuleList([nn.ModuleDict({"lut": nn.Embedding(vocab, d)}), nn.Module()]) for vocab in (source, target)
        )
        angle = torch.arange(100)[:, None] * torch.exp(torch.arange(0, d, 2) * -(math.log(10000.0) / d))
        self.positions = torch.stack([angle.sin(), angle.cos()], -1).flatten(1)[None]
        for embed in (self.src_embed, self.tgt_embed):
            embed[1].register_buffer("pe", self.positions)
        self.generator, self.pad = nn.ModuleDict({"proj": nn.Linear(d, target)}), pad

    def embedded(self, embed: Any, ids: Tensor) -> Tensor:
        lut = embed[0]["lut"]
        return lut(ids) * math.sqrt(lut.embedding_dim) + self.positions[:, : ids.size(1)]

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        """Ids (B, S) and (B, T) → logits, (B, T, V)."""
        source_seen = (source != self.pad)[:, None, None]
        seen = (target != self.pad)[:, None, None] & torch.ones(target.size(1), target.size(1), dtype=torch.bool).tril()
        memory = self.encoder(self.embedded(self.src_embed, source), source_seen)
        return self.generator["proj"](self.decoder(self.embedded(self.tgt_embed, target), seen, memory, source_seen))
