"""Guided attention: the penalty of this sentence's cross attention for leaving the diagonal."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from pages.training.controls import BESIDE, WIDTH
from pages.training.downloads import guided_csv
from pages.training.figures import penalty_lines
from viz_core.app import session
from viz_core.app.controls import CELL
from viz_core.app.markup import Raw, number
from viz_core.app.page import Page
from viz_core.figures.base import percent, share_in_cell
from viz_core.figures.maps import Panel, greatest, maps
from viz_core.texts import fill
from viz_core.trace import Array
from viz_core.training import loss
from viz_core.training.loss import penalty_matrix, row_penalties


def show_guided(p: Page) -> None:
    """One head's attention, and beside it W or A·W; the row with the largest penalty, and all heads compared."""
    view, ex = p.view, p.view.explanation
    heads = np.stack([block.weights for block in view.trace.attentions("cross")])  # (L, h, T, S)
    if not np.isfinite(heads).all():
        p.write("unknown")
        return
    with p.controls():
        beside = BESIDE.draw(p)
        width = WIDTH.draw(p, 5, 100, round(100 * loss.GUIDED_WIDTH)) / 100
    weights, cost = heads[view.layer, view.head], penalty_matrix(heads.shape[2], heads.shape[3], width)
    paid = row_penalties(heads, cost)  # (L, h, T)
    queries = [p.text("reads", read=read, write=write.label) for read, write in zip(view.target, ex.output, strict=True)]
    with p.controls(), st.container(horizontal=True, width="content"):
        row = view.step
        default = row, int((weights[row] * cost[row]).argmax())
        of = (view.step, view.layer, view.head, "guided")
        cell = CELL.draw(p, queries, view.source, default, of=of)
    _show_maps(p, weights, cost, queries, cell, width, paid=beside == "by_paid")
    _write_largest(p, paid, weights, cost, queries)
    p.write("about_guided")
    _arithmetic(p, paid[view.layer, view.head], weights, cost, queries, cell, width)
    label = {"layer": view.layer + 1, "head": view.head + 1}
    file = f"guided-layer{view.layer + 1}-head{view.head + 1}"
    p.offer("guided", file, partial(guided_csv, weights, cost, queries, view.source), **label)
    p.show_code("code_guided")


def _show_maps(
    p: Page, weights: Array, cost: Array, queries: list[str], cell: tuple[int, int], width: float, *, paid: bool
) -> None:
    view, keys, here = p.view, p.view.source, weights * cost
    shares = {"share": weights, "cost": cost, "value": here if paid else cost}

    def panel(name: str, values: Array, limit: float, shown: Callable[[float], str]) -> Panel:
        def said(t: int, s: int) -> str:
            numbers = {key: shown(float(each[t, s])) for key, each in shares.items()}
            return fill(p.texts["guided_hovers"][name], {"query": queries[t], "key": keys[s], **numbers})

        hovers = [[said(t, s) for s in range(len(keys))] for t in range(len(queries))]
        written = [[share_in_cell(float(value)) for value in row] for row in values]
        return Panel(values, p.table("guided_panels")[name], written, hovers, limit, percent(limit))

    left = panel("attention", weights, 1.0, percent)
    right = panel("paid", here, greatest(here), number) if paid else panel("penalty", cost, 1.0, number)
    values = {"layer": view.layer + 1, "head": view.head + 1, "paid": number(float(here.sum(-1).mean())), "g": f"{width:g}"}
    figure = maps(
        [left, right], queries, keys, title=p.text("title_guided", **values), axes=(p.text("reads_axis"), p.text("source")),
        cell=cell, pressed=bool(session.get("_lecture")), palette=p.palette,
    )  # fmt: skip
    penalty_lines(figure, cost, p.palette)
    p.show(figure, "guided", clicks=True, least="wide")


def _write_largest(p: Page, paid: Array, weights: Array, cost: Array, queries: list[str]) -> None:
    own = paid[p.view.layer, p.view.head]
    row = int(own.argmax())
    key = int((weights[row] * cost[row]).argmax())
    p.write(
        "dearest", query=queries[row], paid=float(own[row]), share=percent(float(weights[row, key])), key=p.view.source[key],
        cost=float(cost[row, key]),
    )  # fmt: skip
    each = paid.mean(-1)  # (L, h)
    values: dict[str, Any] = {"count": each.size, "mean": float(each.mean()), "equal": float(cost.mean())}
    for name, at in (("low", each.argmin()), ("high", each.argmax())):
        layer, head = divmod(int(at), each.shape[1])
        values |= {name: float(each[layer, head]), f"{name}_layer": layer + 1, f"{name}_head": head + 1}
    p.write("heads_paid", **values)


def _arithmetic(p: Page, rows: Array, weights: Array, cost: Array, queries: list[str], cell: tuple[int, int], width: float) -> None:
    t, s = cell
    p.arithmetic(
        "of_guided", query=queries[t], key=p.view.source[s], t=t + 1, s=s + 1, T=len(queries),
        S=cost.shape[1], g=Raw(f"{width:g}"), cost=float(cost[t, s]), weight=float(weights[t, s]),
        here=float(weights[t, s] * cost[t, s]), row=float(rows[t]), sum=float(rows.sum()), head=float(rows.mean()),
    )  # fmt: skip
