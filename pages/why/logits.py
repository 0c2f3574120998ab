"""The logits of a word: after each layer (logit lens, nostalgebraist 2020), and as a sum over all components."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from pages.why.controls import KIND, OF, NamedToken, asked, pick_rival
from pages.why.downloads import attribution_csv, lens_csv
from pages.why.figures import Summand, sum_bars
from viz_core.analysis.logits import ATTENTIONS, AttentionKind, LogitAttribution, LogitLens, logit_attribution, logit_lens
from viz_core.analysis.next_token import vocabulary_label
from viz_core.app.markup import Raw, latex, number
from viz_core.app.page import Page
from viz_core.figures.attention import signed
from viz_core.figures.base import percent
from viz_core.figures.head_map import LensCell, head_map, lens_map, limit_of
from viz_core.trace import heads_shape

TOP = 3
"""Tokens that a row of the lens lists."""
ARITHMETIC: Mapping[str, str] = {"pre": "of_lens_pre", "post": "of_lens_post"}
SMALL = 1e-3
"""As a share of the logit: a greater remainder is not due to rounding."""


def show_logit_lens(p: Page, row: Any) -> None:
    """What the decoder would write if it stopped after each layer."""
    view, word, step = p.view, asked(p), p.view.step
    with row:
        rival = pick_rival(p)
    lens = logit_lens(view.checkpoint.model, view.trace, step)
    count, at = len(lens.log_probs), view.layer + 1
    heights = [p.text("height_first"), *(p.text("height", layer=layer) for layer in range(1, count))]
    rows = [_lens_row(p, lens, height, heights[height], (word, rival)) for height in range(count)]
    columns = [*(p.text("place", number=number) for number in range(1, TOP + 1)), f"«{word.label}»", f"«{rival.label}»"]
    figure = lens_map(
        rows, heights, columns, title=p.text("title_lens", word=word.label, step=step + 1),
        axes=(p.text("heights"), p.text("readings")), highlighted=at, palette=p.palette,
    )  # fmt: skip
    p.show(figure, "lens", clicks="layer", least="wide")
    if not p.known(lens.log_probs):
        return
    ranks = [lens.rank(height, word.id) for height in range(count)]
    last = next((height for height in reversed(range(count)) if ranks[height] != 1), -1)
    if last + 1 == count:
        p.write("never_first", word=word.label, rank=f"{ranks[-1]:,}")
    elif last < 0:
        p.write("always_first", word=word.label)
    else:
        p.write("first_from", word=word.label, layer=last + 1, rank=f"{ranks[0]:,}", vocabulary=f"{lens.log_probs.shape[1]:,}")
    p.arithmetic(
        ARITHMETIC["pre" if view.config.has_final_norm else "post"], layer=at, word=word.label,
        probability=percent(lens.probability(at, word.id)),
        rank=f"{ranks[at]:,}", vocabulary=f"{lens.log_probs.shape[1]:,}", log_prob=float(lens.log_probs[at, word.id]),
        tied=Raw(p.text("tied") if view.config.tied_embeddings else ""),
    )  # fmt: skip
    p.offer(
        "lens", f"logit-lens-step{step + 1}", partial(lens_csv, lens, view.checkpoint.tokenizer, TOP, (word, rival)),
        word=word.label,
    )  # fmt: skip


def _lens_row(p: Page, lens: LogitLens, row: int, height: str, asked_for: tuple[NamedToken, NamedToken]) -> list[LensCell]:
    """The most probable tokens after so many layers, then the two words compared."""
    if not np.isfinite(lens.log_probs[row]).all():
        return [LensCell(("–", ""), 0.0, p.text("not_known", height=height))] * (TOP + len(asked_for))
    tokenizer, cells = p.view.checkpoint.tokenizer, []
    for place, i in enumerate(lens.top_ids(row, TOP), 1):
        label, probability = vocabulary_label(tokenizer, i), lens.probability(row, i)
        hover = p.text("hover_place", height=height, place=place, token=label, percent=percent(probability))
        cells.append(LensCell((label, percent(probability)), probability, hover, highlighted=i == asked_for[0].id))
    for word in asked_for:
        probability, rank = lens.probability(row, word.id), f"{lens.rank(row, word.id):,}"
        hover = p.text("hover_word", height=height, token=word.label, percent=percent(probability), rank=rank)
        cells.append(LensCell((percent(probability), p.text("rank", rank=rank)), probability, hover))
    return cells


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
    p.show(figure, "parts", clicks="layer", least="wide")
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
    for layer in range(p.view.config.layers("decoder")):
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
    brought = np.zeros(heads_shape(config, kind))
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
