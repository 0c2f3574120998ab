"""Variants whose effect shows before training: the place of LayerNorm, and the initialisation of the weights."""

import math
from dataclasses import dataclass, replace
from typing import Literal

import torch
from torch import nn

from viz_core.analysis.residual_stream import layer_output
from viz_core.checkpoint import Checkpoint
from viz_core.config import Stack
from viz_core.explain import Explanation, traced_pass
from viz_core.model import Transformer
from viz_core.progress import Progress, counted
from viz_core.seeded import seeded
from viz_core.trace import BLOCKS

Place = Literal["pre", "post"]
How = Literal["ours", "xavier", "torch"]
HOWS: tuple[How, ...] = ("ours", "xavier", "torch")
PLACES: tuple[Place, ...] = ("pre", "post")


@dataclass(frozen=True)
class Learning:
    """One sentence before the first training step, by stack and layer; loss in nats per token.

    Attributes:
        gradients: norm of the loss's gradient with respect to the feed-forward's W₂ (Xiong et al. 2020, §3.3).
        stream: mean length of the stream's vectors.
    """

    gradients: dict[Stack, list[float]]
    stream: dict[Stack, list[float]]
    loss: float


def gradients(checkpoint: Checkpoint, explanation: Explanation, place: Place, seed: int) -> Learning:
    """Gradients in an untrained model of this shape with LayerNorm at this place; a seed draws the same weights for both places."""
    with torch.inference_mode(False), torch.enable_grad():
        with seeded(seed):
            model = Transformer(replace(checkpoint.config, norm=place, dropout=0.0))
        source, target = torch.tensor([explanation.source.ids]), torch.tensor([explanation.target.ids])
        following = torch.tensor([token.id for token in explanation.output])
        loss = nn.functional.nll_loss(model(source, target)[0], following)
        loss.backward()
    trace = traced_pass(replace(checkpoint, model=model.for_reading()), [source[0].tolist()], [target[0].tolist()])
    layers = {stack: range(model.config.layers(stack)) for stack in BLOCKS}
    names = {stack: [f"{stack}.layers.{layer}.ffn.w_2.weight" for layer in layers[stack]] for stack in BLOCKS}
    ends = {stack: [layer_output(model.config, stack, layer) for layer in layers[stack]] for stack in BLOCKS}
    return Learning(
        {stack: [_length(model.get_parameter(name).grad) for name in weights] for stack, weights in names.items()},
        {stack: [float(trace[site].norm(dim=-1).mean()) for site in sites] for stack, sites in ends.items()},
        float(loss.detach()),
    )


def _length(gradient: torch.Tensor | None) -> float:
    return float(gradient.norm()) if gradient is not None else 0.0


def initialise(model: Transformer, how: How) -> None:
    """Draws the weights: as our model does, all matrices by Glorot and Bengio's rule, or by torch's defaults."""
    for name, parameter in model.named_parameters():
        embeds = name.endswith(("embedding.weight", "generator.weight"))
        if how == "xavier" and parameter.dim() > 1:
            nn.init.xavier_uniform_(parameter)
        elif how == "torch" and embeds:
            nn.init.normal_(parameter)
        elif how == "torch" and parameter.dim() > 1:
            nn.init.kaiming_uniform_(parameter, a=math.sqrt(5))  # nn.Linear's own: U(±1/√in)


@dataclass(frozen=True)
class Spread:
    """Standard deviations inside an untrained model for one sentence, and its loss in nats per token."""

    lookup: float
    input: float
    memory: float
    logits: float
    loss: float


def spread(checkpoint: Checkpoint, explanation: Explanation, how: How, seed: int) -> Spread:
    """The spread in a model of this shape with one initialisation."""
    with seeded(seed), torch.inference_mode(False):
        model = Transformer(checkpoint.config)
        if how != "ours":
            initialise(model, how)
    trace = traced_pass(replace(checkpoint, model=model.for_reading()), [explanation.source.ids], [explanation.target.ids])
    following = torch.tensor([token.id for token in explanation.output])
    sites = ("source.lookup", "source.input", f"encoder.{checkpoint.config.n_layers - 1}.resid_ffn", "output.logits")
    loss = nn.functional.nll_loss(trace["output.log_probs"][0], following)
    lookup, read, memory, logits = (float(trace[site].std()) for site in sites)
    return Spread(lookup, read, memory, logits, float(loss))


def by_place(
    checkpoint: Checkpoint, explanation: Explanation, seed: int, progress: Progress | None = None
) -> dict[Place, Learning]:
    """`gradients` with LayerNorm at each place."""
    return {place: gradients(checkpoint, explanation, place, seed) for place in counted(PLACES, progress)}


def by_initialisation(
    checkpoint: Checkpoint, explanation: Explanation, seed: int, progress: Progress | None = None
) -> dict[How, Spread]:
    """`spread` with each initialisation."""
    return {how: spread(checkpoint, explanation, how, seed) for how in counted(HOWS, progress)}
