"""What the page on learning shows of guided attention: what this sentence's cross attention would pay for leaving the diagonal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import streamlit as st

from pages.training.controls import BESIDE, WIDE
from pages.training.guided_figure import cost_lines
from viz_core.app import session
from viz_core.app.controls import CELL
from viz_core.app.markup import Raw, number
from viz_core.app.page import Page
from viz_core.figures.base import percent, share_in_cell
from viz_core.figures.maps import Panel, greatest, maps
from viz_core.trace import Array
from viz_core.training.guided import WIDTH, penalty_matrix, row_penalties


def show_guided(p: Page) -> None:
    """One head's attention, and beside it the penalty or what each cell pays; which row is dearest, and how all heads do."""
    view, ex = p.view, p.view.explanation
    heads = np.stack([view.trace.attention("cross", layer).weights for layer in range(view.config.n_layers)])  # (L, h, T, S)
    if not np.isfinite(heads).all():
        p.write("unknown")
        return
    with p.controls():
        beside = BESIDE.draw(p)
        width = WIDE.draw(p, 5, 100, round(100 * WIDTH)) / 100
    weights, cost = heads[view.layer, view.head], penalty_matrix(heads.shape[2], heads.shape[3], width)
    paid = row_penalties(heads, cost)  # (L, h, T)
    queries = [p.text("reads", read=read, write=write.label) for read, write in zip(view.target, ex.output, strict=True)]
    with p.controls(), st.container(horizontal=True, width="content"):
        row = view.step
        default = row, int((weights[row] * cost[row]).argmax())
        of = (view.step, view.layer, view.head, "guided")
        cell = CELL.draw(p, queries, view.source, default, names=("axis_target", "axis_source"), of=of)
    _show_maps(p, weights, cost, queries, cell, paid=beside == "by_paid")
    _tell(p, paid, weights, cost, queries)
    p.write("about_guided")
    _arithmetic(p, paid[view.layer, view.head], weights, cost, queries, cell, width)
    p.light("code_guided")


def _show_maps(p: Page, weights: Array, cost: Array, queries: list[str], cell: tuple[int, int], *, paid: bool) -> None:
    view, keys = p.view, p.view.source
    here = weights * cost

    def panel(name: str, values: Array, limit: float, end: str, said: Callable[[int, int], dict[str, str]]) -> Panel:
        rows, columns = range(len(queries)), range(len(keys))
        hovers = [[p.text(f"hover_{name}", query=queries[t], key=keys[s], **said(t, s)) for s in columns] for t in rows]
        written = [[share_in_cell(float(value)) for value in row] for row in values]
        return Panel(values, p.text(f"panel_{name}"), written, hovers, limit, end)

    left = panel("attention", weights, 1.0, "100 %", lambda t, s: {"share": percent(float(weights[t, s]))})
    if paid:
        shares = {"share": weights, "cost": cost, "value": here}
        top = greatest(here)
        right = panel(
            "paid", here, top, percent(top), lambda t, s: {name: number(float(each[t, s])) for name, each in shares.items()}
        )
    else:
        right = panel("penalty", cost, 1.0, "100 %", lambda t, s: {"value": number(float(cost[t, s]))})
    values = {"layer": view.layer + 1, "head": view.head + 1, "paid": number(float(here.sum(-1).mean()))}
    figure = maps(
        [left, right], queries, keys, title=p.text("title_guided", **values), axes=(p.text("axis_target"), p.text("axis_source")),
        cell=cell, pressed=bool(session.get("_lecture")), palette=p.palette,
    )  # fmt: skip
    cost_lines(figure, cost, p.palette)
    p.show(figure, "guided", clicks=True)


def _tell(p: Page, paid: Array, weights: Array, cost: Array, queries: list[str]) -> None:
    view = p.view
    row = int(paid[view.layer, view.head].argmax())
    key = int((weights[row] * cost[row]).argmax())
    p.write(
        "dearest", query=queries[row], paid=float(paid[view.layer, view.head, row]), share=percent(float(weights[row, key])),
        key=view.source[key], cost=float(cost[row, key]),
    )  # fmt: skip
    each = paid.mean(-1)  # (L, h)
    values: dict[str, Any] = {"count": each.size, "mean": float(each.mean()), "equal": float(cost.mean())}
    for name, at in (("low", int(each.argmin())), ("high", int(each.argmax()))):
        layer, head = divmod(at, each.shape[1])
        values |= {name: float(each[layer, head]), f"{name}_layer": layer + 1, f"{name}_head": head + 1}
    p.write("heads_paid", **values)


def _arithmetic(p: Page, rows: Array, weights: Array, cost: Array, queries: list[str], cell: tuple[int, int], width: float) -> None:
    t, s = cell
    p.arithmetic(
        "of_guided", query=queries[t], key=p.view.source[s], t=t + 1, s=s + 1, T=len(queries),
        S=cost.shape[1], g=Raw(f"{width:g}"), cost=float(cost[t, s]), weight=float(weights[t, s]),
        here=float(weights[t, s] * cost[t, s]), row=float(rows[t]), sum=float(rows.sum()), head=float(rows.mean()),
    )  # fmt: skip
