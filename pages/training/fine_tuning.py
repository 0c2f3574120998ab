"""What the page on learning shows of fine-tuning: a trained model learns something more, and forgets something else."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st

from pages.training.controls import TUNING_SEEN
from pages.training.curves_figure import Chart, Curve, charts
from pages.training.fine_tuning_figure import Row, Words, tuned_table
from pages.training.fine_tuning_pairs import pairs_to_learn, words_met
from pages.training.fine_tuning_run import TuningJob, settings, steered, the_held_out
from pages.training.steering import EVERY
from viz_core.analysis.divergence import marked
from viz_core.app import session
from viz_core.app.markup import Raw, number
from viz_core.app.page import Page
from viz_core.training.live import TrainingStep
from viz_core.training.pairs import Pair
from viz_core.training.tuning import BATCH, WARMUP, Evaluation, PairScore, Tuning, before
from viz_core.words import split_words

HEIGHT = 460
USUAL = 4.0
"""The loss axis reaches so far, and further only where the loss does."""


def show_tuning(p: Page) -> None:
    """The pairs, the settings, and a part of the page that alone is drawn anew while the model learns."""
    p.light("code_tuning")
    material = pairs_to_learn(p)
    if material is None:
        return
    with p.controls():
        first = TUNING_SEEN.draw(p, () if material.everyday else ("held_out", "curves"))
        asked = settings(p, material)
    job: TuningJob | None = session.get("_tuning")
    polling = bool(job and not job.resting)
    st.fragment(_draw, run_every=EVERY if polling else None)(p, asked, first, polling)
    p.write("about_tuning", learn=len(material.learn), held_out=len(material.held_out), batch=BATCH)


def _draw(p: Page, asked: Tuning, first: str, polling: bool) -> None:
    job: TuningJob | None = session.get("_tuning")
    if job:
        job.look()
    if polling == (job is None or job.resting) or session.take("_tuning_fresh"):
        st.rerun()  # of the whole page: it looks on while a model learns, and only then; or the sidebar has a new model
    tuner = job.trainer if job else None
    tuning = job.recipe if job else asked
    start = tuner.evaluations[0] if tuner else before(tuning.checkpoint, tuning.material)
    looks, measured = (list(tuner.evaluations), list(tuner.measured)) if tuner else ([start], [])
    shown = steered(p, job, asked, looks)
    beside = () if session.get("_lecture") else TUNING_SEEN.options  # the stage has room for one
    for each in (first, *(other for other in beside if other != first)):
        if each == "curves":
            _curves(p, measured, looks, shown.step if measured else None, job.until if job else TuningJob.steps)
        elif each == "held_out":
            _table(p, tuning, tuning.material.held_out, start.held_out, shown.held_out, each)
        elif start.everyday and shown.everyday:
            _table(p, tuning, tuning.material.everyday, start.everyday, shown.everyday, each)
    if measured:
        _arithmetic(p, tuning, measured[max(shown.step, 1) - 1], shown)


def _table(p: Page, tuning: Tuning, pairs: Sequence[Pair], start: PairScore, now: PairScore, what: str) -> None:
    """Of the domain's sentences it marks what is right now; of the everyday ones what is other than before."""
    language = tuning.checkpoint.target_language
    rows = [
        Row(source, right, *_marked(language, right, old, new, same=what == "held_out"))
        for (source, right), old, new in zip(pairs, start.outputs, now.outputs, strict=True)
    ]
    headings = [p.text(f"tuned_{each}") for each in (f"source_{what}", "right", "before", "now")]
    p.html(tuned_table(rows, headings=headings, mark="right" if what == "held_out" else "other", name=what, palette=p.palette))
    if not session.get("_lecture"):
        text = f"says_{what}_mixed" if what == "everyday" and tuning.mixed else f"says_{what}"
        words, met = words_met(tuning.material, tuning.checkpoint.source_language)
        p.write(
            text, count=len(pairs), first=start.right, last=now.right, before=Raw(_bleu(start)), now=Raw(_bleu(now)),
            held_out=Raw(the_held_out(p, len(pairs))), words=words, met=met,
        )  # fmt: skip


def _marked(language: str, right: str, old: str, new: str, *, same: bool) -> tuple[Words, Words]:
    """What was written before and what is written now, in words: marked is what is as in the right one, or other than before."""
    words = {text: split_words(text, language) for text in (right, old, new)}
    other = right if same else old
    before, now = (marked(words[other], text, words[text], same=same) for text in (old, new))
    return tuple([(word, on and word.isalnum()) for word, on in each] for each in (before, now))  # type: ignore[return-value]


def _curves(p: Page, measured: Sequence[TrainingStep], looks: Sequence[Evaluation], at: int | None, until: int) -> None:
    everyday = [(each.step, each.everyday) for each in looks if each.everyday]
    held_out = [(each.step, each.held_out) for each in looks]
    loss = [(each.step, each.loss) for each in measured]
    batch = Curve(p.text("name_batch"), *_points(p, "hover_batch", loss), role="k")
    losses = [batch] if measured else []
    bleus = []
    for name, points, role in (("held_out", held_out, "v"), ("everyday", everyday, "q")):
        if points:
            of_loss, of_bleu = ([(step, getattr(score, what)) for step, score in points] for what in ("loss", "bleu"))
            losses.append(Curve(p.text(name), *_points(p, "hover_tuned_loss", of_loss), role=role, dots=True))
            bleus.append(Curve(p.text(name), *_points(p, "hover_tuned_bleu", of_bleu), role=role, dots=True))
    top = max(USUAL, *(value for curve in losses for value in curve.values if np.isfinite(value)))
    drawn = [Chart(p.text("axis_loss"), losses, (0.0, top)), Chart(p.text("axis_bleu"), bleus, (0.0, 100.0))]
    span = (0.0, float(max(until, len(measured))))
    figure = charts(
        drawn, title=p.text("title_tuning"), axis=p.text("steps"), span=span, at=at, height=HEIGHT, legend=True, palette=p.palette
    )
    p.show(figure, "tuning_curves")


def _points(
    p: Page, hover: str, points: Sequence[tuple[int, float]]
) -> tuple[list[int], list[float], list[str]]:  # fmt: skip
    said = [p.text(hover, step=f"{step:,}", value=number(value)) for step, value in points]
    return [step for step, _ in points], [value for _, value in points], said


def _arithmetic(p: Page, tuning: Tuning, at: TrainingStep, shown: Evaluation) -> None:
    values = {"step": at.step, "rate": Raw(f"{tuning.learning_rate:g}"), "warmup": WARMUP, "now": at.learning_rate, "loss": at.loss}
    held_out = shown.held_out.loss
    p.arithmetic("of_tuning", **values, p=float(np.exp(-at.loss)), held_out=held_out, q=float(np.exp(-held_out)), at=shown.step)


def _bleu(score: PairScore) -> str:
    return f"{score.bleu:.1f}"
