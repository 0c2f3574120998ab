"""What each call of a forward pass costs: parameters and multiply-adds, by arithmetic alone; their sums are those of `cost`."""

from __future__ import annotations

from viz_core.config import ModelConfig


def call_cost(config: ModelConfig, name: str, source: int, target: int) -> tuple[int, int]:
    """Parameters that one recorded quantity is computed with, and multiply-adds of matrix products that it takes.

    Matrices that are shared count where they are met first.

    Args:
        name: full name of the site.
        source, target: tokens on each side, S and T.
    """
    d, f, last = config.d_model, config.d_ff, name.rpartition(".")[2]
    encoder, cross = name.startswith(("source", "encoder")), ".cross_attn." in name
    queries, keys = source if encoder else target, source if encoder or cross else target
    square = d * d + d  # a projection with its bias
    if ".ffn." in name:
        return (d * f + f if last == "hidden" else f * d + d), queries * d * f
    if last in ("q", "out"):
        return square, queries * d * d
    if last in ("k", "v"):
        return square, keys * d * d
    if last in ("scores", "mix"):
        return 0, queries * keys * d
    if last.startswith("norm_") or (last in ("memory", "states") and config.norm == "pre"):
        return 2 * d, 0  # γ and β
    if last == "lookup" and (encoder or not config.tied_embeddings):
        return (config.source_vocab if encoder else config.target_vocab) * d, 0
    if last == "logits":
        return (0 if config.tied_embeddings else config.target_vocab * d), target * d * config.target_vocab
    return 0, 0
