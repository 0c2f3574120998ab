"""Guided attention: the penalty of this sentence's cross attention for leaving the diagonal."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Annotated, Any

import numpy as np

from pages.training.controls import BESIDE, WIDTH
from pages.training.downloads import guided_csv
from pages.training.figures import penalty_lines
from viz_core.app.answers import Between, Index
from viz_core.app.arithmetic import Section, Varying, Worked, arithmetic_section, show_arithmetic
from viz_core.app.followed_maps import Numbers, Stack, followed, numbers_at, show_maps
from viz_core.app.markup import Raw, number
from viz_core.app.page import Page
from viz_core.app.view_options import unwatched
from viz_core.browser.pack import pack
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation
from viz_core.figures.base import percent
from viz_core.figures.followed_maps import FollowedPanel
from viz_core.trace import Array
from viz_core.training import loss
from viz_core.training.loss import penalty_matrix, row_penalties

HEAD = ("layer", "head")
WORKED: Mapping[str, Worked] = {
    "key": Worked("label"),
    "weight": Worked("number", ("weights",)),
    "cost": Worked("number", ("cost",)),
    "here": Worked("number", ("paid",)),
}
"""The values of one cell."""


def show_guided(p: Page) -> None:
    """One head's attention, and beside it W or A·W; the row with the largest penalty, and all heads compared."""
    view, ex = p.view, p.view.explanation
    weights = np.stack([block.weights for block in view.trace.attentions("cross")])  # (L, h, T, S)
    if not p.known(weights):
        return
    with p.controls():
        beside = BESIDE.draw(p)
        width = WIDTH.draw(p, 5, 100, round(100 * loss.GUIDED_WIDTH)) / 100
    cost = penalty_matrix(weights.shape[2], weights.shape[3], width)
    rows = row_penalties(weights, cost)  # (L, h, T)
    queries = [p.text("reads", read=read, write=write.label) for read, write in zip(view.target, ex.output, strict=True)]
    numbers = numbers_of(weights, cost)
    at = followed(p, HEAD, numbers, guided_numbers, width=round(100 * width))
    panels = p.table("guided_panels")
    attention = FollowedPanel("weights", panels["attention"], p.texts["hover_attention"], limit=1.0, end=percent(1.0))
    penalty = FollowedPanel("cost", panels["penalty"], p.texts["hover_penalty"], written="hundredths", limit=1.0, end="1")
    paid = FollowedPanel("paid", panels["paid"], p.texts["hover_paid"], written="hundredths")
    title = partial(p.text, "title_guided", g=f"{width:g}")
    titles = at.each(HEAD, lambda layer, head: title(layer=layer + 1, head=head + 1, paid=number(float(rows[layer, head].mean()))))
    show_maps(
        p, "guided", [attention, paid if beside == "by_paid" else penalty], (queries, view.source), numbers, at, titles=titles,
        axes=(p.text("reads_axis"), p.text("source")), of_step=True, greatest="paid",
        overlay=lambda figure: penalty_lines(figure, cost, p.palette),
    )  # fmt: skip
    _write(p, rows, weights, cost, queries, width)
    with unwatched():
        layer, head = view.layer, view.head
    table = partial(guided_csv, weights[layer, head], cost, queries, view.source)
    p.offer("guided", f"guided-layer{layer + 1}-head{head + 1}", table, layer=layer + 1, head=head + 1)
    p.show_code("code_guided")


def numbers_of(weights: Array, cost: Array) -> Numbers:
    """What the maps are of: A, W and A·W. weights: (L, h, T, S); cost: (T, S)."""
    return {"weights": Stack(HEAD, weights), "cost": Stack((), cost), "paid": Stack(HEAD, weights * cost)}


def guided_numbers(
    checkpoint: Checkpoint, explanation: Explanation, width: Annotated[int, Between(5, 100)], layer: Index, head: Index
) -> bytes:
    """The same of one head. width: of the diagonal, in %."""
    weights = np.stack([block.weights for block in explanation.trace.attentions("cross")])
    cost = penalty_matrix(weights.shape[2], weights.shape[3], width / 100)
    return pack(numbers_at(numbers_of(weights, cost), (layer, head)), {})


def _write(p: Page, rows: Array, weights: Array, cost: Array, queries: list[str], width: float) -> None:
    """What the figure shows in words, and the arithmetic of the framed cell, in all states. rows: (L, h, T)."""
    source, counts = p.view.source, range(len(queries))

    def of_head(layer: int, head: int) -> dict[str, Any]:
        own, looks = rows[layer, head], weights[layer, head]
        t = int(own.argmax())
        s = int((looks[t] * cost[t]).argmax())
        largest = {
            "most_query": queries[t],
            "most_key": source[s],
            "most_share": percent(float(looks[t, s])),
            "most_cost": float(cost[t, s]),
        }
        return {**largest, "most_paid": float(own[t]), "sum": float(own.sum()), "head": float(own.mean())}

    each = rows.mean(-1)  # (L, h)
    compared: dict[str, Any] = {"count": each.size, "mean": float(each.mean()), "equal": float(cost.mean())}
    for name, at in (("low", each.argmin()), ("high", each.argmax())):
        layer, head = divmod(int(at), each.shape[1])
        compared |= {name: float(each[layer, head]), f"{name}_layer": layer + 1, f"{name}_head": head + 1}
    names = "most", "heads_paid", "about_guided", "of_guided"
    show_arithmetic(
        p, {name: p.texts[name] for name in names},
        Varying(HEAD, p.each(of_head, *HEAD)),
        Varying((*HEAD, "row"), p.each(lambda layer, head: [{"row": float(paid)} for paid in rows[layer, head]], *HEAD)),
        Varying(("row",), [{"query": queries[t], "t": t + 1} for t in counts]),
        Varying(("column",), [{"s": s + 1} for s in range(len(source))]),
        worked=WORKED, columns=source, sections=[*(Section(name, name) for name in names[:-1]), arithmetic_section("of_guided")],
        T=len(queries), S=len(source), g=Raw(f"{width:g}"), **compared,
    )  # fmt: skip
