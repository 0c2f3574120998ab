"""Which source words a word depends on, by three methods, and which source word each word is aligned with."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from pages.why.compute import sum_by_words
from pages.why.controls import BY, asked
from pages.why.figures import WordLine, WordScores, source_bars, word_lines
from viz_core.analysis.alignment import LEAST, Floats, agreement, links, prediction_difference, sides, word_attention, word_losses
from viz_core.analysis.integrated_gradients import integrated_gradients
from viz_core.analysis.logits import logit_attribution
from viz_core.analysis.words import groups
from viz_core.app.csv_files import array_csv
from viz_core.app.long_work import pooled
from viz_core.app.markup import Raw, markdown
from viz_core.app.page import Page
from viz_core.figures.attention import signed
from viz_core.figures.base import percent
from viz_core.figures.head_map import head_map
from viz_core.texts import enumerated

LINES: Mapping[str, tuple[str, str]] = {
    "erasure_by": ("title_erasure_by", "hover_erasure_by"),
    "head_by": ("title_head_by", "hover_head_by"),
    "mean_by": ("title_mean_by", "hover_mean_by"),
}
"""The texts of the figure's title and of a line, by the method that draws the lines."""


def show_source_words(p: Page, row: Any) -> None:
    """The score of every source word by all three methods, and the word that each of them names.

    Over 460 tokens of 40 sentences with the shipped model, where some word's erasure costs LEAST (`analysis.alignment`), logit
    attribution names the word that erasure names for 86 %.
    """
    view, word = p.view, asked(p)
    labels, positions = groups(view.explanation.source)
    says, asked_of = p.text("computing"), (view.checkpoint.model, view.explanation)
    losses = pooled(prediction_difference, *asked_of, says=says)[view.step]
    gradients = pooled(integrated_gradients, *asked_of, view.step, word.id, says=says)
    parts = logit_attribution(view.checkpoint.model, view.trace, view.step, word.id)
    if not p.known(losses, gradients.source, gradients.target, np.array([gradients.value, gradients.baseline, parts.value])):
        return
    scores = {
        "erasure": losses,
        "gradients": sum_by_words(gradients.source, positions),
        "keys": sum_by_words(parts.over_keys("cross"), positions),
    }
    words = sum(view.explanation.source.tokens[at[0]].word is not None for at in positions)
    best = {name: int(values[:words].argmax()) if values[:words].max() > 0 else None for name, values in scores.items()}
    drawn = [WordScores(p.text(name), p.table("units")[name], values, best[name]) for name, values in scores.items()]
    figure = source_bars(
        labels, drawn, title=p.text("title_needed", word=word.label, step=view.step + 1), axis=p.text("source"), palette=p.palette
    )
    p.show(figure, "needed", least="wide")
    said = [p.text("names", way=p.text(name), word=markdown(labels[at]) if at is not None else "–") for name, at in best.items()]
    p.write("agree" if len(set(best.values())) == 1 else "disagree", names=Raw(enumerated(said)))
    p.write("about_needed")
    distance = gradients.value - gradients.baseline
    p.arithmetic(
        "of_needed", word=word.label, value=gradients.value, baseline=gradients.baseline, distance=distance,
        source=float(gradients.source.sum()), target=float(gradients.target.sum()), error=gradients.error,
        share=percent(abs(gradients.error / distance)) if distance else "–",
        best=labels[best["erasure"] or 0], without=gradients.value - float(losses[best["erasure"] or 0]),
        loss=float(losses[best["erasure"] or 0]), cross=float(parts.over_keys("cross").sum()), logit=parts.value,
    )  # fmt: skip
    columns = " ".join(["index source", *scores])
    p.offer("scores", f"source-words-step{view.step + 1}", partial(array_csv, columns, [labels], *scores.values()), word=word.label)
    p.show_code("code_source_words")


def show_alignment(p: Page, row: Any) -> None:
    """Lines between the two sentences; beside them, how often each head agrees with erasure."""
    view, ex = p.view, p.view.explanation
    with row:
        by = BY.draw(p)
    both = sides(ex)
    if not both.output:
        p.write("no_words")
        return
    losses = pooled(word_losses, view.checkpoint.model, ex, says=p.text("computing"))
    attention = word_attention(ex)
    if not p.known(losses, attention):
        return
    lines, map_ = st.columns([9, 11], gap="medium")
    strengths = {"erasure_by": losses, "head_by": attention[view.layer, view.head], "mean_by": attention[view.layer].mean(0)}[by]
    with lines:
        _show_lines(p, by, strengths)
    with map_:
        _show_agreement(p, attention, losses, len(both.source))
    p.write("about_alignment", least=f"{LEAST:g}")
    names = [f"layer{layer + 1}_head{head + 1}" for layer, head in np.ndindex(attention.shape[:2])]
    columns = " ".join(["output_index output source_index source erasure_nats", *names])
    shown = [each[:, : len(both.source)] for each in (losses, *attention.reshape(-1, *losses.shape))]
    p.offer("alignment", "alignment", partial(array_csv, columns, (both.output, both.source), *shown))
    p.show_code("code_alignment")


def _show_lines(p: Page, by: str, strengths: Floats) -> None:
    title, hover = LINES[by]
    both = sides(p.view.explanation)
    found = links(strengths, len(both.source), LEAST if by == "erasure_by" else 0.0)
    most = max((link.strength for link in found), default=1.0)
    lines = [
        WordLine(
            link.source, link.output, link.strength / most,
            p.text(
                hover, source=both.source[link.source], output=both.output[link.output],
                strength=signed(link.strength) if by == "erasure_by" else percent(link.strength),
            ),
        )
        for link in found
    ]  # fmt: skip
    highlighted = next((word for word, at in enumerate(both.output_tokens) if p.view.step in at), None)
    figure = word_lines(
        both.source, both.output, lines, title=p.text(title, layer=p.view.layer + 1, head=p.view.head + 1),
        names=(p.text("side_source"), p.text("side_output")), highlighted=highlighted,
        data=[at[0] for at in both.output_tokens], palette=p.palette,
    )  # fmt: skip
    p.show(figure, "lines", clicks="step")


def _show_agreement(p: Page, attention: Floats, losses: Floats, words: int) -> None:
    """Layers × heads by how many words they align as erasure does, and the mean of each layer's heads."""
    agreed, counted = agreement(attention, losses, words)
    means = agreement(attention.mean(1), losses, words)[0]
    written = [[f"{count}" for count in row] for row in agreed.tolist()]
    said = [
        [p.text("hover_agreement", layer=i + 1, head=j + 1, agreed=count, counted=counted) for j, count in enumerate(row)]
        for i, row in enumerate(agreed.tolist())
    ]
    figure = head_map(
        agreed / max(counted, 1), written, said, title=p.text("title_agreement", counted=counted),
        axes=(p.text("layers"), p.text("heads")), highlighted=(p.view.layer, p.view.head), palette=p.palette,
    )  # fmt: skip
    p.show(figure, "agreement", clicks=("layer", "head"))
    best = np.argwhere(agreed == agreed.max())
    heads = enumerated(p.text("head_of", layer=layer + 1, head=head + 1) for layer, head in best[:3].tolist())
    layers = enumerated(p.text("mean_of", layer=layer + 1, agreed=count) for layer, count in enumerate(means.tolist()))
    p.write(
        "best_head" if len(best) <= 3 else "best_heads", heads=Raw(heads), agreed=int(agreed.max()), counted=counted,
        means=Raw(layers), more=len(best) - 3,
    )  # fmt: skip
