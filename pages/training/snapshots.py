"""One sentence under each snapshot of the training: the probability of each correct token, and the model's own output."""

from __future__ import annotations

from functools import partial

import numpy as np
import streamlit as st

from pages.training.compute import SnapshotPrediction, predictions_of
from pages.training.downloads import snapshots_csv
from viz_core.analysis.next_token import vocabulary_label
from viz_core.app import models, session
from viz_core.app import snapshots as snapshot_options
from viz_core.app.cache import cached, get_explanation
from viz_core.app.markup import Raw, number, shortened, tex
from viz_core.app.page import Page
from viz_core.figures.base import clipped, percent
from viz_core.figures.head_map import LensCell, lens_map
from viz_core.figures.table import Drawn, draws_table
from viz_core.tokens import Token
from viz_core.training import snapshots

COLUMNS = 12
"""Tokens side by side that can be read; of a longer sentence those around the current step."""
ROW = 52
"""Height of a row in px, at which all rows fit the first view."""
LEAST = 0.001
"""Smaller probabilities are shown in the hover alone."""
LETTERS = 9
"""Letters of a token in a cell."""
OUTPUT_LENGTH = 90
"""Characters of an output in the table: an untrained model does not end."""


def show_snapshots(p: Page) -> None:
    """The probability of every correct token after so many steps, and what each of these models writes on its own."""
    trained = models.get_checkpoint(snapshots.split_name(p.view.checkpoint.name)[0])
    saved = snapshots.saved_steps(models.folder(trained))
    if not saved:
        _offer(p)
        return
    correct = get_explanation(trained, session.get("text"), session.get("target") or "")
    stages = (*((step, models.get_checkpoint(f"{trained.name}{snapshots.AT}{step}")) for step in saved), (None, trained))
    predictions = cached(predictions_of, stages, correct)
    names = [p.text("after_all") if each.step is None else f"{each.step:,}" for each in predictions]
    shown = snapshots.split_name(p.view.checkpoint.name)[1]
    now = next((i for i, each in enumerate(predictions) if each.step == shown), len(predictions) - 1)
    count, step = len(correct.steps), min(p.view.step, len(correct.steps) - 1)
    first = min(max(step - COLUMNS // 2, 0), max(count - COLUMNS, 0))
    places = range(first, min(first + COLUMNS, count))
    rows = [[_cell(p, each, t, correct.output[t]) for t in places] for each in predictions]
    figure = lens_map(
        rows, names, [correct.output[t].label for t in places],
        title=p.text("title_stage" if session.get("_lecture") else "title_snapshots"),
        axes=(p.text("axis_steps"), p.text("axis_correct")), highlighted=now, tall=ROW, palette=p.palette,
    )  # fmt: skip
    p.show(figure, "snapshots")
    if count > COLUMNS:
        p.write("around", first=first + 1, last=places[-1] + 1, count=count)
    p.write("framed")
    there = {"model": trained.name, "snapshot": str(saved[0]), "reads": snapshot_options.SAME, "_go": "cross_attention"}
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(p.texts["scrub_there"], key="_snapshots_go", type="primary", on_click=session.change, kwargs=there)
        p.write("how_scrub")
    outputs = [
        Drawn(name, [(_written(p, each), False)], number(each.loss), percent(float(np.exp(-each.loss))))
        for each, name in zip(predictions, names, strict=True)
    ]
    p.html(draws_table(outputs, headings=list(p.table("snapshot_columns").values()), highlighted=now, palette=p.palette))
    _arithmetic(p, predictions[now], step, correct.output[step].label)
    p.offer("snapshots", "snapshots", partial(snapshots_csv, predictions, correct, p.view.checkpoint.tokenizer))
    p.show_code("code_snapshots")


def _offer(p: Page) -> None:
    p.write("none_kept", model=snapshots.split_name(p.view.checkpoint.name)[0])
    for name in models.usable()[0]:
        if snapshots.saved_steps(models.folder(models.get_checkpoint(name))):
            st.button(p.text("use_kept", model=name), key=f"_snapshots_{name}", on_click=session.change, kwargs={"model": name})


def _when(p: Page, prediction: SnapshotPrediction) -> str:
    if prediction.step is None:
        return p.text("at_end")
    return p.text("after", step=f"{prediction.step:,}") if prediction.step else p.text("untrained")


def _cell(p: Page, prediction: SnapshotPrediction, t: int, correct: Token) -> LensCell:
    share, right = float(np.exp(np.float64(prediction.log_probs[t]))), prediction.best[t] == correct.id
    instead = vocabulary_label(p.view.checkpoint.tokenizer, prediction.best[t])
    said = {"step": _when(p, prediction), "token": correct.label, "share": percent(share), "instead": instead}
    amount = percent(share) if share >= LEAST else p.text("under", share=percent(LEAST))
    below = "" if right or session.get("_lecture") else f"({clipped(instead, LETTERS)})"
    return LensCell((amount, below), share, p.text("hover_right" if right else "hover_wrong", **said), highlighted=right)


def _written(p: Page, prediction: SnapshotPrediction) -> str:
    """Its output, or, where that is blank, its tokens by name."""
    tokenizer = p.view.checkpoint.tokenizer
    text = tokenizer.decode(prediction.written)
    text = text if text.strip() else " ".join(map(tokenizer.token_text, prediction.written))
    return shortened(text, OUTPUT_LENGTH)


def _arithmetic(p: Page, prediction: SnapshotPrediction, step: int, label: str) -> None:
    total = -float(prediction.log_probs.astype(np.float64).sum())
    p.arithmetic(
        "of_snapshot", name=Raw(_when(p, prediction)), count=len(prediction.log_probs), total=total, loss=prediction.loss,
        at=step + 1, token=tex(label), share=float(np.exp(-prediction.loss)), log=float(prediction.log_probs[step]),
    )  # fmt: skip
