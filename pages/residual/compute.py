"""The feed-forward network from inside: the activations of its hidden units, and what each of them adds to the stream."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from viz_core.analysis.residual_stream import before
from viz_core.config import Stack
from viz_core.trace import Array, Floats, Trace

if TYPE_CHECKING:
    from viz_core.model.transformer import Transformer


UNITS = 6
"""How many of a token's most active units are listed."""
AT_ONCE = 64
"""How many units are multiplied by the output matrix at once, which bounds the memory for a large vocabulary."""


@dataclass(frozen=True, eq=False)
class FeedForwardPass:
    """max(0, x W₁ + b₁) W₂ + b₂ (Vaswani et al. 2017, §3.3, eq. 2), for all tokens of one layer.

    Attributes:
        x: the input, (T, D).   hidden: after ReLU, (T, F).   out: what is added to the stream, (T, D). All as recorded.
        w_1: (D, F).   b_1: (F,).   w_2: (F, D): row j is what unit j adds at an activation of 1.   b_2: (D,).
    """

    x: Array
    hidden: Array
    out: Array
    w_1: Array
    b_1: Array
    w_2: Array
    b_2: Array

    def strongest(self, token: int, count: int) -> list[int]:
        """The most active units, highest activation first, without those that are not above 0."""
        order = np.argsort(-self.hidden[token], kind="stable")[:count]
        return [int(unit) for unit in order if self.hidden[token, unit] > 0]

    def adds(self, token: int, unit: int) -> Floats:
        """One unit's contribution: its activation × its row of W₂, (D,); derived."""
        return self.hidden[token, unit].astype(np.float64) * self.w_2[unit].astype(np.float64)

    def product(self, token: int, unit: int) -> float:
        """The product x · W₁ of one unit, without b₁, in float64; derived."""
        return float(self.x[token].astype(np.float64) @ self.w_1[:, unit].astype(np.float64))


def feed_forward(model: Transformer, trace: Trace, stack: Stack, layer: int) -> FeedForwardPass:
    """The feed-forward of one layer, with the model's weights and the trace's numbers."""
    prefix = f"{stack}.{layer}"
    ffn: Any = model.get_submodule(f"{stack}.layers.{layer}.ffn")
    x = trace.array(f"{prefix}.norm_ffn") if trace.config.norm == "pre" else before(trace, stack, layer, "ffn")
    parameters = ffn.w_1.weight, ffn.w_1.bias, ffn.w_2.weight, ffn.w_2.bias
    w_1, b_1, w_2, b_2 = (parameter.detach().float().numpy() for parameter in parameters)
    return FeedForwardPass(x, trace.array(f"{prefix}.ffn.hidden"), trace.array(f"{prefix}.ffn.out"), w_1.T, b_1, w_2.T, b_2)


def promoted(model: Transformer, rows: Floats) -> list[list[int]]:
    """For each unit the three tokens whose logits it raises most, by the output matrix.

    Geva et al. 2022, "Transformer Feed-Forward Layers Build Predictions by Promoting Concepts in the Vocabulary Space": E · w₂,
    here with the gain γ of the stack's last LayerNorm, if there is one. The effect of later layers is left out; derived.

    Args:
        rows: the units' rows of the decoder's W₂, (n, D).
    """
    gain = getattr(model.decoder.norm, "gamma", None)
    vectors = rows * gain.detach().double().numpy() if gain is not None else rows
    matrix = model.generator.weight.detach().float().numpy()  # (V, D)
    tokens = []
    for start in range(0, len(vectors), AT_ONCE):
        logits = vectors[start : start + AT_ONCE].astype(np.float32) @ matrix.T
        best = np.argpartition(-logits, 3, axis=-1)[:, :3]
        order = np.lexsort((best, -np.take_along_axis(logits, best, -1)))
        tokens += np.take_along_axis(best, order, -1).tolist()
    return tokens
