"""The peers: other programs' Transformers of the same shape.

`torch.nn.Transformer` gets our very weights, so the two give the same numbers. MarianMT, whose layers are arranged
a little differently, gets random ones.
"""

from __future__ import annotations

import warnings
from typing import Any

import torch
from torch import Tensor, nn

from viz_core.config import BOS_ID, EOS_ID, PAD_ID, ModelConfig
from viz_core.model import Transformer
from viz_core.model.attention import MultiHeadAttention


class TorchTransformer(nn.Module):
    """`torch.nn.Transformer` with our embedding and our generator around it and our weights inside. For pre-norm models."""

    def __init__(self, ours: Transformer) -> None:
        super().__init__()
        config = ours.config
        with warnings.catch_warnings():  # it tells that pre-norm gets no nested tensors
            warnings.simplefilter("ignore")
            self.core = nn.Transformer(
                config.d_model, config.n_heads, config.n_layers, config.n_layers, config.d_ff,
                dropout=config.dropout, layer_norm_eps=config.layer_norm_eps, batch_first=True, norm_first=True,
            )  # fmt: skip
        self.core.load_state_dict(_torch_weights(ours))
        self.source_embedding, self.target_embedding = ours.source_embedding, ours.target_embedding
        self.generator = ours.generator
        self.eval().requires_grad_(False)

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        """Source ids (B, S) and target ids (B, T) → log-probabilities (B, T, V)."""
        blank = source == PAD_ID  # torch's masks are True where nobody may look
        later = torch.ones(target.size(1), target.size(1), dtype=torch.bool).triu(1)
        states = self.core(
            self.source_embedding(source),
            self.target_embedding(target),
            tgt_mask=later,
            tgt_is_causal=True,
            src_key_padding_mask=blank,
            tgt_key_padding_mask=target == PAD_ID,
            memory_key_padding_mask=blank,
        )
        log_probs: Tensor = self.generator(states)
        return log_probs


class Marian(nn.Module):
    """MarianMT of the transformers library; random weights, nothing is downloaded.

    Args:
        attention: "eager" for `forward`: the fused one cannot hand out what it computed. "sdpa", the library's default and
            the faster one, for `write`.
    """

    def __init__(self, config: ModelConfig, attention: str = "eager") -> None:
        from transformers import MarianConfig, MarianMTModel

        super().__init__()
        shape: dict[str, Any] = {"attn_implementation": attention}
        for stack in ("encoder", "decoder"):
            shape |= {
                f"{stack}_layers": config.n_layers,
                f"{stack}_attention_heads": config.n_heads,
                f"{stack}_ffn_dim": config.d_ff,
            }
        settings = MarianConfig(
            vocab_size=config.source_vocab,
            d_model=config.d_model,
            max_position_embeddings=config.max_len,
            activation_function="relu",
            scale_embedding=True,
            pad_token_id=PAD_ID,
            eos_token_id=EOS_ID,
            decoder_start_token_id=BOS_ID,
            **shape,
        )
        self.core = MarianMTModel(settings)
        self.eval().requires_grad_(False)

    def forward(self, source: Tensor, target: Tensor) -> tuple[Any, Tensor]:
        """All hidden states and attentions, and the log-probabilities (B, T, V), as in our trace."""
        out = self.core(
            input_ids=source,
            attention_mask=(source != PAD_ID).long(),
            decoder_input_ids=target,
            decoder_attention_mask=(target != PAD_ID).long(),
            output_hidden_states=True,
            output_attentions=True,
            use_cache=False,
        )
        return out, out.logits.log_softmax(-1)

    @torch.inference_mode()
    def write(self, source: Tensor, steps: int, beams: int = 1) -> list[int]:
        """Exactly so many tokens by the library's own generate, on its cache: greedily or by beam search. Source ids: (1, S)."""
        real = (source != PAD_ID).long()
        core: Any = self.core  # whose annotations mypy cannot follow
        ids = core.generate(
            source, attention_mask=real, num_beams=beams, do_sample=False, min_new_tokens=steps, max_new_tokens=steps
        )
        written: list[int] = ids[0, 1:].tolist()
        return written


def _torch_weights(ours: Transformer) -> dict[str, Tensor]:
    """Our weights under the names that torch.nn.Transformer gives them."""
    weights: dict[str, Tensor] = {}
    for stack, blocks in (("encoder", ["self_attn"]), ("decoder", ["self_attn", "cross_attn"])):
        module = getattr(ours, stack)
        weights |= _norm(module.norm, f"{stack}.norm")
        for index, layer in enumerate(module.layers):
            at = f"{stack}.layers.{index}"
            for block, name in zip(blocks, ["self_attn", "multihead_attn"], strict=False):
                weights |= _attention(getattr(layer, block), f"{at}.{name}")
            for number, block in enumerate([*blocks, "ffn"], start=1):
                weights |= _norm(getattr(layer, f"add_{block}").norm, f"{at}.norm{number}")
            weights |= _linear(layer.ffn.w_1, f"{at}.linear1") | _linear(layer.ffn.w_2, f"{at}.linear2")
    return weights


def _attention(ours: MultiHeadAttention, name: str) -> dict[str, Tensor]:
    parts = (ours.w_q, ours.w_k, ours.w_v)
    return _linear(ours.w_o, f"{name}.out_proj") | {
        f"{name}.in_proj_weight": torch.cat([part.weight for part in parts]),
        f"{name}.in_proj_bias": torch.cat([part.bias for part in parts]),
    }


def _linear(ours: nn.Linear, name: str) -> dict[str, Tensor]:
    return {f"{name}.weight": ours.weight, f"{name}.bias": ours.bias}


def _norm(ours: Any, name: str) -> dict[str, Tensor]:
    return {f"{name}.weight": ours.gamma, f"{name}.bias": ours.beta}
