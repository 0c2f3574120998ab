"""The pointer-generator (See et al. 2017): a token is written from the vocabulary, or copied from the source.

In the paper, model and gate learn together. Here the model stays as it is, and only the parameters of `PointerGenerator` are
learned: which of the cross attention's heads to believe, the gate, and one number of our own, `follow`. The paper copies whole
words; here a name is copied token by token, the heads look at all of its tokens at once, and their order would be lost without
it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from viz_core.config import ModelConfig
from viz_core.errors import ConfigError

FOLLOW, BIAS = 3.0, 2.0
"""Initial values: what follows a copied token counts e³ = 20 times, and 88 % of each token come from the vocabulary."""
LEAST = 1e-9  # attention below which there is nothing to copy from: only an edited model has as little


@dataclass(frozen=True, eq=False)
class PointerInputs:
    """Inputs of the pointer, taken from one pass.

    Attributes:
        attention: cross attention of all heads, the first layer's first, (B, L·h, T, S).
        memory: the encoder's output, (B, S, D).   states: what the generator reads, (B, T, D).
        inputs: embedding and position that the decoder reads, (B, T, D).   source, read: ids, (B, S) and (B, T).
    """

    attention: Tensor
    memory: Tensor
    states: Tensor
    inputs: Tensor
    source: Tensor
    read: Tensor


@dataclass(frozen=True, eq=False)
class Pointing:
    """Where a token would be copied from, and whether it is.

    Attributes:
        a: over the source, sums to 1; ⟨/s⟩ is copied like any other token, and ends the sentence, (B, T, S).
        mix: the heads' attention before `follow`, (B, T, S).
        terms: the summands of the gate, for context, state, input and bias, (B, T, 4).
        gate: their sum, of which p_gen is the sigmoid; ∞ where there is nothing to copy from, (B, T).
    """

    a: Tensor
    mix: Tensor
    terms: Tensor
    gate: Tensor

    @property
    def p_gen(self) -> Tensor:
        """Probability of generating from the vocabulary, 0…1, (B, T)."""
        return self.gate.sigmoid()

    def log_mixture(self, log_vocab: Tensor, source: Tensor) -> Tensor:
        """The mixture ln P(w), with P(w) = p_gen P_vocab(w) + (1 − p_gen) Σ_{i: wᵢ = w} aᵢ  (eq. 9): ln P_vocab (B, T, V), ids (B,
        S).
        """
        copied = torch.zeros_like(log_vocab).scatter_add_(-1, source[:, None].expand_as(self.a), self.a)  # (B, T, V)
        generate, copy = F.logsigmoid(self.gate), F.logsigmoid(-self.gate)
        return torch.logaddexp(generate[..., None] + log_vocab, copy[..., None] + copied.log())

    def log_prob(self, log_vocab: Tensor, source: Tensor, tokens: Tensor) -> Tensor:
        """`log_mixture` of one token at each position, from its ln P_vocab and its id, (B, T) each."""
        copied = (self.a * (source[:, None] == tokens[..., None])).sum(-1)  # (B, T)
        return torch.logaddexp(F.logsigmoid(self.gate) + log_vocab, F.logsigmoid(-self.gate) + copied.clamp_min(LEAST).log())


class PointerGenerator(nn.Module):
    """The gate p_gen, and the attention that tokens are copied by.

    Raises:
        ConfigError: source and target do not share a vocabulary, so that a source token need not exist in the target.
    """

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        if not config.tied_embeddings:
            raise ConfigError("a model can only copy where source and target share one vocabulary; its embeddings are not tied")
        self.heads = nn.Parameter(torch.zeros(config.layers("decoder") * config.n_heads))
        self.follow = nn.Parameter(torch.tensor(FOLLOW))
        self.w_context, self.w_state, self.w_input = (nn.Parameter(torch.zeros(config.d_model)) for _ in range(3))
        self.bias = nn.Parameter(torch.tensor(BIAS))

    def forward(self, given: PointerInputs) -> Pointing:
        """The attention a ∝ Σ_h m_h a_h, times e^follow where the source token follows the one just written, and the gate
        p_gen = σ(w_h · h* + w_s · s + w_x · x + b) with the context h* = Σ_i aᵢ hᵢ  (eq. 8).
        """
        mix = torch.einsum("bhts,h->bts", given.attention, self.heads.softmax(0))  # (B, T, S)
        raised = mix * torch.exp(self.follow * follows(given.source, given.read))
        whole = raised.sum(-1, keepdim=True)  # (B, T, 1)
        a = raised / whole.clamp_min(LEAST)
        context = a @ given.memory  # (B, T, D)
        parts = [context @ self.w_context, given.states @ self.w_state, given.inputs @ self.w_input]  # (B, T) each
        terms = torch.stack([*parts, self.bias.expand_as(parts[0])], dim=-1)  # (B, T, 4)
        return Pointing(a, mix, terms, torch.where(whole[..., 0] > LEAST, terms.sum(-1), math.inf))


def follows(source: Tensor, read: Tensor) -> Tensor:
    """True where the source token before this one equals the token just written: (B, S), (B, T) → (B, T, S)."""
    before = F.pad(source[:, :-1], (1, 0), value=-1)  # the first one follows nothing
    return before[:, None] == read[..., None]
