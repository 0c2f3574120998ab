"""A model of the same shape that has learnt nothing, and how it differs from a trained one in one sentence."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import torch

from viz_core.checkpoint import Checkpoint
from viz_core.edits import site_edits
from viz_core.explain import Explanation, traced_pass
from viz_core.model import Transformer
from viz_core.trace import BLOCK, Kind, Trace

Doubles = npt.NDArray[np.float64]


def untrained(checkpoint: Checkpoint, seed: int) -> Checkpoint:
    """The checkpoint with the weights with which a training begins; the same seed gives the same ones."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = Transformer(checkpoint.config).for_reading()
    return replace(checkpoint, model=model, digest=f"untrained-{seed}-{checkpoint.digest}")


@dataclass(frozen=True, eq=False)
class Knowledge:
    """What a model makes of one sentence and its translation, which it is given word by word.

    Attributes:
        entropies: of what it expects at each step, in nats, (T,); ln V where every token is as probable as any other.
        losses: −ln of the probability of the token that follows, (T,).
        attention: attention → how evenly it looks, see `attention_entropy`.
        states: length of what the generator reads at each step, (T,).
    """

    entropies: Doubles
    losses: Doubles
    attention: dict[Kind, float]
    states: Doubles

    @property
    def loss(self) -> float:
        """Mean of the losses, in nats for a token."""
        return float(self.losses.mean())

    @property
    def entropy(self) -> float:
        """Mean of the entropies, in nats."""
        return float(self.entropies.mean())


def knowledge(checkpoint: Checkpoint, explanation: Explanation) -> Knowledge:
    """Of any model that has the vocabulary of this explanation; edited as it is."""
    edits = site_edits(explanation.edits, checkpoint.config)
    trace = traced_pass(checkpoint, [explanation.source.ids], [explanation.target.ids], edits)
    log_probs = trace.array("output.log_probs").astype(np.float64)  # (T, V)
    following = [token.id for token in explanation.output]
    return Knowledge(
        entropies=-(np.exp(log_probs) * np.where(np.isneginf(log_probs), 0.0, log_probs)).sum(-1),
        losses=-log_probs[np.arange(len(following)), following],
        attention={kind: attention_entropy(trace, kind) for kind in BLOCK},
        states=np.linalg.norm(trace.array("decoder.states").astype(np.float64), axis=-1),
    )


def attention_entropy(trace: Trace, kind: Kind) -> float:
    """How evenly an attention looks: the entropy of a row as a share of the most that it can be, in the mean of rows and heads.

    1 where every open key has the same weight, 0 where one has all. A row with one open key has no choice and does not count; NaN
    where all are such.
    """
    shares = []
    for layer in range(trace.config.n_layers):
        found = trace.attention(kind, layer)
        weights, keys = found.weights.astype(np.float64), found.mask.sum(-1)  # (h, Tq, Tk), (Tq,)
        entropies = -(weights * np.log(np.where(weights > 0, weights, 1.0))).sum(-1)  # (h, Tq)
        shares.append(entropies[:, keys > 1] / np.log(keys[keys > 1]))
    every = np.concatenate([share.ravel() for share in shares])
    return float(every.mean()) if every.size else math.nan
