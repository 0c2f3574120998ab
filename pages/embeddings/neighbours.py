"""Which tokens have similar embeddings: the nearest neighbours of one, and a map of the sentence."""

from __future__ import annotations

from functools import partial

from pages.embeddings.downloads import map_csv, neighbours_csv
from pages.embeddings.figures import cosine_bars, map_figure
from pages.embeddings.picked import pick
from viz_core.analysis.embeddings import MOST, nearest, norm, word_map
from viz_core.app.markup import tex
from viz_core.app.page import Page
from viz_core.figures.base import percent

NEIGHBOURS = 10  # of a token are shown


def show_near(p: Page, side: str) -> None:
    """The nearest neighbours of the token that is looked at."""
    picked = pick(p, side)
    space, row = picked.space, picked.terms.lookup
    neighbours = nearest(space, picked.token.id, NEIGHBOURS)
    labels, cosines = [space.labels[i] for i, _ in neighbours], [cosine for _, cosine in neighbours]
    title = p.text("near_title", **picked.values)
    p.show(cosine_bars(labels, cosines, title=title, axis=p.text("cosine"), palette=p.palette), least="wide")
    p.offer("neighbours", f"neighbours-{picked.token.id}", partial(neighbours_csv, space, neighbours), **picked.values)
    best = space.rows[neighbours[0][0]]
    p.arithmetic(
        "arithmetic_near", near=labels[0], dot=float(row @ best), a=norm(row), b=norm(best), cosine=cosines[0], **picked.values,
    )  # fmt: skip


def show_map(p: Page, side: str) -> None:
    """The tokens of the sentence and their neighbours in a plane."""
    picked = pick(p, side)
    space, token = picked.space, picked.token
    spots = word_map(space, picked.tokenized.ids)
    share = [percent(float(value)) for value in spots.explained]
    axes = (p.text("axis_1", share=share[0]), p.text("axis_2", share=share[1]))
    highlighted = spots.ids.index(token.id) if token.id in spots.ids else None
    labels = [space.labels[i] for i in spots.ids]
    p.show(map_figure(spots.at, labels, spots.owner, axes=axes, highlighted=highlighted, palette=p.palette))
    p.offer("map", f"{side}-map", partial(map_csv, space, spots))
    if spots.left:
        p.write("map_full", most=MOST, different=MOST + spots.left, left=spots.left)
    p.arithmetic(
        "arithmetic_map", first_share=tex(share[0]), second_share=tex(share[1]), tokens=len(spots.ids), **picked.values
    )  # fmt: skip
