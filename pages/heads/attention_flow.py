"""Attention through all layers: rollout and attention flow (Abnar & Zuidema 2020), and one layer's mean."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Literal

import numpy as np
import streamlit as st

from pages.heads.cells import Followed, cell_to_follow, followed, show_maps
from viz_core.analysis.rollout import decoder_rollout, encoder_flow, encoder_rollout, flow_bound, mean_attention, with_residual
from viz_core.app import session
from viz_core.app.arithmetic import Section, Varying, arithmetic_section, show_arithmetic
from viz_core.app.attention import labels, terms
from viz_core.app.csv_files import array_csv
from viz_core.app.long_work import pooled
from viz_core.app.markup import Raw, markdown, number
from viz_core.app.page import Page
from viz_core.app.view_options import unwatched
from viz_core.figures.base import percent
from viz_core.figures.followed_maps import FollowedPanel, Written
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
    view = p.view
    at = _of_layer(p) if by == "max_flow" else followed(p, ("layer",), (len(queries), len(keys)), known=True)
    values = _values(p, kind, by, at)
    cell = cell_to_follow(p, kind, (queries, keys), values, at, of=("flow", kind, by))
    shares = by != "max_flow"  # in %; the flow is a number
    hover = {"rollout": "hover_rollout", "max_flow": "hover_max_flow", "raw": "hover_raw"}[by]
    written: Written = "percent" if shares else "hundredths"
    panel = FollowedPanel(
        values, ("layer",), p.table("flow_units")[by], p.texts[hover], written=written, limit=None if shares else 1.0, end="1"
    )
    title, about = TITLES[by, kind]
    titles = [[p.text(title, layer=layer + 1)] for layer in at.layers]
    show_maps(p, "through", [panel], (queries, keys), titles, kind, at, cell)
    text, worked_out = {"rollout": _of_rollout, "max_flow": _of_flow, "raw": _of_mean}[by](p, kind)

    def of_layer(index: tuple[int, ...]) -> dict[str, Any]:
        layer, shown = at.layers[index[0]], values[index]
        bound = int(np.isclose(shown, flow_bound(view.trace), atol=1e-6).sum()) if by == "max_flow" else 0
        return {
            "layer": layer + 1, "before": layer, "diagonal": percent(float(np.diag(shown).mean())) if kind == "self" else "",
            "bound": bound, "sum": percent(float(shown[0].sum())),
        }  # fmt: skip

    def of_cell(index: tuple[int, ...], row: int, column: int) -> dict[str, Any]:
        layer = at.layers[index[0]]
        return {"key": keys[column], "value": float(values[index][row, column]), **worked_out(layer, row, column)}

    templates = {about: p.texts[about], **{name: p.texts[name] for name in text}}
    show_arithmetic(
        p, templates, Varying(("layer",), at.each(("layer",), of_layer)), *at.of_cells(("layer",), queries, values, cell, of_cell),
        sections=[Section("about", about), arithmetic_section("[[of]]")], cells=values[0].size, of=Raw(text[0]),
    )  # fmt: skip
    if view.explanation.edits.no_residual and by != "raw":
        p.write("no_residual")
    with unwatched():
        layer = view.layer
    numbers = partial(array_csv, "query_index query key_index key value", (queries, keys), values[min(layer, len(values) - 1)])
    p.offer("flow", f"{by.replace('_', '-')}-{kind}-layer{layer + 1}", numbers, measure=p.text(by), layer=layer + 1)


def _of_layer(p: Page) -> Followed:
    """Of the layer on display alone: the flow of all layers takes too long to be computed for each sentence."""
    return Followed([p.view.layer], [0], range(p.counts["step"]), True)


def _values(p: Page, kind: Through, by: str, at: Followed) -> Doubles:
    """(layers of `at`, Tq, Tk)."""
    view = p.view
    if by == "max_flow":
        (layer,) = at.layers
        return pooled(encoder_flow, view.trace, layer + 1, says=p.text("computing_flow"))[None]
    if by == "raw":
        return np.asarray(at.of(mean_attention(view.trace, kind)))
    return np.asarray(at.of((decoder_rollout if kind == "cross" else encoder_rollout)(view.trace)))


WorkedOut = Callable[[int, int, int], dict[str, Any]]
"""Called with layer, row and column: the values of the arithmetic of one cell."""


def _of_rollout(p: Page, kind: Through) -> tuple[list[str], WorkedOut]:
    """The sum that makes the cell: over the positions below, and in the decoder over those of the memory as well."""
    trace = p.view.trace
    encoder, inside = encoder_rollout(trace), with_residual(mean_attention(trace, "self"))
    start = np.eye(encoder.shape[-1])

    def within(layer: int, i: int, j: int) -> dict[str, Any]:
        return {"parts": _largest_products(inside[layer, i], (encoder[layer - 1] if layer else start)[:, j])}

    back, look = with_residual(mean_attention(trace, "masked")), mean_attention(trace, "cross")
    rolled = decoder_rollout(trace)

    def through(layer: int, i: int, j: int) -> dict[str, Any]:
        below = rolled[layer - 1][:, j] if layer else np.zeros(len(back[layer]))
        return {
            "stays": _largest_products(back[layer, i], below),
            "parts": _largest_products(look[layer, i], encoder[-1][:, j]),
        }

    return (["of_rollout_self"], within) if kind == "self" else (["of_rollout_cross"], through)


def _of_flow(p: Page, kind: Through) -> tuple[list[str], WorkedOut]:
    """After one layer the weight itself, after two a sum of narrowest edges; beyond, what the first layer lets in at most."""
    trace = p.view.trace
    inside = with_residual(mean_attention(trace, "self"))

    def worked_out(layer: int, i: int, j: int) -> dict[str, Any]:
        if layer != 1:
            text = "of_max_flow_one" if layer == 0 else "of_max_flow_more"
            return {"of": Raw(text), "entering": float(inside[0][:, j].sum()), "let_in": float(flow_bound(trace)[j])}
        pairs = sorted(zip(inside[1][i].tolist(), inside[0][:, j].tolist(), strict=True), key=min, reverse=True)
        written = [rf"\min({number(a)}, {number(b)})" for a, b in pairs[:TERMS]]
        return {"parts": Raw(" + ".join([*written, *([r"\cdots"] if len(pairs) > TERMS else [])]))}

    return ["of_max_flow_two", "of_max_flow_one", "of_max_flow_more"], worked_out


def _of_mean(p: Page, kind: Through) -> tuple[list[str], WorkedOut]:
    """The weight of the cell in every head."""
    blocks = p.view.trace.attentions(kind)

    def worked_out(layer: int, i: int, j: int) -> dict[str, Any]:
        weights = blocks[layer].weights[:, i, j].tolist()
        return {"parts": terms(((weight, None) for weight in weights), len(weights)), "heads": len(weights)}

    return ["of_raw"], worked_out


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
