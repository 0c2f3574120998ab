"""The logit lens: the next-token distribution if the decoder stopped after each layer."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch

from viz_core.config import ModelConfig
from viz_core.model.transformer import Transformer
from viz_core.trace import Array, Trace


@dataclass(frozen=True, eq=False)
class LogitLens:
    """Next-token log-probabilities of one step after each layer of the decoder, (L + 1, V); derived.

    Row 0 reads the embedding with its position, row ℓ the stream after ℓ layers; the last row is the model's answer.
    """

    log_probs: Array

    def probability(self, layer: int, token_id: int) -> float:
        """In 0…1."""
        return float(np.exp(np.float64(self.log_probs[layer, token_id])))

    def rank(self, layer: int, token_id: int) -> int:
        """1 for the most probable token."""
        return 1 + int((self.log_probs[layer] > self.log_probs[layer, token_id]).sum())

    def top_ids(self, layer: int, k: int = 5) -> list[int]:
        """The k most probable tokens, most probable first, equal ones by id."""
        return [int(i) for i in np.argsort(-self.log_probs[layer], kind="stable")[:k]]


def stream_sites(config: ModelConfig) -> list[str]:
    end = "resid_ffn" if config.norm == "pre" else "norm_ffn"
    return ["target.input", *(f"decoder.{layer}.{end}" for layer in range(config.n_layers))]


@torch.inference_mode()
def logit_lens(model: Transformer, trace: Trace, step: int) -> LogitLens:
    """Read the stream x after each layer as if it were the last: log softmax(LayerNorm(x) Eᵀ) with the decoder's final LayerNorm.

    nostalgebraist 2020, "interpreting GPT: the logit lens". In a post-norm model each layer ends with a LayerNorm, and the stream
    behind it is read as it is; row 0 has been through none, so its vectors have another length than those that the generator knows.
    """
    streams = torch.stack([trace[site][0, step] for site in stream_sites(trace.config)])  # (L + 1, D)
    log_probs: Array = model.generator(model.decoder.norm(streams[None]))[0].numpy()  # (L + 1, V)
    return LogitLens(log_probs)
