"""See an encoder–decoder Transformer work, with the numbers of its own forward pass.

    from viz_core import load, explain

    checkpoint = load("checkpoints/en-de")
    ex = explain(checkpoint, "The cat is sleeping on the sofa.")
    ex.trace["decoder.2.cross_attn.weights"]  # (B, h, T, S), the very tensor of the forward pass
"""

from viz_core.checkpoint import Checkpoint, load, save
from viz_core.config import ModelConfig
from viz_core.explain import Explanation, explain
from viz_core.trace import Trace

__all__ = ["Checkpoint", "Explanation", "ModelConfig", "Trace", "explain", "load", "save"]
