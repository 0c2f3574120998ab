"""Attention rollout (Abnar & Zuidema 2020), from the word back through all layers to the source."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from pages.why.compute import Edge, Leg, drawn_rollout, edge_shares, rollout_edges, rollout_shares, sum_by_words
from pages.why.controls import explained_word
from pages.why.figures import SQUEEZED, WordScores, source_bars
from viz_core.analysis.rollout import rollout
from viz_core.analysis.words import groups
from viz_core.app.arithmetic import PerState, Section, arithmetic_section, show_arithmetic
from viz_core.app.cache import cached
from viz_core.app.csv_files import Cell, array_csv, csv_file
from viz_core.app.drawing import LEAST_PX
from viz_core.app.markup import Raw, latex
from viz_core.app.page import Page
from viz_core.figures.base import FONT, breadth, clipped, figure, percent, plain, say
from viz_core.figures.figure import Figure
from viz_core.figures.palette import LIGHT, Palette

MOST = 80
"""Edges that may be drawn."""
WHOLE = 24
"""Up to this many source words, each has a row; of more, only those that an edge reaches."""
EDGES: Mapping[Leg, str] = {"cross": "edge_cross", "masked": "edge_masked", "encoder": "edge_encoder"}
"""Hover texts of the ribbons."""
APART = 0.8
"""Columns between encoder and decoder."""
ROW, CLOSE, FEW = 32, 26, 14
"""Pixels of a row: of up to FEW rows, and of more."""
FLOW_WIDTH = 84.0
"""Width of the whole flow, in px."""
LONGEST = 14
"""Letters of the name of a source word."""
Place = tuple[float, float]
"""Column and row, rows from above; the unit of a column is free."""


def show_rollout(p: Page, row: Any) -> None:
    """The strongest edges back to the source, and the share of each source word at a step beside that at all steps."""
    view, ex = p.view, p.view.explanation
    labels, positions = groups(ex.source)
    source, target = cached(rollout_shares, ex)
    if not p.known(source, target):
        return
    shares = 100 * sum_by_words(source, positions)  # (T, words)
    excess = shares - shares.mean(0)
    p.show_each(lambda step: _flow(p, cached(drawn_rollout, ex, step, MOST).edges, step, labels), ("step",), key="flow", inputs=())
    p.write("colours")

    def bars(step: int) -> Figure:
        best = int(excess[step].argmax())
        scores = [
            WordScores(p.text("rolled"), p.text("unit_rolled"), shares[step], int(shares[step].argmax())),
            WordScores(p.text("excess"), p.text("unit_excess"), excess[step], best if excess[step, best] > 0 else None),
        ]
        title = p.text("title_excess", word=explained_word(p, step).label)
        return source_bars(labels, scores, title=title, axis=p.text("source"), palette=p.palette)

    p.show_each(bars, ("step",), key="excess", inputs=(), alone=len(labels) <= SQUEEZED, least="wide")

    def values(step: int) -> dict[str, Any]:
        best, drawn = int(excess[step].argmax()), cached(drawn_rollout, ex, step, MOST)
        total = percent(float(source[step].sum()))
        return {
            "count": len(drawn.edges), "all": f"{drawn.count:,}", "least": percent(drawn.least), "left": percent(drawn.left),
            "total": Raw(total), "word": labels[best], "percent": Raw(latex(total)), "share": Raw(f"{shares[step, best]:.1f}"),
            "usual": Raw(f"{shares[step, best] - excess[step, best]:.1f}"), "excess": Raw(f"{excess[step, best]:+.1f}"),
        }  # fmt: skip

    notes = ["drawn", "about_flow", *(["no_residual"] if ex.edits.no_residual else [])]
    show_arithmetic(
        p, {name: p.texts[name] for name in (*notes, "of_flow")}, PerState(("step",), p.each(values, "step")),
        sections=[*(Section(name, name) for name in notes), arithmetic_section("of_flow")],
        layers=view.config.layers("decoder"),
    )  # fmt: skip
    step = view.step
    word = explained_word(p, step).label

    def table() -> bytes:
        edges = rollout_edges(edge_shares(rollout(view.trace, step), positions))
        return edges_csv(edges, labels, view.target)

    p.offer("edges", f"rollout-step{step + 1}", table, word=word)
    columns = "index source share_percent mean_of_all_steps_percent"
    words = partial(array_csv, columns, [labels], shares[step], shares[step] - excess[step])
    p.offer("shares", f"rollout-words-step{step + 1}", words, word=word)
    p.show_code("code_rollout")


def _flow(p: Page, drawn: Sequence[Edge], step: int, labels: list[str]) -> Figure:
    """The encoder at the lower left, the decoder at the upper right, each with a column after every layer."""
    view, layers, above_layers = p.view, p.view.config.layers("encoder"), p.view.config.layers("decoder")
    read = sorted({at for edge in drawn if edge.leg == "masked" for at in (edge.start, edge.end)} | {step})
    reached = {edge.end for edge in drawn if edge.leg == "cross"} | {
        at for edge in drawn if edge.leg == "encoder" for at in (edge.start, edge.end)
    }
    words = [at for at in range(len(labels)) if len(labels) <= WHOLE or at in reached]
    above = {at: row + 0.5 for row, at in enumerate(read)}
    below = {at: len(read) + row + 1.0 for row, at in enumerate(words)}
    first = layers + APART  # the column of what the decoder read
    flows = [_ribbon(p, edge, labels, above, below, first) for edge in drawn]
    names = [clipped(labels[at], LONGEST) for at in words]
    ends = [Label(name, (0.0, below[at]), "left") for name, at in zip(names, words, strict=True)]
    ends += [Label(view.target[at], (first, above[at]), "left") for at in read]
    ends.append(Label(f"→ {explained_word(p, step).label}", (first + above_layers, above[step]), "right", highlighted=True))
    columns = {0.0: p.text("column_source"), float(layers): p.text("column_memory"), first + above_layers: p.text("column_top")}
    right = first + above_layers + 1.5
    return ribbons(
        flows, ends, columns, title=p.text("title_flow", word=explained_word(p, step).label, step=step + 1),
        span=(-_room(names, right), right), rows=len(read) + len(words) + 1.0, palette=p.palette,
    )  # fmt: skip


def _room(names: Sequence[str], others: float) -> float:
    """The columns that the names of the source words need at the left of so many others, in a figure of the least width."""
    needed = 8.5 * max(map(breadth, names), default=0) + 8
    return max(1.5, needed * others / (LEAST_PX["medium"] - 20 - needed))


def _ribbon(p: Page, edge: Edge, labels: list[str], above: dict[int, float], below: dict[int, float], first: float) -> Ribbon:
    layers, target = p.view.config.layers("encoder"), p.view.target
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


@dataclass(frozen=True)
class Ribbon:
    """From a place on the right to one on its left, with its share of the whole flow, 0…1, and its hover text.

    Attributes:
        highlighted: in the colour of weights.
    """

    start: Place
    end: Place
    share: float
    hover: str
    highlighted: bool = False


@dataclass(frozen=True)
class Label:
    """A word at a place: left or right of it."""

    text: str
    place: Place
    side: str
    highlighted: bool = False


def ribbons(
    flows: Sequence[Ribbon], labels: Sequence[Label], columns: Mapping[float, str], *, title: str, span: tuple[float, float],
    rows: float, palette: Palette = LIGHT,
) -> Figure:  # fmt: skip
    """All flows from the right to the left.

    Args:
        columns: what stands under some of the columns.
        span: the first and the last column, with room for words at both ends.
        rows: the height of the figure, in rows.
    """
    row = ROW if rows <= FEW else CLOSE
    fig = figure(palette, title=title, height=round(row * rows) + 100)
    leaves, arrives = _offsets(flows, FLOW_WIDTH / row)
    for i, flow in enumerate(flows):
        (x1, y1), (x0, y0), half = flow.start, flow.end, flow.share * FLOW_WIDTH / row / 2
        top, bottom, middle = y1 + leaves[i], y0 + arrives[i], (x0 + x1) / 2
        over = _curve((x1, top - half), (middle, top - half), (middle, bottom - half), (x0, bottom - half))
        under = _curve((x0, bottom + half), (middle, bottom + half), (middle, top + half), (x1, top + half))
        colour = palette.weight if flow.highlighted else palette.quiet
        fig.add_shape(type="path", path=f"M{over}L{under}Z", fillcolor=colour)
    halves = [(x, y, through * FLOW_WIDTH / row / 2) for x, y, through in _nodes(flows)]
    nodes = "".join(f"M{_point(x, y - half)}L{_point(x, y + half)}" for x, y, half in halves)
    fig.add_shape(type="path", path=nodes or "M0,0", line={"color": palette.ink, "width": 4}, opacity=1, layer="above")
    fig.update_layout(template_layout_shapedefaults={"opacity": 0.55, "line": {"width": 0}, "layer": "below"})  # once for all
    fig.add_scatter(
        x=np.array([(flow.start[0] + flow.end[0]) / 2 for flow in flows], np.float32),
        y=np.array([(flow.start[1] + leaves[i] + flow.end[1] + arrives[i]) / 2 for i, flow in enumerate(flows)], np.float32),
        mode="markers", marker={"size": 12, "opacity": 0}, hovertext=[plain(flow.hover) for flow in flows],
    )  # fmt: skip
    notes = [
        {
            "text": f"<b>{plain(label.text)}</b>" if label.highlighted else plain(label.text),
            "x": label.place[0], "y": label.place[1],
            "xanchor": "right" if label.side == "left" else "left", "xshift": -8 if label.side == "left" else 8,
            "font": {"size": FONT + 2 * label.highlighted, "color": palette.accent if label.highlighted else palette.ink},
        }
        for label in labels
    ]  # fmt: skip
    quiet: dict[str, Any] = {"y": rows - 0.1, "font": {"color": palette.quiet}}
    notes += [{"text": plain(name), "x": x, **quiet} for x, name in columns.items()]
    fig.add_annotations(notes)
    fig.update_xaxes(visible=False, range=list(span))
    fig.update_yaxes(visible=False, range=[rows + 0.4, -0.6])
    say(fig, *(plain(flow.hover) for flow in sorted(flows, key=lambda flow: -flow.share)[:6]))
    return fig


def _curve(start: Place, first: Place, second: Place, end: Place) -> str:
    """A cubic Bézier curve, as plotly writes paths."""
    return f"{_point(*start)}C{_point(*first)} {_point(*second)} {_point(*end)}"


def _point(x: float, y: float) -> str:
    """To a tenth of a pixel at most."""
    return f"{round(x, 3):g},{round(y, 3):g}"


def _offsets(flows: Sequence[Ribbon], whole: float) -> tuple[list[float], list[float]]:
    """How far from the middle of its place each flow leaves and arrives, in rows: side by side, in the order of the other ends.

    Args:
        whole: the width of the whole flow, in rows.
    """
    leaves, arrives = [0.0] * len(flows), [0.0] * len(flows)
    for offsets, here, there in ((leaves, "start", "end"), (arrives, "end", "start")):
        at: dict[Place, list[int]] = defaultdict(list)
        for index, flow in enumerate(flows):
            at[getattr(flow, here)].append(index)
        for meeting in at.values():
            meeting.sort(key=lambda index: getattr(flows[index], there)[1])
            top = -sum(flows[index].share for index in meeting) / 2
            for index in meeting:
                offsets[index] = (top + flows[index].share / 2) * whole
                top += flows[index].share
    return leaves, arrives


def _nodes(flows: Sequence[Ribbon]) -> list[tuple[float, float, float]]:
    """Every place with the drawn flow through it."""
    comes, goes = defaultdict[Place, float](float), defaultdict[Place, float](float)
    for flow in flows:
        comes[flow.end] += flow.share
        goes[flow.start] += flow.share
    return [(*place, max(comes[place], goes[place])) for place in {**comes, **goes}]


@csv_file("edge layer from_index from to_index to share")
def edges_csv(edges: Sequence[Edge], source: Sequence[str], target: Sequence[str]) -> Iterator[list[Cell]]:
    """The edges of a rollout, the strongest first: from the position above a layer to the one below it."""
    for edge in edges:
        above = source if edge.leg == "encoder" else target
        below = target if edge.leg == "masked" else source
        yield [edge.leg, edge.layer + 1, edge.start + 1, above[edge.start], edge.end + 1, below[edge.end], edge.share]
