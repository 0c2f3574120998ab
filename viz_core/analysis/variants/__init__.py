"""Parts of the model as other implementations write them, and the effect of each variant on one sentence."""

from viz_core.analysis.variants.table import VARIANTS, Effect, Variant, effect, variant_effect

__all__ = ["VARIANTS", "Effect", "Variant", "effect", "variant_effect"]
