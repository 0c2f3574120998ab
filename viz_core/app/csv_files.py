"""Numbers of the trace as CSV for a spreadsheet.

Indices count from 1 as on the page; ids are names and stay as they are. A float32 is written with the fewest digits that read back
as the same float32. Control characters are shown as their code, as on the page. A text that begins with = + - @, a tab or a return
gets an apostrophe in front, lest a spreadsheet run it as a formula. UTF-8 with a byte-order mark, by which Excel recognizes it.
"""

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from viz_core.analysis.next_token import distribution
from viz_core.explain import Explanation
from viz_core.sites import sites
from viz_core.texts import visible
from viz_core.tokenizer import Tokenizer
from viz_core.trace import Kind

Lines = Iterable[Sequence[object]]
"""Of a table: a `str` is text that may have been typed, None an empty cell, True and False are 1 and 0, all else is a number."""
Rows = Callable[[], Lines]
"""Called when the file is made."""
FORMULA = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")
"""First characters of a formula; some editions of Excel accept the wide ones as well."""
COLUMNS = {
    "T": "position token",
    "Tq": "query_index query",
    "Tk": "key_index key",
    "h": "head",
    "D": "dimension",
    "d_k": "dimension",
    "F": "unit",
}
"""Axis of a site → its columns."""


def written(columns: str, lines: Lines) -> bytes:
    """The CSV file."""
    out = io.StringIO()
    table = csv.writer(out)
    table.writerow(columns.split())
    table.writerows(map(_cell, line) for line in lines)
    return out.getvalue().encode("utf-8-sig")


def _cell(value: object) -> object:
    if isinstance(value, str):
        return ("'" if value.startswith(FORMULA) else "") + visible(value)
    return int(value) if isinstance(value, bool | np.bool_) else value


def cells(
    axes: Sequence[Sequence[str] | None],
    *arrays: npt.NDArray[Any],
    where: npt.NDArray[np.bool_] | None = None,
    first: int | Sequence[int] = 1,
) -> Iterator[list[Any]]:
    """Arrays side by side, broadcast to one shape, a line for each cell.

    Args:
        axes: labels of each axis, which take a column beside the index; None for an axis without labels.
        where: True at the cells to write; None for all.
        first: the first index, of each axis or of all.
    """
    firsts, arrays = [first] * len(axes) if isinstance(first, int) else first, np.broadcast_arrays(*arrays)
    for cell in map(tuple, np.ndindex(arrays[0].shape) if where is None else np.argwhere(where).tolist()):
        line: list[Any] = []
        for index, labels, start in zip(cell, axes, firsts, strict=True):
            line += [index + start] if labels is None else [index + start, labels[index]]
        yield [*line, *(array[cell] for array in arrays)]


def attention_csv(explanation: Explanation, kind: Kind, layer: int, head: int | None = None) -> bytes:
    """One attention of one layer, a line for each cell: score, score ÷ √d_k, allowed by the mask, weight.

    Args:
        layer, head: from 0; without a head, all heads.
    """
    block, labels = explanation.trace.attention(kind, layer), [side.labels for side in explanation.sides(kind)]
    heads = slice(head, None if head is None else head + 1)
    numbers = block.scores[heads], block.scaled[heads], block.mask, block.weights[heads]
    lines = cells([None, *labels], *numbers, first=((head or 0) + 1, 1, 1))
    columns = "layer head query_index query key_index key score scaled allowed weight"
    return written(columns, ([layer + 1, *line] for line in lines))


def weight_lines(explanation: Explanation, kind: Kind) -> Lines:
    """Every weight of one attention: layer head query_index query key_index key weight."""
    labels = (side.labels for side in explanation.sides(kind))
    return cells([None, None, *labels], np.stack([block.weights for block in explanation.trace.attentions(kind)]))


def output_csv(
    explanation: Explanation, tokenizer: Tokenizer, step: int | None = None, most: int = 100, temperature: float = 1.0
) -> bytes:
    """The model's numbers for each token of the vocabulary, the most probable first.

    `log_prob` is the natural logarithm, as recorded; `probability` is derived from it, e^log_prob in float64. At a temperature T
    other than 1, another column such as `probability_at_T_0.5` has softmax(logits / T) in float64.

    Args:
        step: from 0, for the whole vocabulary at this step; None for the first `most` tokens of each step.
    """
    hot = temperature != 1.0

    def lines() -> Lines:
        for index in range(len(explanation.steps)) if step is None else [step]:
            spread = distribution(explanation.trace, index)
            numbers: list[npt.NDArray[Any]] = [spread.logits, spread.log_probs, spread.probabilities]
            numbers += [spread.at_temperature(temperature)] if hot else []
            ids = np.argsort(-spread.log_probs, kind="stable")[: most if step is None else None].tolist()
            for rank, i in enumerate(ids, 1):
                yield [index + 1, rank, tokenizer.token_text(i), i, *(column[i] for column in numbers)]

    return written("step rank token id logit log_prob probability" + f" probability_at_T_{temperature:.3g}" * hot, lines())


def tokens_csv(explanation: Explanation) -> bytes:
    """The tokens that encoder and decoder read, each with its id, its word, and its first and last character in the text."""

    def lines() -> Lines:
        for side, tokenized in (("source", explanation.source), ("target", explanation.target)):
            for position, token in enumerate(tokenized.tokens, 1):
                word = [None, None] if token.word is None else [token.word + 1, tokenized.words[token.word].text]
                place = [token.start + 1, token.end] if token.end > token.start else [None, None]
                yield [side, position, token.text, token.id, *word, *place]

    return written("side position token id word_index word first last", lines())


def site_csv(explanation: Explanation, site: str) -> bytes:
    """A recorded tensor, a line for each number, with a column for each axis named in `viz_core.sites`.

    Raises:
        TapError: no such site was recorded.
        KeyError: the tensor has an axis over the vocabulary; use `output_csv`.
    """
    array = explanation.trace[site].numpy()
    named = zip(sites(explanation.trace.config)[site].axes, array.shape, strict=True)
    # Leave out axes of size 1 that say nothing: one sentence in the batch, one mask for all heads or all queries.
    axes = {axis.removesuffix(" or 1"): size for axis, size in named if size > 1 or axis not in ("B", "1", "Tq or 1")}
    of_source = {axis: site.startswith(("source", "encoder")) or (axis == "Tk" and ".cross_attn." in site) for axis in axes}
    labels = [(explanation.source if of_source[axis] else explanation.target).labels if axis[0] == "T" else None for axis in axes]
    return written(" ".join([*(COLUMNS[axis] for axis in axes), "value"]), cells(labels, array.reshape([*axes.values()])))
