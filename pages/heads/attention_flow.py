"""Attention through all layers: rollout and attention flow (Abnar & Zuidema 2020), and one layer's mean."""

from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np

from viz_core.analysis.rollout import decoder_rollout, encoder_flow, encoder_rollout, flow_bound, mean_attention, with_residual
from viz_core.app.answers import Refused
from viz_core.app.arithmetic import Section, arithmetic_section, show_arithmetic
from viz_core.app.attention import labels
from viz_core.app.cache import cached
from viz_core.app.controls import draw_link
from viz_core.app.csv_files import cells
from viz_core.app.long_work import pooled
from viz_core.app.page import Page
from viz_core.app.token_maps import Numbers, Stack, say_clickable, token_maps_payload
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation
from viz_core.trace import Trace

Through = Literal["cross", "self"]
By = Literal["rollout", "max_flow", "raw"]
THROUGH: tuple[Through, ...] = ("cross", "self")
"""Through the decoder to the source, and within the encoder."""
MOST_TOKENS = 24
"""Up to this many tokens, attention flow after a layer takes less than a second (20: 0.4 s); it grows with the fourth power."""
LAYER = ("layer",)
FORMULAS: Mapping[str, tuple[str, ...]] = {
    "max_flow_self": ("of_max_flow_one", "of_max_flow_two", "of_max_flow_more"), "raw_self": ("of_raw",), "raw_cross": ("of_raw",),
}  # fmt: skip
"""Measure and attention → the names of the texts that work out one cell, if other than `of_<measure>_<attention>`."""
CODES: Mapping[str, str] = {"rollout": "code_rollout", "max_flow": "code_max_flow", "raw": "code_raw"}


def show_attention_flow(p: Page, kind: Through, by: By) -> None:
    """Where each position comes from, up to the chosen layer, and the arithmetic of one cell."""
    view, (queries, keys) = p.view, labels(p.view.explanation, kind)
    if p.known(*(mean_attention(view.trace, attention) for attention in ("self", "masked", "cross"))):
        if by == "max_flow" and kind == "self" and len(keys) > MOST_TOKENS:
            p.write("too_long", most=MOST_TOKENS, count=len(keys))
        else:
            _show_map(p, kind, by, queries, keys)
    draw_link(p.text("see_why"), "see_why", {"show": "rollout"}, "why")
    p.show_code(CODES[by])


def _show_map(p: Page, kind: Through, by: By, queries: Sequence[str], keys: Sequence[str]) -> None:
    view, is_same = p.view, by == "max_flow" and kind == "cross"  # at every step and in every layer
    if by == "max_flow" and kind == "self":
        for layer in range(p.counts["layer"]):
            pooled(encoder_flow, view.trace, layer + 1, says=p.text("computing_flow"))
    values = numbers_of(view.trace, kind, by)["values"].values
    say_clickable(p)
    p.answer(through_layers, chosen_by=() if is_same else LAYER, kind=kind, by=by)
    about, formulas = f"about_{by}_{kind}", FORMULAS.get(f"{by}_{kind}", (f"of_{by}_{kind}",))
    show_arithmetic(
        p, {name: p.texts[name] for name in (about, *formulas)}, figure="flow", where={"kind": kind, "measure": by},
        sections=[Section("about", about), arithmetic_section("[[of]]")],
    )  # fmt: skip
    if view.explanation.edits.no_residual and by != "raw":
        p.write("no_residual")
    layer = view.config.layers("encoder") if is_same else view.layer + 1
    file, layer_values = f"{by.replace('_', '-')}-{kind}-layer{layer}", values[min(layer, len(values)) - 1]
    columns, said = "query_index query key_index key value", {"measure": p.text(by), "layer": layer}
    p.offer("flow", file, columns, lambda: cells((queries, keys), layer_values), **said)


def through_layers(checkpoint: Checkpoint, explanation: Explanation, kind: Through, by: By) -> bytes:
    """The shares of every layer's map: where each position comes from.

    Raises:
        Refused: attention flow of too many tokens has no map.
    """
    if by == "max_flow" and kind == "self" and len(explanation.source) > MOST_TOKENS:
        raise Refused(404, "lacking", view="through_layers")
    return token_maps_payload(explanation, kind, numbers_of(explanation.trace, kind, by), measure=by)


def numbers_of(trace: Trace, kind: Through, by: By) -> Numbers:
    """The values of the maps, and the terms of the arithmetic of a cell. Attention flow through the decoder is the
    same at every step.
    """
    if by == "max_flow" and kind == "cross":
        return {"values": Stack(LAYER, np.tile(flow_bound(trace), (1, len(trace.array("output.logits")), 1)))}
    if by == "max_flow":
        inside = with_residual(mean_attention(trace, "self"))
        flow = np.stack([cached(encoder_flow, trace, layer + 1) for layer in range(len(inside))])
        return {"values": Stack(LAYER, flow), "first": Stack((), inside[0]), "second": Stack((), inside[min(1, len(inside) - 1)])}
    if by == "raw":
        by_head = np.stack([block.weights for block in trace.attentions(kind)])
        return {"values": Stack(LAYER, mean_attention(trace, kind)), "each": Stack(LAYER, by_head)}
    encoder = encoder_rollout(trace)
    if kind == "self":
        below = np.concatenate([np.eye(encoder.shape[-1])[None], encoder[:-1]])
        inside = with_residual(mean_attention(trace, "self"))
        return {"values": Stack(LAYER, encoder), "below": Stack(LAYER, below), "inside": Stack(LAYER, inside)}
    rolled, back = decoder_rollout(trace), with_residual(mean_attention(trace, "masked"))
    below = np.concatenate([np.zeros_like(rolled[:1]), rolled[:-1]])
    numbers = {"values": rolled, "below": below, "back": back, "look": mean_attention(trace, "cross")}
    return {**{name: Stack(LAYER, values) for name, values in numbers.items()}, "memory": Stack((), encoder[-1])}
