"""Numbers of two explanations side by side as CSV: both distributions, both attentions, and their difference word by word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from viz_core.analysis.divergence import Comparison
from viz_core.analysis.words import Match, align_words
from viz_core.app.csv_files import Cell, csv_file, sides_of
from viz_core.browser.comparison_payload import TOP, Side
from viz_core.explain import Explanation
from viz_core.trace import Kind

Doubles = npt.NDArray[np.float64]


@csv_file("side step token id written log_prob log_prob_other_side divergence_bits")
def comparison_csv(left: Side, right: Side, found: Comparison | None = None) -> Iterator[list[Cell]]:
    """Each step of both sides: the most probable tokens and the one that is written, with ln p on both sides where compared.

    Args:
        found: where both were asked for the same output; `divergence_bits` is KL(left ‖ right) of the step.
    """
    for name, side, first in (("left", left, True), ("right", right, False)):
        if found:
            own, other = (found.before, found.after) if first else (found.after, found.before)
            output = found.output.tolist()
        else:
            own, other = np.stack([step.log_probs for step in side.explanation.steps]), None
            output = [token.id for token in side.explanation.output]
        for step, (log_probs, token) in enumerate(zip(own, output, strict=True)):
            for i in dict.fromkeys([*np.argsort(-log_probs, kind="stable")[:TOP].tolist(), token]):
                text = side.checkpoint.tokenizer.token_text(i)
                there, bits = (other[step, i], found.divergence[step]) if found and other is not None else (None, None)
                yield [name, step + 1, text, i, int(i == token), log_probs[i], there, bits]


@csv_file("side layer head query_index query key_index key weight")
def attentions_csv(left: Explanation, right: Explanation, kind: Kind) -> Iterator[list[Cell]]:
    """The attention weights of both sides, a line for each cell of every head."""
    for name, each in (("left", left), ("right", right)):
        queries, keys = (side.labels for side in sides_of(each, kind))
        for layer in range(each.trace.config.n_layers):
            weights = each.trace.attention(kind, layer).weights
            for (head, i, j), weight in np.ndenumerate(weights):
                yield [name, layer + 1, head + 1, i + 1, queries[i], j + 1, keys[j], weight]


@csv_file("layer head query_index query key_index key left right difference")
def difference_csv(left: Explanation, right: Explanation, kind: Kind) -> Iterator[list[Cell]]:
    """What the right side's heads give more than the left side's, word by word, in 0…1 of a query's attention."""
    rows, columns = (align_words(*pair).matches for pair in zip(sides_of(left, kind), sides_of(right, kind), strict=True))
    for layer in range(min(left.trace.config.n_layers, right.trace.config.n_layers)):
        before, after = (each.trace.attention(kind, layer).weights.astype(np.float64) for each in (left, right))
        for head in range(min(len(before), len(after))):
            for i, row in enumerate(rows, 1):
                for j, column in enumerate(columns, 1):
                    ours, theirs = (word_share(w[head], row, column, at) for at, w in enumerate((before, after)))
                    yield [layer + 1, head + 1, i, _both(row), j, _both(column), ours, theirs, theirs - ours]


def word_share(weights: Doubles, query: Match, key: Match, side: int) -> float:
    """Attention between two words of one side: summed over the key's tokens, averaged over the query's (Clark et al. 2019)."""
    return float(weights[np.ix_(query.tokens[side], key.tokens[side])].sum(-1).mean())


def _both(match: Match) -> str:
    texts: Sequence[str] = list(dict.fromkeys(match.texts))
    return " | ".join(texts)
