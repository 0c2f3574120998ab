"""What the page on one word shows of the flow: attention rollout from the word back through all layers to the source."""

from __future__ import annotations

from typing import Any

import numpy as np

from pages.why.compute import Edge, edges, led_to, mean_rollout
from pages.why.logits import asked
from pages.why.ribbons_figure import Label, Ribbon, ribbons
from pages.why.source_figure import Answer, source_bars
from viz_core.analysis.rollout import rollout
from viz_core.analysis.words import groups
from viz_core.app.cache import cached
from viz_core.app.markup import Raw, latex
from viz_core.app.page import Page
from viz_core.figures.base import percent

MOST = 80
"""Ways that may be drawn."""
WHOLE = 24
"""Up to so many source words all have their row; beyond, those that a way leads to."""
APART = 0.8
"""Columns between encoder and decoder."""


def show_flow(p: Page, row: Any) -> None:
    """The strongest ways back, and beside them how much each source word gets at this step and at all others."""
    view, word = p.view, asked(p)
    labels, positions = groups(view.explanation.source)
    found = rollout(view.trace, view.step)
    usual = cached(mean_rollout, view.explanation)
    if not p.known(found.source, found.target, usual):
        return
    ways = edges(found, positions)
    drawn = led_to(ways[:MOST], view.step, view.config.n_layers)
    _show_ways(p, drawn, labels)
    p.write(
        "drawn", count=len(drawn), all=f"{len(ways):,}", least=percent(ways[:MOST][-1].share),
        left=percent(1 - sum(way.share for way in drawn) / sum(way.share for way in ways)),
    )  # fmt: skip
    shares = np.array([100 * found.source[at].sum() for at in positions])
    excess = shares - np.array([100 * usual[at].sum() for at in positions])
    best = int(excess.argmax())
    answers = [
        Answer(p.text("rolled"), p.text("unit_rolled"), shares, int(shares.argmax())),
        Answer(p.text("excess"), p.text("unit_excess"), excess, best if excess[best] > 0 else None),
    ]
    figure = source_bars(labels, answers, title=p.text("title_excess", word=word.label), axis=p.text("source"), palette=p.palette)
    p.show(figure, "excess")
    total = percent(float(found.source.sum()))
    p.write("about_flow", total=Raw(total))
    if view.explanation.edits.no_residual:
        p.write("no_residual")
    p.arithmetic(
        "of_flow", layers=view.config.n_layers, total=Raw(total), word=labels[best], percent=Raw(latex(total)),
        share=Raw(f"{shares[best]:.1f}"),
        usual=Raw(f"{shares[best] - excess[best]:.1f}"), excess=Raw(f"{excess[best]:+.1f}"),
    )  # fmt: skip
    p.light("code_flow")


def _show_ways(p: Page, drawn: list[Edge], labels: list[str]) -> None:
    """Encoder below on the left, decoder above on the right, each with a column for every height."""
    view, layers = p.view, p.view.config.n_layers
    read = sorted({at for way in drawn if way.leg == "masked" for at in (way.start, way.end)} | {view.step})
    reached = {way.end for way in drawn if way.leg == "cross"} | {
        at for way in drawn if way.leg == "encoder" for at in (way.start, way.end)
    }
    words = [at for at in range(len(labels)) if len(labels) <= WHOLE or at in reached]
    above = {at: row + 0.5 for row, at in enumerate(read)}
    below = {at: len(read) + row + 1.0 for row, at in enumerate(words)}
    first = layers + APART  # the column of what the decoder read
    made = [_ribbon(p, way, labels, above, below, first) for way in drawn]
    ends = [Label(labels[at], (0.0, below[at]), "left") for at in words]
    ends += [Label(view.target[at], (first, above[at]), "left") for at in read]
    ends.append(Label(f"→ {asked(p).label}", (first + layers, above[view.step]), "right", highlighted=True))
    columns = {0.0: p.text("column_source"), float(layers): p.text("column_memory"), first + layers: p.text("column_top")}
    figure = ribbons(
        made, ends, columns, title=p.text("title_flow", word=asked(p).label, step=view.step + 1),
        span=(-1.5, first + layers + 1.5), rows=len(read) + len(words) + 1.0, palette=p.palette,
    )  # fmt: skip
    p.show(figure, "flow")


def _ribbon(p: Page, way: Edge, labels: list[str], above: dict[int, float], below: dict[int, float], first: float) -> Ribbon:
    layers, target = p.view.config.n_layers, p.view.target
    if way.leg == "encoder":
        start, end = (way.layer + 1.0, below[way.start]), (float(way.layer), below[way.end])
        names = labels[way.start], labels[way.end]
    elif way.leg == "masked":
        start, end = (first + way.layer + 1, above[way.start]), (first + way.layer, above[way.end])
        names = target[way.start], target[way.end]
    else:
        start, end = (first + way.layer + 1, above[way.start]), (float(layers), below[way.end])
        names = target[way.start], labels[way.end]
    said = p.text(f"way_{way.leg}", layer=way.layer + 1, start=names[0], end=names[1], share=percent(way.share))
    return Ribbon(start, end, way.share, said, highlighted=way.leg == "cross")
