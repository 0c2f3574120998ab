"""The controls of this page: what links, talks and “try this” may set."""

from pages.code.layer import sync  # noqa: F401 - the frame calls it
from viz_core.app.controls import Choice, Item, OneOf, Slider

WIDTH = 112

SHOW = Choice("show", ("walk", "cost", "variants", "untrained"), labelled=False)
CALL = Item("call", width=270)
BY = Choice("by", ("by_length", "by_layers", "by_width", "by_heads"))
OF = Choice("of", ("of_sentence", "of_numbers"), labelled=False)
SEED = Slider("seed", width=190)
VARIANT = OneOf[str]("variant", width=330)

# A configuration of one's own; the values of a preset stand among those on offer.
PRESET = OneOf[str]("preset")
D_MODEL = OneOf[int]("d_model", width=WIDTH)
HEADS = OneOf[int]("heads", width=WIDTH)
D_FF = OneOf[int]("d_ff", width=WIDTH)
LAYERS = OneOf[int]("layers", width=WIDTH)
VOCABULARY = OneOf[int]("vocabulary", width=WIDTH)
SHARED = OneOf("shared", ("yes", "no"), width=WIDTH)
NORM = OneOf("norm", ("pre", "post"), width=WIDTH)
SOURCE_LENGTH = OneOf[int]("source_length", width=WIDTH)
TARGET_LENGTH = OneOf[int]("target_length", width=WIDTH)
