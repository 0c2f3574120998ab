"""Numbers of the page “Why this word?”: the edges of a rollout, the strongest first, and sums over the tokens of a word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from viz_core.analysis.rollout import Rollout, rollout
from viz_core.explain import Explanation
from viz_core.trace import Doubles

Leg = Literal["cross", "masked", "encoder"]


@dataclass(frozen=True)
class Edge:
    """One edge of attention rollout, followed back from the output: derived.

    Attributes:
        leg: from a decoder position to the memory, between decoder positions, or between encoder positions.
        layer: from 0.
        start, end: the position above the layer and the one below it (of the memory, for `cross`); in the source, words.
        share: of all that starts at the top, in 0…1.
    """

    leg: Leg
    layer: int
    start: int
    end: int
    share: float


def rollout_edges(found: Rollout, words: Sequence[Sequence[int]]) -> list[Edge]:
    """All edges with a share above 0, the largest share first; equal ones in the order of computing.

    Args:
        words: the positions of each source word's tokens, from `groups`: what goes to the tokens of a word goes to the word.
    """
    cross, within_encoder = (sum_by_words(shares, words) for shares in (found.cross, found.encoder))
    within_encoder = sum_by_words(within_encoder.mT, words).mT  # (L, words, words)
    legs: list[tuple[Leg, Doubles]] = [("cross", cross), ("masked", found.masked), ("encoder", within_encoder)]
    edges = [
        Edge(leg, int(layer), int(start), int(end), float(shares[layer, start, end]))
        for leg, shares in legs
        for layer, start, end in np.argwhere(shares > 0)
    ]
    return sorted(edges, key=lambda edge: -edge.share)


def connected(edges: Sequence[Edge], step: int, layers: int) -> list[Edge]:
    """Those of the edges that lead, one after the other, down from the step's position at the top; from the top down."""
    reached = {("decoder", layers, step)}
    kept = []
    for edge in sorted(edges, key=lambda edge: (edge.leg == "encoder", -edge.layer)):
        stack = "encoder" if edge.leg == "encoder" else "decoder"
        if (stack, edge.layer + 1, edge.start) in reached:
            kept.append(edge)
            reached.add(("encoder", layers, edge.end) if edge.leg == "cross" else (stack, edge.layer, edge.end))
    return kept


def mean_rollout(explanation: Explanation) -> Doubles:
    """The share of each source token by rollout, mean over all steps, (S,)."""
    shares: Doubles = np.mean([rollout(explanation.trace, step.index).source for step in explanation.steps], axis=0)
    return shares


def sum_by_words(tokens: Doubles, positions: Sequence[Sequence[int]]) -> Doubles:
    """Scores of tokens, (…, S), summed over the tokens of each word, (…, K)."""
    return np.stack([tokens[..., at].sum(-1) for at in positions], axis=-1)
