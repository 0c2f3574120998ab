"""Numbers of the page on the code: an untrained model of the same shape, and attention that is masked in several ways."""

import math
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import torch

from viz_core.analysis.variants import parts
from viz_core.checkpoint import Checkpoint
from viz_core.edits import site_edits
from viz_core.explain import Explanation, explain, traced_pass
from viz_core.model import Transformer
from viz_core.seeded import seeded
from viz_core.trace import BLOCK, Array, Doubles, Kind, Trace

PRECISIONS = {"float32": torch.float32, "float16": torch.float16}


def untrained(checkpoint: Checkpoint, seed: int) -> Checkpoint:
    """The checkpoint with the random weights from which training starts; the same seed gives the same ones."""
    with seeded(seed):
        model = Transformer(checkpoint.config).for_reading()
    return replace(checkpoint, model=model, digest=f"untrained-{seed}-{checkpoint.digest}")


@dataclass(frozen=True, eq=False)
class Predictions:
    """A model's prediction at each step of one sentence and its translation, teacher-forced.

    Attributes:
        entropies: of its prediction at each step, in nats, (T,); ln V where all tokens are equally probable.
        losses: −ln of the probability of the token that follows, (T,).
        attention: attention → its mean entropy, see `attention_entropy`.
        states: norm of the vector that the generator reads at each step, (T,).
    """

    entropies: Doubles
    losses: Doubles
    attention: dict[Kind, float]
    states: Doubles

    @property
    def loss(self) -> float:
        return float(self.losses.mean())

    @property
    def entropy(self) -> float:
        return float(self.entropies.mean())


def predictions(checkpoint: Checkpoint, explanation: Explanation) -> Predictions:
    """The predictions of a model with this explanation's vocabulary, under the same edits."""
    edits = site_edits(explanation.edits, checkpoint.config)
    trace = traced_pass(checkpoint, [explanation.source.ids], [explanation.target.ids], edits)
    log_probs = trace.array("output.log_probs").astype(np.float64)  # (T, V)
    following = [token.id for token in explanation.output]
    return Predictions(
        entropies=-(np.exp(log_probs) * np.where(np.isneginf(log_probs), 0.0, log_probs)).sum(-1),
        losses=-log_probs[np.arange(len(following)), following],
        attention={kind: attention_entropy(trace, kind) for kind in BLOCK},
        states=np.linalg.norm(trace.array("decoder.states").astype(np.float64), axis=-1),
    )


def beside_untrained(
    checkpoint: Checkpoint, explanation: Explanation, seed: int
) -> tuple[Explanation, tuple[Predictions, Predictions]]:
    """The untrained model's output, and both models' predictions at the trained one's steps, the trained model's first."""
    fresh = untrained(checkpoint, seed)  # up to 38 MB for the shipped shapes, which is not kept
    given = explanation.text if explanation.given_target else ""
    other = explain(fresh, explanation.source.text, given, explanation.edits, skip_missing=True)
    return other, (predictions(checkpoint, explanation), predictions(fresh, explanation))


@dataclass(frozen=True, eq=False)
class MaskedWeights:
    """The weights of the decoder's masked attention with one way to mask them, in one precision.

    Attributes:
        value: in place of the masked scores; None: this model's own attention.
        precision: name of the dtype.
        weights: (L, h, Tq, Tk); None where the value is too large for the precision, which PyTorch refuses.
        all_masked: the weight of each key of a row in which every key is masked; None as above.
    """

    value: float | None
    precision: str
    weights: Array | None
    all_masked: float | None


def masked_weights(trace: Trace) -> list[MaskedWeights]:
    """The decoder's masked attention of all layers and heads, masked in every way: this model's own first."""
    layers = [f"decoder.{layer}.self_attn" for layer in range(trace.config.layers("decoder"))]
    scaled = torch.cat([trace[f"{at}.scaled"] for at in layers])  # (L, h, Tq, Tk)
    mask = torch.cat([trace[f"{at}.mask"] for at in layers])  # (L, 1, Tq, Tk); one row for all where an edit opened it
    row = scaled[0, 0, :1]
    ways = []
    for value in (None, *parts.MASK_VALUES):
        for precision, dtype in PRECISIONS.items():
            weigh = parts.model_rows if value is None else partial(parts.masked_rows, value=value)
            weights, nowhere = weigh(scaled, mask, dtype=dtype), weigh(row, torch.zeros_like(row, dtype=torch.bool), dtype=dtype)
            every, all_masked = None if weights is None else weights.numpy(), None if nowhere is None else float(nowhere[0, 0])
            ways.append(MaskedWeights(value, precision, every, all_masked))
    return ways


def attention_entropy(trace: Trace, kind: Kind) -> float:
    """Entropy of the attention weights ÷ maximum entropy, mean of rows and heads.

    1 where every open key has the same weight, 0 where one key has all of it. A row with one open key does not count; NaN where
    there are no other rows.
    """
    shares = []
    for attention in trace.attentions(kind):
        weights, keys = attention.weights.astype(np.float64), attention.mask.sum(-1)  # (h, Tq, Tk), (Tq,)
        entropies = -(weights * np.log(np.where(weights > 0, weights, 1.0))).sum(-1)  # (h, Tq)
        shares.append(entropies[:, keys > 1] / np.log(keys[keys > 1]))
    every = np.concatenate([share.ravel() for share in shares])
    return float(every.mean()) if every.size else math.nan
