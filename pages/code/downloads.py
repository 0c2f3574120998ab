"""The numbers of the page on the code as CSV: calls, costs, and what a variant or training changes."""

from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from pages.code.calls import Call, call_cost
from pages.code.compute import Predictions
from viz_core.analysis.cost import part_costs
from viz_core.analysis.variants import Effect
from viz_core.analysis.variants.initialisation import How, Learning, Place, Spread
from viz_core.app.csv_files import Cell, csv_file
from viz_core.config import ModelConfig
from viz_core.explain import Explanation
from viz_core.tokenizer import Tokenizer
from viz_core.trace import Trace


@csv_file("call site function line axes shape parameters multiply_adds least greatest")
def calls_csv(calls: Iterable[Call], trace: Trace) -> Iterator[list[Cell]]:
    """The calls in order: the line that makes each one, its shape in this pass, its parameters, multiply-adds and extremes.

    A shared matrix counts at its first use.
    """
    source, target = (trace[f"{side}.lookup"].size(1) for side in ("source", "target"))
    for index, call in enumerate(calls, 1):
        tensor = trace[call.name]
        shape = " × ".join(map(str, tensor.shape))
        cost = call_cost(trace.config, call.name, source, target)
        ends = [np.float32(tensor.min()), np.float32(tensor.max())] if tensor.is_floating_point() else [None, None]
        yield [index, call.name, call.function, call.stack[-1].number, " ".join(call.site.axes), shape, *cost, *ends]


@csv_file("part parameters multiply_adds with_weights with_positions")
def cost_csv(config: ModelConfig, source: int, target: int) -> Iterator[list[Cell]]:
    """The cost of each part in one pass over this many tokens; `with_weights` + `with_positions` = `multiply_adds`."""
    for part in part_costs(config, source, target):
        yield [part.name, part.parameters, part.products, part.projected, part.paired]


@csv_file("step token id log_prob_as_it_is log_prob_with_variant best_as_it_is best_with_variant")
def effect_csv(explanation: Explanation, effect: Effect, tokenizer: Tokenizer) -> Iterator[list[Cell]]:
    """The effect of a variant: ln p of each token of the sentence without and with it, and the most probable token of both."""
    for i, token in enumerate(explanation.output):
        best = (tokenizer.token_text(int(row[i].argmax())) for row in (effect.before, effect.after))
        yield [i + 1, token.text, token.id, effect.before[i, token.id], effect.after[i, token.id], *best]


@csv_file("norm stack layer gradient stream loss")
def places_csv(places: Mapping[Place, Learning]) -> Iterator[list[Cell]]:
    """Pre-norm and post-norm before training: the norms of W₂'s gradient and of the stream in each layer."""
    for place, learning in places.items():
        for stack, gradients in learning.gradients.items():
            for layer, (gradient, stream) in enumerate(zip(gradients, learning.stream[stack], strict=True), 1):
                yield [place, stack, layer, gradient, stream, learning.loss]


@csv_file("weights lookup input memory logits loss")
def spreads_csv(spreads: Mapping[How, Spread]) -> Iterator[list[Cell]]:
    """Ways to initialize the weights: standard deviations along the forward pass, and the loss."""
    for how, deviations in spreads.items():
        yield [how, deviations.lookup, deviations.input, deviations.memory, deviations.logits, deviations.loss]


@csv_file("step token id entropy_trained loss_trained entropy_untrained loss_untrained")
def predictions_csv(explanation: Explanation, trained: Predictions, fresh: Predictions) -> Iterator[list[Cell]]:
    """Trained and untrained model on the same tokens: the entropy of each prediction, and −ln p of the token that follows."""
    numbers = zip(trained.entropies, trained.losses, fresh.entropies, fresh.losses, strict=True)
    for i, (token, four) in enumerate(zip(explanation.output, numbers, strict=True), 1):
        yield [i, token.text, token.id, *four]
