"""Decoding of an explained sentence, by the trained or edited model; and beam search, with greedy decoding for comparison."""

import dataclasses
import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import torch

from viz_core.checkpoint import Checkpoint
from viz_core.decoding import BeamSettings, BeamStep, Hypothesis, beam_steps, max_steps, overtaken
from viz_core.edits import site_edits
from viz_core.edits.table import forced_ids
from viz_core.explain import Explanation
from viz_core.progress import Progress, counted
from viz_core.taps import OFF, Editor

UNCACHED_STEPS = 48
"""Most steps where an edit forbids the key/value cache, so that each step recomputes the whole prefix."""


def decoder_arguments(checkpoint: Checkpoint, explanation: Explanation) -> dict[str, Any]:
    """Model, source and step limit, as arguments of the decoding functions."""
    return {
        "model": checkpoint.model,
        "source": torch.tensor([explanation.source.ids]),
        "max_steps": min(steps_of(checkpoint, explanation), most_steps(explanation)),
    }


def steps_of(checkpoint: Checkpoint, explanation: Explanation) -> int:
    """The greatest number of steps that greedy decoding of the sentence may take."""
    return max_steps(checkpoint.config, sum(i != checkpoint.config.pad_id for i in explanation.source.ids))


def most_steps(explanation: Explanation) -> int:
    """The number of steps at which decoding is cut off, lest it take minutes."""
    return UNCACHED_STEPS if explanation.edits.whole else explanation.trace.config.max_len


def editor(checkpoint: Checkpoint, explanation: Explanation) -> dict[str, Any]:
    """The arguments that make a decoding function apply the explanation's edits."""
    edits = site_edits(explanation.edits, checkpoint.config)
    return {"tap": Editor(edits) if edits else OFF, "whole": explanation.edits.whole}


def forced_in(checkpoint: Checkpoint, explanation: Explanation) -> dict[int, int]:
    """Step → the token that an edit forces; empty if the target was typed, as in the explanation."""
    return {} if explanation.given_target else forced_ids(explanation.edits.force, checkpoint.tokenizer)


@dataclass(frozen=True)
class BeamOptions:
    """The settings of a beam search, see `viz_core.decoding.BeamSettings`."""

    size: int = 4
    length_penalty: float = 0.6
    n_best: int = 3
    early_stop: bool = True


GREEDY = BeamOptions(1, 0.0, 1)
"""Greedy decoding is a beam search of size 1."""


@dataclass(frozen=True, eq=False)
class BeamSearch:
    """A beam search, step by step, and the result of greedy decoding.

    Attributes:
        greedy: the sentence of greedy decoding, scored with the search's length penalty.
        forced: step → the token of every hypothesis there.
    """

    options: BeamOptions
    steps: tuple[BeamStep, ...]
    greedy: Hypothesis
    forced: Mapping[int, int] = field(default_factory=dict)

    @property
    def known(self) -> bool:
        """True if there was any candidate; an edited model that computes NaN has none."""
        return bool(self.steps[0].candidates)

    @property
    def hypotheses(self) -> list[Hypothesis]:
        return self.steps[-1].ranked(self.options.n_best)

    @property
    def best(self) -> Hypothesis:
        return self.hypotheses[0]

    @property
    def parts(self) -> int | None:
        """The first step, from 0, at which the best hypothesis and greedy's differ; None if they are the same."""
        return next((step for step in range(len(self.best.ids)) if self.best.ids[: step + 1] != self.greedy.ids[: step + 1]), None)

    @property
    def ahead(self) -> int | None:
        """The step, from 0, from which the best hypothesis scores above greedy's; None if it never does."""
        return overtaken(self.best, self.greedy)

    @property
    def pruned(self) -> int | None:
        """The step, from 0, at which greedy's hypothesis is pruned; None if it is kept."""
        for index, step in enumerate(self.steps[: len(self.greedy.ids)]):
            survivors = {(*step.parents[one.parent].ids, one.token) for one in step.candidates if one.fate != "pruned"}
            if self.greedy.ids[: index + 1] not in survivors:
                return index
        return None


def search(checkpoint: Checkpoint, explanation: Explanation, options: BeamOptions, progress: Progress | None = None) -> BeamSearch:
    """Beam search of the explained source, whatever target was typed; an edit may force tokens."""
    steps = _beam_steps(checkpoint, explanation, options, progress)
    greedy = written(checkpoint, explanation) or _beam_steps(checkpoint, explanation, GREEDY)[-1].ranked(1)[0]
    return BeamSearch(options, steps, greedy.rescored(options.length_penalty), forced_in(checkpoint, explanation))


def written(checkpoint: Checkpoint, explanation: Explanation) -> Hypothesis | None:
    """The result of greedy decoding taken from the explanation, if the model wrote it by itself and to its end."""
    ids = tuple(token.id for token in explanation.output)
    if explanation.given_target or explanation.edits.whole or explanation.edits.force or ids[-1] != checkpoint.config.eos_id:
        return None
    log_probs = [float(step.log_probs[token]) for step, token in zip(explanation.steps, ids, strict=True)]
    totals = tuple(itertools.accumulate(log_probs))
    return Hypothesis(ids, tuple(log_probs), totals, totals, ended=True) if math.isfinite(totals[-1]) else None


def _beam_steps(
    checkpoint: Checkpoint, explanation: Explanation, options: BeamOptions, progress: Progress | None = None
) -> tuple[BeamStep, ...]:
    arguments, forced = decoder_arguments(checkpoint, explanation), forced_in(checkpoint, explanation)
    settings = BeamSettings(**dataclasses.asdict(options), max_steps=arguments.pop("max_steps"), forced=forced)
    steps = beam_steps(**arguments, settings=settings, **editor(checkpoint, explanation))
    return tuple(step for (step,) in counted(steps, progress))


def listed(beam: BeamSearch) -> list[Hypothesis]:
    """The n best hypotheses, followed by greedy's if it is not among them."""
    best = beam.hypotheses
    return best if any(hypothesis.ids == beam.greedy.ids for hypothesis in best) else [*best, beam.greedy]
