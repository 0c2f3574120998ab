"""The decoder without its causal mask: an edited run beside the real one."""

from __future__ import annotations

from functools import partial

import numpy as np

from viz_core.app.attention import labels, place, terms
from viz_core.app.cache import get_pass
from viz_core.app.csv_files import array_csv
from viz_core.app.page import Page
from viz_core.edits import Edits
from viz_core.figures.attention import attention_heatmap
from viz_core.figures.bars import compare_rows
from viz_core.figures.base import percent


def show_peek(p: Page) -> None:
    """The weights of the current row with and without the mask, and what that does to the next token's probability."""
    view, step = p.view, p.view.step
    queries, keys = labels(p, "masked")
    ids = (tuple(view.explanation.source.ids),), (tuple(view.explanation.target.ids),)
    edited = get_pass(view.checkpoint, *ids, edits=Edits(no_causal_mask=True))
    real, unmasked = (trace.attention("masked", view.layer).weights[view.head] for trace in (view.trace, edited))
    figure = compare_rows(
        keys, real[step], unmasked[step], names=(p.text("real_run"), p.text("edited_run")),
        title=p.text("title_peek", query=queries[step], **place(p)), axes=(p.text("columns"), p.text("weight")), highlighted=step,
        shaded=step + 1, shade=p.text("future"), palette=p.palette,
    )  # fmt: skip
    p.show(figure, "peek")
    name = f"no-mask-layer{view.layer + 1}-head{view.head + 1}"
    columns = "query_index query key_index key weight unmasked_weight"
    p.offer("peek", name, partial(array_csv, columns, (queries, keys), real, unmasked), **place(p))
    expected = view.current.expected
    before, after = (float(np.exp(np.float64(t.array("output.log_probs")[step, expected.id]))) for t in (view.trace, edited))
    later = unmasked[step, step + 1 :]
    p.arithmetic(
        "of_peek" if len(later) else "of_peek_last", query=view.target[step], next=expected.label,
        share=percent(float(later.sum())), sum=float(later.sum()), terms=terms(((weight, None) for weight in later), 5), i=step + 1,
        before=percent(before), after=percent(after), **place(p),
    )  # fmt: skip
    heatmap = attention_heatmap(
        unmasked, queries, keys, title=p.text("title_open", **place(p)), where=p.text("where_edited", **place(p)),
        axes=(p.text("rows"), p.text("columns")), row=step, palette=p.palette,
    )  # fmt: skip
    p.show(heatmap, "open")
