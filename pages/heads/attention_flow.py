"""Attention through all layers: rollout and attention flow (Abnar & Zuidema 2020), and one layer's mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Literal

import numpy as np
import streamlit as st

from viz_core.analysis.rollout import decoder_rollout, encoder_flow, encoder_rollout, flow_bound, mean_attention, with_residual
from viz_core.app import session
from viz_core.app.attention import labels, terms
from viz_core.app.controls import CELL
from viz_core.app.csv_files import array_csv
from viz_core.app.long_work import pooled
from viz_core.app.markup import Raw, markdown, number
from viz_core.app.page import Page
from viz_core.figures.base import percent
from viz_core.figures.maps import Panel, greatest, hovers_of, maps, written_in
from viz_core.trace import Doubles

Through = Literal["cross", "self"]
THROUGH: tuple[Through, ...] = ("cross", "self")
"""Through the decoder to the source, and within the encoder."""
MOST_TOKENS = 24
"""Tokens up to which attention flow takes less than a second: for 20 it takes 0.4 s, and it grows with the fourth power."""
TERMS = 3
"""Terms of a sum that are written out."""
TITLES: Mapping[tuple[str, Through], tuple[str, str]] = {
    ("rollout", "self"): ("title_rollout_self", "about_rollout_self"),
    ("rollout", "cross"): ("title_rollout_cross", "about_rollout_cross"),
    ("max_flow", "self"): ("title_max_flow_self", "about_max_flow_self"),
    ("raw", "self"): ("title_raw_self", "about_raw_self"),
    ("raw", "cross"): ("title_raw_cross", "about_raw_cross"),
}
"""Measure and attention → the texts of the figure's title and of the paragraph below it."""
CODES: Mapping[str, str] = {"rollout": "code_rollout", "max_flow": "code_max_flow", "raw": "code_raw"}


def show_attention_flow(p: Page, kind: Through, by: str) -> None:
    """Where each position comes from, after the layers up to the chosen one; the arithmetic of one cell."""
    view, (queries, keys) = p.view, labels(p, kind)
    if p.known(*(mean_attention(view.trace, each) for each in ("self", "masked", "cross"))):
        if by == "max_flow" and kind == "cross":
            _write_cross_flow(p, keys)
        elif by == "max_flow" and len(keys) > MOST_TOKENS:
            p.write("too_long", most=MOST_TOKENS, count=len(keys))
        else:
            _show_map(p, kind, by, queries, keys)
    st.button(p.text("see_why"), key="_see_why", on_click=session.change, kwargs={"_go": "why?show=rollout"})
    p.show_code(CODES[by])


def _show_map(p: Page, kind: Through, by: str, queries: Sequence[str], keys: Sequence[str]) -> None:
    view, layer = p.view, p.view.layer
    values = _values(p, kind, by)
    row = 0 if kind == "self" else view.step
    with p.controls(), st.container(horizontal=True, width="content"):
        picked = CELL.draw(p, queries, keys, (row, int(values[row].argmax())), of=(view.step, "flow", kind, by, layer))
    shares = by != "max_flow"  # in %; the flow is a number
    hover = {"rollout": "hover_rollout", "max_flow": "hover_max_flow", "raw": "hover_raw"}[by]
    hovers = hovers_of(
        values, queries, keys,
        lambda query, key, value: p.text(hover, query=query, key=key, value=percent(value) if shares else number(value)),
    )  # fmt: skip
    most = greatest(values) if shares else 1.0
    shown = written_in(values, lambda value: f"{100 * value:.0f}" if shares else f"{value:.2f}")
    panel = Panel(values, p.table("flow_units")[by], shown, hovers, most, percent(most) if shares else "1")
    title, about = TITLES[by, kind]
    figure = maps(
        [panel], queries, keys, title=p.text(title, layer=layer + 1), axes=(p.table("query_axes")[kind], p.table("key_axes")[kind]),
        cell=picked, pressed=bool(session.get("_lecture")), palette=p.palette,
    )  # fmt: skip
    p.show(figure, "through", clicks=True, least="wide")
    bound = int(np.isclose(values, flow_bound(view.trace), atol=1e-6).sum()) if by == "max_flow" else 0
    p.write(
        about, layer=layer + 1, diagonal=percent(float(np.diag(values).mean())) if kind == "self" else "",
        bound=bound, cells=values.size, sum=percent(float(values[picked[0]].sum())),
    )  # fmt: skip
    numbers = partial(array_csv, "query_index query key_index key value", (queries, keys), values)
    p.offer("flow", f"{by.replace('_', '-')}-{kind}-layer{layer + 1}", numbers, measure=p.text(by), layer=layer + 1)
    if view.explanation.edits.no_residual and by != "raw":
        p.write("no_residual")
    i, j = picked
    text, worked_out = {"rollout": _of_rollout, "max_flow": _of_flow, "raw": _of_mean}[by](p, kind, picked)
    shown_cell = {"query": queries[i], "key": keys[j], "value": float(values[picked])}
    p.arithmetic(text, layer=layer + 1, before=layer, **shown_cell, **worked_out)


def _values(p: Page, kind: Through, by: str) -> Doubles:
    view = p.view
    if by == "max_flow":
        return pooled(encoder_flow, view.trace, view.layer + 1, says=p.text("computing_flow"))
    if by == "raw":
        return mean_attention(view.trace, kind)[view.layer]
    rolled: Doubles = (decoder_rollout if kind == "cross" else encoder_rollout)(view.trace)[view.layer]
    return rolled


def _of_rollout(p: Page, kind: Through, cell: tuple[int, int]) -> tuple[str, dict[str, Any]]:
    """The sum that makes the cell: over the positions below, and in the decoder over those of the memory as well."""
    trace, layer, (i, j) = p.view.trace, p.view.layer, cell
    encoder = encoder_rollout(trace)
    if kind == "self":
        below = encoder[layer - 1] if layer else np.eye(encoder.shape[-1])
        return "of_rollout_self", {"parts": _largest_products(with_residual(mean_attention(trace, "self"))[layer, i], below[:, j])}
    back, look = with_residual(mean_attention(trace, "masked"))[layer, i], mean_attention(trace, "cross")[layer, i]
    rolled = decoder_rollout(trace)
    stays = _largest_products(back, rolled[layer - 1][:, j] if layer else np.zeros(len(back)))
    return "of_rollout_cross", {"stays": stays, "parts": _largest_products(look, encoder[-1][:, j])}


def _of_flow(p: Page, kind: Through, cell: tuple[int, int]) -> tuple[str, dict[str, Any]]:
    """After one layer the weight itself, after two a sum of narrowest edges; beyond, what the first layer lets in at most."""
    trace, layer, (i, j) = p.view.trace, p.view.layer, cell
    inside = with_residual(mean_attention(trace, "self"))
    entering = float(inside[0][:, j].sum())
    if layer != 1:
        text = "of_max_flow_one" if layer == 0 else "of_max_flow_more"
        return text, {"entering": entering, "let_in": float(flow_bound(trace)[j])}
    pairs = sorted(zip(inside[1][i].tolist(), inside[0][:, j].tolist(), strict=True), key=min, reverse=True)
    written = [rf"\min({number(a)}, {number(b)})" for a, b in pairs[:TERMS]]
    return "of_max_flow_two", {"parts": Raw(" + ".join([*written, *([r"\cdots"] if len(pairs) > TERMS else [])]))}


def _of_mean(p: Page, kind: Through, cell: tuple[int, int]) -> tuple[str, dict[str, Any]]:
    """The weight of the cell in every head."""
    weights = p.view.trace.attention(kind, p.view.layer).weights[:, cell[0], cell[1]].tolist()
    return "of_raw", {"parts": terms(((weight, None) for weight in weights), len(weights)), "heads": len(weights)}


def _write_cross_flow(p: Page, keys: Sequence[str]) -> None:
    """In words, since there is nothing to draw: every step has the same numbers."""
    entering = flow_bound(p.view.trace)
    shown = [f"«{markdown(key)}» {number(float(value))}" for key, value in zip(keys[:MOST_TOKENS], entering, strict=False)]
    least = int(entering.argmin())
    p.write("flow_same")
    numbers, layers = partial(array_csv, "key_index key value", [keys], entering), p.view.config.layers("encoder")
    p.offer("flow", f"max-flow-cross-layer{layers}", numbers, measure=p.text("max_flow"), layer=layers)
    p.arithmetic(
        "of_flow_same", all=Raw(", ".join([*shown, *(["…"] if len(keys) > MOST_TOKENS else [])])), key=keys[least],
        entering=float(entering[least]),
    )  # fmt: skip


def _largest_products(left: Doubles, right: Doubles) -> Raw:
    """Σ left · right, its largest terms first; 0 where all are 0."""
    order = [k for k in np.argsort(-(left * right), kind="stable") if left[k] * right[k]]
    return terms(((float(left[k]), float(right[k])) for k in order), TERMS) if order else Raw("0")
