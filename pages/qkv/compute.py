"""X·W + b: where the queries, keys and values of one head come from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from viz_core.trace import BLOCK, Array, Floats, Kind, Trace

if TYPE_CHECKING:
    from viz_core.model.transformer import Transformer


Role = Literal["q", "k", "v"]
ROLES: tuple[Role, ...] = ("q", "k", "v")
Origin = Literal["encoder", "decoder", "memory"]
"""The origin of X: the encoder's stream, the decoder's stream, or the encoder's output."""


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
    stack, block = BLOCK[kind]
    weight, bias = head_weights(model, kind, role, layer, head)
    site = entrance(trace, kind, layer, role)
    y = trace.array(f"{stack}.{layer}.{block}.{role}")[head]
    return Projection(trace.array(site), weight, bias, y, origin_of(site), site)


def origin_of(site: str) -> Origin:
    """The origin of the vectors at this site."""
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


@dataclass(frozen=True, eq=False)
class Rivals:
    """For each query of each head one key: the strongest, or where both sides are the same, the one whose two scores differ most.

    Attributes:
        keys: (L, h, T).   there: the scores of query → key, (L, h, T).   back: those of key → query, or None for cross.
    """

    keys: npt.NDArray[np.int64]
    there: Floats
    back: Floats | None


def rivals(trace: Trace, kind: Kind) -> Rivals:
    """The keys that show why there are queries and keys. Where a query has no other key, it is the query itself."""
    scores = np.stack([block.scores for block in trace.attentions(kind)])  # (L, h, Tq, Tk)
    if kind == "cross":
        keys = scores.argmax(-1)
        return Rivals(keys, np.take_along_axis(scores, keys[..., None], -1)[..., 0], None)
    turned = np.swapaxes(scores, -1, -2)
    count = scores.shape[-1]
    apart = np.abs(scores - turned)
    if kind == "masked":
        apart = np.where(np.tri(count, dtype=bool), apart, -1)
    apart = np.where(np.eye(count, dtype=bool), -1, apart)
    keys = np.where(apart.max(-1) < 0, np.arange(count), apart.argmax(-1))
    there, back = (np.take_along_axis(each, keys[..., None], -1)[..., 0] for each in (scores, turned))
    return Rivals(keys, there, back)


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
