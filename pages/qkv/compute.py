"""X·W + b: where the queries, keys and values of one head come from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from viz_core.trace import BLOCK, Array, Kind, Trace

if TYPE_CHECKING:
    from viz_core.model.transformer import Transformer


Role = Literal["q", "k", "v"]
ROLES: tuple[Role, ...] = ("q", "k", "v")
Origin = Literal["encoder", "decoder", "memory"]
"""Where X comes from: the encoder's stream, the decoder's stream, or the encoder's output."""


@dataclass(frozen=True, eq=False)
class Projection:
    """X·W + b = Y of one head (Vaswani et al. 2017, §3.2.2), with the model's weights and the recorded numbers.

    Attributes:
        x: what the projection reads, (T, D).
        weight: this head's columns of W, (D, d_k).   bias: (d_k,).
        y: the queries, keys or values, (T, d_k).
        origin: where x comes from.   site: the recorded site of x.
    """

    x: Array
    weight: Array
    bias: Array
    y: Array
    origin: Origin
    site: str


def projection(model: Transformer, trace: Trace, kind: Kind, layer: int, head: int, role: Role) -> Projection:
    """The projection that makes the queries, keys or values of one head."""
    stack, block = BLOCK[kind]
    weight, bias = head_weights(model, kind, role, layer, head)
    site = entrance(trace, kind, layer, role)
    y = trace.array(f"{stack}.{layer}.{block}.{role}")[head]
    return Projection(trace.array(site), weight, bias, y, origin_of(site), site)


def origin_of(site: str) -> Origin:
    if site == "encoder.memory":
        return "memory"
    return "encoder" if site.startswith(("encoder.", "source.")) else "decoder"


def entrance(trace: Trace, kind: Kind, layer: int, role: Role) -> str:
    """The site that the projection reads: the sub-layer's input, or with pre-norm its LayerNorm."""
    stack, block = BLOCK[kind]
    if kind == "cross" and role != "q":
        return "encoder.memory"
    if trace.config.norm == "pre":
        return f"{stack}.{layer}.norm_{block}"
    if kind == "cross":
        return f"{stack}.{layer}.norm_self_attn"
    if layer == 0:
        return "source.input" if stack == "encoder" else "target.input"
    return f"{stack}.{layer - 1}.norm_ffn"


def head_weights(model: Transformer, kind: Kind, role: str, layer: int, head: int) -> tuple[Array, Array]:
    """The head's columns of W, (D, d_k), and its part of the bias, (d_k,) (Vaswani et al. 2017, §3.2.2).

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
    columns = slice(head * config.d_k, (head + 1) * config.d_k)
    return linear.weight.detach()[columns].float().numpy().T, linear.bias.detach()[columns].float().numpy()
