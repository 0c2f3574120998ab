"""Effect of a variant on one sentence: on the probabilities of the same tokens, and on the model's own translation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import torch

from viz_core.checkpoint import Checkpoint
from viz_core.decoding import greedy_steps, max_steps
from viz_core.decoding.greedy import tokens_of
from viz_core.edits import site_edits
from viz_core.explain import Explanation, traced_pass
from viz_core.taps import Edit, Editor, merged
from viz_core.trace import Array, Trace


@dataclass(frozen=True, eq=False)
class Effect:
    """A variant's pass over the tokens of an explanation, and what the model writes with and without the variant.

    Attributes:
        before, after: log-probabilities over the same tokens, (T, V) each.
    """

    trace: Trace
    before: Array
    after: Array
    text: str
    usual: str

    @property
    def known(self) -> bool:
        """Whether all its probabilities are numbers."""
        return bool(np.isfinite(self.after).all())

    @property
    def greatest(self) -> float:
        """The greatest change of a probability, over all steps and tokens, in 0…1."""
        return float(np.abs(np.exp(self.after.astype(np.float64)) - np.exp(self.before.astype(np.float64))).max())

    @property
    def steps(self) -> list[int]:
        """Where another token is the most probable one, from 0."""
        return [int(i) for i in np.flatnonzero(self.before.argmax(-1) != self.after.argmax(-1))]


Make = Callable[[], Mapping[str, Edit]]


def effect(checkpoint: Checkpoint, explanation: Explanation, make: Make, whole: bool = False) -> Effect:
    """A variant after the edits of an explanation.

    Args:
        make: its edits, anew for each pass: some remember what passed.
        whole: decoding has to begin each step at the first token.
    """

    def edits() -> dict[str, Edit]:
        return merged(site_edits(explanation.edits, checkpoint.config), make())

    source, target = explanation.source.ids, explanation.target.ids
    trace = traced_pass(checkpoint, [source], [target], edits())
    before, after = (each.array("output.log_probs") for each in (explanation.trace, trace))
    text = _written(checkpoint, source, edits(), whole or explanation.edits.whole)
    usual = explanation.text
    if explanation.given_target:
        usual = _written(checkpoint, source, site_edits(explanation.edits, checkpoint.config), explanation.edits.whole)
    return Effect(trace, before, after, text, usual)


def _written(checkpoint: Checkpoint, source: list[int], edits: Mapping[str, Edit], whole: bool) -> str:
    most = max_steps(checkpoint.config, len(source))
    steps = greedy_steps(checkpoint.model, torch.tensor([source]), most, Editor(edits), whole=whole)
    return checkpoint.tokenizer.decode(tokens_of(steps)[0])
