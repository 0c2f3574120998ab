"""The numbers of the page “Why this word?”: the logits of the words written, the strongest edges of a rollout, and sums over the
tokens of a word.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from viz_core.analysis.logits import LogitAttribution, LogitLens, logit_attribution, logit_lens
from viz_core.analysis.rollout import Rollout, rollout
from viz_core.analysis.words import groups
from viz_core.explain import Explanation
from viz_core.model.transformer import Transformer
from viz_core.trace import Doubles

Leg = Literal["cross", "masked", "encoder"]


@dataclass(frozen=True)
class Reading:
    """The logit lens on one token after one layer: ln p, p in 0…1, and the token's rank."""

    log_prob: float
    probability: float
    rank: int


@dataclass(frozen=True)
class LensRow:
    """The logit lens after one layer, which is derived.

    Attributes:
        known: whether all log-probabilities are numbers.
        top: the most probable tokens and their probabilities.
        words: the readings of the token that the step writes and of its rival.
    """

    known: bool
    top: tuple[tuple[int, float], ...]
    words: tuple[Reading, Reading]


def lens_rows(model: Transformer, explanation: Explanation, rivals: Sequence[int], top: int) -> list[list[LensRow]]:
    """For each step, a row before the first layer and one after each layer. rivals: for each step, the token to compare with."""
    rows = []
    for step, rival in zip(explanation.steps, rivals, strict=True):
        lens = logit_lens(model, explanation.trace, step.index)
        rows.append([_lens_row(lens, layer, (step.expected.id, rival), top) for layer in range(len(lens.log_probs))])
    return rows


def _lens_row(lens: LogitLens, layer: int, words: tuple[int, int], top: int) -> LensRow:
    word, rival = (Reading(float(lens.log_probs[layer, i]), lens.probability(layer, i), lens.rank(layer, i)) for i in words)
    best = tuple((i, lens.probability(layer, i)) for i in lens.top_ids(layer, top))
    return LensRow(bool(np.isfinite(lens.log_probs[layer]).all()), best, (word, rival))


def attributions(model: Transformer, explanation: Explanation, rivals: Sequence[int]) -> list[LogitAttribution]:
    """The sources of the logit of each step's token or, with rivals, of its lead over the step's rival."""
    against: Sequence[int | None] = rivals or [None] * len(explanation.steps)
    return [
        logit_attribution(model, explanation.trace, step.index, step.expected.id, rival)
        for step, rival in zip(explanation.steps, against, strict=True)
    ]


@dataclass(frozen=True)
class Edge:
    """One edge of attention rollout, followed back from the output. Derived.

    Attributes:
        leg: between decoder and memory, within the decoder, or within the encoder.
        layer: from 0.
        start, end: the position above the layer and the one below it (in the memory, for `cross`); source positions are words.
        share: its share of the whole flow, which is 1 at the top.
    """

    leg: Leg
    layer: int
    start: int
    end: int
    share: float


def edge_shares(rolled: Rollout, words: Sequence[Sequence[int]]) -> dict[Leg, Doubles]:
    """The share of each edge, (L, from, to) for each leg. Derived.

    Args:
        words: from `groups`, the token positions of each source word; a word gets the sum of its tokens' shares.
    """
    cross, within_encoder = (sum_by_words(shares, words) for shares in (rolled.cross, rolled.encoder))
    return {"cross": cross, "masked": rolled.masked, "encoder": sum_by_words(within_encoder.mT, words).mT}


def rollout_edges(shares: Mapping[Leg, Doubles], most: int | None = None) -> list[Edge]:
    """The edges with a share above 0, the largest first; ties are in the order of computation.

    Args:
        shares: from `edge_shares`.   most: how many edges at most; all if None.
    """
    flat = np.concatenate([leg.ravel() for leg in shares.values()])
    order = np.argsort(-flat, kind="stable")[: np.count_nonzero(flat > 0)][:most]
    legs, ends = list(shares), np.cumsum([leg.size for leg in shares.values()])
    edges = []
    for index, part in zip(order.tolist(), np.searchsorted(ends, order, side="right").tolist(), strict=True):
        leg = legs[part]
        place = np.unravel_index(index - int(ends[part]) + shares[leg].size, shares[leg].shape)
        layer, start, end = map(int, place)
        edges.append(Edge(leg, layer, start, end, float(flat[index])))
    return edges


def connected(edges: Sequence[Edge], step: int, layers: int) -> list[Edge]:
    """The edges that form a connected flow from the step's position at the top, in the order from the top down."""
    reached = {("decoder", layers, step)}
    kept = []
    for edge in sorted(edges, key=lambda edge: (edge.leg == "encoder", -edge.layer)):
        stack = "encoder" if edge.leg == "encoder" else "decoder"
        if (stack, edge.layer + 1, edge.start) in reached:
            kept.append(edge)
            reached.add(("encoder", layers, edge.end) if edge.leg == "cross" else (stack, edge.layer, edge.end))
    return kept


@dataclass(frozen=True, eq=False)
class DrawnRollout:
    """The drawn edges of one step's rollout, and how much is left out. Derived.

    Attributes:
        edges: the strongest edges that are connected with the step.   least: the share of the weakest candidate.
        count: how many edges have a share above 0.   left: the part of the summed shares that is not drawn.
    """

    edges: tuple[Edge, ...]
    least: float
    count: int
    left: float


def drawn_rollout(explanation: Explanation, step: int, most: int) -> DrawnRollout:
    """The step's `most` strongest edges, of which those connected with the step are drawn."""
    shares = edge_shares(rollout(explanation.trace, step), groups(explanation.source)[1])
    strongest = rollout_edges(shares, most)
    kept = connected(strongest, step, explanation.trace.config.layers("decoder"))
    whole = sum(float(leg.sum()) for leg in shares.values())
    count = sum(int(np.count_nonzero(leg > 0)) for leg in shares.values())
    return DrawnRollout(tuple(kept), strongest[-1].share, count, 1 - sum(edge.share for edge in kept) / whole)


def rollout_shares(explanation: Explanation) -> tuple[Doubles, Doubles]:
    """The share of each source token, (T, S), and of each target token read, (T, T), by rollout, for each step. Derived."""
    rollouts = [rollout(explanation.trace, step.index) for step in explanation.steps]
    return np.stack([rolled.source for rolled in rollouts]), np.stack([rolled.target for rolled in rollouts])


def sum_by_words(tokens: Doubles, positions: Sequence[Sequence[int]]) -> Doubles:
    """Scores of tokens, (…, S), summed over the tokens of each word, (…, K)."""
    return np.stack([tokens[..., columns].sum(-1) for columns in positions], axis=-1)
