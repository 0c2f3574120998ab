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
"""Whose vectors X holds: the encoder's stream, the decoder's stream, or the encoder's output."""


@dataclass(frozen=True, eq=False)
class Projection:
    """One head's X·W + b = Y (Vaswani et al. 2017, §3.2.2), with the model's weights and the trace's numbers.

    Attributes:
        x: what the projection reads, (T, D), as recorded.
        weight: this head's columns of W, (D, d_k).   bias: (d_k,).
        y: the queries, keys or values, (T, d_k), as recorded.
        origin: whose vectors x holds.
        site: the recorded site of x.
    """

    x: Array
    weight: Array
    bias: Array
    y: Array
    origin: Origin
    site: str


def projection(model: Transformer, trace: Trace, kind: Kind, layer: int, head: int, role: Role) -> Projection:
    """How one head of one attention makes its queries, keys or values."""
    config = trace.config
    stack, block = BLOCK[kind]
    linear: Any = model.get_submodule(f"{stack}.layers.{layer}.{block}.w_{role}")
    mine = slice(head * config.d_k, (head + 1) * config.d_k)
    weight, bias = linear.weight.detach()[mine].float().numpy().T, linear.bias.detach()[mine].float().numpy()
    site = entrance(trace, kind, layer, role)
    y = trace.array(f"{stack}.{layer}.{block}.{role}")[head]
    return Projection(trace.array(site), weight, bias, y, origin_of(site), site)


def origin_of(site: str) -> Origin:
    """Whose vectors this site holds."""
    if site == "encoder.memory":
        return "memory"
    return "encoder" if site.startswith(("encoder.", "source.")) else "decoder"


def entrance(trace: Trace, kind: Kind, layer: int, role: Role) -> str:
    """The site that the projection reads: the sub-layer's input, after its LayerNorm where that comes first (pre-norm)."""
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
