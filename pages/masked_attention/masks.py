"""The effect of masks: the causal and the padding mask of a batch of two sentences, and the decoder without its causal mask."""

import math
from collections.abc import Sequence
from dataclasses import replace
from html import escape

import numpy as np
import numpy.typing as npt

from pages.masked_attention.controls import PARTNER, SENTENCE, WHICH
from viz_core.app.arithmetic import arithmetic_section, show_arithmetic, show_each
from viz_core.app.attention import labels, place
from viz_core.app.cache import cached, get_explanation, get_pass
from viz_core.app.csv_files import cells
from viz_core.app.examples import for_language
from viz_core.app.page import Page
from viz_core.browser.attention_payload import Attended, attention_payload, side_by_side_payload
from viz_core.checkpoint import Checkpoint
from viz_core.edits import Edits
from viz_core.explain import Explanation
from viz_core.figures.attention import cell_height, thin_columns, thin_rows
from viz_core.figures.base import figure, plain, say, token_axis
from viz_core.figures.figure import Figure
from viz_core.figures.palette import LIGHT, Palette
from viz_core.texts import enumerated, fill, named, texts, visible


def without_mask(checkpoint: Checkpoint, explanation: Explanation) -> Explanation:
    """The same sentence and target, run again without the causal mask in any layer."""
    edits = Edits(no_causal_mask=True)
    trace = get_pass(checkpoint, (tuple(explanation.source.ids),), (tuple(explanation.target.ids),), edits)
    return replace(explanation, trace=trace, edits=edits)


def mask_removed(checkpoint: Checkpoint, explanation: Explanation) -> bytes:
    """The attention with and without the causal mask, side by side."""
    words = texts("masked_attention")
    runs = ("real_run", explanation), ("edited_run", cached(without_mask, checkpoint, explanation))
    real, edited = (Attended(words[name], run, attention_payload(run, "masked", whole=True)) for name, run in runs)
    before, after = (run.trace.array("output.log_probs").astype(np.float64) for _, run in runs)
    predicted = [
        (
            visible(step.read.label),
            visible(step.expected.label),
            *(math.exp(log_probs[index, step.expected.id]) for log_probs in (before, after)),
        )
        for index, step in enumerate(explanation.steps)
    ]
    return side_by_side_payload(real, edited, kind="masked", alone=True, predicted=predicted)


Booleans = npt.NDArray[np.bool_]


def mask_reasons(real: int, length: int) -> tuple[Booleans, Booleans]:
    """The causal mask and the padding mask of one padded target, True where a query may look (Vaswani et al. 2017, §3.2.3).

    Derived from its number of real tokens; a test compares their conjunction with the recorded mask.

    Returns:
        (T, T) lower triangular, and (T, T) with the columns of padding False.
    """
    causal = np.tril(np.ones((length, length), dtype=np.bool_))
    return causal, np.broadcast_to(np.arange(length) < real, (length, length))


ROOMY, PRINTED = 9, 16
"""Columns up to which a cell has room for two signs, and for one."""


def show_batch(p: Page) -> None:
    """The masks of one sentence of the batch, and what padding changes: nothing."""
    view = p.view
    with p.controls():
        partners = for_language(p.texts["partner_text"], view.checkpoint.source_language)
        partner = partners[PARTNER.draw(p, partners)]
        which = WHICH.draw(p)
        sentence = SENTENCE.draw(p)
    pair = [view.explanation, get_explanation(view.checkpoint, partner, "")]
    sources, targets = (tuple(tuple(getattr(one, side).ids) for one in pair) for side in ("source", "target"))
    trace = get_pass(view.checkpoint, sources, targets)
    lengths = [len(one.target) for one in pair]
    width = max(lengths)
    row = int(np.argmin(lengths)) if sentence == "shorter" else int(np.argmax(lengths))
    filler = view.checkpoint.tokenizer.special(view.config.pad_id, 0)
    tokens = [[*one.target.labels, *[filler.label] * (width - len(one.target))] for one in pair]
    p.html(batch_table(tokens, lengths, names=(p.text("first"), p.text("second")), highlighted=row))

    causal, padding = mask_reasons(lengths[row], width)
    mask_read = trace.attention("masked", 0, row).mask  # the same in every layer
    hidden = {"causal": ~causal, "padding": ~padding}
    recorded = {reason: where & ~mask_read for reason, where in hidden.items()}
    hidden = recorded if which == "both" else {which: hidden[which]}
    reasons, marks = p.table("reasons"), p.table("marks")
    figure = mask_matrix(
        {reasons[reason]: where for reason, where in hidden.items()}, tokens[row], tokens[row], title=p.table("titles")[which],
        open_words=p.text("open"), marks=[marks[reason] for reason in hidden], both=marks["both"],
        axes=(p.text("rows_batch"), p.texts["axes"]["columns"]), palette=p.palette,
    )  # fmt: skip
    p.show(figure, "mask", least="wide")

    n = lengths[row]

    pairs = zip(pair[row].trace.attentions("masked"), trace.attentions("masked", row), strict=True)
    values = []
    for layer, (alone, together) in enumerate(pairs, 1):
        own, on_padding = together.weights[:, :n, :n], together.weights[:, :n, n:]
        largest = (float(np.abs(differences).max(initial=0.0)) or 0 for differences in (own - alone.weights, on_padding))
        counts = {"layer": layer, "length": n, "width": width, "pads": width - n}
        values.append({**counts, **dict(zip(("difference", "on_padding"), largest, strict=True))})
    show_each(p, "layer", "of_batch" if width > n else "of_batch_equal", values)
    layer = view.layer + 1
    weights = trace.attention("masked", view.layer, row).weights
    axes, columns = (None, tokens[row], tokens[row]), "head query_index query key_index key causal padding allowed weight"
    p.offer("batch", f"masks-layer{layer}", columns, lambda: cells(axes, causal, padding, mask_read, weights), layer=layer)


def mask_matrix(
    reasons: dict[str, Booleans], queries: Sequence[str], keys: Sequence[str], *, title: str, open_words: str, marks: Sequence[str],
    axes: tuple[str, str], both: str = "", palette: Palette = LIGHT,
) -> Figure:  # fmt: skip
    """Open cells light, closed ones grey with a mark for each reason.

    Args:
        reasons: why a cell is closed → where that is so, (Tq, Tk).
        open_words: hover text of an open cell.
        marks: a short sign for each reason, written into the cells while there is room.
        both: a sign for two reasons at once, where there is no room for their two signs; if empty, they are written all the same.
    """
    shape = (len(queries), len(keys))
    closed = np.logical_or.reduce([*reasons.values(), np.zeros(shape, dtype=np.bool_)])
    hover, text = [], []
    for i, query in enumerate(queries):
        hover_row, text_row = [], []
        for j, key in enumerate(keys):
            closing = [(reason, mark) for (reason, where), mark in zip(reasons.items(), marks, strict=True) if where[i, j]]
            why = enumerated(plain(reason) for reason, _ in closing) or plain(open_words)
            hover_row.append(named(f"«{plain(query)}» → «{plain(key)}»", why))
            words = " ".join(mark for _, mark in closing) or "✓"
            text_row.append(both if both and len(closing) > 1 and shape[1] > ROOMY else words)
        hover.append(hover_row)
        text.append(text_row)
    room = max(shape) <= PRINTED
    fig = figure(palette, title=title, height=max(300, cell_height(shape[0]) * shape[0] + 175))
    say(fig, fill(texts("masked_attention.hovers")["hidden"], {"hidden": int(closed.sum()), "cells": closed.size}))
    gap = 2 if max(shape) <= 40 else 0
    fig.add_heatmap(
        z=closed.astype(np.float32), colorscale=[[0, palette.sequential[1]], [1, palette.masked]], zmin=0, zmax=1, showscale=False,
        xgap=gap, ygap=gap, text=text if room else None, texttemplate="%{text}" if room else None,
        textfont_color=palette.ink, hovertext=hover,
    )  # fmt: skip
    slant = sum(map(len, keys)) > 55 or len(keys) > 10
    fig.update_xaxes(**token_axis(keys, axes[1], thin=thin_columns(shape[1])), side="top", tickangle=-40 if slant else 0)
    fig.update_yaxes(**token_axis(queries, axes[0], thin=thin_rows(shape[0]), down=True))
    return fig


def batch_table(rows: Sequence[Sequence[str]], lengths: Sequence[int], *, names: Sequence[str], highlighted: int) -> str:
    """The sentences of a batch, one per line, the shorter ones padded, as HTML.

    Args:
        rows: the labels of each sentence, padding included.
        lengths: how many of them are real.
        highlighted: the sentence whose masks are shown.
    """
    lines = []
    for index, (tokens, length, name) in enumerate(zip(rows, lengths, names, strict=True)):
        cells = "".join(f"<span{' class=pad' if i >= length else ''}>{plain(label)}</span>" for i, label in enumerate(tokens))
        row = f'<div class="row" role="group" aria-label="{escape(name, quote=True)}" tabindex="0">{cells}</div>'
        lines.append(f'<span class="name{" highlighted" if index == highlighted else ""}">{plain(name)}</span>{row}')
    return f'<div class="batch">{"".join(lines)}</div>'


def show_without_mask(p: Page) -> None:
    """The weights with and without the mask, and what that does to the probability of each next token."""
    view, ex = p.view, p.view.explanation
    edited = cached(without_mask, view.checkpoint, ex)
    p.answer(mask_removed, part="side_by_side")
    show_arithmetic(
        p, {key: p.texts[key] for key in ("of_peek", "of_peek_last")}, figure="side_by_side", sections=[arithmetic_section()]
    )  # fmt: skip
    one = [trace.attention("masked", view.layer).weights[view.head] for trace in (view.trace, edited.trace)]
    where = place(p)
    name, columns = f"no-mask-layer{where['layer']}-head{where['head']}", "query_index query key_index key weight unmasked_weight"
    p.offer("peek", name, columns, lambda: cells(labels(ex, "masked"), *one), **where)
