"""The logit lens (nostalgebraist 2020): what the decoder would predict if it stopped after each layer."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from pages.why.candidates import Candidate, asked, pick_rival
from pages.why.downloads import lens_csv
from viz_core.analysis.logit_lens import LogitLens, logit_lens
from viz_core.analysis.next_token import vocabulary_label
from viz_core.app.markup import Raw
from viz_core.app.page import Page
from viz_core.figures.base import percent
from viz_core.figures.head_map import LensCell, lens_map

TOP = 3
"""Tokens that a row of the lens lists."""
ARITHMETIC: Mapping[str, str] = {"pre": "of_lens_pre", "post": "of_lens_post"}


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
    p.show(figure, "lens", clicks="layer")
    if not p.known(lens.log_probs):
        return
    ranks = [lens.rank(height, word.id) for height in range(count)]
    last = next((height for height in reversed(range(count)) if ranks[height] != 1), -1)
    if last + 1 == count:
        p.write("never_first", word=word.label, rank=f"{ranks[-1]:,}")
    else:
        p.write(
            "first_from", word=word.label, height=heights[last + 1], rank=f"{ranks[0]:,}", vocabulary=f"{lens.log_probs.shape[1]:,}"
        )
    p.arithmetic(
        ARITHMETIC[view.config.norm], layer=at, word=word.label, probability=percent(lens.probability(at, word.id)),
        rank=f"{ranks[at]:,}", vocabulary=f"{lens.log_probs.shape[1]:,}", log_prob=float(lens.log_probs[at, word.id]),
        tied=Raw(p.text("tied") if view.config.tied_embeddings else ""),
    )  # fmt: skip
    p.offer(
        "lens", f"logit-lens-step{step + 1}", partial(lens_csv, lens, view.checkpoint.tokenizer, TOP, (word, rival)),
        word=word.label,
    )  # fmt: skip
    p.show_code("code_logit_lens")


def _lens_row(p: Page, lens: LogitLens, row: int, height: str, asked_for: tuple[Candidate, Candidate]) -> list[LensCell]:
    """The most probable tokens after so many layers, then the words in question."""
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
