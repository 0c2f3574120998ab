"""The numbers of the page on the code: an untrained model of the same shape, and attention masked in several ways."""

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
    """The checkpoint with random weights, such as training starts from; the same seed gives the same weights."""
    with seeded(seed):
        model = Transformer(checkpoint.config).for_reading()
    return replace(checkpoint, model=model, digest=f"untrained-{seed}-{checkpoint.digest}")


@dataclass(frozen=True, eq=False)
class Predictions:
    """A model's prediction at each step of one sentence and its translation, teacher-forced.

    Attributes:
        entropies: the entropy of each step's prediction in nats, (T,); ln V if all tokens are equally probable.
        losses: −ln p of the token that follows, (T,).
        attention: the mean entropy of each attention, see `attention_entropy`.
    """

    entropies: Doubles
    losses: Doubles
    attention: dict[Kind, float]

    @property
    def loss(self) -> float:
        return float(self.losses.mean())

    @property
    def entropy(self) -> float:
        return float(self.entropies.mean())


def predictions(checkpoint: Checkpoint, explanation: Explanation) -> Predictions:
    """The predictions of a model with this explanation's vocabulary, under the explanation's edits."""
    edits = site_edits(explanation.edits, checkpoint.config)
    trace = traced_pass(checkpoint, [explanation.source.ids], [explanation.target.ids], edits)
    log_probs = trace.array("output.log_probs").astype(np.float64)  # (T, V)
    following = [token.id for token in explanation.output]
    return Predictions(
        entropies=-(np.exp(log_probs) * np.where(np.isneginf(log_probs), 0.0, log_probs)).sum(-1),
        losses=-log_probs[np.arange(len(following)), following],
        attention={kind: attention_entropy(trace, kind) for kind in BLOCK},
    )


def beside_untrained(
    checkpoint: Checkpoint, explanation: Explanation, seed: int
) -> tuple[Explanation, tuple[Predictions, Predictions]]:
    """The untrained model's output, and both models' predictions for the trained model's output, the trained model's first."""
    fresh = untrained(checkpoint, seed)  # not kept: up to 38 MB for our models' shapes
    given = explanation.text if explanation.given_target else ""
    other = explain(fresh, explanation.source.text, given, explanation.edits, skip_missing=True)
    return other, (predictions(checkpoint, explanation), predictions(fresh, explanation))


@dataclass(frozen=True, eq=False)
class MaskedWeights:
    """The weights of the decoder's masked attention with one way of masking, in one precision.

    Attributes:
        value: takes the place of masked scores; None for this model's own attention.
        precision: the name of the dtype.
        weights: (L, h, Tq, Tk); None if the value is too large for the precision, which PyTorch refuses.
        all_masked: the weight of each key in a row whose keys are all masked; None as above.
    """

    value: float | None
    precision: str
    weights: Array | None
    all_masked: float | None


def masked_weights(trace: Trace) -> list[MaskedWeights]:
    """The decoder's masked attention in all layers and heads, masked in every way, this model's own way first."""
    layers = [f"decoder.{layer}.self_attn" for layer in range(trace.config.layers("decoder"))]
    scaled = torch.cat([trace[f"{layer}.scaled"] for layer in layers])  # (L, h, Tq, Tk)
    mask = torch.cat([trace[f"{layer}.mask"] for layer in layers])  # (L, 1, Tq, Tk); Tq is 1 if an edit opened it
    row = scaled[0, 0, :1]
    ways = []
    for value in (None, *parts.MASK_VALUES):
        for precision, dtype in PRECISIONS.items():
            weigh = parts.model_rows if value is None else partial(parts.masked_rows, value=value)
            weights, nowhere = weigh(scaled, mask, dtype=dtype), weigh(row, torch.zeros_like(row, dtype=torch.bool), dtype=dtype)
            numbers, all_masked = None if weights is None else weights.numpy(), None if nowhere is None else float(nowhere[0, 0])
            ways.append(MaskedWeights(value, precision, numbers, all_masked))
    return ways


def attention_entropy(trace: Trace, kind: Kind) -> float:
    """The entropy of the attention weights divided by the maximum entropy, averaged over rows and heads.

    It is 1 if all open keys have the same weight, 0 if one key has all the weight. Rows with a single open key do not count; NaN if
    there are no other rows.
    """
    shares = []
    for attention in trace.attentions(kind):
        weights, keys = attention.weights.astype(np.float64), attention.mask.sum(-1)  # (h, Tq, Tk), (Tq,)
        entropies = -(weights * np.log(np.where(weights > 0, weights, 1.0))).sum(-1)  # (h, Tq)
        shares.append(entropies[:, keys > 1] / np.log(keys[keys > 1]))
    all_shares = np.concatenate([share.ravel() for share in shares])
    return float(all_shares.mean()) if all_shares.size else math.nan
