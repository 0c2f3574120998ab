"""The loss of this sentence with teacher forcing, position by position."""

from __future__ import annotations

from functools import partial

import numpy as np

from pages.training.controls import EPSILON, LOSS_FIRST, OWN
from pages.training.downloads import loss_csv
from pages.training.figures import target_bars
from pages.training.scheduled_sampling import show_mixed
from pages.training.tables import forced_table
from viz_core.analysis.next_token import vocabulary_label
from viz_core.app.markup import Raw, number, tex
from viz_core.app.page import Page
from viz_core.figures.base import percent
from viz_core.training.loss import Doubles, position_losses, smoothed_target

SHOWN = 10
"""Tokens that have bars: the correct one, and the most probable ones."""


def show_loss(p: Page) -> None:
    """What is read and should be written at each position, its loss, and the target of the current step."""
    view, ex = p.view, p.view.explanation
    with p.controls():
        own = OWN.draw(p, 0, 100, 0) / 100
    if own:
        show_mixed(p, own)
        return
    with p.controls():
        smoothing = EPSILON.draw(p, 0, 60, 10) / 100
        first = LOSS_FIRST.draw(p)
    log_probs, true = view.trace.array("output.log_probs"), np.array([token.id for token in ex.output])
    losses, hard = position_losses(log_probs, true, smoothing), position_losses(log_probs, true, 0.0)
    if not np.isfinite([losses, hard]).all():
        p.write("unknown")
        return
    show_positions, show_target = partial(_show_positions, p, losses, hard, smoothing), partial(_show_target, p, smoothing)
    for show in (show_target, show_positions) if first == "target" else (show_positions, show_target):
        show()
    p.write("about_typed" if ex.given_target else "about_own")
    _arithmetic(p, losses, hard, smoothing)
    p.offer("loss", "loss", partial(loss_csv, ex, losses, hard, smoothing))
    p.show_code("code_loss")


def _show_positions(p: Page, losses: Doubles, hard: Doubles, smoothing: float) -> None:
    ex, columns = p.view.explanation, [hard, losses] if smoothing else [hard]
    numbers = [[percent(float(np.exp(-hard[t]))), *(number(each[t]) for each in columns)] for t in range(len(hard))]
    sums = [
        [p.text("sum"), "", *(number(each.sum()) for each in columns)],
        [p.text("mean", count=len(hard)), "", *(number(each.mean()) for each in columns)],
    ]
    names = p.table("columns", epsilon=f"{smoothing:g}")
    headings = [names[name] for name in ("at", "read", "mask", "write", "p", "log", "smoothed")][: 5 + len(columns)]
    tokens = [(read.label, write.label) for read, write in zip(ex.target.tokens, ex.output, strict=True)]
    p.html(forced_table(tokens, numbers, sums, headings=headings, highlighted=p.view.step, palette=p.palette))


def _show_target(p: Page, smoothing: float) -> None:
    view, step, tokenizer = p.view, p.view.current, p.view.checkpoint.tokenizer
    size = len(step.log_probs)
    target = smoothed_target(size, step.expected.id, smoothing)
    ids = [step.expected.id, *(i for i in step.top_ids(SHOWN) if i != step.expected.id)][:SHOWN]
    labels = [vocabulary_label(tokenizer, i) for i in ids]
    model = np.array([step.probability(i) for i in ids])
    hover = [
        [p.text(key, token=label, share=percent(float(share))) for label, share in zip(labels, shares, strict=True)]
        for key, shares in (("hover_target", target[ids]), ("hover_model", model))
    ]
    figure = target_bars(
        labels, target[ids], model, hover, title=p.text("title_target", step=view.step + 1, epsilon=f"{smoothing:g}"),
        names=(p.text("name_target"), p.text("name_model")), axes=(p.text("axis_tokens"), p.text("axis_probability")),
        palette=p.palette,
    )  # fmt: skip
    p.show(figure, "target")
    values = {"token": labels[0], "share": percent(float(target[ids[0]])), "others": f"{size - 1:,}"}
    p.write("says_target", **values, each=percent(smoothing / size))


def _arithmetic(p: Page, losses: Doubles, hard: Doubles, smoothing: float) -> None:
    view, step = p.view, p.view.current
    values = {"step": view.step + 1, "count": len(losses), "token": tex(step.expected.label), "log": -float(hard[view.step])}
    values |= {"here": float(losses[view.step]), "sum": float(losses.sum()), "mean": float(losses.mean())}
    if smoothing:
        spread = float(step.log_probs.astype(np.float64).mean())
        share = {"keep": Raw(f"{1 - smoothing:g}"), "epsilon": Raw(f"{smoothing:g}"), "size": len(step.log_probs)}
        p.arithmetic("of_loss_smoothed", **values, **share, spread=spread)
    else:
        p.arithmetic("of_loss", **values)
