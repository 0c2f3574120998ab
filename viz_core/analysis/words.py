"""From pieces to words."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from viz_core.tokens import Tokens

Floats = npt.NDArray[np.floating[Any]]


def groups(tokens: Tokens) -> tuple[list[str], list[list[int]]]:
    """The words of a text, special pieces as words of their own, and the positions of each word's pieces."""
    labels: list[str] = []
    positions: list[list[int]] = []
    previous: int | None = None
    for at, piece in enumerate(tokens.pieces):
        if piece.word is None:
            labels.append(piece.text)
            positions.append([at])
        elif piece.word == previous:
            positions[-1].append(at)
        else:
            labels.append(tokens.words[piece.word].text)
            positions.append([at])
        previous = piece.word
    return labels, positions


def by_words(weights: Floats, queries: list[list[int]], keys: list[list[int]]) -> Floats:
    """Attention between words: summed over a key word's pieces, averaged over a query word's, so that rows still sum to 1.

    Clark et al. 2019, §4.1.

    Args:
        weights: (…, Tq, Tk).
        queries, keys: the positions of each word's pieces, from `groups`.

    Returns:
        (…, query words, key words)
    """
    summed = np.stack([weights[..., key].sum(-1) for key in keys], axis=-1)  # (…, Tq, key words)
    return np.stack([summed[..., query, :].mean(-2) for query in queries], axis=-2)
