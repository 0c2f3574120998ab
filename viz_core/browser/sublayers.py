"""What each sub-layer writes and how it is normalized, from which the browser itself adds up the residual stream."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from viz_core.trace import BLOCKS, Trace

Tensors = dict[str, npt.NDArray[np.float32]]


def sublayer_tensors(trace: Trace) -> Tensors:
    """By `{stack}_{block}`, all layers of a sub-layer, (L, T, D) each: `…_out`, what it writes, and `…_norm`, its LayerNorm.

    The stream behind it is not sent: it is the stream before it plus `…_out`, in float32 as in the model, and with post-norm its
    LayerNorm. Only where an edit made it something else there is `…_sum`, too.
    """
    tensors: Tensors = {}
    is_pre = trace.config.norm == "pre"
    for stack, blocks in BLOCKS.items():
        layers = range(trace.config.layers(stack))
        side = "source" if stack == "encoder" else "target"
        for at, block in enumerate(blocks):
            site = {name: _all(trace, [f"{stack}.{layer}.{name}" for layer in layers]) for name in _sites(block)}
            out, norm, summed = site.values()
            before = blocks[at - 1]  # the last one of the layer below, for the first
            ends = [f"{stack}.{layer - (at == 0)}.{'resid' if is_pre else 'norm'}_{before}" for layer in layers]
            x = _all(trace, [f"{side}.input" if end.startswith(f"{stack}.-1") else end for end in ends])
            tensors |= {f"{stack}_{block}_out": out, f"{stack}_{block}_norm": norm}
            if not np.array_equal(x + out, summed):
                tensors[f"{stack}_{block}_sum"] = summed
    return tensors


def _sites(block: str) -> tuple[str, str, str]:
    return f"{block}.out", f"norm_{block}", f"resid_{block}"


def _all(trace: Trace, names: list[str]) -> npt.NDArray[np.float32]:
    return np.stack([trace.array(name) for name in names])
