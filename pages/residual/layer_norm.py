"""LayerNorm of each token: its vector before, standardized, and after gain and bias; the browser draws one token of one layer."""

from __future__ import annotations

from typing import Any

import numpy as np

from pages.residual.controls import Block, pick_sublayer, require_block, stack_tokens
from viz_core.analysis.residual_stream import layer_norm, norm_input, sublayer_norm
from viz_core.app.arithmetic import show_arithmetic
from viz_core.app.csv_files import cells
from viz_core.app.page import Page
from viz_core.browser.pack import compact, pack
from viz_core.checkpoint import Checkpoint
from viz_core.config import Stack
from viz_core.explain import Explanation
from viz_core.texts import visible

FORMULA = {"variance": "arithmetic_norm", "deviation": "arithmetic_norm_deviation"}


def show_layer_norm(p: Page, stack: Stack, row: Any) -> None:
    """All numbers of one token in the three stages of one LayerNorm, and the arithmetic of one dimension."""
    with row:
        block = pick_sublayer(p, stack)
    p.say_beyond("dim", p.view.config.d_model)
    p.answer(layer_norm_view, part="layer_norm", stack=stack, block=block)
    formula = {"text": p.texts[FORMULA[p.view.config.layer_norm]]}
    show_arithmetic(p, formula, figure="layer_norm", where={"sublayer": f"{stack}_{block}"})
    _offer(p, stack, block)
    p.show_code("code_norm")


def _offer(p: Page, stack: Stack, block: str) -> None:
    """The numbers of the token that is shown."""
    view, (labels, token) = p.view, stack_tokens(p, stack)
    norm = layer_norm(view.checkpoint.model, view.trace, stack, view.layer, block, token)
    file, columns = f"{stack}-layer{view.layer + 1}-{block}-norm", "dimension x standardized gamma beta output"
    vectors = norm.x, norm.standard, norm.gamma, norm.beta, norm.out
    p.offer("norm", file, columns, lambda: cells([None], *vectors), token=labels[token])


def layer_norm_view(checkpoint: Checkpoint, explanation: Explanation, stack: Stack, block: Block) -> bytes:
    """The LayerNorm of one sub-layer in all L layers; the browser derives the rest in float64.

    Tensors: x (L, T, D), what LayerNorm reads; out (L, T, D), both as recorded; gamma and beta (L, D), as learned.

    About: kind, whether it divides by √(σ² + ε), or by s + ε, with s of D − 1; eps, ε of each layer.
    """
    require_block(stack, block)
    trace = explanation.trace
    layers = range(trace.config.layers(stack))
    norms = [sublayer_norm(checkpoint.model, stack, layer, block) for layer in layers]
    side = explanation.source if stack == "encoder" else explanation.target
    about = {
        "stack": stack,
        "sublayer": f"{stack}_{block}",
        "norm": trace.config.norm,
        "kind": trace.config.layer_norm,
        "eps": [norm.eps for norm in norms],
        "tokens": [visible(label) for label in side.labels],
    }
    tensors = {
        "x": compact(np.stack([norm_input(trace, stack, layer, block) for layer in layers])),
        "out": compact(np.stack([trace.array(f"{stack}.{layer}.norm_{block}") for layer in layers])),
        "gamma": np.stack([norm.gamma.detach().float().numpy() for norm in norms]),
        "beta": np.stack([norm.beta.detach().float().numpy() for norm in norms]),
    }
    return pack(tensors, about)
