"""Heads: what each of them attends to, how important it is, what it contributes, and all of them through the layers."""

from typing import Any

import streamlit as st

from pages.heads.attention_flow import THROUGH, show_attention_flow
from pages.heads.bertviz import Name, document
from pages.heads.controls import BY, KIND, OF, SHOW, WHICH
from pages.heads.measured import show_ablation, show_roles
from pages.heads.norm_weighted import show_norm_weighted
from viz_core.app import page_options
from viz_core.app.attention import show_attention, stage_arithmetic
from viz_core.app.controls import picked
from viz_core.app.csv_files import weight_lines
from viz_core.app.frame import page
from viz_core.app.page import Page
from viz_core.trace import BLOCK, Kind


def picked_in() -> dict[str, Any]:
    """Where a cell can be picked: on the stage (neurons only) or in a map. The frame needs this before the controls are drawn."""
    show, kind, by, which = (picked(control) for control in (SHOW, KIND, BY, WHICH))
    if show == "flow" and kind not in THROUGH:
        kind = THROUGH[0]
    page_options.clear_stale_cell((show, kind, by if show == "flow" else which))
    if show == "neurons":
        return {"stage": kind}
    return {"cells": kind, "cell_of_step": kind != "self"} if show in ("flow", "norm_weighted") else {}


def show_neurons(p: Page, kind: Kind) -> None:
    """The attention view as neurons, and the arithmetic of the picked cell."""
    show_attention(p, kind)
    p.write("about_neurons", d_k=p.view.config.d_k)
    stage_arithmetic(p, kind)
    p.show_code("code_neurons")


def show_bertviz(p: Page, name: Name) -> None:
    """The head view or the model view of bertviz, with all three attentions."""
    ex = p.view.explanation
    html, height = document(name, ex, p.palette)  # the frame asks the browser for the layer
    st.iframe(html, height=height, alt=p.texts["bertviz"][name]["title"])
    p.write("about_bertviz")
    p.offer(
        "weights", f"{name.replace('_', '-')}-weights", "attention layer head query_index query key_index key weight",
        lambda: ([kind, *line] for kind in BLOCK for line in weight_lines(ex, kind)),
    )  # fmt: skip


with page("heads", **picked_in()) as p:
    with p.controls():
        shown = SHOW.draw(p)
        if shown == "flow":
            through, by = KIND.draw(p, THROUGH), BY.draw(p)
        elif shown in ("roles", "ablation", "norm_weighted", "neurons"):
            kind = KIND.draw(p)
        if shown == "ablation":
            of = OF.draw(p)
        elif shown == "norm_weighted":
            which = WHICH.draw(p)
    p.nothing_to_guess(shown in ("roles", "ablation"))  # measured over other sentences
    if shown == "roles":
        show_roles(p, kind)
    elif shown == "ablation":
        show_ablation(p, kind, of)
    elif shown == "norm_weighted":
        show_norm_weighted(p, kind, which)
    elif shown == "flow":
        show_attention_flow(p, through, by)
    elif shown == "neurons":
        show_neurons(p, kind)
    else:
        show_bertviz(p, shown)
