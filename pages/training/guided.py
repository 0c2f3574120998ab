"""Guided attention: the penalty of this sentence's cross attention for leaving the diagonal."""

from typing import Annotated

import numpy as np

from pages.training.controls import BESIDE, WIDTH
from viz_core.app.answers import Between
from viz_core.app.arithmetic import Section, arithmetic_section, show_arithmetic
from viz_core.app.csv_files import cells
from viz_core.app.page import Page
from viz_core.app.token_maps import Numbers, Stack, say_clickable, token_maps_payload
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation
from viz_core.texts import fill, texts
from viz_core.training import loss
from viz_core.training.loss import penalty_matrix

HEAD = ("layer", "head")
Width = Annotated[int, Between(5, 100)]
"""Width of the diagonal, in %."""
Beside = Annotated[str, BESIDE]


def show_guided(p: Page) -> None:
    """One head's attention, and beside it W or A·W; in words the row with the largest penalty, and all heads compared."""
    view, ex = p.view, p.view.explanation
    weights = np.stack([block.weights for block in view.trace.attentions("cross")])  # (L, h, T, S)
    if not p.known(weights):
        return
    with p.controls():
        beside = BESIDE.draw(p)
        width = WIDTH.draw(p, 5, 100, round(100 * loss.GUIDED_WIDTH)) / 100
    say_clickable(p)
    p.answer(guided, chosen_by=HEAD, width=round(100 * width), beside=beside)
    names = "most", "heads_paid", "about_guided", "of_guided"
    show_arithmetic(
        p, {name: p.texts[name] for name in names}, figure="guided",
        sections=[*(Section(name, name) for name in names[:-1]), arithmetic_section("of_guided")],
    )  # fmt: skip
    cost, queries = penalty_matrix(weights.shape[2], weights.shape[3], width), _queries(ex)
    layer, head, values, axes = view.layer + 1, view.head + 1, weights[view.layer, view.head], (queries, view.source)
    p.offer(
        "guided", f"guided-layer{layer}-head{head}", "query_index query key_index key attention penalty attention_times_penalty",
        lambda: cells(axes, values, cost, values * cost), layer=layer, head=head,
    )  # fmt: skip
    p.show_code("code_guided")


def guided(checkpoint: Checkpoint, explanation: Explanation, width: Width, beside: Beside) -> bytes:
    """A, and beside it W or A·W."""
    return token_maps_payload(explanation, "cross", numbers_of(explanation, width / 100), width=width, beside=beside)


def numbers_of(explanation: Explanation, width: float) -> Numbers:
    """The values of the maps: A, W and A·W."""
    weights = np.stack([block.weights for block in explanation.trace.attentions("cross")])  # (L, h, T, S)
    cost = penalty_matrix(weights.shape[2], weights.shape[3], width)
    return {"weights": Stack(HEAD, weights), "cost": Stack((), cost), "paid": Stack(HEAD, weights * cost)}


def _queries(explanation: Explanation) -> list[str]:
    pairs = zip(explanation.target.labels, explanation.output, strict=True)
    return [fill(texts("training")["reads"], {"read": read, "write": write.label}) for read, write in pairs]
