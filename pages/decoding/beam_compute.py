"""What a beam search of an explained sentence finds, in the model as trained or edited, and how greedy's sentence fares in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import torch

from viz_core.checkpoint import Checkpoint
from viz_core.config import PAD_ID
from viz_core.decoding import BeamStep, Hypothesis, beam_steps, max_steps, overtaken
from viz_core.edits import site_edits
from viz_core.edits.typed import forced_ids
from viz_core.explain import Explanation
from viz_core.taps import OFF, Editor

MOST_WHOLE = 48
"""Steps of a decoding that has to read everything anew at each step."""


@dataclass(frozen=True)
class Asked:
    """What a search is asked for, as `viz_core.decoding.beam_steps` takes it."""

    size: int = 4
    length_penalty: float = 0.6
    n_best: int = 3
    early_stop: bool = True


@dataclass(frozen=True, eq=False)
class Search:
    """A search and what came of it.

    Attributes:
        steps: of the search.
        greedy: what greedy decoding writes, scored with the search's length penalty.
        forced: step → the token that stands there in every sentence that gets so far.
    """

    asked: Asked
    steps: tuple[BeamStep, ...]
    greedy: Hypothesis
    forced: Mapping[int, int] = field(default_factory=dict)

    @property
    def known(self) -> bool:
        """Whether there was any candidate; an edited model whose numbers are none has not even a first one."""
        return bool(self.steps[0].candidates)

    @property
    def endings(self) -> list[Hypothesis]:
        """The n best hypotheses, best first."""
        return self.steps[-1].ranked(self.asked.n_best)

    @property
    def best(self) -> Hypothesis:
        """The first of the endings."""
        return self.endings[0]

    @property
    def parts(self) -> int | None:
        """The first step, from 0, at which the best ending and greedy write something else; None if they are the same."""
        return next((step for step in range(len(self.best.ids)) if self.best.ids[: step + 1] != self.greedy.ids[: step + 1]), None)

    @property
    def ahead(self) -> int | None:
        """The step, from 0, from which on the best ending stays above greedy's sentence; None where it never does."""
        return overtaken(self.best, self.greedy)

    @property
    def lost(self) -> int | None:
        """The step, from 0, at which greedy's sentence falls out of the beam; None where it stays."""
        for index, step in enumerate(self.steps[: len(self.greedy.ids)]):
            there = {(*step.parents[one.parent].ids, one.token) for one in step.candidates if one.fate != "pruned"}
            if self.greedy.ids[: index + 1] not in there:
                return index
        return None


def search(checkpoint: Checkpoint, explanation: Explanation, asked: Asked) -> Search:
    """Searches anew for what the explained sentence means, whatever target was typed; tokens that an edit forces are forced."""
    given = decoder_arguments(checkpoint, explanation)
    steps = tuple(
        beam_steps(
            **given, size=asked.size, length_penalty=asked.length_penalty, n_best=asked.n_best, early_stop=asked.early_stop,
            **editor(checkpoint, explanation),
        )
    )  # fmt: skip
    *_, last = beam_steps(**given, size=1, **editor(checkpoint, explanation))
    return Search(asked, steps, last.ranked(1)[0].rescored(asked.length_penalty), forced_in(checkpoint, explanation))


def decoder_arguments(checkpoint: Checkpoint, explanation: Explanation) -> dict[str, Any]:
    """The model, its source and the most steps, as decoding an explained sentence takes them."""
    room = steps_of(checkpoint, explanation)
    return {
        "model": checkpoint.model,
        "source": torch.tensor([explanation.source.ids]),
        "max_steps": min(room, most_steps(explanation)),
    }


def steps_of(checkpoint: Checkpoint, explanation: Explanation) -> int:
    """So many steps greedy decoding of the sentence may take."""
    return max_steps(checkpoint.config, sum(i != PAD_ID for i in explanation.source.ids))


def most_steps(explanation: Explanation) -> int:
    """Where a decoding stops, so that nobody waits for minutes."""
    return MOST_WHOLE if explanation.edits.whole else explanation.trace.config.max_len


def editor(checkpoint: Checkpoint, explanation: Explanation) -> dict[str, Any]:
    """What makes a decoding that of the edited model."""
    found = site_edits(explanation.edits, checkpoint.config)
    tap = Editor(found) if found else OFF
    return {"tap": tap, "whole": explanation.edits.whole, "forced": forced_in(checkpoint, explanation)}


def forced_in(checkpoint: Checkpoint, explanation: Explanation) -> dict[int, int]:
    """Step → the token that an edit forces; nothing where the target was typed, as in the explanation."""
    return {} if explanation.given_target else forced_ids(explanation.edits.force, checkpoint.tokenizer)
