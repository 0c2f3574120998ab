"""The neuron view: the query and the keys of one head, dimension by dimension."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from pages.heads.controls import KIND, SHOW
from viz_core.app import session
from viz_core.app.attention import show_attention, stage_arithmetic
from viz_core.app.csv_files import attention_csv
from viz_core.app.page import Page
from viz_core.app.view_options import Stage
from viz_core.trace import Kind

LABELS: Mapping[Kind, str] = {"cross": "cross_head", "masked": "masked_head", "self": "self_head"}
"""Of the downloads."""


def show_neurons(p: Page, kind: Kind) -> None:
    """The attention view of the browser in its form of neurons, and the arithmetic of the picked cell."""
    view = p.view
    show_attention(p, kind)
    p.write("about_neurons", d_k=view.config.d_k)
    stage_arithmetic(p, kind)
    p.offer(
        LABELS[kind], f"{kind}-layer{view.layer + 1}-head{view.head + 1}",
        partial(attention_csv, view.explanation, kind, view.layer, view.head), layer=view.layer + 1, head=view.head + 1,
    )  # fmt: skip
    p.show_code("code_neurons")


def on_stage() -> Stage:
    """The attention that is on the stage, in the one view that has one: the frame asks before the page's own controls are drawn."""
    kind: Any = KIND.value("heads") if SHOW.value("heads") == "neurons" else None
    if not session.arrived() and kind != session.get("_heads_stage"):  # another attention has other rows and columns
        session.change_view_options("heads", replace(session.view_options("heads"), cell=None))
    session.change(_heads_stage=kind)
    found: Stage = kind
    return found
