"""Attention rollout (Abnar & Zuidema 2020) from the word back through all layers to the source."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from pages.why.candidates import asked
from pages.why.compute import Edge, Leg, connected, mean_rollout, rollout_edges, sum_by_words
from pages.why.downloads import edges_csv
from pages.why.figures import WordScores, source_bars
from pages.why.ribbons import Label, Ribbon, ribbons
from viz_core.analysis.rollout import rollout
from viz_core.analysis.words import groups
from viz_core.app.cache import cached
from viz_core.app.csv_files import array_csv
from viz_core.app.markup import Raw, latex
from viz_core.app.page import Page
from viz_core.figures.base import percent

MOST = 80
"""Edges that may be drawn."""
WHOLE = 24
"""Up to so many source words all have their row; beyond, those that an edge leads to."""
EDGES: Mapping[Leg, str] = {"cross": "edge_cross", "masked": "edge_masked", "encoder": "edge_encoder"}
"""Texts of what a ribbon says."""
APART = 0.8
"""Columns between encoder and decoder."""


def show_rollout(p: Page, row: Any) -> None:
    """The strongest edges back, and beside them how much each source word gets at this step and at all others."""
    view, word = p.view, asked(p)
    labels, positions = groups(view.explanation.source)
    found = rollout(view.trace, view.step)
    usual = cached(mean_rollout, view.explanation)
    if not p.known(found.source, found.target, usual):
        return
    edges = rollout_edges(found, positions)
    drawn = connected(edges[:MOST], view.step, view.config.n_layers)
    _show_edges(p, drawn, labels)
    p.write(
        "drawn", count=len(drawn), all=f"{len(edges):,}", least=percent(edges[:MOST][-1].share),
        left=percent(1 - sum(edge.share for edge in drawn) / sum(edge.share for edge in edges)),
    )  # fmt: skip
    shares = 100 * sum_by_words(found.source, positions)
    excess = shares - 100 * sum_by_words(usual, positions)
    best = int(excess.argmax())
    scores = [
        WordScores(p.text("rolled"), p.text("unit_rolled"), shares, int(shares.argmax())),
        WordScores(p.text("excess"), p.text("unit_excess"), excess, best if excess[best] > 0 else None),
    ]
    figure = source_bars(labels, scores, title=p.text("title_excess", word=word.label), axis=p.text("source"), palette=p.palette)
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
    p.offer("edges", f"rollout-step{view.step + 1}", partial(edges_csv, edges, labels, view.target), word=word.label)
    columns = "index source share_percent mean_of_all_steps_percent"
    words = partial(array_csv, columns, [labels], shares, shares - excess)
    p.offer("shares", f"rollout-words-step{view.step + 1}", words, word=word.label)
    p.show_code("code_rollout")


def _show_edges(p: Page, drawn: list[Edge], labels: list[str]) -> None:
    """Encoder below on the left, decoder above on the right, each with a column for every height."""
    view, layers = p.view, p.view.config.n_layers
    read = sorted({at for edge in drawn if edge.leg == "masked" for at in (edge.start, edge.end)} | {view.step})
    reached = {edge.end for edge in drawn if edge.leg == "cross"} | {
        at for edge in drawn if edge.leg == "encoder" for at in (edge.start, edge.end)
    }
    words = [at for at in range(len(labels)) if len(labels) <= WHOLE or at in reached]
    above = {at: row + 0.5 for row, at in enumerate(read)}
    below = {at: len(read) + row + 1.0 for row, at in enumerate(words)}
    first = layers + APART  # the column of what the decoder read
    made = [_ribbon(p, edge, labels, above, below, first) for edge in drawn]
    ends = [Label(labels[at], (0.0, below[at]), "left") for at in words]
    ends += [Label(view.target[at], (first, above[at]), "left") for at in read]
    ends.append(Label(f"→ {asked(p).label}", (first + layers, above[view.step]), "right", highlighted=True))
    columns = {0.0: p.text("column_source"), float(layers): p.text("column_memory"), first + layers: p.text("column_top")}
    figure = ribbons(
        made, ends, columns, title=p.text("title_flow", word=asked(p).label, step=view.step + 1),
        span=(-1.5, first + layers + 1.5), rows=len(read) + len(words) + 1.0, palette=p.palette,
    )  # fmt: skip
    p.show(figure, "flow")


def _ribbon(p: Page, edge: Edge, labels: list[str], above: dict[int, float], below: dict[int, float], first: float) -> Ribbon:
    layers, target = p.view.config.n_layers, p.view.target
    if edge.leg == "encoder":
        start, end = (edge.layer + 1.0, below[edge.start]), (float(edge.layer), below[edge.end])
        names = labels[edge.start], labels[edge.end]
    elif edge.leg == "masked":
        start, end = (first + edge.layer + 1, above[edge.start]), (first + edge.layer, above[edge.end])
        names = target[edge.start], target[edge.end]
    else:
        start, end = (first + edge.layer + 1, above[edge.start]), (float(layers), below[edge.end])
        names = target[edge.start], labels[edge.end]
    hover = p.text(EDGES[edge.leg], layer=edge.layer + 1, start=names[0], end=names[1], share=percent(edge.share))
    return Ribbon(start, end, edge.share, hover, highlighted=edge.leg == "cross")
