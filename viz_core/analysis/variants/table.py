"""The variants, each with what it does to a trained model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from viz_core.analysis.variants import convolution, mask_value, norm_formula, padding_row, scaling, unscaled
from viz_core.config import ModelConfig
from viz_core.model import Transformer
from viz_core.taps import Edit

MODEL, HERE = "viz_core.model.", "viz_core.analysis.variants."


@dataclass(frozen=True)
class Variant:
    """One way to write a part otherwise.

    Attributes:
        ours, theirs: functions whose sources stand beside each other, each with a text that lights its line.
        edits: what it does in a trained model; None for those that only show before a training.
        whole: decoding has to begin each step at the first token.
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
        (HERE + "mask_value:masked_weights", "masked_fill"),
        mask_value.edits,
    ),
    "norm_formula": Variant(
        (MODEL + "blocks:LayerNorm.forward", "self.eps"), (HERE + "norm_formula:layer_norm", "std"), norm_formula.edits
    ),
    "scale": Variant(
        (MODEL + "attention:scaled_dot_product_attention", "math.sqrt"),
        (HERE + "scaling:scale", "math.sqrt"),
        scaling.edits,
        possible=scaling.possible,
    ),
    "no_root": Variant(
        (MODEL + "embedding:Embedding.forward", "self.scale"), (HERE + "unscaled:embed", "+ positions"), unscaled.edits
    ),
    "padding_row": Variant(
        (MODEL + "embedding:Embedding.forward", "self.positions"),
        (HERE + "padding_row:positions", "table["),
        padding_row.edits,
        whole=True,
    ),
    "convolution": Variant(
        (MODEL + "blocks:FeedForward.forward", "self.w_"), (HERE + "convolution:feed_forward", "conv1d"), convolution.edits
    ),
    "norm_place": Variant((MODEL + "blocks:AddAndNorm.forward", "normed"), (MODEL + "blocks:AddAndNorm.forward", "summed")),
    "initial": Variant((MODEL + "transformer:Transformer.reset_parameters", "nn.init"), (HERE + "beginning:initialise", "init.")),
}
