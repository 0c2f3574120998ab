"""Which source words a word depends on, by three methods: erasure, integrated gradients, logit attribution."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from pages.why.candidates import asked
from pages.why.compute import sum_by_words
from pages.why.figures import WordScores, source_bars
from viz_core.analysis.erasure import prediction_difference
from viz_core.analysis.integrated_gradients import integrated_gradients
from viz_core.analysis.logit_attribution import logit_attribution
from viz_core.analysis.words import groups
from viz_core.app.cache import cached
from viz_core.app.csv_files import array_csv
from viz_core.app.markup import Raw, markdown
from viz_core.app.page import Page
from viz_core.figures.base import percent


def show_source_words(p: Page, row: Any) -> None:
    """Every source word by all three methods, and the word that each of them names.

    Over 460 tokens of 40 sentences with the shipped model, where some word's erasure costs LEAST (`analysis.alignment`), logit
    attribution names the word that erasure names for 86 %.
    """
    view, word = p.view, asked(p)
    labels, positions = groups(view.explanation.source)
    with st.spinner(p.text("computing")):
        losses = cached(prediction_difference, view.checkpoint.model, view.explanation)[view.step]
        gradients = cached(integrated_gradients, view.checkpoint.model, view.explanation, view.step, word.id, entries=96)
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
    p.show(figure, "needed")
    said = [p.text("names", way=p.text(name), word=markdown(labels[at]) if at is not None else "–") for name, at in best.items()]
    p.write("agree" if len(set(best.values())) == 1 else "disagree", names=Raw(", ".join(said)))
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
