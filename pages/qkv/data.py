"""What the figure of this page is drawn from."""

from __future__ import annotations

from pages.qkv.compute import Role
from pages.qkv.payload import qkv_payload
from viz_core.analysis.head_weights import head_weights
from viz_core.app.answers import Between, Index, beyond
from viz_core.browser.pack import pack
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation
from viz_core.trace import BLOCK, Kind


def qkv(checkpoint: Checkpoint, explanation: Explanation, kind: Kind, role: Role) -> bytes:
    """Where queries, keys or values of one attention come from, without W."""
    return qkv_payload(checkpoint.model, explanation, kind, role)


def projection_weights(checkpoint: Checkpoint, kind: Kind, role: Role, layer: Index, head: Index) -> bytes:
    """W of one head, (D, d_k), float32: the same for all sentences."""
    config, (stack, _) = checkpoint.config, BLOCK[kind]
    for name, index, count in (("layer", layer, config.layers(stack)), ("head", head, config.n_heads)):
        if index >= count:
            raise beyond(name, index, Between(0, count - 1))
    return pack({"w": head_weights(checkpoint.model, kind, role, layer, head)[0]}, {})


VIEWS = (qkv, projection_weights)
