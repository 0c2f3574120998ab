"""Losses: cross-entropy with label smoothing, for training and term by term; for a masked decoder; guided attention."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from viz_core.config import MASK_ID, PAD_ID
from viz_core.model import Transformer
from viz_core.model.transformer import Generator
from viz_core.trace import Array, Doubles


def smoothed_cross_entropy(logits: Tensor, predict: Tensor, smoothing: float, pad_id: int = PAD_ID) -> Tensor:
    """Mean over the real positions of −Σ_v q(v) log p(v), with q = (1 − ε) · one-hot + ε / V, in nats per token, a scalar.

    Label smoothing: Szegedy et al. 2016; Vaswani et al. 2017, §5.4.

    Args:
        logits: (B, T, V).
        predict: ids that should follow, (B, T); padding does not count.
        smoothing: ε.
    """
    return F.cross_entropy(logits.flatten(0, 1).float(), predict.flatten(), ignore_index=pad_id, label_smoothing=smoothing)


PIECE = 256
"""Positions whose logits `states_cross_entropy` holds at a time: with 10,000 tokens 10 MB, about a processor's cache."""


def states_cross_entropy(states: Tensor, generator: Generator, predict: Tensor, smoothing: float) -> Tensor:
    """`smoothed_cross_entropy` of the generator's logits in float32, without ever holding all logits at once.

    With z the logits and y the token that should follow, −Σ_v q(v) log p(v) = −log p(y) + ε (z_y − mean z), and the second term
    needs two dot products of a state: with the row of W for y, and with the mean of all rows.

    Args:
        states: of the decoder, (B, T, D).
        predict, smoothing: as in `smoothed_cross_entropy`.
    """
    with torch.autocast(states.device.type, enabled=False):
        states, true, weight, bias = states.flatten(0, 1).float(), predict.flatten(), generator.weight, generator.bias
        pieces = nn.LinearCrossEntropyOptions(batch_chunk_size=PIECE)
        loss = F.linear_cross_entropy(states, weight, true, linear_bias=bias, ignore_index=PAD_ID, options=pieces)
        if smoothing:
            above = (states * (F.embedding(true, weight) - weight.mean(0))).sum(-1)  # z_y − mean z, (B · T,)
            if bias is not None:
                above = above + bias[true] - bias.mean()
            loss = loss + smoothing * above[true != PAD_ID].mean()
        return loss


def smoothed_target(tokens: int, true: int, smoothing: float) -> Doubles:
    """Q = (1 − ε) · one-hot + ε / V, (V,)  (Szegedy et al. 2016)."""
    q = np.full(tokens, smoothing / tokens)
    q[true] += 1 - smoothing
    return q


def position_losses(log_probs: Array, true: npt.NDArray[np.int64], smoothing: float) -> Doubles:
    """−Σ_v q(v) ln p(v) at each position, (T,), from log_probs (T, V) and the true tokens (T,)."""
    logs = log_probs.astype(np.float64)
    of_true = np.take_along_axis(logs, true[:, None], axis=1)[:, 0]  # (T,)
    spread = logs.mean(axis=1) if smoothing else 0.0  # with ε = 0 even a token of probability 0 costs nothing
    return np.asarray(-(1 - smoothing) * of_true - smoothing * spread)


def loss_of_probability(p: Doubles, tokens: int, smoothing: float) -> Doubles:
    """The loss at one position where the true token has probability p and all others share the rest equally."""
    q = 1 - smoothing + smoothing / tokens
    return np.asarray(-q * np.log(p) - (1 - q) * np.log((1 - p) / (tokens - 1)))


def least_loss(tokens: int, smoothing: float) -> float:
    """The least possible loss at a position: the entropy of the smoothed target."""
    q = smoothed_target(tokens, 0, smoothing)
    return float(-np.sum(q[q > 0] * np.log(q[q > 0])))


class TeacherForcedLoss(nn.Module):
    """The loss of each token given the correct ones before it, as the single module that DistributedDataParallel needs."""

    def __init__(self, model: Transformer, smoothing: float) -> None:
        super().__init__()
        self.model, self.smoothing = model, smoothing

    def forward(self, source: Tensor, read: Tensor, predict: Tensor) -> Tensor:
        """Ids as in `Batch`, (B, S), (B, T), (B, T) → the loss in nats for each token, a scalar."""
        return states_cross_entropy(self.model.states(source, read), self.model.generator, predict, self.smoothing)


LENGTH = 0.1  # factor on the loss of the length in `MaskedLoss`


class MaskedLoss(nn.Module):
    """The loss of a conditional masked language model (Ghazvininejad et al. 2019, §2): a random share of the target is masked and
    predicted.
    """

    def __init__(self, model: Transformer, smoothing: float) -> None:
        super().__init__()
        self.model, self.smoothing = model, smoothing

    def forward(self, source: Tensor, read: Tensor, predict: Tensor) -> Tensor:
        """Ids as in `Batch`, (B, S), (B, T), (B, T) → the loss, in nats for each masked token, a scalar."""
        target = read[:, 1:]  # (B, N), N = T − 1
        memory, memory_mask = self.model.encode(source)  # (B, S, D), (B, 1, 1, S)
        given, hidden = masked(target)
        states = self.model.decode(given, memory, memory_mask)[hidden]  # (masked, D): the others need no logits
        tokens = smoothed_cross_entropy(self.model.generator.logits(states)[None], target[hidden][None], self.smoothing)
        lengths = (target != PAD_ID).sum(1)  # (B,)
        length = F.nll_loss(self.model.lengths(memory, memory_mask).float(), lengths)
        return tokens + LENGTH * length


def masked(target: Tensor) -> tuple[Tensor, Tensor]:
    """Masks n random tokens of each sentence's N, with n drawn from 1 … N (Ghazvininejad et al. 2019, §2.2).

    Args:
        target: ids, padded, (B, N).

    Returns:
        The ids with MASK_ID at the masked places, and True there, (B, N) each.
    """
    empty = target == PAD_ID
    lengths = (~empty).sum(1, keepdim=True)  # (B, 1)
    count = 1 + (torch.rand(lengths.shape, device=target.device) * lengths).long()
    drawn = torch.rand(target.shape, device=target.device).masked_fill(empty, 2.0)  # padding comes last
    hidden = drawn.argsort(1).argsort(1) < count
    return target.masked_fill(hidden, MASK_ID), hidden


GUIDED_WIDTH = 0.2  # g of `penalty`: the distance from the diagonal at which attention costs much


def penalty(targets: Tensor, sources: Tensor, width: float = GUIDED_WIDTH) -> Tensor:
    """W[t, s] = 1 − exp(−(t/T − s/S)² / (2 g²)), with t and s from 1, so that W[T, S] = 0.

    Guided attention (Tachibana et al. 2018, §3.2): a penalty on attention far from the diagonal.

    Args:
        targets, sources: the lengths T and S of each sentence, (B,).
        width: g.

    Returns:
        (B, longest T, longest S), each in 0 … 1; 0 beyond the end of a sentence.
    """
    down = torch.arange(1, int(targets.max()) + 1)[:, None] / targets[:, None, None]  # t/T, (B, T, 1)
    across = torch.arange(1, int(sources.max()) + 1) / sources[:, None, None]  # s/S, (B, 1, S)
    real = (down <= 1) & (across <= 1)
    return torch.where(real, 1 - torch.exp(-((down - across) ** 2) / (2 * width**2)), 0.0)


def guided_loss(weights: Sequence[Tensor], targets: Tensor, sources: Tensor) -> Tensor:
    """Mean over all layers, heads and real target positions of Σ_s A[t, s] · W[t, s], in 0 … 1, a scalar.

    The paper also divides by S, the source positions; here long sentences weigh as much as short ones.

    Args:
        weights: cross attention of each layer, (B, h, T, S); 0 at padding.
        targets, sources: as in `penalty`.
    """
    cost = penalty(targets, sources)[:, None]  # (B, 1, T, S)
    heads = weights[0].size(1)
    paid = sum((layer * cost).sum() for layer in weights) / (len(weights) * heads * targets.sum())
    return torch.as_tensor(paid)


def penalty_matrix(target: int, source: int, width: float = GUIDED_WIDTH) -> Array:
    """W for one sentence of these lengths, (T, S)."""
    cost: Array = penalty(torch.tensor([target]), torch.tensor([source]), width)[0].numpy()
    return cost


def row_penalties(weights: Array, cost: Array) -> Array:
    """Σ_s A[t, s] · W[t, s] for each row: (…, T, S) and (T, S) → (…, T), in 0 … 1."""
    paid: Array = (weights * cost).sum(-1)
    return paid
