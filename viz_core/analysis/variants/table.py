"""The table of variants: the functions compared, and what each variant changes in a trained model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from viz_core.analysis.variants import attention, layers
from viz_core.config import ModelConfig
from viz_core.model import Transformer
from viz_core.taps import Edit

MODEL, HERE = "viz_core.model.", "viz_core.analysis.variants."


@dataclass(frozen=True)
class Variant:
    """Another way to write one part of the model.

    Attributes:
        ours, theirs: the functions whose sources are shown side by side, each with a text that marks the line to highlight.
        edits: what it changes in a trained model; None for those that show only before training.
        whole: decoding has to read all tokens anew in each step.
        possible: whether a model of this shape can have it.
    """

    ours: tuple[str, str]
    theirs: tuple[str, str]
    edits: Callable[[Transformer], Mapping[str, Edit]] | None = None
    whole: bool = False
    possible: Callable[[ModelConfig], bool] = lambda config: True


VARIANTS: Mapping[str, Variant] = {
    "mask_value": Variant(
        (MODEL + "attention:scaled_dot_product_attention", "torch.where"),
        (HERE + "attention:masked_weights", "masked_fill"),
        attention.mask_value_edits,
    ),
    "norm_formula": Variant(
        (MODEL + "blocks:LayerNorm.forward", "self.eps"), (HERE + "layers:layer_norm", "std"), layers.layer_norm_edits
    ),
    "scale": Variant(
        (MODEL + "attention:scaled_dot_product_attention", "math.sqrt"),
        (HERE + "attention:scale", "math.sqrt"),
        attention.scale_edits,
        possible=attention.scale_possible,
    ),
    "no_root": Variant(
        (MODEL + "embedding:Embedding.forward", "self.scale"), (HERE + "layers:embed", "+ positions"), layers.embed_edits
    ),
    "padding_row": Variant(
        (MODEL + "embedding:Embedding.forward", "self.positions"),
        (HERE + "layers:shifted_positions", "table["),
        layers.shifted_positions_edits,
        whole=True,
    ),
    "convolution": Variant(
        (MODEL + "blocks:FeedForward.forward", "self.w_"), (HERE + "layers:convolution", "conv1d"), layers.convolution_edits
    ),
    "norm_place": Variant((MODEL + "blocks:AddAndNorm.forward", "normed"), (MODEL + "blocks:AddAndNorm.forward", "summed")),
    "initial": Variant(
        (MODEL + "transformer:Transformer.reset_parameters", "nn.init"), (HERE + "initialisation:initialise", "init.")
    ),
}
