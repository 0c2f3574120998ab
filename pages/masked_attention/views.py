"""What the page on masked attention shows besides the stages: a batch with padding, and a decoder that peeks."""

from __future__ import annotations

import numpy as np

from pages.masked_attention.compute import reasons
from pages.masked_attention.controls import OF, PARTNER, WHICH
from pages.masked_attention.figures import batch_table, mask_matrix
from viz_core.app.attention import place, terms
from viz_core.app.cache import get_explanation, get_pass
from viz_core.app.page import Page
from viz_core.config import PAD_ID
from viz_core.edits import Edits
from viz_core.explain import Explanation
from viz_core.figures.attention import attention_heatmap
from viz_core.figures.bars import compare_rows
from viz_core.figures.base import percent
from viz_core.tokenizer import SPECIAL


def show_batch(p: Page) -> None:
    """Two sentences of different length in one pass: the causal mask, the padding mask, and both together as recorded."""
    view = p.view
    with p.controls():
        partner = p.texts["partner_text"][PARTNER.draw(p, p.texts["partner_text"])]
        which = WHICH.draw(p)
        of = OF.draw(p)
    other = get_explanation(view.checkpoint, partner, "")
    pair = [view.explanation, other]
    trace = get_pass(
        view.checkpoint, tuple(tuple(each.source.ids) for each in pair), tuple(tuple(each.target.ids) for each in pair)
    )
    lengths = [len(each.target) for each in pair]
    width = max(lengths)
    row = int(np.argmin(lengths)) if of == "shorter" else int(np.argmax(lengths))
    labels = [_padded(each, width) for each in pair]
    p.html(batch_table(labels, lengths, names=(p.text("first"), p.text("second")), highlighted=row, palette=p.palette))

    causal, padding = reasons([*pair[row].target.ids, *[PAD_ID] * (width - lengths[row])])
    recorded = trace.attention("masked", view.layer, row).mask
    closed = {"both": (~causal & ~recorded, ~padding & ~recorded), "causal": (~causal, None), "padding": (None, ~padding)}[which]
    named = {p.text(f"why_{name}"): where for name, where in zip(("causal", "padding"), closed, strict=True) if where is not None}
    figure = mask_matrix(
        named, labels[row], labels[row], title=p.text(f"title_{which}"), open_words=p.text("open"),
        marks=[p.text(f"mark_{name}") for name, where in zip(("causal", "padding"), closed, strict=True) if where is not None],
        axes=(p.text("rows"), p.text("columns")), palette=p.palette,
    )  # fmt: skip
    p.show(figure, "mask")

    alone = [view.explanation.trace, other.trace][row].attention("masked", view.layer).weights
    n = lengths[row]
    together = trace.attention("masked", view.layer, row).weights[:, :n]
    p.arithmetic(
        "of_batch" if width > n else "of_batch_equal",
        length=n,
        width=width,
        pads=width - n,
        difference=float(np.abs(together[:, :, :n] - alone).max()) or 0,
        on_padding=float(np.abs(together[:, :, n:]).max(initial=0.0)) or 0,
        layer=view.layer + 1,
    )


def show_peek(p: Page) -> None:
    """The same weights with the causal mask open: an edited run beside the real one."""
    view = p.view
    ids = (tuple(view.explanation.source.ids),), (tuple(view.explanation.target.ids),)
    edited = get_pass(view.checkpoint, *ids, edits=Edits(no_causal_mask=True))
    real, open_ = (trace.attention("masked", view.layer).weights[view.head] for trace in (view.trace, edited))
    step, names = view.step, (p.text("real_run"), p.text("edited_run"))
    figure = compare_rows(
        view.target, real[step], open_[step], names=names, title=p.text("title_peek", query=view.target[step], **place(p)),
        axes=(p.text("columns"), p.text("weight")), highlighted=step, shaded=step + 1, shade=p.text("future"), palette=p.palette,
    )  # fmt: skip
    p.show(figure, "peek")
    expected = view.current.expected
    before, after = (float(np.exp(np.float64(t.array("output.log_probs")[step, expected.id]))) for t in (view.trace, edited))
    last = step + 1 == len(view.target)
    p.arithmetic(
        "of_peek_last" if last else "of_peek",
        query=view.target[step],
        next=expected.label,
        share=percent(float(open_[step, step + 1 :].sum())),
        sum=float(open_[step, step + 1 :].sum()),
        terms=terms(((weight, None) for weight in open_[step, step + 1 :]), 5),
        i=step + 1,
        before=percent(before),
        after=percent(after),
        **place(p),
    )
    p.show(
        attention_heatmap(
            open_, view.target, view.target, title=p.text("title_open", **place(p)), where=p.text("where_edited", **place(p)),
            axes=(p.text("rows"), p.text("columns")), row=step, palette=p.palette,
        ),
        "open",
    )  # fmt: skip


def _padded(each: Explanation, width: int) -> list[str]:
    labels = each.target.labels
    return [*labels, *[SPECIAL[PAD_ID]] * (width - len(labels))]
