"""Attention rollout (Abnar & Zuidema 2020), from the word back through all layers to the source."""

from typing import Any

import numpy as np

from pages.why.controls import explained_word
from pages.why.logits import sum_by_words
from viz_core.analysis.rollout import mean_attention, rollout
from viz_core.analysis.words import groups
from viz_core.app.arithmetic import Section, arithmetic_section, show_arithmetic
from viz_core.app.csv_files import Lines, cells
from viz_core.app.page import Page
from viz_core.browser.pack import pack
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation
from viz_core.texts import visible
from viz_core.trace import Kind

KINDS: tuple[Kind, ...] = ("self", "masked", "cross")


def show_rollout(p: Page, row: Any) -> None:
    """The strongest edges back to the source, and the share of each source word at a step beside that at all steps."""
    view, ex = p.view, p.view.explanation
    if not p.known(*(mean_attention(view.trace, kind) for kind in KINDS)):
        return
    p.answer(attention_rollout)
    p.write("colours")
    p.answer(attention_rollout, part="rollout_shares")
    notes = ["drawn", "about_flow", *(["no_residual"] if ex.edits.no_residual else [])]
    show_arithmetic(
        p, {name: p.texts[name] for name in (*notes, "of_flow")}, figure="attention_rollout",
        sections=[*(Section(name, name) for name in notes), arithmetic_section("of_flow")],
        layers=view.config.layers("decoder"),
    )  # fmt: skip
    step, word = view.step, explained_word(p, view.step)
    columns = "edge layer from_index from to_index to share"
    p.offer("edges", f"rollout-step{step + 1}", columns, lambda: _edges(ex, step), word=word)
    columns = "index source share_percent mean_of_all_steps_percent"
    p.offer("shares", f"rollout-words-step{step + 1}", columns, lambda: _shares(ex, step), word=word)
    p.show_code("code_rollout")


def attention_rollout(checkpoint: Checkpoint, explanation: Explanation) -> bytes:
    """The weights that are rolled out; the browser derives the edges and shares of a step (`browser/rolled.ts`).

    Tensors: self (L, S, S), masked (L, T, T), cross (L, T, S), averaged over the heads.

    About: words, of the source; owners, the word of each source token; target, the tokens read; written, the token of each step.
    """
    labels, positions = groups(explanation.source)
    about = {
        "words": [visible(label) for label in labels],
        "owners": [word for word, tokens in enumerate(positions) for _ in tokens],
        "target": [visible(label) for label in explanation.target.labels],
        "written": [visible(step.expected.label) for step in explanation.steps],
    }
    return pack({kind: mean_attention(explanation.trace, kind) for kind in KINDS}, about)


def _shares(explanation: Explanation, step: int) -> Lines:
    labels, positions = groups(explanation.source)
    sources = np.stack([rollout(explanation.trace, one.index).source for one in explanation.steps])
    shares = 100 * sum_by_words(sources, positions)  # (T, words)
    return cells([labels], shares[step], shares.mean(0))


def _edges(explanation: Explanation, step: int) -> Lines:
    """The edges of a rollout, the strongest first: from the position above a layer to the one below it.

    A source word gets the sum of its tokens' shares.
    """
    rolled, target, (source, words) = rollout(explanation.trace, step), explanation.target.labels, groups(explanation.source)
    encoder = sum_by_words(sum_by_words(rolled.encoder, words).mT, words).mT
    legs = {
        "cross": (sum_by_words(rolled.cross, words), target, source),
        "masked": (rolled.masked, target, target),
        "encoder": (encoder, source, source),
    }
    edges = [[leg, *line] for leg, (shares, *ends) in legs.items() for line in cells([None, *ends], shares, where=shares > 0)]
    return sorted(edges, key=lambda edge: -edge[-1])
