"""Attention through all layers: rollout and attention flow (Abnar & Zuidema 2020), and one layer's mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Literal

import numpy as np
import streamlit as st

from viz_core.analysis.rollout import decoder_rollout, encoder_flow, encoder_rollout, flow_bound, mean_attention, with_residual
from viz_core.app import session
from viz_core.app.answers import Index
from viz_core.app.arithmetic import Section, Varying, Worked, arithmetic_section, show_arithmetic
from viz_core.app.attention import labels
from viz_core.app.cache import kept
from viz_core.app.csv_files import array_csv
from viz_core.app.followed_maps import Followed, Numbers, Stack, followed, numbers_at, on_display, show_maps
from viz_core.app.long_work import pooled
from viz_core.app.markup import Raw, markdown, number
from viz_core.app.page import Page
from viz_core.app.view_options import unwatched
from viz_core.browser.pack import pack
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation
from viz_core.figures.base import percent
from viz_core.figures.followed_maps import FollowedPanel, Written
from viz_core.trace import Trace

Through = Literal["cross", "self"]
THROUGH: tuple[Through, ...] = ("cross", "self")
"""Through the decoder to the source, and within the encoder."""
MOST_TOKENS = 24
"""Tokens up to which attention flow takes less than a second: for 20 it takes 0.4 s, and it grows with the fourth power."""
AT_ONCE = 16
"""Tokens up to which the flow after each layer is computed at once: of four layers it takes about 0.3 s."""
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
LAYER = ("layer",)
VALUE: Mapping[str, Worked] = {"key": Worked("label"), "value": Worked("number", ("values",))}
ARITHMETIC: Mapping[tuple[str, Through], tuple[tuple[str, ...], Mapping[str, Worked]]] = {
    ("rollout", "self"): (("of_rollout_self",), {**VALUE, "parts": Worked("products", ("inside", "below"), most=TERMS)}),
    ("rollout", "cross"): (
        ("of_rollout_cross",),
        {
            **VALUE,
            "stays": Worked("products", ("back", "below"), most=TERMS),
            "parts": Worked("products", ("look", "memory"), most=TERMS),
        },
    ),
    ("max_flow", "self"): (
        ("of_max_flow_one", "of_max_flow_two", "of_max_flow_more"),
        {**VALUE, "parts": Worked("least", ("second", "first"), most=TERMS)},
    ),
    ("raw", "self"): (("of_raw",), {**VALUE, "parts": Worked("terms", ("each",))}),
    ("raw", "cross"): (("of_raw",), {**VALUE, "parts": Worked("terms", ("each",))}),
}
"""Measure and attention → the texts of a cell's arithmetic in each layer, the last of which holds for those above, and its values.

Of a rollout the sum that makes the cell, over the positions below, and in the decoder over those of the memory as well; of a flow
after two layers a sum of narrowest edges; of the mean the weight of the cell in every head.
"""
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
    if by == "max_flow":
        at = _flow_after(p, len(keys))
        numbers = _flow(p, at)
    else:
        numbers = numbers_of(view.trace, kind, by)
        at = followed(p, LAYER, numbers, attention_through, kind=kind, by=by)
    values = numbers["values"].values
    shares = by != "max_flow"  # in %; the flow is a number
    hover = {"rollout": "hover_rollout", "max_flow": "hover_max_flow", "raw": "hover_raw"}[by]
    written: Written = "percent" if shares else "hundredths"
    panel = FollowedPanel(
        "values", p.table("flow_units")[by], p.texts[hover], written=written, limit=None if shares else 1.0, end="1"
    )
    title, about = TITLES[by, kind]
    titles = [[p.text(title, layer=layer + 1)] for layer in at.layers]
    axes = p.table("query_axes")[kind], p.table("key_axes")[kind]
    show_maps(p, "through", [panel], (queries, keys), numbers, at, titles=titles, axes=axes, of_step=kind != "self")
    formulas, worked = ARITHMETIC[by, kind]

    def of_layer(layer: int) -> dict[str, Any]:
        shown = values[layer]
        bound = int(np.isclose(shown, flow_bound(view.trace), atol=1e-6).sum()) if by == "max_flow" else 0
        return {
            "layer": layer + 1, "before": layer, "diagonal": percent(float(np.diag(shown).mean())) if kind == "self" else "",
            "bound": bound, "sum": f"{100 * float(shown[0].sum()):.6g} %", "of": Raw(formulas[min(layer, len(formulas) - 1)]),
        }  # fmt: skip

    show_arithmetic(
        p, {name: p.texts[name] for name in (about, *formulas)}, Varying(("layer",), at.each(("layer",), of_layer)),
        Varying(("row",), [{"query": each} for each in queries]), Varying(("column",), _entering(p) if by == "max_flow" else [{}]),
        worked=worked, columns=keys, sections=[Section("about", about), arithmetic_section("[[of]]")], cells=values[0].size,
        heads=view.config.n_heads,
    )  # fmt: skip
    if view.explanation.edits.no_residual and by != "raw":
        p.write("no_residual")
    with unwatched():
        layer = view.layer
    table = partial(array_csv, "query_index query key_index key value", (queries, keys), values[min(layer, len(values) - 1)])
    p.offer("flow", f"{by.replace('_', '-')}-{kind}-layer{layer + 1}", table, measure=p.text(by), layer=layer + 1)


def numbers_of(trace: Trace, kind: Through, by: str) -> Numbers:
    """What the map is of, by rollout or in one layer, and what the arithmetic of a cell is made of."""
    if by == "raw":
        each = np.stack([block.weights for block in trace.attentions(kind)])
        return {"values": Stack(LAYER, mean_attention(trace, kind)), "each": Stack(LAYER, each)}
    encoder = encoder_rollout(trace)
    if kind == "self":
        below = np.concatenate([np.eye(encoder.shape[-1])[None], encoder[:-1]])
        inside = with_residual(mean_attention(trace, "self"))
        return {"values": Stack(LAYER, encoder), "below": Stack(LAYER, below), "inside": Stack(LAYER, inside)}
    rolled, back = decoder_rollout(trace), with_residual(mean_attention(trace, "masked"))
    below = np.concatenate([np.zeros_like(rolled[:1]), rolled[:-1]])
    found = {"values": rolled, "below": below, "back": back, "look": mean_attention(trace, "cross")}
    return {**{name: Stack(LAYER, each) for name, each in found.items()}, "memory": Stack((), encoder[-1])}


def attention_through(
    checkpoint: Checkpoint, explanation: Explanation, kind: Through, by: Literal["rollout", "raw"], layer: Index
) -> bytes:
    """The same of one layer."""
    return pack(numbers_at(numbers_of(explanation.trace, kind, by), (layer,)), {})


def _flow_after(p: Page, tokens: int) -> Followed:
    """After which layers: after all of a short sentence, or where all are computed already; else after the one on display alone."""
    layers = range(p.counts["layer"])
    if tokens <= AT_ONCE or all(kept(encoder_flow, p.view.trace, layer + 1) is not None for layer in layers):
        return Followed(layers, [0])
    return on_display(p, LAYER)


def _flow(p: Page, at: Followed) -> Numbers:
    """The flow after each of these layers, and the edges of the first two."""
    inside = with_residual(mean_attention(p.view.trace, "self"))
    flow = np.full_like(inside, np.nan)
    for layer in at.layers:
        flow[layer] = pooled(encoder_flow, p.view.trace, layer + 1, says=p.text("computing_flow"))
    return {"values": Stack(LAYER, flow), "first": Stack((), inside[0]), "second": Stack((), inside[min(1, len(inside) - 1)])}


def _entering(p: Page) -> list[dict[str, float]]:
    """Of each source token, what the first layer lets in."""
    entering = with_residual(mean_attention(p.view.trace, "self"))[0].sum(0)
    pairs = zip(entering.tolist(), flow_bound(p.view.trace).tolist(), strict=True)
    return [{"entering": each, "let_in": least} for each, least in pairs]


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
