"""A map: the tokens of the sentence and their nearest neighbours in a plane. The browser draws it for every token."""

from __future__ import annotations

from functools import partial

import numpy as np

from pages.embeddings.downloads import map_csv
from viz_core.analysis.embeddings import MOST, WordMap, embedding_space, word_map
from viz_core.app.cache import cached
from viz_core.app.markup import tex
from viz_core.app.page import Page
from viz_core.browser.pack import pack
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation
from viz_core.figures.base import percent
from viz_core.texts import fill, texts, visible


def show_map(p: Page, side: str) -> None:
    """The map of one side; the arithmetic below it is the same for all tokens."""
    view = p.view
    arguments = (view.checkpoint, view.explanation, side)
    p.mount("word_map", cached(map_payload, *arguments))
    drawn = cached(drawn_map, *arguments)
    p.offer("map", f"{side}-map", partial(map_csv, cached(embedding_space, view.checkpoint, side), drawn))
    if drawn.left:
        p.write("map_full", most=MOST, different=MOST + drawn.left, left=drawn.left)
    first, second = shares(drawn)
    p.arithmetic(
        "arithmetic_map", first_share=tex(first), second_share=tex(second), tokens=len(drawn.ids), d_model=view.config.d_model
    )


def drawn_map(checkpoint: Checkpoint, explanation: Explanation, side: str) -> WordMap:
    """The map of one side's tokens."""
    tokenized = explanation.source if side == "source" else explanation.target
    return word_map(cached(embedding_space, checkpoint, side), tokenized.ids)


def shares(drawn: WordMap) -> list[str]:
    """How much of the variance each axis keeps."""
    return [percent(float(value)) for value in drawn.explained]


def map_payload(checkpoint: Checkpoint, explanation: Explanation, side: str) -> bytes:
    """The n tokens on the map of one side, and where on it each of its T tokens is.

    Tensors: at (n, 2), places; owner (n,), of each token the index of the one whose neighbour it is, or its own; which (T,), the
    index of each token of the sentence, −1 where it had no room.
    """
    space, drawn = cached(embedding_space, checkpoint, side), cached(drawn_map, checkpoint, explanation, side)
    tokenized = explanation.source if side == "source" else explanation.target
    index = {token_id: at for at, token_id in enumerate(drawn.ids)}
    tensors = {
        "at": drawn.at.astype(np.float32),
        "owner": np.array(drawn.owner, np.int32),
        "which": np.array([index.get(token_id, -1) for token_id in tokenized.ids], np.int32),
    }
    words = texts("embeddings.plane")
    axes = {name: fill(words[name], {"share": share}) for name, share in zip(("first", "second"), shares(drawn), strict=True)}
    about = {
        "side": side,
        "tokens": [visible(label) for label in tokenized.labels],
        "labels": [visible(space.labels[i]) for i in drawn.ids],
        "texts": {**words, **axes, "covered": texts("app.frame")["covered"]},
    }
    return pack(tensors, about)
