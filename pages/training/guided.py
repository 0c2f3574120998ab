"""Guided attention: the penalty of this sentence's cross attention for leaving the diagonal."""

from collections.abc import Mapping
from functools import partial
from typing import Annotated, Any

import numpy as np

from pages.training.controls import BESIDE, WIDTH
from pages.training.downloads import guided_csv
from viz_core.app.answers import Between
from viz_core.app.arithmetic import CellFormula, PerState, Section, arithmetic_section, show_arithmetic
from viz_core.app.markup import Raw, number
from viz_core.app.page import Page
from viz_core.app.token_maps import Numbers, Stack, TokenMap, show_token_maps, token_maps_payload
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation
from viz_core.figures.base import percent
from viz_core.texts import fill, texts
from viz_core.trace import Array
from viz_core.training import loss
from viz_core.training.loss import penalty_matrix, row_penalties

HEAD = ("layer", "head")
Width = Annotated[int, Between(5, 100)]
"""Width of the diagonal, in %."""
Beside = Annotated[str, BESIDE]
WORKED: Mapping[str, CellFormula] = {
    "key": CellFormula("label"),
    "weight": CellFormula("number", ("weights",)),
    "cost": CellFormula("number", ("cost",)),
    "here": CellFormula("number", ("paid",)),
}
"""The values of one cell."""


def show_guided(p: Page) -> None:
    """One head's attention, and beside it W or A·W; in words the row with the largest penalty, and all heads compared."""
    view, ex = p.view, p.view.explanation
    weights = np.stack([block.weights for block in view.trace.attentions("cross")])  # (L, h, T, S)
    if not p.known(weights):
        return
    with p.controls():
        beside = BESIDE.draw(p)
        width = WIDTH.draw(p, 5, 100, round(100 * loss.GUIDED_WIDTH)) / 100
    cost = penalty_matrix(weights.shape[2], weights.shape[3], width)
    rows = row_penalties(weights, cost)  # (L, h, T)
    queries = _queries(ex)
    show_token_maps(p, guided, *HEAD, width=round(100 * width), beside=beside)
    _write(p, rows, weights, cost, queries, width)
    layer, head = view.layer, view.head
    table = partial(guided_csv, weights[layer, head], cost, queries, view.source)
    p.offer("guided", f"guided-layer{layer + 1}-head{head + 1}", table, layer=layer + 1, head=head + 1)
    p.show_code("code_guided")


def guided(checkpoint: Checkpoint, explanation: Explanation, width: Width, beside: Beside) -> bytes:
    """A, and beside it W or A·W."""
    words, numbers = texts("training"), numbers_of(explanation, width / 100)
    names = words["guided_panels"]
    attention = TokenMap("weights", names["attention"], words["hover_attention"], limit=1.0, end=percent(1.0))
    penalty = TokenMap("cost", names["penalty"], words["hover_penalty"], written="hundredths", limit=1.0, end="1")
    paid = TokenMap("paid", names["paid"], words["hover_paid"], written="hundredths")
    rows = row_penalties(numbers["weights"].values, numbers["cost"].values).mean(-1)  # (L, h)
    titles = [
        [
            fill(words["title_guided"], {"layer": layer, "head": head, "paid": number(float(mean)), "g": f"{width / 100:g}"})
            for head, mean in enumerate(row, 1)
        ]
        for layer, row in enumerate(rows, 1)
    ]
    return token_maps_payload(
        [attention, paid if beside == "by_paid" else penalty], (_queries(explanation), explanation.source.labels), numbers,
        titles=titles, axes=(words["reads_axis"], words["source"]), of_step=True, file="guided", greatest="paid", border="cost",
    )  # fmt: skip


def numbers_of(explanation: Explanation, width: float) -> Numbers:
    """The values of the maps: A, W and A·W."""
    weights = np.stack([block.weights for block in explanation.trace.attentions("cross")])  # (L, h, T, S)
    cost = penalty_matrix(weights.shape[2], weights.shape[3], width)
    return {"weights": Stack(HEAD, weights), "cost": Stack((), cost), "paid": Stack(HEAD, weights * cost)}


def _queries(explanation: Explanation) -> list[str]:
    pairs = zip(explanation.target.labels, explanation.output, strict=True)
    return [fill(texts("training")["reads"], {"read": read, "write": write.label}) for read, write in pairs]


def _write(p: Page, rows: Array, weights: Array, cost: Array, queries: list[str], width: float) -> None:
    """The figure in words and the arithmetic of the framed cell, for every layer and head. rows: (L, h, T)."""
    source, counts = p.view.source, range(len(queries))

    def of_head(layer: int, head: int) -> dict[str, Any]:
        own, looks = rows[layer, head], weights[layer, head]
        t = int(own.argmax())
        s = int((looks[t] * cost[t]).argmax())
        largest = {
            "most_query": queries[t],
            "most_key": source[s],
            "most_share": percent(float(looks[t, s])),
            "most_cost": float(cost[t, s]),
        }
        return {**largest, "most_paid": float(own[t]), "sum": float(own.sum()), "head": float(own.mean())}

    means = rows.mean(-1)  # (L, h)
    compared: dict[str, Any] = {"count": means.size, "mean": float(means.mean()), "equal": float(cost.mean())}
    for name, at in (("low", means.argmin()), ("high", means.argmax())):
        layer, head = divmod(int(at), means.shape[1])
        compared |= {name: float(means[layer, head]), f"{name}_layer": layer + 1, f"{name}_head": head + 1}
    names = "most", "heads_paid", "about_guided", "of_guided"
    show_arithmetic(
        p, {name: p.texts[name] for name in names},
        PerState(HEAD, p.each(of_head, *HEAD)),
        PerState((*HEAD, "row"), p.each(lambda layer, head: [{"row": float(paid)} for paid in rows[layer, head]], *HEAD)),
        PerState(("row",), [{"query": queries[t], "t": t + 1} for t in counts]),
        PerState(("column",), [{"s": s + 1} for s in range(len(source))]),
        worked=WORKED, columns=source, sections=[*(Section(name, name) for name in names[:-1]), arithmetic_section("of_guided")],
        T=len(queries), S=len(source), g=Raw(f"{width:g}"), **compared,
    )  # fmt: skip
