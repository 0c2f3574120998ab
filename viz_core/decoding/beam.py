"""Beam search: at every step the `size` best hypotheses are extended, all in one batch (Sutskever et al. 2014, §3.2).

Each live hypothesis is extended by every token of the vocabulary. Of these candidates, those that end their sentence and are among
the best `size` are finished; the best `size` of the others are kept; the rest are pruned. At one step all are equally long, so
ranking by log P(Y|X) or by score is the same. Equal ones: lower parent first, then lower id. A forced token is the only candidate
of each live sentence, and counts with the log-probability that the model gives.

The search stops when its `n_best` best finished hypotheses can't be beaten any more. No descendant of a live sentence has a greater
total, and the length penalty, by which it is divided, is greatest at the last step M: none scores above total / lp(M), and stopping
early changes no result. Size 1 with α = 0 is greedy.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import torch
from torch import Tensor

from viz_core.config import EOS_ID, PAD_ID
from viz_core.decoding.hypothesis import Hypothesis, best_tokens, reader, this_token, with_first
from viz_core.decoding.hypothesis import length_penalty as lp
from viz_core.model import Transformer
from viz_core.taps import OFF, Tap

Fate = Literal["kept", "finished", "pruned"]


@dataclass(frozen=True)
class Candidate:
    """A live hypothesis extended by one token.

    Attributes:
        parent: index in BeamStep.parents.
        log_prob: of the token.   total: the parent's total + log_prob.   score: total / lp(tokens so far).
        fate: kept (extended at the next step), finished (it ends the sentence and is among the best), or pruned.
    """

    parent: int
    token: int
    log_prob: float
    total: float
    score: float
    fate: Fate


@dataclass(frozen=True)
class BeamStep:
    """One step of the search of one sentence.

    Attributes:
        parents: the live hypotheses before the step, best first; at step 0 an empty one.
        candidates: size + 2 of each parent, best first, or the one forced token; they include all kept and finished ones.
        live: the kept candidates, best first. Where no parent has a possible token (NaN in an edited model), the parents.
        finished: all that have ended so far, best score first; of equals, the one that ended earlier.
        reachable: no descendant of the live ones can score above this; −∞ if there is none.
        done: the search is over for this sentence; later steps, while others of the batch go on, have no candidates.
    """

    parents: tuple[Hypothesis, ...]
    candidates: tuple[Candidate, ...]
    live: tuple[Hypothesis, ...]
    finished: tuple[Hypothesis, ...]
    reachable: float
    done: bool

    @property
    def best(self) -> Hypothesis | None:
        return self.finished[0] if self.finished else None

    def ranked(self, n_best: int) -> list[Hypothesis]:
        """The n_best hypotheses, best first; unfinished ones after all others, whatever their score."""
        return [*self.finished, *sorted(self.live, key=lambda hypothesis: -hypothesis.score)][:n_best]


@dataclass(frozen=True)
class BeamSettings:
    """Settings of a search.

    Attributes:
        size: hypotheses kept at each step. It may exceed the size of the vocabulary.
        max_steps: tokens of the longest sentence, ⟨/s⟩ among them; cut to the model's positions.
        length_penalty: α of Wu et al. 2016; 0 for none. They found 0.6 to 0.7 best.
        n_best: how many finished hypotheses must be certain before the search stops.
        early_stop: False goes on to max_steps, which shows more and finds nothing better.
        forced: as in `greedy_steps`.   ends: the tokens that end a sentence; the search takes those of its model.

    Raises:
        ValueError: size, max_steps or n_best is less than 1, or length_penalty less than 0.
    """

    size: int
    max_steps: int
    length_penalty: float = 0.0
    n_best: int = 1
    early_stop: bool = True
    forced: Mapping[int, int] = field(default_factory=dict)
    ends: tuple[int, ...] = (EOS_ID, PAD_ID)

    def __post_init__(self) -> None:
        for name in ("size", "max_steps", "n_best"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} is {getattr(self, name)}, expected at least 1")
        if not (math.isfinite(self.length_penalty) and self.length_penalty >= 0):
            raise ValueError(f"length_penalty is {self.length_penalty}, expected a finite number of at least 0")


@torch.inference_mode()
def beam_steps(
    model: Transformer, source: Tensor, settings: BeamSettings, tap: Tap = OFF, whole: bool = False
) -> Iterator[tuple[BeamStep, ...]]:
    """The searches of several sentences in one batch, step by step; a sentence that is done leaves the batch.

    Args:
        source: ids ending in ⟨/s⟩, padded, (B, S).
        tap, whole: as in `greedy_steps`.

    Yields:
        One BeamStep a sentence.
    """
    config = model.config
    forced = with_first(settings.forced, config)
    settings = replace(settings, max_steps=min(settings.max_steps, config.max_len), forced=forced, ends=config.ends)
    read = reader(model, source, settings.max_steps, tap, whole)
    steps = tuple(BeamStep((), (), (Hypothesis(),), (), 0.0, False) for _ in range(source.size(0)))
    ids, owners = [config.bos_id] * len(steps), list(range(len(steps)))  # of each row of the batch: newest token, sentence
    for index in range(settings.max_steps):
        logits = read(torch.tensor(ids, device=source.device))  # (rows, V)
        only = settings.forced.get(index)
        possible = best_tokens(logits, settings.size + len(settings.ends), config) if only is None else this_token(logits, only)
        log_probs, tokens = (x.tolist() for x in possible)  # (rows, size + 2), or (rows, 1) where one is forced
        start, now, rows, before = 0, [], [], owners
        ids, owners = [], []
        for owner, step in enumerate(steps):
            end = start + (0 if step.done else len(step.live))
            after = next_step(step, log_probs[start:end], tokens[start:end], index + 1, settings)
            if not after.done:
                parents = [candidate.parent for candidate in after.candidates if candidate.fate == "kept"]
                rows += [start + parent for parent in parents]
                ids += [hypothesis.ids[-1] for hypothesis in after.live]
                owners += [owner] * len(parents)
            now.append(after)
            start = end
        steps = tuple(now)
        yield steps
        if not rows:
            return
        if rows != list(range(len(before))):
            read.reorder(torch.tensor(rows, device=source.device), moved=owners != before)


def beam_search(
    model: Transformer,
    source: Tensor,
    size: int,
    max_steps: int,
    length_penalty: float = 0.0,
    n_best: int = 1,
    early_stop: bool = True,
) -> list[list[Hypothesis]]:
    """The n_best hypotheses of each sentence, best first: source ids, padded, (B, S) → B lists. Arguments as in `BeamSettings`.

    A list is shorter where the search met fewer; unfinished ones come last, only where fewer than n_best ended within max_steps.
    """
    *_, last = beam_steps(model, source, BeamSettings(size, max_steps, length_penalty, n_best, early_stop))
    return [step.ranked(n_best) for step in last]


def best_of_beam(model: Transformer, source: Tensor, max_steps: int, size: int, length_penalty: float) -> list[list[int]]:
    """The tokens of each sentence's best hypothesis, without special ones; a `Search` once the last two arguments are bound."""
    ranked = beam_search(model, source, size, max_steps, length_penalty)
    return [[i for i in best.ids if i not in model.config.ends] for best, *_ in ranked]


def next_step(
    before: BeamStep, log_probs: Sequence[Sequence[float]], tokens: Sequence[Sequence[int]], length: int, settings: BeamSettings
) -> BeamStep:
    """Extends the hypotheses of one sentence to `length` tokens; log_probs, tokens: the best next tokens of each hypothesis."""
    if before.done:
        return BeamStep(before.live, (), before.live, before.finished, before.reachable, True)
    candidates = ranked_candidates(before.live, log_probs, tokens, length, settings)
    kept, ended = (
        tuple(before.live[c.parent].then(c.token, c.log_prob, c.total, c.score, ended) for c in candidates if c.fate == fate)
        for fate, ended in (("kept", False), ("finished", True))
    )
    live = kept if candidates else before.live
    finished = tuple(sorted([*before.finished, *ended], key=lambda hypothesis: -hypothesis.score))
    reachable = max((hypothesis.total for hypothesis in live), default=-math.inf) / lp(settings.max_steps, settings.length_penalty)
    certain = len(finished) >= settings.n_best and finished[settings.n_best - 1].score >= reachable
    done = not kept or length == settings.max_steps or (settings.early_stop and certain)
    return BeamStep(before.live, candidates, live, finished, reachable, done)


def ranked_candidates(
    parents: Sequence[Hypothesis],
    log_probs: Sequence[Sequence[float]],
    tokens: Sequence[Sequence[int]],
    length: int,
    settings: BeamSettings,
) -> tuple[Candidate, ...]:
    """All candidates, best first, each with its fate. A token of probability 0 or NaN is no candidate."""
    ranked = sorted(
        (-(parent.total + log_prob), index, token, log_prob)
        for index, parent in enumerate(parents)
        for log_prob, token in zip(log_probs[index], tokens[index], strict=True)
        if log_prob > -math.inf
    )
    penalty = lp(length, settings.length_penalty)
    candidates, kept = [], 0
    for rank, (loss, index, token, log_prob) in enumerate(ranked):
        fate: Fate = "pruned"
        if token in settings.ends:
            fate = "finished" if rank < settings.size else "pruned"
        elif kept < settings.size:
            fate, kept = "kept", kept + 1
        candidates.append(Candidate(index, token, log_prob, -loss, -loss / penalty, fate))
    return tuple(candidates)
