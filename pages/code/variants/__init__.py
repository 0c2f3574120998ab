"""How others write a part of the model: each variant a few lines, and what it changes in one sentence."""

from pages.code.variants.effect import Effect, effect
from pages.code.variants.table import VARIANTS, Variant

__all__ = ["VARIANTS", "Effect", "Variant", "effect"]
