"""The table of edits: each intervention in a pass is a function that names sites and what to do there."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import torch

from viz_core.config import ModelConfig
from viz_core.taps import Edit


def open_causal_mask(config: ModelConfig) -> dict[str, Edit]:
    """The decoder may look at target pieces that are not written yet. For a batch without padding: it opens every cell."""
    return {f"decoder.{layer}.self_attn.mask": torch.ones_like for layer in range(config.n_layers)}


EDITS: Mapping[str, Callable[[ModelConfig], dict[str, Edit]]] = {"open_causal_mask": open_causal_mask}
