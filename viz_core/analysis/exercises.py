"""Exercises: numbers to compute, with the results of known mistakes, and things to find on the screen.

The key is the trace itself, so an exercise works with any sentence and any model.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from viz_core.analysis.attention import cell
from viz_core.analysis.residual_stream import feed_forward_input, layer_norm
from viz_core.analysis.search import BeamSearch
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation
from viz_core.model.transformer import Transformer

Given = Mapping[str, str | int | float]
NEAR = 0.01
"""An answer within one percent is right, unless it is a count: the given numbers are rounded."""


@dataclass(frozen=True)
class Computed:
    """The key of one exercise.

    Attributes:
        value: the answer, as recorded or counted.
        slips: mistake → its result.
        given: the numbers and tokens of the trace that the question and the working quote.
        counted: whether the answer is a whole number that must match exactly.
        share: whether the answer is a share, which may be typed in percent.
    """

    value: float
    slips: Mapping[str, float]
    given: Given = field(default_factory=dict)
    counted: bool = False
    share: bool = False

    @property
    def tolerance(self) -> float:
        """How far off an answer may be."""
        return 1e-6 if self.counted else max(NEAR * abs(self.value), 0.0051)


@dataclass(frozen=True, eq=False)
class Place:
    """The place in the model that an exercise is about; all count from 0."""

    model: Transformer
    explanation: Explanation
    step: int
    layer: int
    head: int


def tokens(at: Place) -> Computed:
    """How many numbers enter the encoder: d_model for each token, including special ones such as ⟨/s⟩."""
    source, d_model = at.explanation.source, at.explanation.trace.config.d_model
    special = sum(token.word is None for token in source.tokens)
    slips = {"without_end": (len(source) - special) * d_model, "words": len(source.words) * d_model, "tokens": len(source)}
    given: Given = {"tokens": len(source) - special, "more": special, "all": len(source), "d_model": d_model}
    return Computed(len(source) * d_model, slips, given, counted=True)


def scaled_embedding(at: Place) -> Computed:
    """One number of an embedding, × √d_model (Vaswani et al. 2017, §3.4)."""
    token, d_model = _token(at), at.explanation.trace.config.d_model
    stored = float(at.explanation.trace.array("source.lookup")[token, 0])
    value = float(at.explanation.trace.array("source.embedding")[token, 0])
    given: Given = {"token": at.explanation.source.labels[token], "stored": stored, "d_model": d_model, "root": math.sqrt(d_model)}
    return Computed(
        value, {"stored": stored, "by_d_model": stored * d_model, "divided": stored / math.sqrt(d_model), "sign": -value}, given
    )


def position(at: Place) -> Computed:
    """The first number of a positional encoding, sin(pos) (§3.5)."""
    place = min(3, len(at.explanation.source) - 1)
    value = float(at.explanation.trace.array("source.positions")[place, 0])
    slips = {"degrees": math.sin(math.radians(place)), "cosine": math.cos(place)}
    return Computed(value, slips, {"position": place, "token": at.explanation.source.labels[place]})


def query_weights(at: Place) -> Computed:
    """How many weights make up one head's query matrix (§3.2.2)."""
    d_model, d_k = at.explanation.trace.config.d_model, at.explanation.trace.config.d_k
    heads = at.explanation.trace.config.n_heads
    slips = {"all_heads": d_model * d_model, "all_three": 3 * d_model * d_k, "square": d_k * d_k}
    return Computed(d_model * d_k, slips, {"d_model": d_model, "heads": heads, "d_k": d_k}, counted=True)


def scaled_score(at: Place) -> Computed:
    """The largest score of a row of self-attention, ÷ √d_k (§3.2.1)."""
    attention, d_k = at.explanation.trace.attention("self", at.layer), at.explanation.trace.config.d_k
    query = _token(at)
    one = cell(attention, at.head, query, int(attention.scores[at.head, query].argmax()))
    labels = at.explanation.source.labels
    given: Given = {"query": labels[one.query], "key": labels[one.key], "score": one.score, "d_k": d_k, "root": math.sqrt(d_k)}
    return Computed(one.scaled, {"score": one.score, "by_d_k": one.score / d_k, "times": one.score * math.sqrt(d_k)}, given)


def softmax(at: Place) -> Computed:
    """The largest weight of a row of self-attention: e to its scaled score, ÷ the sum of its row."""
    attention, query = at.explanation.trace.attention("self", at.layer), _token(at)
    one = cell(attention, at.head, query, int(attention.weights[at.head, query].argmax()))
    row = attention.scaled[at.head, query][attention.mask[query]].astype(np.float64)
    labels = at.explanation.source.labels
    given: Given = {"query": labels[query], "key": labels[one.key], "scaled": one.scaled, "exp": one.exp, "total": one.total}
    slips = {"without_e": one.scaled / float(row.sum()), "exp": one.exp, "inverse": one.total / one.exp, "equal": 1 / len(row)}
    return Computed(one.weight, slips, given, share=True)


def masked_cells(at: Place) -> Computed:
    """How many cells the causal mask hides (§3.2.3): T (T − 1) / 2 of T²."""
    mask = at.explanation.trace.attention("masked", 0).mask
    rows = len(mask)
    slips = {"all": rows * rows, "with_diagonal": rows * (rows + 1) // 2, "both_sides": rows * (rows - 1)}
    return Computed(int((~mask).sum()), slips, {"rows": rows, "all": rows * rows, "off": rows * (rows - 1)}, counted=True)


def layer_norm_number(at: Place) -> Computed:
    """One number after LayerNorm: γ (x − μ) / √(σ² + ε) + β (Ba et al. 2016)."""
    token = _token(at)
    terms = layer_norm(at.model, at.explanation.trace, "encoder", at.layer, "self_attn", token)
    dim = int(np.abs(terms.standard).argmax())
    x, gamma, beta = float(terms.x[dim]), float(terms.gamma[dim]), float(terms.beta[dim])
    deviation, standard = terms.spread, float(terms.standard[dim])
    given: Given = {
        "token": at.explanation.source.labels[token], "dim": dim + 1, "x": x, "mean": terms.mean, "deviation": deviation,
        "gamma": gamma, "beta": beta, "standard": standard,
    }  # fmt: skip
    slips = {"standard": standard, "without_mean": gamma * x / deviation + beta, "without_beta": gamma * standard}
    return Computed(float(terms.out[dim]), slips, given)


def relu(at: Place) -> Computed:
    """The output of a hidden unit whose sum is negative: max(0, x W₁ + b₁) (§3.3, eq. 2)."""
    trace, token = at.explanation.trace, _token(at)
    w_1: Any = at.model.get_submodule(f"encoder.layers.{at.layer}.ffn").w_1
    x = trace.array(feed_forward_input(trace.config, "encoder", at.layer))[token].astype(np.float64)
    products, bias = x @ w_1.weight.detach().double().numpy().T, w_1.bias.detach().double().numpy()
    unit = int((products + bias).argmin())
    before = float(products[unit] + bias[unit])
    given: Given = {
        "token": at.explanation.source.labels[token], "unit": unit + 1, "product": float(products[unit]),
        "bias": float(bias[unit]), "before": before,
    }  # fmt: skip
    slips = {"before": before, "sign": -before}
    return Computed(float(trace.array(f"encoder.{at.layer}.ffn.hidden")[token, unit]), slips, given)


def loss(at: Place) -> Computed:
    """The loss at one step, −ln p of the token that should come next."""
    step = at.explanation.steps[at.step]
    log_p = float(step.log_probs[step.expected.id])
    p = math.exp(log_p)
    slips = {"log10": -log_p / math.log(10), "log2": -log_p / math.log(2), "rest": 1 - p, "sign": log_p}
    return Computed(-log_p, slips, {"token": step.expected.label, "step": at.step + 1, "p": p})


def _token(at: Place) -> int:
    """The source's second token, or its only one."""
    return min(1, len(at.explanation.source) - 1)


COMPUTED: Mapping[str, Callable[[Place], Computed]] = {
    "tokens": tokens,
    "scaled_embedding": scaled_embedding,
    "position": position,
    "query_weights": query_weights,
    "scaled_score": scaled_score,
    "softmax": softmax,
    "masked_cells": masked_cells,
    "layer_norm": layer_norm_number,
    "relu": relu,
    "loss": loss,
}
NAMES = (*COMPUTED, "previous_token_head", "beam_beats_greedy", "losing_edit", "predicted")
"""All exercises: those to compute, those to find, and the question of Predict."""


def answer(name: str, checkpoint: Checkpoint, explanation: Explanation, step: int, layer: int, head: int) -> Computed:
    """The key of the named exercise at a place."""
    return COMPUTED[name](Place(checkpoint.model, explanation, step, layer, head))


def wins(beam: BeamSearch) -> bool:
    """True if the search found a different sentence than greedy decoding, with a better score."""
    return beam.best.ids != beam.greedy.ids and beam.best.score > beam.greedy.score


def lost_token(explanation: Explanation, edited: Explanation, step: int) -> bool:
    """True if the edited model no longer writes the trained model's token of this step, but still writes something."""
    written = [token.id for token in edited.output]
    return len(written) > 1 and explanation.output[step].id not in written
