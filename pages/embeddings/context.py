"""A token in context: its embedding is the same in each sentence; what the encoder makes of it is not."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np

from pages.embeddings.context_figures import Other, context_lines, neighbours_table
from pages.embeddings.controls import SECOND
from pages.embeddings.downloads import context_csv
from viz_core.analysis.contexts import Contexts, average_similarity, contexts, similarity, token_vectors
from viz_core.analysis.roles.survey import sentences
from viz_core.app.cache import cached
from viz_core.app.long_work import pooled
from viz_core.app.markup import Raw
from viz_core.app.page import Page
from viz_core.checkpoint import Checkpoint
from viz_core.edits import Edits
from viz_core.figures.base import clipped
from viz_core.figures.palette import DARK
from viz_core.progress import Progress
from viz_core.trace import Array, Doubles, Floats

SENSES = Path(__file__).parent / "senses"
"""Sentences of our own with words of several senses, by language; the 384 of the heads' roles are added to them."""
NEAREST, FARTHEST = 3, 3
"""Of the other sentences with the token, so many are drawn."""
NEIGHBOURS = 5
"""Other tokens in each column of the table."""
TYPED = 34
"""Characters of a sentence at the end of its line."""


def show_context(p: Page, at: int) -> None:
    """The token at this place of the source: how similar it is to the same token elsewhere, and which others come close."""
    view = p.view
    token, vectors = view.explanation.source.tokens[at], token_vectors(view.trace, at)
    with p.controls():
        typed = SECOND.draw(p, "").strip()
    if not p.known(vectors):
        return
    pool = pooled(_pool, view.checkpoint, view.explanation.edits, says=p.text("computing_context"))
    others = _others(p, pool, token.id, vectors, typed)
    places = [p.text("place_input"), *(p.text("place_layer", layer=layer) for layer in range(1, view.config.layers("encoder") + 1))]
    average = average_similarity(pool, vectors)
    strong = p.table("context_strong")["dark" if p.palette is DARK else "light"]
    p.show(
        context_lines(
            others, average, places, current=view.layer + 1, title=p.text("context_title", token=token.label, strong=strong),
            axis=p.text("cosine"), name=p.text("average"), palette=p.palette,
        ),
        clicks="layer", least="wide",
    )  # fmt: skip
    if not others:
        p.write("context_none", token=token.label)
    near = _nearest(pool, similarity(pool, vectors), token.id)
    p.write("context_near", token=token.label)
    p.html(neighbours_table(near, places, rank=p.text("rank"), current=view.layer + 1, palette=p.palette))
    p.offer("context", f"context-{at + 1}", partial(context_csv, others, average, places), token=token.label)
    _arithmetic(p, token.label, vectors, others, average)
    p.show_code("code_context")


def _pool(checkpoint: Checkpoint, edits: Edits, progress: Progress | None = None) -> Contexts:
    language = checkpoint.source_language
    file = SENSES / f"{language}.txt"
    own = file.read_text("utf-8").splitlines() if file.is_file() else []
    return contexts(checkpoint, [*own, *sentences(language)], edits, progress)


def _typed(checkpoint: Checkpoint, text: str, edits: Edits) -> Contexts:
    return contexts(checkpoint, [text], edits)


def _others(p: Page, pool: Contexts, token_id: int, vectors: Array, typed: str) -> list[Other]:
    """The same token in other sentences, the most similar after the last layer first; one that is typed is always among them."""
    view, found = p.view, []
    for own, each in ((True, cached(_typed, view.checkpoint, typed, view.explanation.edits) if typed else None), (False, pool)):
        if each is None:
            continue
        same = np.flatnonzero(each.ids == token_id)
        cosines = similarity(each, vectors)[:, same]
        here = [
            Other(clipped(each.text(int(i)), TYPED), cosines[:, n], each.unit[:, i], own)
            for n, i in enumerate(same)
            if own or each.text(int(i)) != view.explanation.source.text
        ]
        here.sort(key=lambda other: -other.cosines[-1])
        found += here[:1] if own else here if len(here) <= NEAREST + FARTHEST else [*here[:NEAREST], *here[-FARTHEST:]]
        if own and not here:
            p.write("context_without", text=typed, token=view.checkpoint.tokenizer.token_text(token_id))
    return sorted(found, key=lambda other: -other.cosines[-1])


def _nearest(pool: Contexts, cosines: Floats, token_id: int) -> list[list[tuple[str, float]]]:
    """At each place the most similar whole words of the pool, each once, without the token itself."""
    found: list[list[tuple[str, float]]] = []
    for line in cosines:
        best: dict[int, tuple[str, float]] = {}
        for i in np.argsort(-line, kind="stable"):
            if len(best) == NEIGHBOURS:
                break
            if pool.ids[i] != token_id and pool.whole(int(i)):
                best.setdefault(int(pool.ids[i]), (pool.label(int(i)), float(line[i])))
        found.append(list(best.values()))
    return found


def _arithmetic(p: Page, label: str, vectors: Array, others: list[Other], average: Floats) -> None:
    if not others:
        return
    place = p.view.layer + 1
    other, unit = others[-1], (vectors[place].astype(np.float64) / np.linalg.norm(vectors[place].astype(np.float64)))
    products: Doubles = unit * other.unit[place]
    p.arithmetic(
        "arithmetic_context", token=label, other=other.text, layer=place, a=float(unit[0]), b=float(other.unit[place][0]),
        c=float(unit[1]), d=float(other.unit[place][1]), last=Raw(str(len(unit))), cosine=float(products.sum()),
        first=float(other.cosines[0]), end=float(other.cosines[-1]), layers=len(vectors) - 1, average=float(average[place]),
    )  # fmt: skip
