"""The lines of the program that compute what a block of the lens shows."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

from viz_core.source import docstring_lines, lines_with, source_of

ATTENTION = "viz_core.model.attention:scaled_dot_product_attention"
MULTI_HEAD = "viz_core.model.attention:MultiHeadAttention.forward"
SITES = {"scores": "scores", "scaled": "scaled", "mask": "masked", "softmax": "weights", "mix": "mix"}
STAGES = {stage: f'tap("{site}"' for stage, site in SITES.items()}
"""Of an attention, what stands in the line that computes a stage."""
BLOCKS: Mapping[str, tuple[str, str]] = {
    "embedding": ("viz_core.model.embedding:Embedding.forward", 'tap("input"'),
    "encoder_ffn": ("viz_core.model.blocks:FeedForward.forward", 'tap("hidden"'),
    "ffn": ("viz_core.model.blocks:FeedForward.forward", 'tap("hidden"'),
    **{f"{block}_qkv": (MULTI_HEAD, "self.w_q(x)") for block in ("encoder", "masked", "cross")},
    **{f"{block}_out": (MULTI_HEAD, 'tap("out"') for block in ("encoder", "masked", "cross")},
    "memory": ("viz_core.model.transformer:Encoder.forward", 'tap("memory"'),
    "softmax": ("viz_core.model.transformer:Generator.forward", 'tap("log_probs"'),
}
"""Of every other block its function, and what stands in the line that computes it."""


@functools.cache
def lens_code() -> dict[str, Any]:
    """By block { place, numbers, lines, highlight }: a function without its docstring, with the numbers of its lines in the file.

    highlight: by stage, or of the whole block under "", the number of the line that computes it.
    """
    found = {block: _code(function, {"": line}) for block, (function, line) in BLOCKS.items()}
    return found | {block: _code(ATTENTION, STAGES) for block in ("encoder", "masked", "cross")}


def _code(function: str, marked: Mapping[str, str]) -> dict[str, Any]:
    source, file, start = source_of(function)
    folded = docstring_lines(source, start)
    lines = [(number, line) for number, line in enumerate(source.splitlines(), start) if number not in folded]
    return {
        "place": file,
        "numbers": [number for number, _ in lines],
        "lines": [line for _, line in lines],
        "highlight": {stage: lines_with(function, line)[0] for stage, line in marked.items()},
    }
