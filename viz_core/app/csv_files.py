"""Numbers of the trace as CSV for a spreadsheet.

Indices count from 1 as on the page; ids are names and stay as they are. A float32 is written with the fewest digits that read back
as the same float32. Control characters are shown as their code, as on the page. A text that begins with = + - @, a tab or a return
gets an apostrophe in front, lest a spreadsheet run it as a formula. UTF-8 with a byte-order mark, by which Excel recognizes it.
"""

import csv
import functools
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, ParamSpec

import numpy as np
import numpy.typing as npt

from viz_core.analysis.next_token import distribution
from viz_core.explain import Explanation
from viz_core.sites import sites
from viz_core.texts import visible
from viz_core.tokenizer import Tokenizer
from viz_core.trace import Kind

Cell = str | int | float | np.floating | None
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

Given = ParamSpec("Given")


def csv_file(columns: str) -> Callable[[Callable[Given, Iterable[Sequence[Cell]]]], Callable[Given, bytes]]:
    """Decorator that turns a function of a table's lines into one of the whole file."""

    def decorate(lines: Callable[Given, Iterable[Sequence[Cell]]]) -> Callable[Given, bytes]:
        return functools.wraps(lines)(lambda *args, **options: written(columns, lines(*args, **options)))

    return decorate


def written(columns: str, lines: Iterable[Sequence[Cell]]) -> bytes:
    """The CSV file. A `str` is text that may have been typed, None an empty cell, anything else a number."""
    out = io.StringIO()
    table = csv.writer(out)
    table.writerow(columns.split())
    table.writerows([_text(cell) if isinstance(cell, str) else cell for cell in line] for line in lines)
    return out.getvalue().encode("utf-8-sig")


def _text(typed: str) -> str:
    return ("'" if typed.startswith(FORMULA) else "") + visible(typed)


@csv_file("layer head query_index query key_index key score scaled allowed weight")
def attention_csv(explanation: Explanation, kind: Kind, layer: int, head: int | None = None) -> Iterator[list[Cell]]:
    """One attention of one layer, a line for each cell: score, score ÷ √d_k, allowed by the mask (1 or 0), weight.

    Args:
        layer, head: from 0; without a head, all heads.
    """
    attention = explanation.trace.attention(kind, layer)
    queries, keys = (side.labels for side in explanation.sides(kind))
    for h in range(len(attention.weights)) if head is None else [head]:
        for i, j in np.ndindex(attention.mask.shape):
            numbers = attention.scores[h, i, j], attention.scaled[h, i, j], int(attention.mask[i, j]), attention.weights[h, i, j]
            yield [layer + 1, h + 1, i + 1, queries[i], j + 1, keys[j], *numbers]


def output_csv(
    explanation: Explanation, tokenizer: Tokenizer, step: int | None = None, most: int = 100, temperature: float = 1.0
) -> bytes:
    """The model's numbers for each token of the vocabulary, the most probable first.

    `log_prob` is the natural logarithm, as recorded; `probability` is derived from it, e^log_prob in float64. At a temperature T
    other than 1, another column such as `probability_at_T_0.5` has softmax(logits / T) in float64.

    Args:
        step: from 0, for the whole vocabulary at this step; None for the first `most` tokens of each step.
    """
    columns = "step rank token id logit log_prob probability"
    if temperature != 1.0:
        columns += f" probability_at_T_{temperature:.3g}"
    return written(columns, _output(explanation, tokenizer, step, most, temperature))


def _output(
    explanation: Explanation, tokenizer: Tokenizer, step: int | None, most: int, temperature: float
) -> Iterator[list[Cell]]:
    for index in range(len(explanation.steps)) if step is None else [step]:
        spread = distribution(explanation.trace, index)
        ids = np.argsort(-spread.log_probs, kind="stable")[: most if step is None else None]
        numbers: list[Any] = [spread.logits[ids], spread.log_probs[ids], spread.probabilities[ids].tolist()]
        if temperature != 1.0:
            numbers.append(spread.at_temperature(temperature)[ids].tolist())
        for rank, (token_id, *own) in enumerate(zip(ids.tolist(), *numbers, strict=True), 1):
            yield [index + 1, rank, tokenizer.token_text(token_id), token_id, *own]


@csv_file("side position token id word_index word first last")
def tokens_csv(explanation: Explanation) -> Iterator[list[Cell]]:
    """The tokens that encoder and decoder read, each with its id, its word, and its first and last character in the text."""
    for side, tokenized in (("source", explanation.source), ("target", explanation.target)):
        for position, token in enumerate(tokenized.tokens, 1):
            word: list[Cell] = [None, None] if token.word is None else [token.word + 1, tokenized.words[token.word].text]
            place: list[Cell] = [token.start + 1, token.end] if token.end > token.start else [None, None]
            yield [side, position, token.text, token.id, *word, *place]


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
    columns = " ".join([*(COLUMNS[axis] for axis in axes), "value"])
    return array_csv(columns, labels, array.astype(int if array.dtype == bool else array.dtype).reshape([*axes.values()]))


def array_csv(
    columns: str,
    axes: Sequence[Sequence[str] | None],
    *arrays: npt.NDArray[Any],
    where: npt.NDArray[np.bool_] | None = None,
    first: int | Sequence[int] = 1,
) -> bytes:
    """Arrays of one shape side by side, a line for each cell.

    Args:
        axes: labels of each axis, which take a column beside the index; None for an axis without labels.
        where: True at the cells to write; None for all.
        first: the first index, of each axis or of all.
    """
    firsts = [first] * len(axes) if isinstance(first, int) else first

    def lines() -> Iterator[list[Cell]]:
        for cell in np.ndindex(arrays[0].shape) if where is None else np.argwhere(where).tolist():
            line: list[Cell] = []
            for index, labels, start in zip(cell, axes, firsts, strict=True):
                line += [index + start] if labels is None else [index + start, labels[index]]
            yield [*line, *(array[tuple(cell)] for array in arrays)]

    return written(columns, lines())
