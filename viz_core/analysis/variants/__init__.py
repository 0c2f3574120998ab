"""How others write a part of the model: each variant a few lines, and what it changes in one sentence."""

from viz_core.analysis.variants.table import VARIANTS, Effect, Variant, effect, variant_effect

__all__ = ["VARIANTS", "Effect", "Variant", "effect", "variant_effect"]
