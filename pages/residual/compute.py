"""The feed-forward network from inside: the activations of its hidden units, and what each of them adds to the stream."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from viz_core.analysis.residual_stream import before
from viz_core.config import Stack
from viz_core.trace import Array, Floats, Trace

if TYPE_CHECKING:
    from viz_core.model.transformer import Transformer


class Stop(NamedTuple):
    """One place in the stream: its name, and its layer counted from 0, None at the ends of the stack."""

    name: str
    layer: int | None


@dataclass(frozen=True, eq=False)
class FeedForwardPass:
    """max(0, x W₁ + b₁) W₂ + b₂ (Vaswani et al. 2017, §3.3, eq. 2), for all tokens of one layer.

    Attributes:
        x: what enters, (T, D).   hidden: after ReLU, (T, F).   out: what is added to the stream, (T, D). All as recorded.
        w_1: (D, F).   b_1: (F,).   w_2: (F, D): row j is what unit j adds at an activation of 1.   b_2: (D,).
    """

    x: Array
    hidden: Array
    out: Array
    w_1: Array
    b_1: Array
    w_2: Array
    b_2: Array

    def silent(self) -> Floats:
        """The share of units that ReLU set to 0, for each token, (T,); derived."""
        return (self.hidden == 0).mean(axis=-1)

    def strongest(self, token: int, count: int) -> list[int]:
        """The most active units, highest activation first; none whose activation is 0."""
        order = np.argsort(-self.hidden[token], kind="stable")[:count]
        return [int(unit) for unit in order if self.hidden[token, unit] > 0]

    def adds(self, token: int, unit: int) -> Floats:
        """What one unit adds: its activation × its row of W₂, (D,); derived."""
        return self.hidden[token, unit].astype(np.float64) * self.w_2[unit].astype(np.float64)

    def product(self, token: int, unit: int) -> float:
        """The product x · W₁ of one unit, without b₁, in float64; derived."""
        return float(self.x[token].astype(np.float64) @ self.w_1[:, unit].astype(np.float64))


def feed_forward(model: Transformer, trace: Trace, stack: Stack, layer: int) -> FeedForwardPass:
    """The feed-forward of one layer, with the model's weights and the trace's numbers."""
    at = f"{stack}.{layer}"
    ffn: Any = model.get_submodule(f"{stack}.layers.{layer}.ffn")
    x = trace.array(f"{at}.norm_ffn") if trace.config.norm == "pre" else before(trace, stack, layer, "ffn")
    parameters = ffn.w_1.weight, ffn.w_1.bias, ffn.w_2.weight, ffn.w_2.bias
    w_1, b_1, w_2, b_2 = (parameter.detach().float().numpy() for parameter in parameters)
    return FeedForwardPass(x, trace.array(f"{at}.ffn.hidden"), trace.array(f"{at}.ffn.out"), w_1.T, b_1, w_2.T, b_2)


def promoted(model: Transformer, added: Floats) -> list[int]:
    """The three tokens whose logits a vector added to the decoder's stream would raise most, by the output matrix.

    Geva et al. 2022, "Transformer Feed-Forward Layers Build Predictions by Promoting Concepts in the Vocabulary Space": E · v,
    here with the gain γ of the stack's last LayerNorm where there is one. What later layers make of it is left out; derived.
    """
    gain = getattr(model.decoder.norm, "gamma", None)
    vector = added * gain.detach().double().numpy() if gain is not None else added
    logits = model.generator.weight.detach().float().numpy() @ vector.astype(np.float32)
    return [int(i) for i in np.argsort(-logits, kind="stable")[:3]]


def axis_reach(*vectors: Floats) -> float:
    """The end of an axis: the next power of two, so that vectors of about one size can be compared from step to step."""
    return float(2.0 ** np.ceil(np.log2(max(1.0, *(1.1 * float(np.abs(vector).max()) for vector in vectors)))))
