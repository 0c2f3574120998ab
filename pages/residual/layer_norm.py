"""LayerNorm of one token: its vector before, standardized, and after gain and bias."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from pages.residual.compute import axis_reach
from pages.residual.controls import DIM, pick_sublayer, pick_token
from pages.residual.stream import norm_strips
from viz_core.analysis.residual_stream import layer_norm
from viz_core.app.csv_files import array_csv
from viz_core.app.markup import number
from viz_core.app.page import Page
from viz_core.trace import Stack

LEAD = {"pre": "lead_norm_pre", "post": "lead_norm_post"}


def show_layer_norm(p: Page, stack: Stack, row: Any) -> None:
    """All numbers of one token in the three stages of one LayerNorm, and the arithmetic of one dimension."""
    view = p.view
    with row:
        block = pick_sublayer(p, stack)
        labels, token = pick_token(p, stack)
        one = layer_norm(view.checkpoint.model, view.trace, stack, view.layer, block, token)
        largest = int(np.abs(one.standard).argmax())
        of = (view.explanation.source.text, stack, view.layer, block, token)
        dim = DIM.draw(p, 1, len(one.x), largest + 1, of) - 1
    reach = axis_reach(one.standard, one.out)
    stages = {"before": (one.x, axis_reach(one.x)), "standard": (one.standard, reach), "after": (one.out, reach)}
    axes = p.table("stage_axes")
    rows = []
    for name, (vector, end) in stages.items():
        mean, deviation = _short(float(vector.mean())), _short(float(vector.std()))
        rows.append((vector, p.table("stages", mean=mean, deviation=deviation)[name], end))
    sublayer = p.table("sublayers")[f"{stack}_{block}"]
    p.write(LEAD[view.config.norm], token=labels[token], name=sublayer, layer=view.layer + 1)
    figure = norm_strips(rows, names=[axes[name] for name in stages], axis=p.text("dims"), dim=dim, palette=p.palette)
    p.show(figure, "norm", clicks="dim")
    vectors = (one.x, one.standard, one.gamma, one.beta, one.out)
    numbers = partial(array_csv, "dimension x standardized gamma beta output", [None], *vectors)
    p.offer("norm", f"{stack}-layer{view.layer + 1}-{block}-norm", numbers, token=labels[token])
    p.arithmetic(
        "arithmetic_norm", token=labels[token], dim=dim + 1, size=len(one.x), mean=one.mean, variance=one.variance,
        deviation=one.variance**0.5, x=float(one.x[dim]), gamma=float(one.gamma[dim]), beta=float(one.beta[dim]),
        standard=float(one.standard[dim]), out=float(one.out[dim]), eps=one.eps,
    )  # fmt: skip
    p.show_code("code_norm")


def _short(value: float) -> str:
    """A mean or a deviation as text; 0 where it is 0 but for rounding."""
    return "0" if abs(value) < 0.0005 else number(value).replace("-", "−")
