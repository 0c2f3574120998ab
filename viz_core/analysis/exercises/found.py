"""Exercises to find: a sentence, or an edit, of which something is true; what is on the screen is the answer."""

from __future__ import annotations

from dataclasses import dataclass

import torch

from viz_core.checkpoint import Checkpoint
from viz_core.config import PAD_ID
from viz_core.decoding import BeamSettings, Hypothesis, beam_steps, max_steps
from viz_core.explain import Explanation

BEAM, ALPHA = 4, 0.6
"""Size and length penalty of the search, as the page of the beam search begins."""


@dataclass(frozen=True)
class BeamAgainstGreedy:
    """The best sentence of a beam search and that of greedy decoding, scored alike."""

    best: Hypothesis
    greedy: Hypothesis

    @property
    def wins(self) -> bool:
        """Whether the search found another sentence, and a better one."""
        return self.best.ids != self.greedy.ids and self.best.score > self.greedy.score


def beam_against_greedy(checkpoint: Checkpoint, explanation: Explanation) -> BeamAgainstGreedy | None:
    """Both for the source of an explanation, with the model as trained; None where there is no candidate."""
    source = torch.tensor([explanation.source.ids])
    steps = max_steps(checkpoint.config, sum(i != PAD_ID for i in explanation.source.ids))
    found: list[Hypothesis] = []
    for size, alpha in ((BEAM, ALPHA), (1, 0.0)):
        settings = BeamSettings(size=size, length_penalty=alpha, n_best=1, early_stop=True, max_steps=steps)
        *_, (last,) = beam_steps(model=checkpoint.model, source=source, settings=settings)
        found += last.ranked(1)[:1]
    return BeamAgainstGreedy(found[0], found[1].rescored(ALPHA)) if len(found) == 2 else None


def lost_token(explanation: Explanation, edited: Explanation, step: int) -> bool:
    """Whether an edited model no longer writes the token that the model as trained writes at a step; it must write something."""
    written = [token.id for token in edited.output]
    return len(written) > 1 and explanation.output[step].id not in written
