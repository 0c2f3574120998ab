"""Two sentences of different length in one batch: the causal mask, the padding mask, and both combined."""

from __future__ import annotations

from functools import partial

import numpy as np

from pages.masked_attention.compute import mask_reasons
from pages.masked_attention.controls import OF, PARTNER, WHICH
from pages.masked_attention.figures import batch_table, mask_matrix
from viz_core.app.cache import get_explanation, get_pass
from viz_core.app.csv_files import array_csv
from viz_core.app.page import Page
from viz_core.config import PAD_ID
from viz_core.tokenizer import SPECIAL

COLUMNS = "head query_index query key_index key causal padding allowed weight"
"""Of the download: whether each mask leaves a cell open (1 or 0), the recorded mask, and the weight."""


def show_batch(p: Page) -> None:
    """The masks of one sentence of the batch, and what padding changes: nothing."""
    view = p.view
    with p.controls():
        partner = p.texts["partner_text"][PARTNER.draw(p, p.texts["partner_text"])]
        which = WHICH.draw(p)
        of = OF.draw(p)
    pair = [view.explanation, get_explanation(view.checkpoint, partner, "")]
    sources, targets = (tuple(tuple(getattr(each, side).ids) for each in pair) for side in ("source", "target"))
    trace = get_pass(view.checkpoint, sources, targets)
    lengths = [len(each.target) for each in pair]
    width = max(lengths)
    row = int(np.argmin(lengths)) if of == "shorter" else int(np.argmax(lengths))
    labels = [[*each.target.labels, *[SPECIAL[PAD_ID]] * (width - len(each.target))] for each in pair]
    p.html(batch_table(labels, lengths, names=(p.text("first"), p.text("second")), highlighted=row, palette=p.palette))

    causal, padding = mask_reasons([*pair[row].target.ids, *[PAD_ID] * (width - lengths[row])])
    batched = trace.attention("masked", view.layer, row)
    hidden = {"causal": ~causal, "padding": ~padding}
    recorded = {reason: where & ~batched.mask for reason, where in hidden.items()}
    hidden = recorded if which == "both" else {which: hidden[which]}
    reasons, marks = p.table("reasons"), p.table("marks")
    figure = mask_matrix(
        {reasons[reason]: where for reason, where in hidden.items()}, labels[row], labels[row], title=p.table("titles")[which],
        open_words=p.text("open"), marks=[marks[reason] for reason in hidden], axes=(p.text("rows_batch"), p.text("columns")),
        palette=p.palette,
    )  # fmt: skip
    p.show(figure, "mask")

    alone = pair[row].trace.attention("masked", view.layer).weights
    n = lengths[row]
    together = batched.weights[:, :n]
    layer = view.layer + 1
    masks = [np.broadcast_to(mask, batched.weights.shape).astype(int) for mask in (causal, padding, batched.mask)]
    numbers = partial(array_csv, COLUMNS, (None, labels[row], labels[row]), *masks, batched.weights)
    p.offer("batch", f"masks-layer{layer}", numbers, layer=layer)
    p.arithmetic(
        "of_batch" if width > n else "of_batch_equal", length=n, width=width, pads=width - n,
        difference=float(np.abs(together[:, :, :n] - alone).max()) or 0,
        on_padding=float(np.abs(together[:, :, n:]).max(initial=0.0)) or 0, layer=layer,
    )  # fmt: skip
