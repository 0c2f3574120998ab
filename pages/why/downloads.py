"""Numbers of the page on one word as CSV: logit lens, logit attribution, and rollout."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pages.why.compute import Edge
from pages.why.controls import Candidate
from viz_core.analysis.logits import LogitAttribution, LogitLens
from viz_core.app.csv_files import Cell, written
from viz_core.tokenizer import Tokenizer


def lens_csv(lens: LogitLens, tokenizer: Tokenizer, top: int, words: Sequence[Candidate]) -> bytes:
    """After each layer (0: before the first) the most probable tokens, then the words in question."""

    def lines() -> Iterator[list[Cell]]:
        for layer, log_probs in enumerate(lens.log_probs):
            for i in dict.fromkeys([*lens.top_ids(layer, top), *(word.id for word in words)]):
                yield [layer, lens.rank(layer, i), tokenizer.token_text(i), i, float(log_probs[i]), lens.probability(layer, i)]

    return written("layer rank token id log_prob probability", lines())


def attribution_csv(found: LogitAttribution) -> bytes:
    """Every term of the sum; their total and the remainder make the logit, or its lead."""

    def lines() -> Iterator[list[Cell]]:
        for part in found.parts:
            layer, head = (None if at is None else at + 1 for at in (part.layer, part.head))
            yield [part.writer, layer, head, part.value]
        yield ["remainder", None, None, found.remainder]

    return written("component layer head contribution", lines())


def edges_csv(edges: Sequence[Edge], source: Sequence[str], target: Sequence[str]) -> bytes:
    """The edges of a rollout, the strongest first: from the position above a layer to the one below it."""

    def lines() -> Iterator[list[Cell]]:
        for edge in edges:
            above = source if edge.leg == "encoder" else target
            below = target if edge.leg == "masked" else source
            yield [edge.leg, edge.layer + 1, edge.start + 1, above[edge.start], edge.end + 1, below[edge.end], edge.share]

    return written("edge layer from_index from to_index to share", lines())
