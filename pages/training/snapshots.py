"""What the page on learning shows of one sentence along the training: what was written when, and when each word became sure."""

from __future__ import annotations

import numpy as np
import streamlit as st

from pages.training.compute import Stop, way
from viz_core.analysis.next_token import vocabulary_label
from viz_core.app import models, session
from viz_core.app import snapshots as shown_along
from viz_core.app.cache import cached, get_explanation
from viz_core.app.markup import Raw, number, shortened, tex
from viz_core.app.page import Page
from viz_core.checkpoint import Checkpoint
from viz_core.figures.base import percent
from viz_core.figures.draws import Drawn, draws_table
from viz_core.figures.lens import LensCell, lens_map
from viz_core.training import snapshots

COLUMNS = 12
"""Tokens beside each other that can be read; of a longer sentence those around the current step."""
ROW = 52
"""Pixels of a row: all of them in the first view."""
LEAST = 0.001
"""Smaller probabilities have their digits in the hover."""
LETTERS = 9
"""Of a token in a cell."""
LONGEST = 90
"""Letters of a translation in the table: an untrained model does not end."""


def _stops(trained: Checkpoint) -> tuple[tuple[int | None, Checkpoint], ...]:
    """The model after each kept step, and at the end of its training."""
    kept = snapshots.saved_steps(models.folder(trained))
    return (*((step, models.get_checkpoint(f"{trained.name}{snapshots.AT}{step}")) for step in kept), (None, trained))


def show_snapshots(p: Page) -> None:
    """The probability of every right token after so many steps, and what each of these models writes by itself."""
    trained = models.get_checkpoint(snapshots.split_name(p.view.checkpoint.name)[0])
    if not snapshots.saved_steps(models.folder(trained)):
        _offer(p)
        return
    right = get_explanation(trained, session.get("text"), session.get("target") or "")
    stops = cached(way, _stops(trained), right)
    names = [_name(p, stop) for stop in stops]
    now = next((i for i, stop in enumerate(stops) if stop.step == snapshots.split_name(p.view.checkpoint.name)[1]), len(stops) - 1)
    step = min(p.view.step, len(right.steps) - 1)
    first = min(max(step - COLUMNS // 2, 0), max(len(right.steps) - COLUMNS, 0))
    places = range(first, min(first + COLUMNS, len(right.steps)))
    labels = [right.output[t].label for t in places]
    rows = [[_cell(p, stop, t, right.output[t].id, right.output[t].label) for t in places] for stop in stops]
    title = p.text("title_stage" if session.get("_lecture") else "title_way")
    figure = lens_map(
        rows,
        names,
        labels,
        title=title,
        axes=(p.text("axis_steps"), p.text("axis_way")),
        highlighted=now,
        tall=ROW,
        palette=p.palette,
    )
    p.show(figure, "way")
    if len(right.steps) > COLUMNS:
        p.write("around", first=first + 1, last=places[-1] + 1, count=len(right.steps))
    p.write("framed")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(p.texts["scrub_there"], key="_way_go", type="primary", on_click=_go, args=(trained.name, str(stops[0].step)))
        p.write("how_scrub")
    p.html(_table(p, stops, names, now))
    _arithmetic(p, stops[now], step, right.output[step].label)
    p.light("code_way")


def _offer(p: Page) -> None:
    """The models of which steps were kept, one click away."""
    p.write("none_kept", model=snapshots.split_name(p.view.checkpoint.name)[0])
    for name in models.usable()[0]:
        if snapshots.saved_steps(models.folder(models.get_checkpoint(name))):
            st.button(p.text("take_kept", model=name), key=f"_way_{name}", on_click=session.change, kwargs={"model": name})


def _go(model: str, step: str) -> None:
    session.change(model=model, snapshot=step, reads=shown_along.SAME, _go="cross_attention")


def _name(p: Page, stop: Stop) -> str:
    return p.text("after_all") if stop.step is None else f"{stop.step:,}"


def _when(p: Page, stop: Stop) -> str:
    return p.text("at_end") if stop.step is None else p.text("after", step=f"{stop.step:,}") if stop.step else p.text("untrained")


def _cell(p: Page, stop: Stop, t: int, wanted: int, label: str) -> LensCell:
    share, best = float(np.exp(np.float64(stop.log_probs[t]))), stop.best[t]
    instead = vocabulary_label(p.view.checkpoint.tokenizer, best)
    said = {"step": _when(p, stop), "token": label, "share": percent(share), "instead": instead}
    hover = p.text("hover_right" if best == wanted else "hover_wrong", **said)
    short = instead if len(instead) <= LETTERS else f"{instead[: LETTERS - 1]}…"
    amount = percent(share) if share >= LEAST else p.text("under", share=percent(LEAST))
    return LensCell(
        (amount, "" if best == wanted or session.get("_lecture") else f"({short})"), share, hover, highlighted=best == wanted
    )


def _table(p: Page, stops: tuple[Stop, ...], names: list[str], now: int) -> str:
    rows = []
    for stop, name in zip(stops, names, strict=True):
        rows.append(Drawn(name, [(_written(p, stop), False)], number(stop.loss), percent(float(np.exp(-stop.loss)))))
    headings = [p.text(name) for name in ("column_steps", "column_writes", "column_loss", "column_share")]
    return draws_table(rows, headings=headings, highlighted=now, palette=p.palette)


def _written(p: Page, stop: Stop) -> str:
    """What it writes, or, where that spells nothing, its tokens by name."""
    tokenizer = p.view.checkpoint.tokenizer
    text = tokenizer.decode(stop.written)
    text = text if text.strip() else " ".join(map(tokenizer.token_text, stop.written))
    return shortened(text, LONGEST)


def _arithmetic(p: Page, stop: Stop, step: int, label: str) -> None:
    total = -float(stop.log_probs.astype(np.float64).sum())
    p.arithmetic(
        "of_way", name=Raw(_when(p, stop)), count=len(stop.log_probs), total=total, loss=stop.loss, at=step + 1, token=tex(label),
        share=float(np.exp(-stop.loss)), log=float(stop.log_probs[step]),
    )  # fmt: skip
