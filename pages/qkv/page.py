"""Q, K, V: how one head makes queries, keys and values, and from what."""

from typing import Any

from pages.qkv.compute import Projection, Role, projection
from pages.qkv.controls import KIND, ROLE
from pages.qkv.data import entering, projection_weights, qkv
from viz_core.analysis.attention import has_biases
from viz_core.app.arithmetic import Section, arithmetic_section, show_arithmetic
from viz_core.app.attention import roles
from viz_core.app.csv_files import cells
from viz_core.app.frame import page
from viz_core.app.markup import Raw
from viz_core.app.page import Page
from viz_core.trace import BLOCK, Kind


def heads(p: Page, kind: Kind, role: Role) -> list[dict[str, Any]]:
    """The parameters of `projection_weights` for every head of a projection."""
    layers, heads = p.view.config.layers(BLOCK[kind][0]), p.view.config.n_heads
    return [{"kind": kind, "role": role, "layer": layer, "head": head} for layer in range(layers) for head in range(heads)]


def number_arithmetic(p: Page, kind: Kind, projection: Projection, role: Role) -> None:
    """Why there are queries, keys and values, and each of their numbers as a sum of products, from the figure's numbers."""
    why = {"cross": "why_cross", "masked": "why_masked", "self": "why_same"}[kind]
    learned = has_biases(p.view.checkpoint.model, (kind,), (role,))
    show_arithmetic(
        p, {"alone": p.texts["why_alone"], "why": p.texts[why], "arithmetic": p.texts["arithmetic"]}, figure="qkv",
        where={"kind": kind, "role": role}, sections=[Section("why", "[[why]]"), arithmetic_section("[[computed]]")],
        biases=Raw(p.text("learned_biases" if learned else "no_biases")),
        source=Raw(p.table("sources")[entering(p.view.explanation, projection.origin)]), name=Raw(p.table("names")[role]),
        colour=Raw(roles(p)[role.upper()]), letter=role, d_model=str(p.view.config.d_model),
    )  # fmt: skip


with page("qkv") as p:
    view = p.view
    with p.controls():
        kind = KIND.draw(p)
        role = ROLE.draw(p)
    p.nothing_to_guess(kind == "self")
    layer, head = view.layer, view.head
    p.answer(qkv, also=[(projection_weights, place) for place in heads(p, kind, role)], kind=kind, role=role)
    projected = projection(view.checkpoint.model, view.trace, kind, layer, head, role)
    p.say_beyond("dim", view.config.d_k)
    number_arithmetic(p, kind, projected, role)
    axes = view.target if projected.origin == "decoder" else view.source, None
    file = f"{kind}-{role}-layer{layer + 1}-head{head + 1}"
    place = {"role": role.upper(), "layer": layer + 1, "head": head + 1}
    p.offer("projected", file, "position token dimension value", lambda: cells(axes, projected.y), **place)
    p.offer("entering", f"{file}-x", "position token model_dimension value", lambda: cells(axes, projected.x), **place)
    p.offer(
        "weights", f"{file}-w", "model_dimension head_dimension value",
        lambda: [*cells([None, None], projected.weight), *([None, *line] for line in cells([None], projected.bias))], **place,
    )  # fmt: skip
