"""Where a logit comes from: the logit lens after each layer, and direct logit attribution to each part of the decoder."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import torch

from viz_core.analysis.next_token import top_ids
from viz_core.analysis.residual_stream import layer_output, norm_at, standardized, stream_places
from viz_core.config import ModelConfig
from viz_core.model.transformer import Transformer
from viz_core.trace import Array, Doubles, Trace


@dataclass(frozen=True, eq=False)
class LogitLens:
    """Next-token log-probabilities of one step after each layer of the decoder, (L + 1, V); derived.

    Row 0 reads the embedding with its position, row ℓ the stream after ℓ layers; the last row is the model's output.
    """

    log_probs: Array

    def probability(self, layer: int, token_id: int) -> float:
        """In 0…1."""
        return float(np.exp(np.float64(self.log_probs[layer, token_id])))

    def rank(self, layer: int, token_id: int) -> int:
        """1 for the most probable token."""
        return 1 + int((self.log_probs[layer] > self.log_probs[layer, token_id]).sum())

    def top_ids(self, layer: int, k: int = 5) -> list[int]:
        """The k most probable tokens, most probable first, equal ones by id."""
        return top_ids(self.log_probs[layer], k)


def stream_sites(config: ModelConfig) -> list[str]:
    return ["target.input", *(layer_output(config, "decoder", layer) for layer in range(config.layers("decoder")))]


@torch.inference_mode()
def logit_lens(model: Transformer, trace: Trace, step: int) -> LogitLens:
    """Read the stream x after each layer as if it were the last: log softmax(LayerNorm(x) Eᵀ) with the decoder's final LayerNorm.

    nostalgebraist 2020, "interpreting GPT: the logit lens". In a post-norm model each layer ends with a LayerNorm, and the stream
    is read as it is; row 0 has passed none, so its vectors differ in length from those that the generator was trained on.
    """
    streams = torch.stack([trace[site][0, step] for site in stream_sites(trace.config)])  # (L + 1, D)
    log_probs: Array = model.generator(model.decoder.norm(streams[None]))[0].numpy()  # (L + 1, V)
    return LogitLens(log_probs)


AttentionKind = Literal["masked", "cross"]
Writer = Literal[AttentionKind, "embedding", "positions", "ffn", "bias", "beta"]
ATTENTIONS: Mapping[str, AttentionKind] = {"self_attn": "masked", "cross_attn": "cross"}
"""The two attentions of the decoder, by the names of their sites."""


@dataclass(frozen=True)
class Contribution:
    """Contribution of one part of the decoder to a logit.

    Attributes:
        writer: embedding, positions, a head of masked or cross attention, a feed-forward without its last bias, the last bias of a
            sub-layer (b^O or b₂), or the β of a LayerNorm on the stream.
        layer: from 0; None at the two ends.   head: of an attention, from 0.
        block: the sub-layer of a bias or a β, as in the names of the sites; "" for the decoder's last LayerNorm and for the bias of
            the logits, "embedding" for the LayerNorm after the positions.
    """

    writer: Writer
    value: float
    layer: int | None = None
    head: int | None = None
    block: str = ""


@dataclass(frozen=True, eq=False)
class LogitAttribution:
    """A logit, or the difference of two, as a sum of contributions in the order of computing; derived, in float64.

    Attributes:
        by_key: for each attention and layer the heads' contributions by key, (h, Tk); a row sums to the head's contribution.
        value: the logit, or the difference, as recorded.
    """

    parts: tuple[Contribution, ...]
    by_key: Mapping[tuple[AttentionKind, int], Doubles]
    value: float

    @property
    def remainder(self) -> float:
        """Recorded value minus the sum: rounding, unless an edit removed residual connections or LayerNorm."""
        return self.value - sum(part.value for part in self.parts)

    def over_keys(self, kind: AttentionKind) -> Doubles:
        """Contribution of each key through one attention, summed over heads and layers, (Tk,)."""
        total: Doubles = np.sum([by_key.sum(0) for (own, _), by_key in self.by_key.items() if own == kind], axis=0)
        return total


def logit_attribution(model: Transformer, trace: Trace, step: int, token_id: int, against: int | None = None) -> LogitAttribution:
    """Contribution of each part to the logit of one token at one step, with every LayerNorm's σ held fixed.

    Elhage et al. 2021, "A Mathematical Framework for Transformer Circuits" (direct path to the logits), here with cross attention.
    With σ held, LayerNorm is linear: γ (x − μ) / σ + β. So the token's row of the generator's matrix is carried back along the
    stream as a direction d: at each LayerNorm d ← C(γ d / σ), with the centring C. What a part wrote, w, contributes d · w.

    Args:
        against: another token; then the difference of the two logits.
    """
    weight = model.generator.weight.detach()
    direction = _double(weight[token_id])
    value = float(trace.array("output.logits")[step, token_id].astype(np.float64))
    if against is not None:
        direction = direction - _double(weight[against])
        value -= float(trace.array("output.logits")[step, against].astype(np.float64))
    parts: list[Contribution] = []
    if model.generator.bias is not None:
        bias = _double(model.generator.bias)
        parts.append(Contribution("bias", float(bias[token_id] - (0.0 if against is None else bias[against]))))
    by_key: dict[tuple[AttentionKind, int], Doubles] = {}
    route = stream_places(trace.config, "decoder")
    for index in reversed(range(1, len(route))):  # from the end of the stream to its start
        place, layer = route[index], route[index].layer
        if place.kind == "norm":
            norm = norm_at(model, "decoder", place)
            parts = [Contribution("beta", float(direction @ _double(norm.beta)), layer, block=place.block), *parts]
            x = trace.array(route[index - 1].site)[step].astype(np.float64)
            direction = direction * _double(norm.gamma) / standardized(norm, x).spread
            direction = direction - direction.mean()
        elif layer is not None and place.block in ATTENTIONS:
            heads, by_key[ATTENTIONS[place.block], layer] = _attention(model, trace, step, layer, place.block, direction)
            parts = [*heads, *parts]
        elif layer is not None:
            parts = [*_feed_forward(model, trace, step, layer, direction), *parts]
    embedding, positions = (trace.array(f"target.{site}")[step].astype(np.float64) for site in ("embedding", "positions"))
    start = [Contribution("embedding", float(direction @ embedding)), Contribution("positions", float(direction @ positions))]
    return LogitAttribution((*start, *parts), by_key, value)


def _attention(
    model: Transformer, trace: Trace, step: int, layer: int, block: str, d: Doubles
) -> tuple[list[Contribution], Doubles]:
    """The contributions of each head and of b^O, and the heads' by key, (h, Tk)."""
    kind, w_o = ATTENTIONS[block], _module(model, layer, f"{block}.w_o")
    attention = trace.attention(kind, layer)
    if not attention.out[step].any():  # an edit has removed the sub-layer
        d = np.zeros_like(d)
    by_head = (d @ _double(w_o.weight)).reshape(len(attention.mix), -1)  # (h, d_k): d · W^O, cut into heads
    mixed = (attention.mix[:, step].astype(np.float64) * by_head).sum(-1)  # (h,)
    heads = [Contribution(kind, float(value), layer, head) for head, value in enumerate(mixed)]
    shares = attention.weights[:, step].astype(np.float64) * np.einsum("hd,hkd->hk", by_head, attention.v.astype(np.float64))
    shares[~attention.mix[:, step].any(-1)] = 0.0  # heads that an edit has removed
    return [*heads, Contribution("bias", float(d @ _double(w_o.bias)), layer, block=block)], shares


def _feed_forward(model: Transformer, trace: Trace, step: int, layer: int, d: Doubles) -> list[Contribution]:
    w_2 = _module(model, layer, "ffn.w_2")
    if not trace.array(f"decoder.{layer}.ffn.out")[step].any():  # an edit has removed the sub-layer
        d = np.zeros_like(d)
    hidden = trace.array(f"decoder.{layer}.ffn.hidden")[step].astype(np.float64)
    units, bias = float(hidden @ (d @ _double(w_2.weight))), float(d @ _double(w_2.bias))
    return [Contribution("ffn", units, layer), Contribution("bias", bias, layer, block="ffn")]


def _double(tensor: Any) -> Doubles:
    array: Doubles = tensor.detach().double().numpy()
    return array


def _module(model: Transformer, layer: int, name: str) -> Any:
    return model.decoder.layers[layer].get_submodule(name)
