"""Which source words a word depends on, by three methods, and which source word each word is aligned with."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from pages.why.compute import attributions, sum_by_words
from pages.why.controls import BY, explained_word
from pages.why.figures import SQUEEZED, WordLine, WordScores, source_bars, word_lines
from viz_core.analysis.alignment import LEAST, Floats, agreement, links, prediction_difference, sides, word_attention, word_losses
from viz_core.analysis.integrated_gradients import (
    Attributions,
    integrated_gradients,
    integrated_gradients_of_all,
    work_of_all,
)
from viz_core.analysis.words import groups
from viz_core.app.arithmetic import PerState, Section, arithmetic_section, show_arithmetic
from viz_core.app.cache import cached, if_cached
from viz_core.app.csv_files import array_csv
from viz_core.app.long_work import pooled
from viz_core.app.markup import Raw, markdown
from viz_core.app.page import Page
from viz_core.app.worker_process import has_many_readers
from viz_core.figures.attention import signed
from viz_core.figures.base import percent
from viz_core.figures.figure import Figure
from viz_core.figures.head_map import head_map
from viz_core.texts import enumerated
from viz_core.trace import Doubles

SHORT = 100_000_000_000
"""Multiply-adds of integrated gradients for which a reader waits: 3 s on one core of an AMD EPYC, about 12 steps of en-de."""
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

    Of a long sentence, or in a class, integrated gradients are computed for the step on display alone. Until those of all steps are
    there, another step asks for a run, while the browser shows the two other methods at once.
    """
    view, ex = p.view, p.view.explanation
    labels, positions = groups(ex.source)
    says, asked_of = p.text("computing"), (view.checkpoint.model, ex)
    losses = pooled(prediction_difference, *asked_of, says=says)
    parts = cached(attributions, *asked_of, ())
    gradients = _gradients(p, says)
    known = [gradient for gradient in gradients if gradient]
    ends = np.array([[one.value, one.baseline] for one in known] + [[one.value] * 2 for one in parts])
    if not p.known(losses, ends, *(side for one in known for side in (one.source, one.target))):
        return
    words = sum(ex.source.tokens[at[0]].word is not None for at in positions)
    keys = [sum_by_words(one.over_keys("cross"), positions) for one in parts]
    names = ("erasure", "gradients", "keys")

    def scores(step: int) -> dict[str, Doubles | None]:
        gradient = gradients[step]
        return dict(zip(names, (losses[step], gradient and sum_by_words(gradient.source, positions), keys[step]), strict=True))

    def make(step: int) -> Figure:
        drawn = [
            WordScores(p.text(name), p.table("units")[name], values, _best(values, words), p.text("awaited"))
            for name, values in scores(step).items()
        ]
        title = p.text("title_needed", word=explained_word(p, step).label, step=step + 1)
        return source_bars(labels, drawn, title=title, axis=p.text("source"), palette=p.palette)

    def values(step: int) -> dict[str, Any]:
        best = {name: _best(source_scores, words) for name, source_scores in scores(step).items()}
        sentences = [
            p.text("names_none", way=p.text(name)) if at is None else p.text("names", way=p.text(name), word=markdown(labels[at]))
            for name, at in best.items()
        ]
        erased = best["erasure"] or 0
        gradient, loss, part = gradients[step], float(losses[step, erased]), parts[step]
        common = {"word": explained_word(p, step).label, "best": labels[erased], "loss": loss, "logit": part.value}
        if not gradient:
            return {"told": "computing", "computed": "", **common}
        distance = gradient.value - gradient.baseline
        return common | {
            "told": Raw("disagree" if len(set(best.values())) > 1 else "agree_on_none" if None in best.values() else "agree"),
            "names": Raw(enumerated(sentences)),
            "computed": Raw("of_needed"),
            "value": gradient.value, "baseline": gradient.baseline, "distance": distance, "source": float(gradient.source.sum()),
            "target": float(gradient.target.sum()), "error": gradient.error,
            "share": percent(abs(gradient.error / distance)) if distance else "–", "without": gradient.value - loss,
            "cross": float(part.over_keys("cross").sum()),
        }  # fmt: skip

    computed = tuple(step for step, each in enumerate(gradients) if each)
    p.show_each(make, ("step",), key="needed", inputs=computed, alone=len(labels) <= SQUEEZED, least="wide")
    show_arithmetic(
        p, {name: p.texts[name] for name in ("agree", "agree_on_none", "disagree", "computing", "about_needed", "of_needed")},
        PerState(("step",), p.each(values, "step")),
        sections=[Section("told", "[[told]]"), Section("about", "about_needed"), arithmetic_section("[[computed]]")],
    )  # fmt: skip
    step = view.step
    columns, numbers = " ".join(["index source", *names]), [values for values in scores(step).values() if values is not None]
    p.offer(
        "scores",
        f"source-words-step{step + 1}",
        partial(array_csv, columns, [labels], *numbers),
        word=explained_word(p, step).label,
    )
    p.show_code("code_source_words")


def _gradients(p: Page, says: str) -> list[Attributions | None]:
    """Of all steps where that takes no longer than a reader waits, and few others do; else of those computed already, and of the
    step on display.
    """
    model, ex = p.view.checkpoint.model, p.view.explanation
    whole = if_cached(integrated_gradients_of_all, model, ex)
    if whole is None and work_of_all(ex) <= SHORT and not has_many_readers():
        whole = pooled(integrated_gradients_of_all, model, ex, says=says)
    if whole is not None:
        return [*whole]
    calls = [(model, ex, step.index, step.expected.id) for step in ex.steps]
    here = p.view.step
    known: list[Attributions | None] = [
        pooled(integrated_gradients, *call, says=says) if step == here else if_cached(integrated_gradients, *call)
        for step, call in enumerate(calls)
    ]
    if not all(known):
        p.follows.add("step")
    return known


def _best(values: Doubles | None, words: int) -> int | None:
    """The word with the largest score; None where no score is above 0, or none is known."""
    return int(values[:words].argmax()) if values is not None and values[:words].max() > 0 else None


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
    with lines:
        _show_lines(p, by, attention, losses)
    with map_:
        _show_agreement(p, attention, losses, len(both.source))
    p.write("about_alignment", least=f"{LEAST:g}")
    names = [f"layer{layer + 1}_head{head + 1}" for layer, head in np.ndindex(attention.shape[:2])]
    columns = " ".join(["output_index output source_index source erasure_nats", *names])
    shown = [one[:, : len(both.source)] for one in (losses, *attention.reshape(-1, *losses.shape))]
    p.offer("alignment", "alignment", partial(array_csv, columns, (both.output, both.source), *shown))
    p.show_code("code_alignment")


def _show_lines(p: Page, by: str, attention: Floats, losses: Floats) -> None:
    """The lines of the method, and the word that the step writes highlighted."""
    (title, hover), both = LINES[by], sides(p.view.explanation)
    word_of = {at: word for word, positions in enumerate(both.output_tokens) for at in positions}

    def make(step: int, layer: int = 0, head: int = 0) -> Figure:
        strengths = {"erasure_by": losses, "head_by": attention[layer, head], "mean_by": attention[layer].mean(0)}[by]
        aligned = links(strengths, len(both.source), LEAST if by == "erasure_by" else 0.0)
        most = max((link.strength for link in aligned), default=1.0)
        lines = [
            WordLine(
                link.source, link.output, link.strength / most,
                p.text(
                    hover, source=both.source[link.source], output=both.output[link.output],
                    strength=signed(link.strength) if by == "erasure_by" else percent(link.strength),
                ),
            )
            for link in aligned
        ]  # fmt: skip
        return word_lines(
            both.source, both.output, lines, title=p.text(title, layer=layer + 1, head=head + 1),
            names=(p.text("side_source"), p.text("side_output")), highlighted=word_of.get(step),
            data=[at[0] for at in both.output_tokens], palette=p.palette,
        )  # fmt: skip

    chosen = {"erasure_by": (), "head_by": (("layer", "head"),), "mean_by": (("layer",),)}[by]
    p.show_each(make, ("step",), *chosen, key="lines", inputs=(by,), clicks="step")


def _show_agreement(p: Page, attention: Floats, losses: Floats, words: int) -> None:
    """Layers × heads by how many words they align as erasure does, and the mean of each layer's heads."""
    agreed, counted = agreement(attention, losses, words)
    means = agreement(attention.mean(1), losses, words)[0]
    written = [[f"{count}" for count in row] for row in agreed.tolist()]
    hovers = [
        [p.text("hover_agreement", layer=i + 1, head=j + 1, agreed=count, counted=counted) for j, count in enumerate(row)]
        for i, row in enumerate(agreed.tolist())
    ]

    def make(layer: int, head: int) -> Figure:
        return head_map(
            agreed / max(counted, 1), written, hovers, title=p.text("title_agreement", counted=counted),
            axes=(p.text("layers"), p.text("heads")), highlighted=(layer, head), palette=p.palette,
        )  # fmt: skip

    p.show_each(make, ("layer", "head"), key="agreement", inputs=(), clicks=("layer", "head"))
    best = np.argwhere(agreed == agreed.max())
    heads = enumerated(p.text("head_of", layer=layer + 1, head=head + 1) for layer, head in best[:3].tolist())
    layers = enumerated(p.text("mean_of", layer=layer + 1, agreed=count) for layer, count in enumerate(means.tolist()))
    p.write(
        "best_head" if len(best) <= 3 else "best_heads", heads=Raw(heads), agreed=int(agreed.max()), counted=counted,
        means=Raw(layers), more=len(best) - 3,
    )  # fmt: skip
