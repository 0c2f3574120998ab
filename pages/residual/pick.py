"""What the views of this page have in common: the choice of a sub-layer and of a token."""

from __future__ import annotations

from pages.residual.controls import SUBLAYERS, TOKEN
from viz_core.app.page import Page
from viz_core.trace import Stack


def pick_sublayer(p: Page, stack: Stack) -> str:
    """One sub-layer of a layer: self_attn, cross_attn or ffn."""
    return str(SUBLAYERS[stack].draw(p)).removeprefix(f"{stack}_")


def pick_token(p: Page, stack: Stack) -> tuple[list[str], int]:
    """The labels of the tokens, all of the source or those of the target up to this step, and the index of the picked one."""
    labels = p.view.source if stack == "encoder" else p.view.target[: p.view.step + 1]
    default = min(1, len(labels) - 1) if stack == "encoder" else p.view.step
    return labels, TOKEN.draw(p, labels, default)
