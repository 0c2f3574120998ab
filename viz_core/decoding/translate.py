"""Batched translation without a trace."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from torch import Tensor

from viz_core.checkpoint import Checkpoint
from viz_core.composed import is_blank
from viz_core.config import ModelConfig
from viz_core.decoding.greedy import greedy
from viz_core.decoding.non_autoregressive import mask_predict
from viz_core.model import Transformer
from viz_core.model.embedding import pad
from viz_core.taps import OFF, Tap

Search = Callable[[Transformer, Tensor, int], list[list[int]]]
"""Model, source ids (B, S) and most steps → the tokens of each sentence's translation, without special ones."""

ITERATIONS, LENGTHS = 4, 3
"""Defaults of a masked decoder: passes, and how many of the most probable lengths it tries (Ghazvininejad et al. 2019, §3.3)."""


def max_steps(config: ModelConfig, source_length: int) -> int:
    """Generous limit on the length of a translation, within the model's positions."""
    return min(config.max_len, 2 * source_length + 10)


def cut_length(checkpoint: Checkpoint, text: str) -> int:
    """The number of tokens of a text that is too long to be translated whole; 0 if it fits."""
    limit = checkpoint.config.longest_source
    if 2 * len(text.encode(errors="replace")) <= limit:  # a token is at least one byte, or the space before one
        return 0
    tokens = len(checkpoint.encode(text, "source"))
    return tokens if tokens > limit else 0


def translate_ids(
    checkpoint: Checkpoint,
    texts: Sequence[str],
    batch: int = 64,
    tap: Tap = OFF,
    iterations: int = ITERATIONS,
    search: Search | None = None,
) -> list[list[int]]:
    """The tokens of the translations, greedy or by mask-predict, in the order of the texts, without special ones.

    A blank text gives no tokens; one that is too long is cut.

    Args:
        batch: sentences decoded together; they are sorted by length first.
        tap: as in `greedy_steps`.
        iterations: passes of a masked decoder.
        search: decodes in place of both; it gets no tap.
    """
    model, config = checkpoint.model, checkpoint.config
    ids = [[] if is_blank(text) else checkpoint.encode(text, "source").ids[: config.longest_source] for text in texts]
    out: list[list[int]] = [[] for _ in texts]
    order = sorted((i for i, row in enumerate(ids) if row), key=lambda i: len(ids[i]))
    device = next(model.parameters()).device
    for start in range(0, len(order), batch):
        rows = order[start : start + batch]
        source = pad([config.framed(ids[i]) for i in rows], config.pad_id).to(device)
        if search:
            answers = search(model, source, max_steps(config, source.size(1)))
        elif config.decoder == "masked":
            answers = mask_predict(model, source, iterations, LENGTHS)
        else:
            answers = greedy(model, source, max_steps(config, source.size(1)), tap)
        for i, answer in zip(rows, answers, strict=True):
            # The batch runs as long as its longest sentence may; each is cut as if it had been translated alone.
            out[i] = answer[: max_steps(config, len(config.framed(ids[i])))]
    return out


def translate(checkpoint: Checkpoint, texts: Sequence[str], **how: Any) -> list[str]:
    """The translations as texts; further arguments as for `translate_ids`."""
    return [checkpoint.tokenizer.decode(ids) for ids in translate_ids(checkpoint, texts, **how)]
