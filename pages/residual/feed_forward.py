"""The feed-forward network: the hidden units of all tokens, and what the most active units of one token add."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from pages.residual.compute import FeedForwardPass, feed_forward, promoted
from pages.residual.controls import UNIT, pick_token
from pages.residual.ffn_figures import column_width, hidden_map, unit_bars
from viz_core.analysis.next_token import vocabulary_label
from viz_core.app.csv_files import array_csv, written
from viz_core.app.markup import Raw
from viz_core.app.page import Page
from viz_core.figures.base import percent
from viz_core.trace import Stack

UNITS = 6  # of one token are listed


def show_feed_forward(p: Page, stack: Stack, row: Any) -> None:
    """Which hidden units are active for each token."""
    view = p.view
    found = feed_forward(view.checkpoint.model, view.trace, stack, view.layer)
    with row:
        labels, token = pick_token(p, stack)
        units = found.strongest(token, UNITS)
        picked = UNIT.draw(p, [p.text("unit_number", number=unit + 1) for unit in units]) if units else None
    width = column_width(found.hidden.shape[1])
    silent, limit = found.silent(), max(float(found.hidden.max()), 1e-9)
    p.write("lead_ffn", token=labels[token], share=percent(float(silent[token])), units=found.hidden.shape[1])
    figure = hidden_map(
        found.hidden[: len(labels)], silent[: len(labels)], labels, token=token, limit=limit,
        title=p.text("hidden_title" if width == 1 else "hidden_title_pooled", layer=view.layer + 1, width=width),
        axes=(p.table("token_axes")[stack], p.text("hidden_axis")), silent_name=p.text("silent"), palette=p.palette,
    )  # fmt: skip
    p.show(figure, "hidden", clicks="token")
    numbers = partial(array_csv, "position token unit activation", (labels, None), found.hidden[: len(labels)])
    p.offer("hidden", f"{stack}-layer{view.layer + 1}-hidden", numbers, layer=view.layer + 1)
    if picked is not None:
        _show_units(p, stack, found, labels, token, units, picked, limit)
    p.show_code("code_ffn")


def _show_units(
    p: Page, stack: Stack, found: FeedForwardPass, labels: Sequence[str], token: int, units: list[int], picked: int, limit: float
) -> None:
    """The most active units of one token, and the arithmetic of the picked one."""
    view, unit = p.view, units[picked]
    added = [found.adds(token, each) for each in units]
    lengths = np.array([np.linalg.norm(vector) for vector in added])
    words = [""] * len(units)
    if stack == "decoder":
        best = [promoted(view.checkpoint.model, vector) for vector in added]
        words = [", ".join(f"«{vocabulary_label(view.checkpoint.tokenizer, i)}»" for i in ids) for ids in best]
    own = found.hidden[token]
    figure = unit_bars(
        units, own[units], lengths, words, title=p.text("units_title", token=labels[token]),
        names=(p.text("unit_name"), p.text("strength"), p.text("adds_words" if stack == "decoder" else "adds")), unit=picked,
        limit=limit, palette=p.palette,
    )  # fmt: skip
    p.show(figure, "units", clicks="unit")
    name = f"{stack}-layer{view.layer + 1}-units"
    lines = [[each + 1, *rest] for each, *rest in zip(units, own[units], lengths, words, strict=True)]
    p.offer("units", name, partial(written, "unit activation added_length promotes", lines), token=labels[token])
    p.arithmetic(
        "arithmetic_ffn", token=labels[token], unit=unit + 1, product=found.product(token, unit), bias=float(found.b_1[unit]),
        hidden=float(own[unit]), size=len(own), active=int((own > 0).sum()), added=float(lengths[picked]),
        total=float(np.linalg.norm(found.out[token].astype(np.float64))),
        note=Raw(p.text("note_decoder") if stack == "decoder" else ""),
    )  # fmt: skip
