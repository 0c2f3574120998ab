"""A map: the tokens of the sentence and their nearest neighbours in a plane. The browser draws it for every token."""

from __future__ import annotations

from functools import partial

from pages.embeddings.data import drawn_map, shares, word_map
from pages.embeddings.downloads import map_csv
from viz_core.analysis.embeddings import MOST, embedding_space
from viz_core.app.cache import cached
from viz_core.app.markup import tex
from viz_core.app.page import Page


def show_map(p: Page, side: str) -> None:
    """The map of one side; the arithmetic below it is the same for all tokens."""
    view = p.view
    p.answer(word_map, side=side)
    drawn = cached(drawn_map, view.checkpoint, view.explanation, side)
    p.offer("map", f"{side}-map", partial(map_csv, cached(embedding_space, view.checkpoint, side), drawn))
    if drawn.left:
        p.write("map_full", most=MOST, different=MOST + drawn.left, left=drawn.left)
    first, second = shares(drawn)
    p.arithmetic(
        "arithmetic_map", first_share=tex(first), second_share=tex(second), tokens=len(drawn.ids), d_model=view.config.d_model
    )
