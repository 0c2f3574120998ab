"""A token in context: its embedding is the same in each sentence; what the encoder makes of it is not."""

from dataclasses import dataclass
from typing import Annotated

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


@dataclass(frozen=True, eq=False)
class Other:
    """The same token in another sentence.

    Attributes:
        text: the sentence.   cosines: with the token on display, (places,).   start: its unit vectors, cut, (places, DIMENSIONS).
        typed: whether the reader typed the sentence.
    """

    text: str
    cosines: Floats
    start: Array
    typed: bool = False


@dataclass(frozen=True, eq=False)
class InContext:
    """One token of the sentence, compared with the same token and with others elsewhere.

    Attributes:
        label: of the token.   start: its unit vectors, cut, (places, DIMENSIONS).
        others: the same token in other sentences, the most similar after the last layer first.
        average: the mean cosine with all tokens, (places,).
        near: at each place the most similar other words, with their cosines.
        missing: the token as written in the text, if the typed sentence does not contain it.
    """

    label: str
    start: Array
    others: list[Other]
    average: Floats
    near: list[list[tuple[str, float]]]
    missing: str = ""


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
    places = [words["input"], *(fill(words["layer"], {"layer": layer}) for layer in range(1, len(here.average)))]
    compared = [*((other.text, other.cosines) for other in here.others), ("", here.average)]  # "" for the average of all
    p.offer(
        "context", f"context-{view.token + 1}", "sentence place cosine",
        lambda: ([text, *line] for text, cosines in compared for line in zip(places, cosines, strict=True)),
        token=source.labels[view.token],
    )  # fmt: skip
    p.show_code("code_context")


def in_context(checkpoint: Checkpoint, explanation: Explanation, second: Annotated[str, SECOND]) -> bytes:
    """Each source token in other sentences, as in `InContext`.

    Args:
        second: a sentence of the reader's, maybe empty.

    Raises:
        Refused: the vectors are not finite.
    """
    if not np.isfinite(_vectors(explanation)).all():
        raise Refused(404, "lacking", view="in_context")
    tokens = cached_aside(_compared, checkpoint, explanation, second)
    about = {
        "tokens": [
            {
                "label": visible(token.label),
                "start": token.start.tolist(),
                "others": [
                    {**vars(other), "text": visible(other.text), "cosines": other.cosines.tolist(), "start": other.start.tolist()}
                    for other in token.others
                ],
                "average": token.average.tolist(),
                "near": [[(visible(word), cosine) for word, cosine in near] for near in token.near],
                "missing": token.missing,
            }
            for token in tokens
        ],
        "second": second,
        "d_model": checkpoint.config.d_model,
    }
    return pack({}, about)


def _vectors(explanation: Explanation) -> Array:
    """Of all source tokens at each place, (S, places, D)."""
    return np.stack([token_vectors(explanation.trace, token) for token in range(len(explanation.source))])


def _pool(checkpoint: Checkpoint, edits: Edits, progress: Progress | None = None) -> Contexts:
    return contexts(checkpoint, pool_sentences(checkpoint.source_language), edits, progress)


def _compared(checkpoint: Checkpoint, explanation: Explanation, typed: str) -> list[InContext]:
    """Each token of the source."""
    pool = cached(_pool, checkpoint, explanation.edits)
    own = cached(contexts, checkpoint, (typed,), explanation.edits) if typed else None
    in_context = []
    for token, vectors in zip(explanation.source.tokens, _vectors(explanation), strict=True):
        cosines = similarity(pool, vectors)
        mine = _same(own, token.id, similarity(own, vectors), "", True) if own else []
        rest = _same(pool, token.id, cosines, explanation.source.text, False)
        others = sorted([*mine[:1], *rest], key=lambda other: -float(other.cosines[-1]))
        start = vectors[:, :DIMENSIONS] / np.linalg.norm(vectors.astype(np.float64), axis=-1, keepdims=True)
        missing = "" if mine or not own else checkpoint.tokenizer.token_text(token.id)
        average, near = average_similarity(pool, vectors), _nearest(pool, cosines, token.id)
        in_context.append(InContext(token.label, start, others, average, near, missing))
    return in_context


def _same(pool: Contexts, token_id: int, cosines: Floats, text: str, typed: bool) -> list[Other]:
    """The pool's other sentences with this token that are drawn, the most similar after the last layer first."""
    same = [int(i) for i in np.flatnonzero(pool.ids == token_id) if pool.text(int(i)) != text]
    same.sort(key=lambda i: -float(cosines[-1, i]))
    drawn = same if len(same) <= NEAREST + FARTHEST else [*same[:NEAREST], *same[-FARTHEST:]]
    return [Other(pool.text(i), cosines[:, i], pool.unit[:, i, :DIMENSIONS], typed) for i in drawn]


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
