"""Sampling: at every step a token is drawn from the distribution, or from its most probable part."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from viz_core.config import PAD_ID
from viz_core.decoding.greedy import FREE
from viz_core.decoding.hypothesis import allowed, comparable, reader, with_first
from viz_core.model import Transformer
from viz_core.taps import OFF, Tap


@dataclass(frozen=True, eq=False)
class FilteredDistribution:
    """A distribution after temperature and cut, (…, V), by token id.

    Attributes:
        order: the ids from the most to the least probable; equal ones in the order of their ids.
        tempered: probabilities with the temperature, before the cut.
        kept: True for the tokens that stay, the first `count` of the order.   count: (…,).
        probabilities: after the cut, renormalised; 0 for what is cut off.
        mass_cut: the share of the tempered distribution that is cut off, 0…1, (…,).
    """

    order: Tensor
    tempered: Tensor
    kept: Tensor
    count: Tensor
    probabilities: Tensor
    mass_cut: Tensor


def filtered(log_probs: Tensor, temperature: float = 1.0, top_k: int = 0, top_p: float = 1.0) -> FilteredDistribution:
    """First the temperature, then top-k, then top-p of what top-k left, renormalised.

    Temperature divides the log-probabilities: p(x) ∝ exp(log p(x) / temperature) (Holtzman et al. 2020, arXiv:1904.09751, §3.3).
    Top-k keeps the k most probable tokens (Fan et al. 2018). Top-p keeps the nucleus: the smallest set of the most probable tokens
    whose probabilities sum up to at least p (Holtzman et al. 2020, §3.1).

    Args:
        log_probs: natural logarithms or logits, (…, V). NaN counts as −∞.
        temperature: more than 0; less than 1 sharpens. For the most probable token: top_k = 1.
        top_k: 0 keeps all, and so does a number beyond the vocabulary.   top_p: more than 0; 1 keeps all.

    Returns:
        In float32, computed in float64. Where no token is possible, nothing is kept and all probabilities are 0.

    Raises:
        ValueError: a setting is out of range.
    """
    _check(temperature, top_k, top_p)
    scaled = comparable(log_probs).double() / temperature  # (…, V)
    tempered = _softmax(scaled)
    # Sort scores, not probabilities: small probabilities may underflow to equal zeros.
    ranked, order = scaled.sort(dim=-1, descending=True, stable=True)
    stays = ranked > -math.inf  # (…, V), by rank
    if top_k:
        stays = stays & (torch.arange(stays.size(-1), device=stays.device) < top_k)
    if top_p < 1:
        of_k = _softmax(ranked.masked_fill(~stays, -math.inf))
        reached = F.pad(of_k.cumsum(-1)[..., :-1], (1, 0))  # by those before, (…, V)
        stays = stays & (reached < top_p)
    kept = torch.zeros_like(stays).scatter(-1, order, stays)
    probabilities = _softmax(scaled.masked_fill(~kept, -math.inf))
    mass_cut = tempered.masked_fill(kept, 0.0).sum(-1)
    return FilteredDistribution(order, tempered.float(), kept, stays.sum(-1), probabilities.float(), mass_cut.float())


def _check(temperature: float, top_k: int, top_p: float) -> None:
    if not (math.isfinite(temperature) and temperature > 0):
        raise ValueError(f"temperature is {temperature}, expected a finite number above 0; top_k = 1 takes the most probable token")
    if top_k < 0:
        raise ValueError(f"top_k is {top_k}, expected at least 0, which keeps all tokens")
    if not 0 < top_p <= 1:
        raise ValueError(f"top_p is {top_p}, expected more than 0 and at most 1, which keeps all tokens")


def _softmax(x: Tensor) -> Tensor:
    """Softmax along the last axis; a row of nothing but −∞ gives zeros."""
    return x.softmax(-1).nan_to_num(0.0)


@dataclass(frozen=True, eq=False)
class SampleStep:
    """One step of n draws. A draw that had ended has `going` False and padding; its other fields mean nothing.

    Attributes:
        ids: the chosen token, (n,). Padding ends the draw where no token was possible (NaN in an edited model).
        log_probs: before temperature and cut, (n, V).   cut: with both, (n, V).
        dice: a number drawn evenly from 0…1, (n,): the kept tokens, most probable first, lie side by side, each as wide as its
            probability, and the token at which it points is chosen, unless one is forced.
        before, after: the chosen token's probability without and with temperature and cut, (n,).
    """

    ids: Tensor
    going: Tensor
    log_probs: Tensor
    cut: FilteredDistribution
    dice: Tensor
    before: Tensor
    after: Tensor


@torch.inference_mode()
def sample_steps(
    model: Transformer,
    source: Tensor,
    max_steps: int,
    temperature: float = 1.0,
    top_k: int = 0,
    top_p: float = 1.0,
    seed: int = 0,
    draws: int = 1,
    tap: Tap = OFF,
    whole: bool = False,
    forced: Mapping[int, int] = FREE,
) -> Iterator[SampleStep]:
    """Draws several translations of one sentence in one batch, until all have ended or max_steps are done.

    Each draw has its own stream of random numbers, which depends on the seed and on its index alone, and takes one number a step,
    forced or not. So draw 2 of 10 is draw 2 of 3, and with another temperature or cut it meets the same numbers. (Batches of
    another size may round differently in the seventh digit: once in about a million tokens that could change a choice.)

    Args:
        source: ids ending in ⟨/s⟩, (1, S).
        max_steps: tokens of the longest sentence, ⟨/s⟩ among them; cut to the model's positions.
        temperature, top_k, top_p: as in `filtered`.   seed: at least 0.
        tap, whole, forced: as in `greedy_steps`.

    Raises:
        ValueError: a setting is out of range, or source holds more than one sentence.
    """
    if source.size(0) != 1:
        raise ValueError(f"source holds {source.size(0)} sentences, expected 1")
    if min(draws, max_steps) < 1:
        raise ValueError(f"draws is {draws} and max_steps {max_steps}, expected at least 1 each")
    streams = [stream(seed, draw) for draw in range(draws)]
    room = min(max_steps, model.config.max_len)
    read = reader(model, source, room, tap, whole)
    going = torch.ones(draws, dtype=torch.bool, device=source.device)
    config, forced = model.config, with_first(forced, model.config)
    ids = torch.full((1,), config.bos_id, device=source.device)
    for step in range(room):
        logits = read(ids)  # (n, V), at step 0 (1, V)
        if step == 0:
            logits = logits.expand(draws, -1)
            read.reorder(torch.zeros(draws, dtype=torch.long, device=source.device), moved=True)
        dice = torch.stack([torch.rand((), generator=g, dtype=torch.float64) for g in streams]).to(source.device)
        cut = filtered(allowed(logits, config), temperature, top_k, top_p)
        answer = draw_tokens(logits, cut, dice, going, forced.get(step), config.pad_id)
        yield answer
        ids = answer.ids
        going = ~torch.isin(ids, torch.tensor(config.ends, device=ids.device))
        if not going.any():
            return


def stream(seed: int, draw: int) -> torch.Generator:
    """The random numbers of one draw. torch's generator uses 32 bits of its seed, so both numbers are hashed into them."""
    return torch.Generator().manual_seed(int(np.random.SeedSequence([seed, draw]).generate_state(1)[0]))


def draw_tokens(
    logits: Tensor, cut: FilteredDistribution, dice: Tensor, going: Tensor, forced: int | None = None, pad_id: int = PAD_ID
) -> SampleStep:
    """The token that each row's dice points at, or the forced one. logits: (n, V). dice: in 0…1, (n,). going: (n,)."""
    log_probs = comparable(logits).log_softmax(-1)
    edges = cut.probabilities.gather(-1, cut.order).double().cumsum(-1)  # (n, V): where each token ends
    rank = torch.searchsorted(edges, dice[:, None] * edges[:, -1:], right=True)[:, 0]  # (n,)
    rank = rank.minimum(cut.count - 1).clamp_min(0)  # a last edge of 0.9999999 must not lead beyond the kept ones
    pointed = cut.order.gather(-1, rank[:, None])[:, 0] if forced is None else torch.full_like(rank, forced)
    ids = torch.where(going & (cut.count > 0), pointed, pad_id)
    before, after = (x.gather(-1, ids[:, None])[:, 0] for x in (log_probs, cut.probabilities))
    return SampleStep(ids, going, log_probs, cut, dice, before.exp(), after)
