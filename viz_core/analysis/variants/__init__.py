"""Parts of the model as other implementations write them, and what each variant changes for one sentence."""

from viz_core.analysis.variants.table import VARIANTS, Effect, Variant, effect, variant_effect

__all__ = ["VARIANTS", "Effect", "Variant", "effect", "variant_effect"]
