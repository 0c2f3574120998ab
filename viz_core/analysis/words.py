"""From tokens to words."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from viz_core.tokens import TokenizedText

Floats = npt.NDArray[np.floating[Any]]


def groups(tokenized: TokenizedText) -> tuple[list[str], list[list[int]]]:
    """The words of a text, special tokens as words of their own, and the positions of each word's tokens."""
    labels: list[str] = []
    positions: list[list[int]] = []
    previous: int | None = None
    for at, token in enumerate(tokenized.tokens):
        if token.word is None:
            labels.append(token.text)
            positions.append([at])
        elif token.word == previous:
            positions[-1].append(at)
        else:
            labels.append(tokenized.words[token.word].text)
            positions.append([at])
        previous = token.word
    return labels, positions


def by_words(weights: Floats, queries: list[list[int]], keys: list[list[int]]) -> Floats:
    """Attention between words: summed over a key word's tokens, averaged over a query word's, so that rows still sum to 1.

    Clark et al. 2019, §4.1.

    Args:
        weights: (…, Tq, Tk).
        queries, keys: the positions of each word's tokens, from `groups`.

    Returns:
        (…, query words, key words)
    """
    summed = np.stack([weights[..., key].sum(-1) for key in keys], axis=-1)  # (…, Tq, key words)
    return np.stack([summed[..., query, :].mean(-2) for query in queries], axis=-2)
