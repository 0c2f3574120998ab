"""The weights by which one head makes its queries, keys or values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from viz_core.trace import BLOCK, Array, Kind

if TYPE_CHECKING:
    from viz_core.model.transformer import Transformer


def head_weights(model: Transformer, kind: Kind, role: str, layer: int, head: int) -> tuple[Array, Array]:
    """The head's columns of W, (D, d_k), and its part of the bias, (d_k,) (Vaswani et al. 2017, §3.2.2).

    Args:
        role: q, k or v.   layer, head: counted from 0.

    Raises:
        ValueError: the model has no such head.
    """
    config = model.config
    if kind not in BLOCK or role not in ("q", "k", "v"):
        raise ValueError(f"no such projection: {kind}, {role}")
    stack, block = BLOCK[kind]
    if not (0 <= layer < config.layers(stack) and 0 <= head < config.n_heads):
        raise ValueError(f"no such head: layer {layer}, head {head}")
    linear: Any = model.get_submodule(f"{stack}.layers.{layer}.{block}.w_{role}")
    mine = slice(head * config.d_k, (head + 1) * config.d_k)
    return linear.weight.detach()[mine].float().numpy().T, linear.bias.detach()[mine].float().numpy()
