"""Edits that compute a site anew from what passed an earlier site; each set of them serves one pass at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from torch import Tensor

from viz_core.config import ModelConfig
from viz_core.model import Transformer
from viz_core.model.blocks import FeedForward, LayerNorm
from viz_core.taps import Captured, Edit
from viz_core.trace import BLOCK, BLOCKS


def at_norms(model: Transformer, compute: Callable[[Tensor, LayerNorm], Tensor]) -> dict[str, Edit]:
    """Every LayerNorm, as a function of what it reads and of its own parameters."""
    found: dict[str, Edit] = {}
    for stack, blocks in BLOCKS.items():
        stream, part = Captured(), model.get_submodule(stack)
        found["source.input" if stack == "encoder" else "target.input"] = stream.capture
        for layer in range(model.config.n_layers):
            for block in blocks:
                norm = part.get_submodule(f"layers.{layer}.add_{block}.norm")
                found[f"{stack}.{layer}.norm_{block}"] = stream.then(_of(norm, compute))
                found[f"{stack}.{layer}.resid_{block}"] = stream.capture
        if model.config.norm == "pre":
            end = "encoder.memory" if stack == "encoder" else "decoder.states"
            found[end] = stream.then(_of(part.get_submodule("norm"), compute))
    return found


def at_feed_forwards(model: Transformer, compute: Callable[[Tensor, FeedForward], Tensor]) -> dict[str, Edit]:
    """Every feed-forward, as a function of what it reads and of its own parameters."""
    found: dict[str, Edit] = {}
    for at, reads in feed_forwards(model.config):
        x = Captured()
        found[reads] = x.capture
        found[f"{at}.out"] = x.then(_of(model.get_submodule(at.replace(".", ".layers.", 1)), compute))
    return found


def feed_forwards(config: ModelConfig) -> Iterator[tuple[str, str]]:
    """Each feed-forward, as `encoder.0.ffn`, and the site of what it reads."""
    for stack, blocks in BLOCKS.items():
        for layer in range(config.n_layers):
            yield f"{stack}.{layer}.ffn", f"{stack}.{layer}.norm_{'ffn' if config.norm == 'pre' else blocks[-2]}"


def attentions(config: ModelConfig) -> Iterator[str]:
    """Each attention, as `decoder.0.cross_attn`."""
    for stack, block in BLOCK.values():
        for layer in range(config.n_layers):
            yield f"{stack}.{layer}.{block}"


def _of(module: object, compute: Callable[..., Tensor]) -> Callable[[Tensor], Tensor]:
    return lambda x: compute(x, module)
