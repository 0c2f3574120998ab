"""Numbers of the page “Why this word?” as CSV: logit lens, logit attribution, and rollout."""

from collections.abc import Iterator, Sequence

from pages.why.compute import Edge
from pages.why.controls import NamedToken
from viz_core.analysis.logits import LogitAttribution, LogitLens
from viz_core.app.csv_files import Cell, csv_file
from viz_core.tokenizer import Tokenizer

Lines = Iterator[list[Cell]]


@csv_file("layer rank token id log_prob probability")
def lens_csv(lens: LogitLens, tokenizer: Tokenizer, top: int, words: Sequence[NamedToken]) -> Lines:
    """After each layer (0: before the first) the most probable tokens, then the two words compared."""
    for layer, log_probs in enumerate(lens.log_probs):
        for i in dict.fromkeys([*lens.top_ids(layer, top), *(word.id for word in words)]):
            yield [layer, lens.rank(layer, i), tokenizer.token_text(i), i, float(log_probs[i]), lens.probability(layer, i)]


@csv_file("component layer head contribution")
def attribution_csv(found: LogitAttribution) -> Lines:
    """Every term of the sum; their total and the remainder make the logit, or its lead."""
    for part in found.parts:
        layer, head = (None if at is None else at + 1 for at in (part.layer, part.head))
        yield [part.writer, layer, head, part.value]
    yield ["remainder", None, None, found.remainder]


@csv_file("edge layer from_index from to_index to share")
def edges_csv(edges: Sequence[Edge], source: Sequence[str], target: Sequence[str]) -> Lines:
    """The edges of a rollout, the strongest first: from the position above a layer to the one below it."""
    for edge in edges:
        above = source if edge.leg == "encoder" else target
        below = target if edge.leg == "masked" else source
        yield [edge.leg, edge.layer + 1, edge.start + 1, above[edge.start], edge.end + 1, below[edge.end], edge.share]
