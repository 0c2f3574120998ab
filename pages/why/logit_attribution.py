"""Direct logit attribution (Elhage et al. 2021): the logit of a word as a sum over the components of the decoder."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from pages.why.candidates import asked, pick_rival
from pages.why.controls import KIND, OF
from pages.why.downloads import attribution_csv
from pages.why.figures import Summand, sum_bars
from viz_core.analysis.logit_attribution import ATTENTIONS, AttentionKind, LogitAttribution, logit_attribution
from viz_core.app.markup import Raw, latex, number
from viz_core.app.page import Page
from viz_core.figures.attention import signed
from viz_core.figures.head_map import head_map, limit_of

SMALL = 1e-3
"""Of the logit: a greater remainder is no rounding."""


def show_logit_attribution(p: Page, row: Any) -> None:
    """The logit, or its lead over another word's, as the sum of the contributions of every component of the decoder."""
    view, word = p.view, asked(p)
    with row:
        difference = OF.draw(p) == "difference"
        rival = pick_rival(p) if difference else None
    found = logit_attribution(view.checkpoint.model, view.trace, view.step, word.id, rival.id if rival else None)
    if not p.known(np.array([found.value, *(part.value for part in found.parts)])):
        return
    whole = {"word": word.label, "rival": rival.label if rival else ""}
    of = "difference" if difference else "logit"
    figure = sum_bars(
        _summands(p, found), Summand(p.table("totals", **whole)[of], found.value), title=p.table("attribution_titles", **whole)[of],
        axes=(p.text("writers"), p.table("cumulative_axes", **whole)[of]), layer=view.layer, palette=p.palette,
    )  # fmt: skip
    p.show(figure, "parts", clicks="layer")
    if not _exact(found):
        p.write("no_sum", remainder=found.remainder, value=found.value)
    else:
        p.write("exact", remainder=found.remainder)
    kind = KIND.draw(p)
    _show_heads(p, found, kind, p.table("head_titles", attention=p.text(kind), **whole)[of])
    sums = {writer: _sum(found, writer) for writer in ("embedding", "positions", "masked", "cross", "ffn")}
    sums["constant"] = _sum(found, "bias") + _sum(found, "beta")
    if not _exact(found):
        sums["remainder"] = found.remainder
    components = p.table("components")
    terms = " + ".join(rf"\underbrace{{({number(value)})}}_{{\text{{{latex(components[name])}}}}}" for name, value in sums.items())
    formula = r"z_{\text{" + latex(word.label) + "}}" + (r" - z_{\text{" + latex(rival.label) + "}}" if rival else "")
    p.arithmetic("of_parts", left=Raw(formula), terms=Raw(terms), remainder=found.remainder, value=found.value)
    p.offer("attribution", f"logit-attribution-step{view.step + 1}", partial(attribution_csv, found), word=word.label)
    p.show_code("code_logit_attribution")


def _summands(p: Page, found: LogitAttribution) -> list[Summand]:
    """Embedding, positions, every sub-layer, and what is the same in every sentence: biases and β."""
    components = p.table("components")
    rows = [Summand(components["embedding"], _sum(found, "embedding")), Summand(components["positions"], _sum(found, "positions"))]
    for layer in range(p.view.config.n_layers):
        for writer in (*ATTENTIONS.values(), "ffn"):
            rows.append(Summand(p.text("part", layer=layer + 1, writer=components[writer]), _sum(found, writer, layer), layer))
    rows.append(Summand(components["constant"], _sum(found, "bias") + _sum(found, "beta")))
    if not _exact(found):
        rows.append(Summand(components["remainder"], found.remainder))
    return rows


def _exact(found: LogitAttribution) -> bool:
    return abs(found.remainder) <= SMALL * max(abs(found.value), 1.0)


def _sum(found: LogitAttribution, writer: str, layer: int | None = None) -> float:
    return sum(part.value for part in found.parts if part.writer == writer and layer in (None, part.layer))


def _show_heads(p: Page, found: LogitAttribution, kind: AttentionKind, title: str) -> None:
    """Every head of one attention; a click puts one on display."""
    config = p.view.config
    brought = np.zeros((config.n_layers, config.n_heads))
    for part in found.parts:
        if part.writer == kind and part.layer is not None and part.head is not None:
            brought[part.layer, part.head] = part.value
    written = [[signed(value) for value in row] for row in brought.tolist()]
    hovers = [
        [p.text("hover_head", layer=i + 1, head=j + 1, value=text) for j, text in enumerate(row)] for i, row in enumerate(written)
    ]
    figure = head_map(
        brought, written, hovers, title=title, axes=(p.text("layers"), p.text("heads")), highlighted=(p.view.layer, p.view.head),
        limit=limit_of(brought), palette=p.palette,
    )  # fmt: skip
    p.show(figure, "heads", clicks=("layer", "head"))
