"""A token in context: its embedding is the same in each sentence; what the encoder makes of it is not."""

from typing import Annotated, Any

import numpy as np

from pages.embeddings.controls import SECOND
from viz_core.analysis.contexts import Contexts, average_similarity, contexts, pool_sentences, similarity, token_vectors
from viz_core.app.answers import Refused
from viz_core.app.arithmetic import Section, arithmetic_section, show_arithmetic
from viz_core.app.cache import cached, cached_aside
from viz_core.app.long_work import pooled
from viz_core.app.page import Page
from viz_core.browser.pack import pack
from viz_core.checkpoint import Checkpoint
from viz_core.edits import Edits
from viz_core.explain import Explanation
from viz_core.progress import Progress
from viz_core.texts import fill, texts, visible
from viz_core.trace import Array, Floats

NEAREST, FARTHEST = 3, 3
"""How many of the other sentences with the token are drawn: the most and the least similar."""
NEIGHBOURS = 5
"""Other tokens in each column of the table."""
DIMENSIONS = 2
"""How many products of a cosine the arithmetic writes out."""


def show_context(p: Page) -> None:
    """How similar the picked token is to the same token elsewhere, and which others come close."""
    view, source = p.view, p.view.explanation.source
    with p.controls():
        typed = SECOND.draw(p, "").strip()
    if not p.known(_vectors(view.explanation)):
        return
    pooled(_pool, view.checkpoint, view.explanation.edits, says=p.text("computing_context"))
    p.answer(in_context, chosen_by=("layer",), second=typed)
    p.answer(in_context, part="context_table", second=typed)
    show_arithmetic(
        p, {name: p.texts["in_context"][name] for name in ("without", "none", "near", "arithmetic")}, figure="in_context",
        sections=[
            Section("missing", "[[missing]]"), Section("none", "[[none]]"), Section("near", "near"),
            arithmetic_section("[[computed]]"),
        ],
    )  # fmt: skip
    here = cached(_compared, view.checkpoint, view.explanation, typed)[view.token]
    words = texts("embeddings.in_context")
    places = [words["input"], *(fill(words["layer"], {"layer": layer}) for layer in range(1, len(here["average"])))]
    compared = [*((other["text"], other["cosines"]) for other in here["others"]), ("", here["average"])]  # "": the average
    p.offer(
        "context", f"context-{view.token + 1}", "sentence place cosine",
        lambda: ([text, *line] for text, cosines in compared for line in zip(places, cosines, strict=True)),
        token=source.labels[view.token],
    )  # fmt: skip
    p.show_code("code_context")


def in_context(checkpoint: Checkpoint, explanation: Explanation, second: Annotated[str, SECOND]) -> bytes:
    """Each source token in other sentences. second: a sentence of the reader's, maybe empty.

    About: tokens, of each its label; start, its unit vectors, cut, (places, DIMENSIONS); others, the same token in other
    sentences, the most similar after the last layer first: text, cosines with this one (places,), start, and whether it was typed;
    average, the mean cosine with all tokens, (places,); near, at each place the most similar other words, with their cosines;
    missing, the token as written in the text, if the typed sentence does not contain it.

    Raises:
        Refused: the vectors are not finite.
    """
    if not np.isfinite(_vectors(explanation)).all():
        raise Refused(404, "lacking", view="in_context")
    tokens = cached_aside(_compared, checkpoint, explanation, second)
    return pack({}, {"tokens": tokens, "second": second, "d_model": checkpoint.config.d_model})


def _vectors(explanation: Explanation) -> Array:
    """Of all source tokens at each place, (S, places, D)."""
    return np.stack([token_vectors(explanation.trace, token) for token in range(len(explanation.source))])


def _pool(checkpoint: Checkpoint, edits: Edits, progress: Progress | None = None) -> Contexts:
    return contexts(checkpoint, pool_sentences(checkpoint.source_language), edits, progress)


def _compared(checkpoint: Checkpoint, explanation: Explanation, typed: str) -> list[dict[str, Any]]:
    """Each token of the source."""
    pool = cached(_pool, checkpoint, explanation.edits)
    own = cached(contexts, checkpoint, (typed,), explanation.edits) if typed else None
    compared = []
    for token, vectors in zip(explanation.source.tokens, _vectors(explanation), strict=True):
        cosines = similarity(pool, vectors)
        mine = _same(own, token.id, similarity(own, vectors), "", True) if own else []
        rest = _same(pool, token.id, cosines, explanation.source.text, False)
        start = vectors[:, :DIMENSIONS] / np.linalg.norm(vectors.astype(np.float64), axis=-1, keepdims=True)
        about = {
            "label": visible(token.label),
            "others": sorted([*mine[:1], *rest], key=lambda other: -float(other["cosines"][-1])),
            "start": start,
            "average": average_similarity(pool, vectors),
            "near": _nearest(pool, cosines, token.id),
            "missing": "" if mine or not own else checkpoint.tokenizer.token_text(token.id),
        }
        compared.append(about)
    return compared


def _same(pool: Contexts, token_id: int, cosines: Floats, text: str, typed: bool) -> list[dict[str, Any]]:
    """The pool's other sentences with this token that are drawn, the most similar after the last layer first."""
    same = [int(i) for i in np.flatnonzero(pool.ids == token_id) if pool.text(int(i)) != text]
    same.sort(key=lambda i: -float(cosines[-1, i]))
    drawn = same if len(same) <= NEAREST + FARTHEST else [*same[:NEAREST], *same[-FARTHEST:]]
    return [
        {"text": visible(pool.text(i)), "cosines": cosines[:, i], "start": pool.unit[:, i, :DIMENSIONS], "typed": typed}
        for i in drawn
    ]


def _nearest(pool: Contexts, cosines: Floats, token_id: int) -> list[list[tuple[str, float]]]:
    """At each place the most similar whole words of the pool, each once, without the token itself."""
    nearest: list[list[tuple[str, float]]] = []
    words = np.flatnonzero(pool.whole & (pool.ids != token_id))
    for line in cosines:
        best: dict[int, tuple[str, float]] = {}
        for i in words[np.argsort(-line[words], kind="stable")]:
            if len(best) == NEIGHBOURS:
                break
            best.setdefault(int(pool.ids[i]), (visible(pool.label(int(i))), float(line[i])))
        nearest.append(list(best.values()))
    return nearest
