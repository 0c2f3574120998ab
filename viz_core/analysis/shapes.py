"""The shapes of one sentence's tensors, as they were recorded."""

from __future__ import annotations

from viz_core.trace import Trace

Shapes = dict[str, tuple[int, ...]]


def shapes_of(trace: Trace, layer: int) -> Shapes:
    """Site → shape without the batch, with the layer left out of the name: `encoder.self_attn.q` → (h, S, d_k).

    Args:
        layer: whose blocks to take, from 0; all layers have the same shapes.
    """
    found: Shapes = {}
    for name, tensor in trace.tensors.items():
        parts = name.split(".")
        if parts[1].isdigit() and int(parts[1]) != layer:
            continue
        shape = tuple(tensor.shape)
        found[".".join(part for part in parts if not part.isdigit())] = shape if name.endswith(".positions") else shape[1:]
    return found
