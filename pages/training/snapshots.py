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
from viz_core.checkpoint import Checkpoint
from viz_core.figures.base import percent
from viz_core.figures.head_map import LensCell, lens_map
from viz_core.figures.table import Drawn, draws_table
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


def _snapshots(trained: Checkpoint) -> tuple[tuple[int | None, Checkpoint], ...]:
    """The model after each saved step, and at the end of its training."""
    kept = snapshots.saved_steps(models.folder(trained))
    return (*((step, models.get_checkpoint(f"{trained.name}{snapshots.AT}{step}")) for step in kept), (None, trained))


def show_snapshots(p: Page) -> None:
    """The probability of every correct token after so many steps, and what each of these models writes on its own."""
    trained = models.get_checkpoint(snapshots.split_name(p.view.checkpoint.name)[0])
    if not snapshots.saved_steps(models.folder(trained)):
        _offer(p)
        return
    correct = get_explanation(trained, session.get("text"), session.get("target") or "")
    predictions = cached(predictions_of, _snapshots(trained), correct)
    names = [_name(p, prediction) for prediction in predictions]
    shown = snapshots.split_name(p.view.checkpoint.name)[1]
    now = next((i for i, prediction in enumerate(predictions) if prediction.step == shown), len(predictions) - 1)
    step = min(p.view.step, len(correct.steps) - 1)
    first = min(max(step - COLUMNS // 2, 0), max(len(correct.steps) - COLUMNS, 0))
    places = range(first, min(first + COLUMNS, len(correct.steps)))
    labels = [correct.output[t].label for t in places]
    rows = [[_cell(p, prediction, t, correct.output[t].id, correct.output[t].label) for t in places] for prediction in predictions]
    title = p.text("title_stage" if session.get("_lecture") else "title_snapshots")
    figure = lens_map(
        rows,
        names,
        labels,
        title=title,
        axes=(p.text("axis_steps"), p.text("axis_correct")),
        highlighted=now,
        tall=ROW,
        palette=p.palette,
    )
    p.show(figure, "snapshots")
    if len(correct.steps) > COLUMNS:
        p.write("around", first=first + 1, last=places[-1] + 1, count=len(correct.steps))
    p.write("framed")
    go = (trained.name, str(predictions[0].step))
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(p.texts["scrub_there"], key="_snapshots_go", type="primary", on_click=_go, args=go)
        p.write("how_scrub")
    p.html(_table(p, predictions, names, now))
    _arithmetic(p, predictions[now], step, correct.output[step].label)
    p.offer("snapshots", "snapshots", partial(snapshots_csv, predictions, correct, p.view.checkpoint.tokenizer))
    p.show_code("code_snapshots")


def _offer(p: Page) -> None:
    """The models that have snapshots, one click away."""
    p.write("none_kept", model=snapshots.split_name(p.view.checkpoint.name)[0])
    for name in models.usable()[0]:
        if snapshots.saved_steps(models.folder(models.get_checkpoint(name))):
            st.button(p.text("use_kept", model=name), key=f"_snapshots_{name}", on_click=session.change, kwargs={"model": name})


def _go(model: str, step: str) -> None:
    session.change(model=model, snapshot=step, reads=snapshot_options.SAME, _go="cross_attention")


def _name(p: Page, prediction: SnapshotPrediction) -> str:
    return p.text("after_all") if prediction.step is None else f"{prediction.step:,}"


def _when(p: Page, prediction: SnapshotPrediction) -> str:
    return (
        p.text("at_end")
        if prediction.step is None
        else p.text("after", step=f"{prediction.step:,}")
        if prediction.step
        else p.text("untrained")
    )


def _cell(p: Page, prediction: SnapshotPrediction, t: int, wanted: int, label: str) -> LensCell:
    share, best = float(np.exp(np.float64(prediction.log_probs[t]))), prediction.best[t]
    instead = vocabulary_label(p.view.checkpoint.tokenizer, best)
    said = {"step": _when(p, prediction), "token": label, "share": percent(share), "instead": instead}
    hover = p.text("hover_right" if best == wanted else "hover_wrong", **said)
    short = instead if len(instead) <= LETTERS else f"{instead[: LETTERS - 1]}…"
    amount = percent(share) if share >= LEAST else p.text("under", share=percent(LEAST))
    return LensCell(
        (amount, "" if best == wanted or session.get("_lecture") else f"({short})"), share, hover, highlighted=best == wanted
    )


def _table(p: Page, predictions: tuple[SnapshotPrediction, ...], names: list[str], now: int) -> str:
    rows = []
    for prediction, name in zip(predictions, names, strict=True):
        rows.append(
            Drawn(name, [(_written(p, prediction), False)], number(prediction.loss), percent(float(np.exp(-prediction.loss))))
        )
    headings = list(p.table("snapshot_columns").values())
    return draws_table(rows, headings=headings, highlighted=now, palette=p.palette)


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
