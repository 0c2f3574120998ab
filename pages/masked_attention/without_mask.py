"""The decoder without its causal mask: an edited run, beside the real one."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from pages.masked_attention.data import mask_removed, without_mask
from viz_core.app.arithmetic import Varying, show_arithmetic
from viz_core.app.attention import labels, place, terms
from viz_core.app.cache import cached
from viz_core.app.csv_files import array_csv
from viz_core.app.markup import Raw
from viz_core.app.page import Page
from viz_core.app.view_options import unwatched
from viz_core.figures.base import percent

COLUMNS = "query_index query key_index key weight unmasked_weight"


def show_without_mask(p: Page) -> None:
    """The weights with and without the mask, and what that does to the probability of each next token."""
    view, ex = p.view, p.view.explanation
    edited = cached(without_mask, view.checkpoint, ex)
    p.answer(mask_removed, part="side_by_side")
    weights = [block.weights for block in edited.trace.attentions("masked")]
    before, after = (np.exp(each.trace.array("output.log_probs").astype(np.float64)) for each in (ex, edited))

    def of_step(step: int) -> dict[str, Any]:
        expected = ex.steps[step].expected
        last = step + 1 == len(view.target)
        return {
            "query": view.target[step], "next": expected.label, "i": step + 1, "text": Raw("of_peek_last" if last else "of_peek"),
            "before": percent(float(before[step, expected.id])), "after": percent(float(after[step, expected.id])),
        }  # fmt: skip

    def of_row(layer: int, head: int, step: int) -> dict[str, Any]:
        later = weights[layer][head, step, step + 1 :]
        total = float(later.sum())
        return {"share": percent(total), "sum": total, "terms": terms(map(float, later), 5)}

    names = ("layer", "head", "step")
    show_arithmetic(
        p, {key: p.texts[key] for key in ("of_peek", "of_peek_last")},
        Varying(("step",), p.each(of_step, "step")), Varying(names, p.each(of_row, *names)),
    )  # fmt: skip
    with unwatched():
        one = [trace.attention("masked", view.layer).weights[view.head] for trace in (view.trace, edited.trace)]
        where = place(p)
    name = f"no-mask-layer{where['layer']}-head{where['head']}"
    p.offer("peek", name, partial(array_csv, COLUMNS, labels(p.view.explanation, "masked"), *one), **where)
