"""How others write a part of the model: each variant a few lines, and what it changes in one sentence."""

from viz_core.analysis.variants.effect import Effect, effect
from viz_core.analysis.variants.table import VARIANTS, Variant
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation

__all__ = ["VARIANTS", "Effect", "Variant", "effect", "variant_effect"]


def variant_effect(checkpoint: Checkpoint, explanation: Explanation, name: str) -> Effect:
    found = VARIANTS[name]
    return effect(checkpoint, explanation, lambda: found.edits(checkpoint.model) if found.edits else {}, found.whole)
