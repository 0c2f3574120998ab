"""Norm-weighted attention (Kobayashi et al. 2020): the weights, and beside them the norms of the vectors that they weight."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
import streamlit as st

from viz_core.analysis.attention import column_share, norm_weighted, norm_weighted_layer, reaches_output
from viz_core.app import session
from viz_core.app.attention import labels, place, terms
from viz_core.app.controls import CELL
from viz_core.app.csv_files import array_csv
from viz_core.app.markup import Raw, markdown, number
from viz_core.app.page import Page
from viz_core.figures.attention import Floats
from viz_core.figures.base import percent
from viz_core.figures.maps import Panel, greatest, hovers_of, maps, written_in
from viz_core.trace import Kind


def show_norm_weighted(p: Page, kind: Kind, which: str) -> None:
    """Weights on the left, ‖α f(x)‖ on the right; the arithmetic of one cell, and where the two disagree in its row."""
    view, (queries, keys) = p.view, labels(p, kind)
    attention = view.trace.attention(kind, view.layer)
    norms = norm_weighted(view.checkpoint.model, view.trace, kind, view.layer)  # (h, Tq, Tk)
    if not p.known(attention.weights, norms):
        return
    if which == "this_head":
        weights, lengths = attention.weights[view.head], norms[view.head]
    else:
        weights = attention.weights.mean(0)
        lengths = norm_weighted_layer(view.checkpoint.model, view.trace, kind, view.layer)
    row = 0 if kind == "self" else view.step
    with p.controls(), st.container(horizontal=True, width="content"):
        of = (view.step, "norm_weighted", kind, which, view.layer, view.head)
        picked = CELL.draw(p, queries, keys, (row, int(weights[row].argmax())), of=of)
    reaches = reaches_output(view.checkpoint.model, view.trace, kind, view.layer)
    if not (reaches.all() if which == "all_heads" else reaches[view.head]):
        p.write("taken_out")
    _show_maps(p, kind, which, (weights, lengths), (queries, keys), attention.mask, picked)
    p.write("about_norms")
    query, key = picked
    special = 0 if kind == "masked" else view.explanation.source.ids.index(view.config.eos_id)  # which is no word
    by_weight, by_norm = int(weights[query].argmax()), int(lengths[query].argmax())
    most = p.text(
        "same_key" if by_weight == by_norm else "other_key", weight=percent(float(weights[query, by_weight])),
        by_weight=markdown(keys[by_weight]), by_norm=markdown(keys[by_norm]),
        length=number(float(lengths[query, by_norm])), instead=number(float(lengths[query, by_weight])),
    )  # fmt: skip
    values: dict[str, Any] = place(p) | {
        "query": queries[query], "key": keys[key], "weight": float(weights[query, key]), "moved": float(lengths[query, key]),
        "most": Raw(most), "special": keys[special], "weight_share": percent(column_share(weights, special)),
        "norm_share": percent(column_share(lengths, special)),
    }  # fmt: skip
    if which == "this_head":
        long = values["moved"] / values["weight"] if values["weight"] else 0.0
        p.arithmetic("of_norms" if values["weight"] else "of_norms_nothing", **values, long=long)
    else:
        each = norms[:, query, key]
        parts = terms(((length, None) for length in sorted(each.tolist(), reverse=True)), 4)
        p.arithmetic("of_norms_layer", **values, parts=parts, sum=float(each.sum()), heads=len(each))
    head = f"-head{view.head + 1}" if which == "this_head" else ""
    p.offer(
        "norms", f"norms-{kind}-layer{view.layer + 1}{head}",
        partial(array_csv, "query_index query key_index key weight norm", (queries, keys), weights, lengths, where=attention.mask),
        attention=p.table("attention_names")[kind],
    )  # fmt: skip
    p.show_code("code_norms")


def _show_maps(
    p: Page, kind: Kind, which: str, values: tuple[Floats, Floats], sides: tuple[Sequence[str], Sequence[str]],
    mask: npt.NDArray[np.bool_], picked: tuple[int, int],
) -> None:  # fmt: skip
    queries, keys = sides

    def panel(
        label: str, hover: str, values: Floats, limit: float, cell: Callable[[float], str], written: Callable[[float], str]
    ) -> Panel:
        def say(query: str, key: str, value: float) -> str:
            if np.isnan(value):
                return p.text("hover_masked", query=query, key=key)
            return p.text(hover, query=query, key=key, value=written(value))

        return Panel(values, label, written_in(values, cell), hovers_of(values, queries, keys, say), limit, cell(limit))

    weights, lengths = (np.where(mask, each, np.nan) for each in values)
    most = greatest(lengths)
    panels = [
        panel(p.table("weight_labels")[which], "hover_weight", weights, 1.0, lambda value: f"{100 * value:.0f}", percent),
        panel(p.table("norm_labels")[which], "hover_norm", lengths, most, lambda value: _brief(value, most), number),
    ]
    figure = maps(
        panels, *sides, title=p.table("norm_titles", attention=p.table("attention_names")[kind], **place(p))[which],
        axes=(p.table("query_axes")[kind], p.table("key_axes")[kind]), cell=picked, pressed=bool(session.get("_lecture")),
        palette=p.palette,
    )  # fmt: skip
    p.show(figure, "norms", clicks=True, least="wide")


def _brief(value: float, most: float) -> str:
    """A number in three or four characters, with as many digits as the greatest number of its map has room for."""
    if most >= 999.5:  # in an edited model
        return f"{value:.0e}".replace("e+0", "e").replace("e-0", "e−")
    return f"{value:.{2 if most < 9.995 else 1 if most < 99.95 else 0}f}"
