"""Masks: which cells are open, and why the others are not."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from viz_core.figures.attention import cell_height, thin_columns, thin_rows
from viz_core.figures.base import figure, plain, say, token_axis
from viz_core.figures.palette import LIGHT, Palette
from viz_core.texts import fill, texts

Booleans = npt.NDArray[np.bool_]


def mask_matrix(
    reasons: dict[str, Booleans], queries: Sequence[str], keys: Sequence[str], *, title: str, open_words: str, marks: Sequence[str],
    axes: tuple[str, str] = ("queries", "keys"), palette: Palette = LIGHT,
) -> go.Figure:  # fmt: skip
    """Open cells light, closed ones grey with a mark for each reason.

    Args:
        reasons: why a cell is closed → where that is so, (Tq, Tk).
        open_words: said of an open cell.
        marks: a short sign for each reason, written into the cells while there is room.
    """
    shape = (len(queries), len(keys))
    closed = np.logical_or.reduce([*reasons.values(), np.zeros(shape, dtype=np.bool_)])
    hover, text = [], []
    for i, query in enumerate(queries):
        here = [[n for n, where in enumerate(reasons.values()) if where[i, j]] for j in range(len(keys))]
        names = list(reasons)
        why = [", ".join(plain(names[n]) for n in ns) or plain(open_words) for ns in here]
        hover.append([f"«{plain(query)}» → «{plain(key)}»: {w}" for key, w in zip(keys, why, strict=True)])
        text.append([" ".join(marks[n] for n in ns) or "✓" for ns in here])
    room = max(shape) <= 20
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


STYLE = """<style>
.batch {{ display: grid; grid-template-columns: max-content 1fr; gap: .35rem .9rem; align-items: center; }}
.batch {{ font-size: 1.1rem; color: {ink}; }}
.batch .row {{ display: flex; gap: 3px; overflow-x: auto; }} .batch .name {{ color: {quiet}; }}
.batch .name.highlighted {{ color: {accent}; font-weight: 600; }}
.batch .row span {{ flex: 0 0 auto; padding: .12rem .5rem; border-radius: 6px; background: {panel}; }}
.batch .row span {{ white-space: pre; unicode-bidi: isolate; }}
.batch .row span.pad {{ background: {masked}; color: {ink}; }}
</style>"""


def batch_table(
    rows: Sequence[Sequence[str]], lengths: Sequence[int], *, names: Sequence[str], highlighted: int, palette: Palette = LIGHT
) -> str:
    """The sentences of a batch below each other, the shorter ones filled up, as HTML.

    Args:
        rows: the labels of each sentence, padding included.
        lengths: how many of them are real.
        highlighted: the sentence that is looked at.
    """
    colours = {name: getattr(palette, name) for name in ("ink", "quiet", "accent", "panel", "masked")}
    lines = []
    for index, (labels, length, name) in enumerate(zip(rows, lengths, names, strict=True)):
        cells = "".join(f"<span{' class=pad' if i >= length else ''}>{plain(label)}</span>" for i, label in enumerate(labels))
        row = f'<div class="row" role="group" aria-label="{escape(name, quote=True)}" tabindex="0">{cells}</div>'
        lines.append(f'<span class="name{" highlighted" if index == highlighted else ""}">{plain(name)}</span>{row}')
    return STYLE.format(**colours) + f'<div class="batch">{"".join(lines)}</div>'
