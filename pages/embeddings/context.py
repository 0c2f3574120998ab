"""A token in context: its embedding is the same in each sentence; what the encoder makes of it is not."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from pages.embeddings.context_figures import Other, context_lines, neighbours_table
from pages.embeddings.controls import SECOND
from viz_core.analysis.contexts import Contexts, average_similarity, contexts, similarity, token_vectors
from viz_core.analysis.roles.survey import sentences
from viz_core.app.arithmetic import PerState, Section, arithmetic_section, show_arithmetic
from viz_core.app.cache import cached
from viz_core.app.csv_files import Cell, csv_file
from viz_core.app.long_work import pooled
from viz_core.app.markup import Raw
from viz_core.app.page import Page
from viz_core.checkpoint import Checkpoint
from viz_core.edits import Edits
from viz_core.explain import Explanation
from viz_core.figures.base import shortened
from viz_core.figures.figure import Figure
from viz_core.figures.palette import DARK
from viz_core.progress import Progress
from viz_core.trace import Array, Doubles, Floats

SENSES = Path(__file__).parent / "senses"
"""Sentences of our own with words of several senses, by language; the 384 of the heads' roles are added to them."""
NEAREST, FARTHEST = 3, 3
"""How many of the other sentences with the token are drawn: the most and the least similar."""
NEIGHBOURS = 5
"""Other tokens in each column of the table."""
TYPED = 34
"""Characters of a sentence at the end of its line."""


@dataclass(frozen=True, eq=False)
class InContext:
    """One token of the sentence, compared with the same token and with others elsewhere.

    Attributes:
        label: of the token.   vectors: (places, D).
        others: the same token in other sentences, the most similar after the last layer first.
        average: the mean cosine with all tokens, (places,).
        near: at each place the most similar other words, with their cosines.
        missing: the token as it stands in the text, where the typed sentence does not contain it.
    """

    label: str
    vectors: Array
    others: list[Other]
    average: Floats
    near: list[list[tuple[str, float]]]
    missing: str = ""


def show_context(p: Page) -> None:
    """How similar the picked token is to the same token elsewhere, and which others come close."""
    view, source = p.view, p.view.explanation.source
    with p.controls():
        typed = SECOND.draw(p, "").strip()
    if not p.known(np.stack([token_vectors(view.trace, at) for at in range(len(source))])):
        return
    pooled(_pool, view.checkpoint, view.explanation.edits, says=p.text("computing_context"))
    tokens = cached(_compared, view.checkpoint, view.explanation, typed)
    layers = view.config.layers("encoder")
    places = [p.text("place_input"), *(p.text("place_layer", layer=layer) for layer in range(1, layers + 1))]
    strong = p.table("context_strong")["dark" if p.palette is DARK else "light"]

    def lines(token: int, layer: int) -> Figure:
        here = tokens[token]
        return context_lines(
            here.others, here.average, places, current=layer + 1, palette=p.palette, axis=p.text("cosine_axis"),
            name=p.text("average"), title=p.text("context_title", token=here.label, strong=strong),
        )  # fmt: skip

    p.show_each(lines, ("token",), ("layer",), inputs=(typed,), clicks="layer", least="wide")
    p.html_each(
        lambda token: neighbours_table(tokens[token].near, places, rank=p.text("rank"), palette=p.palette), "token", inputs=(typed,)
    )  # fmt: skip
    at = view.token
    p.offer(
        "context", f"context-{at + 1}", partial(context_csv, tokens[at].others, tokens[at].average, places), token=tokens[at].label
    )
    _texts(p, tokens, typed)
    p.show_code("code_context")


def _pool(checkpoint: Checkpoint, edits: Edits, progress: Progress | None = None) -> Contexts:
    language = checkpoint.source_language
    file = SENSES / f"{language}.txt"
    own = file.read_text("utf-8").splitlines() if file.is_file() else []
    return contexts(checkpoint, [*own, *sentences(language)], edits, progress)


def _compared(checkpoint: Checkpoint, explanation: Explanation, typed: str) -> list[InContext]:
    """Each token of the source."""
    pool = cached(_pool, checkpoint, explanation.edits)
    own = cached(contexts, checkpoint, (typed,), explanation.edits) if typed else None
    in_context = []
    for i, token in enumerate(explanation.source.tokens):
        vectors = token_vectors(explanation.trace, i)
        cosines, text = similarity(pool, vectors), explanation.source.text
        mine = _same(own, token.id, similarity(own, vectors), "", True) if own else []
        rest = _same(pool, token.id, cosines, text, False)
        others = sorted([*mine[:1], *rest], key=lambda other: -float(other.cosines[-1]))
        missing = "" if mine or not own else checkpoint.tokenizer.token_text(token.id)
        average, near = average_similarity(pool, vectors), _nearest(pool, cosines, token.id)
        in_context.append(InContext(explanation.source.labels[i], vectors, others, average, near, missing))
    return in_context


def _same(pool: Contexts, token_id: int, cosines: Floats, text: str, typed: bool) -> list[Other]:
    """The pool's other sentences with this token that are drawn, the most similar after the last layer first."""
    same = [int(i) for i in np.flatnonzero(pool.ids == token_id) if pool.text(int(i)) != text]
    same.sort(key=lambda i: -float(cosines[-1, i]))
    drawn = same if len(same) <= NEAREST + FARTHEST else [*same[:NEAREST], *same[-FARTHEST:]]
    return [Other(shortened(pool.text(i), TYPED), cosines[:, i], pool.unit[:, i], typed) for i in drawn]


def _nearest(pool: Contexts, cosines: Floats, token_id: int) -> list[list[tuple[str, float]]]:
    """At each place the most similar whole words of the pool, each once, without the token itself."""
    nearest: list[list[tuple[str, float]]] = []
    words = np.flatnonzero(pool.whole & (pool.ids != token_id))
    for line in cosines:
        best: dict[int, tuple[str, float]] = {}
        for i in words[np.argsort(-line[words], kind="stable")]:
            if len(best) == NEIGHBOURS:
                break
            best.setdefault(int(pool.ids[i]), (pool.label(int(i)), float(line[i])))
        nearest.append(list(best.values()))
    return nearest


def _texts(p: Page, tokens: list[InContext], typed: str) -> None:
    """Notes on missing tokens and on the table, and the cosine of the least similar sentence, dimension by dimension."""

    def of_token(token: int) -> dict[str, Any]:
        here, others = tokens[token], tokens[token].others
        values = {
            "token": here.label,
            "missing": Raw("context_without" if here.missing else ""),
            "piece": here.missing,
            "none": Raw("" if others else "context_none"),
            "worked": Raw("arithmetic_context" if others else ""),
        }
        if not others:
            return values
        other = others[-1]
        return values | {"other": other.text, "first": float(other.cosines[0]), "end": float(other.cosines[-1])}

    def of_place(token: int, layer: int) -> dict[str, Any]:
        here, place = tokens[token], layer + 1
        if not here.others:
            return {}
        vector = here.vectors[place].astype(np.float64)
        one, other = vector / np.linalg.norm(vector), here.others[-1].unit[place]
        products: Doubles = one * other
        return {
            "a": float(one[0]), "b": float(other[0]), "c": float(one[1]), "d": float(other[1]), "layer": place,
            "cosine": float(products.sum()), "average": float(here.average[place]),
        }  # fmt: skip

    sections = [Section(name, f"[[{name}]]") for name in ("missing", "none")]
    keys = ("context_without", "context_none", "context_near", "arithmetic_context")
    show_arithmetic(
        p, {key: p.texts[key] for key in keys},
        PerState(("token",), p.each(of_token, "token")), PerState(("token", "layer"), p.each(of_place, "token", "layer")),
        sections=[*sections, Section("near", "context_near"), arithmetic_section("[[worked]]")],
        typed=typed, last=Raw(str(p.view.config.d_model)), layers=p.view.config.layers("encoder"),
    )  # fmt: skip


@csv_file("sentence place cosine")
def context_csv(others: Sequence[Other], average: Floats, places: Sequence[str]) -> Iterator[list[Cell]]:
    """The similarity of a token with the same one in other sentences after each layer; without a sentence, the average of all."""
    for text, cosines in [*((other.text, other.cosines) for other in others), ("", average)]:
        for place, cosine in zip(places, cosines, strict=True):
            yield [text, place, cosine]
