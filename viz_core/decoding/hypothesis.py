"""Hypotheses of a search (Wu et al. 2016, §7), and the decoder read step by step: newest tokens in, next-token logits out."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Protocol

import torch
from torch import Tensor

from viz_core.config import ModelConfig
from viz_core.model import Transformer
from viz_core.model.cache import DecoderCache
from viz_core.model.incremental import IncrementalDecoder
from viz_core.model.transformer import changed_from_outside
from viz_core.taps import OFF, Tap


def length_penalty(length: int, alpha: float) -> float:
    """lp(Y) = ((5 + |Y|) / (5 + 1))^α  (Wu et al. 2016, arXiv:1609.08144, §7, eq. 14).

    Args:
        length: |Y|, the tokens written so far, with ⟨/s⟩ and without ⟨s⟩.
        alpha: α; 0 gives 1 for every length, and then long sentences lose, for each token makes a sentence less probable.
    """
    return ((5 + length) / 6) ** alpha


@dataclass(frozen=True)
class Hypothesis:
    """The T tokens written so far, ⟨/s⟩ among them once it has ended, with numbers for each.

    Attributes:
        log_probs: ln p of each token, given all before it.   totals: log P(Y|X), the sum of these so far.
        scores: each total divided by the length penalty at that length; sentences are ranked by it.
        ended: whether nothing follows; a search that is cut leaves unfinished sentences.
    """

    ids: tuple[int, ...] = ()
    log_probs: tuple[float, ...] = ()
    totals: tuple[float, ...] = ()
    scores: tuple[float, ...] = ()
    ended: bool = False

    @property
    def tokens(self) -> tuple[int, ...]:
        """The ids without the token that ended it."""
        return self.ids[:-1] if self.ended else self.ids

    @property
    def total(self) -> float:
        """Log P(Y|X); 0 for an empty one."""
        return self.totals[-1] if self.totals else 0.0

    @property
    def score(self) -> float:
        return self.scores[-1] if self.scores else 0.0

    def then(self, token: int, log_prob: float, total: float, score: float, ended: bool = False) -> Hypothesis:
        return Hypothesis((*self.ids, token), (*self.log_probs, log_prob), (*self.totals, total), (*self.scores, score), ended)

    def rescored(self, alpha: float) -> Hypothesis:
        """The hypothesis with the scores of another length penalty, to compare greedy decoding with beam search."""
        scores = (total / length_penalty(length, alpha) for length, total in enumerate(self.totals, start=1))
        return replace(self, scores=tuple(scores))


def overtaken(rival: Hypothesis, greedy: Hypothesis) -> int | None:
    """The step, from 0, at which the rival's score overtakes the greedy sentence's for good; None if it ends no higher.

    A finished sentence keeps its last score; sentences with the same tokens so far are level. Both need the same length penalty.
    """
    since = None
    for step in reversed(range(max(len(rival.ids), len(greedy.ids)))):
        same = rival.ids[: step + 1] == greedy.ids[: step + 1]
        if same or _at(rival, step) <= _at(greedy, step):
            break
        since = step
    return since


def _at(hypothesis: Hypothesis, step: int) -> float:
    return hypothesis.scores[min(step, len(hypothesis.ids) - 1)] if hypothesis.ids else 0.0


class Reader(Protocol):
    """A decoder that keeps the prefix of each row."""

    def __call__(self, ids: Tensor) -> Tensor:
        """The newest token of each row, (B,) → the logits of what follows, (B, V)."""

    def reorder(self, rows: Tensor, moved: bool) -> None:
        """Row i continues from row rows[i], (new B,); rows may repeat or be left out.

        moved: some row changes its source sentence, or the number of rows changes.
        """


class Cached:
    """Decoder on a key/value cache; each step's pass goes through a tap."""

    def __init__(self, model: Transformer, source: Tensor, room: int, tap: Tap) -> None:
        self._model, self._tap = model, tap
        self._memory, self._memory_mask = model.encode(source, tap)  # (B, S, D), (B, 1, 1, S)
        self._cache = DecoderCache(model.config.layers("decoder"), room)

    def __call__(self, ids: Tensor) -> Tensor:
        return self._model.decode_step(ids[:, None], self._memory, self._memory_mask, self._cache, self._tap)

    def reorder(self, rows: Tensor, moved: bool) -> None:
        self._cache.reorder(rows, moved)
        if moved:
            self._memory, self._memory_mask = self._memory[rows], self._memory_mask[rows]


class Uncached:
    """Decoder without a cache: each step reads everything again.

    Args:
        answer: the ids read so far, (B, t), and the tensors `given` → the logits of what follows, (B, V).
    """

    def __init__(self, answer: Callable[..., Tensor], *given: Tensor) -> None:
        self._answer, self._given = answer, given
        self._read = torch.empty(len(given[0]), 0, dtype=torch.long, device=given[0].device)  # (B, t)

    def __call__(self, ids: Tensor) -> Tensor:
        self._read = torch.cat([self._read, ids[:, None]], dim=1)
        return self._answer(self._read, *self._given)

    def reorder(self, rows: Tensor, moved: bool) -> None:
        self._read = self._read[rows]
        if moved:
            self._given = tuple(tensor[rows] for tensor in self._given)


def reader(model: Transformer, source: Tensor, room: int, tap: Tap, whole: bool) -> Reader:
    """A decoder for source ids, (B, S), ready for `room` steps; whole: without a cache, for edits that change earlier rows."""

    def last_logits(read: Tensor, memory: Tensor, memory_mask: Tensor) -> Tensor:
        states = model.decode(read, memory, memory_mask, tap)  # (B, t, D)
        return tap("output.logits", model.generator.logits(states[:, -1:]))[:, 0]

    if changed_from_outside(model):  # call the whole model, up to the log-probabilities: a hook may sit on its last module
        return Uncached(lambda read, source: model(source, read, tap)[:, -1], source)
    if whole:
        return Uncached(last_logits, *model.encode(source, tap))
    if tap is OFF and not model.training:
        return IncrementalDecoder(model, *model.encode(source), room)
    return Cached(model, source, room, tap)


def allowed(logits: Tensor, config: ModelConfig) -> Tensor:
    """Logits with −∞ at the tokens that are never chosen."""
    return logits.index_fill(-1, torch.tensor(config.never_ids, device=logits.device), -math.inf) if config.never_ids else logits


def with_first(forced: Mapping[int, int], config: ModelConfig) -> Mapping[int, int]:
    """The forced tokens, with the token that starts every target of this model."""
    return forced if config.first_id is None else {0: config.first_id, **forced}


def comparable(logits: Tensor) -> Tensor:
    """Logits with NaN, which an edited model may give, replaced by −∞, and +∞ by the largest finite number."""
    return logits.nan_to_num(nan=-math.inf, posinf=torch.finfo(logits.dtype).max, neginf=-math.inf)


def best_tokens(logits: Tensor, k: int, config: ModelConfig | None = None) -> tuple[Tensor, Tensor]:
    """The k most probable tokens of each row, most probable first, equal ones by id; −∞ or NaN where no token is possible.

    Args:
        config: leaves out the tokens that this model never chooses.

    Returns:
        Log-probabilities in float64 and ids of logits (B, V), (B, min(k, V)) each.
    """
    logits = comparable(logits)
    among = allowed(logits, config) if config else logits
    k = min(k, among.size(-1))
    top, ids = among.topk(k)
    if (top[:, 1:] == top[:, :-1]).any() or (among >= top[:, -1:]).sum() > top.numel():  # topk leaves the order of equals open
        top, ids = (x[:, :k] for x in among.sort(dim=-1, descending=True, stable=True))
    return _log_probs(top, logits), ids


def this_token(logits: Tensor, token: int) -> tuple[Tensor, Tensor]:
    """`best_tokens` for one given token: (B, 1) each."""
    logits = comparable(logits)
    return _log_probs(logits[:, token : token + 1], logits), torch.full((logits.size(0), 1), token)


def _log_probs(some: Tensor, logits: Tensor) -> Tensor:
    """Log-probabilities of some of the logits, in float64: a log-softmax in float32 might make two of them equal."""
    most = logits.amax(-1, keepdim=True)
    return some.double() - most.double() - (logits - most).logsumexp(-1, keepdim=True).double()
