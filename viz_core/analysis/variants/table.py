"""The table of variants, and the effect of one on a sentence: on its tokens' probabilities and on its translation."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import torch

from viz_core.analysis.variants import parts
from viz_core.checkpoint import Checkpoint
from viz_core.config import ModelConfig
from viz_core.decoding import greedy_steps, max_steps
from viz_core.decoding.greedy import tokens_of
from viz_core.edits import site_edits
from viz_core.explain import Explanation, traced_pass
from viz_core.model import Transformer
from viz_core.taps import Edit, Editor, merged
from viz_core.trace import Array, Trace

MODEL, HERE = "viz_core.model.", "viz_core.analysis.variants.parts:"


@dataclass(frozen=True)
class Variant:
    """Another way to write one part of the model.

    Attributes:
        ours, theirs: the functions whose sources are shown side by side, each with a text found in the line to highlight.
        edits: its edits of a trained model; None if it has an effect before training only.
        whole: decoding must read all tokens again at each step.
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
        (HERE + "masked_weights", "masked_fill"),
        parts.mask_value_edits,
    ),
    "norm_formula": Variant(
        (MODEL + "blocks:LayerNorm.forward", "self.eps"),
        (HERE + "layer_norm", "std"),
        parts.layer_norm_edits,
        possible=lambda config: config.layer_norm == "variance",
    ),
    "scale": Variant(
        (MODEL + "attention:scaled_dot_product_attention", "math.sqrt"),
        (HERE + "scale", "math.sqrt"),
        parts.scale_edits,
        possible=parts.scale_possible,
    ),
    "no_root": Variant(
        (MODEL + "embedding:Embedding.forward", "self.scale"),
        (HERE + "embed", "+ positions"),
        parts.embed_edits,
        possible=lambda config: config.scaled_embeddings,
    ),
    "padding_row": Variant(
        (MODEL + "embedding:Embedding.forward", "self.positions"),
        (HERE + "shifted_positions", "table["),
        parts.shifted_positions_edits,
        whole=True,
        possible=lambda config: config.positions != "learned",
    ),
    "convolution": Variant(
        (MODEL + "blocks:FeedForward.forward", "self.w_"), (HERE + "convolution", "conv1d"), parts.convolution_edits
    ),
    "norm_place": Variant((MODEL + "blocks:AddAndNorm.forward", "normed"), (MODEL + "blocks:AddAndNorm.forward", "summed")),
    "initial": Variant(
        (MODEL + "transformer:Transformer.reset_parameters", "nn.init"),
        ("viz_core.analysis.variants.initialisation:initialise", "init."),
    ),
}


@dataclass(frozen=True, eq=False)
class Effect:
    """A variant's pass over the tokens of an explanation, and the translations with and without it.

    Attributes:
        before, after: log-probabilities for the same tokens, (T, V) each.
        text, usual: the translation with and without the variant.
    """

    trace: Trace
    before: Array
    after: Array
    text: str
    usual: str

    @property
    def known(self) -> bool:
        """True if all its probabilities are numbers."""
        return bool(np.isfinite(self.after).all())

    @property
    def greatest(self) -> float:
        """The greatest change of a probability, over all steps and tokens, in 0…1."""
        return float(np.abs(np.exp(self.after.astype(np.float64)) - np.exp(self.before.astype(np.float64))).max())

    @property
    def steps(self) -> list[int]:
        """The steps, from 0, at which another token is the most probable."""
        return [int(i) for i in np.flatnonzero(self.before.argmax(-1) != self.after.argmax(-1))]


def variant_effect(checkpoint: Checkpoint, explanation: Explanation, name: str) -> Effect:
    variant = VARIANTS[name]
    return effect(checkpoint, explanation, lambda: variant.edits(checkpoint.model) if variant.edits else {}, variant.whole)


def effect(checkpoint: Checkpoint, explanation: Explanation, make: Callable[[], Mapping[str, Edit]], whole: bool = False) -> Effect:
    """The effect of a variant that acts after the explanation's edits.

    Args:
        make: makes its edits, anew for each pass, since some hold values of a pass.
        whole: decoding must read all tokens again at each step.
    """

    def edits() -> dict[str, Edit]:
        return merged(site_edits(explanation.edits, checkpoint.config), make())

    source, target = explanation.source.ids, explanation.target.ids
    trace = traced_pass(checkpoint, [source], [target], edits())
    before, after = explanation.trace.array("output.log_probs"), trace.array("output.log_probs")
    text = _written(checkpoint, source, edits(), whole or explanation.edits.whole)
    usual = explanation.text
    if explanation.given_target:
        usual = _written(checkpoint, source, site_edits(explanation.edits, checkpoint.config), explanation.edits.whole)
    return Effect(trace, before, after, text, usual)


def _written(checkpoint: Checkpoint, source: list[int], edits: Mapping[str, Edit], whole: bool) -> str:
    most = max_steps(checkpoint.config, len(source))
    steps = greedy_steps(checkpoint.model, torch.tensor([source]), most, Editor(edits), whole=whole)
    return checkpoint.tokenizer.decode(tokens_of(steps, checkpoint.config)[0])
