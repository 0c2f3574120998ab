"""Payload of an open block of the overview, beside `overview_payload`: the vectors, and the steps of each attention.

It is a dozen times as large as the payload of the closed overview, so the browser fetches it only when a block opens.
"""

import functools
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from viz_core.analysis.embeddings import colour_limit
from viz_core.analysis.residual_stream import layer_output
from viz_core.browser.attention_payload import attention_tensors, sites_of
from viz_core.browser.pack import compact, pack
from viz_core.config import Stack
from viz_core.explain import Explanation
from viz_core.source import docstring_lines, lines_with, source_of
from viz_core.trace import BLOCK, BLOCKS, Array, Trace

EXACT = 1 << 16
"""Bytes up to which arrays are sent as float32; larger ones, drawn as colours or printed with ≈, are sent as float16."""
VECTORS = 0.95
"""Share of a vector's numbers within the ends of the colour scale."""


def inside_payload(explanation: Explanation) -> bytes:
    """L layers, h heads, S source and T target tokens, D dimensions, F hidden units. No texts, so it is the same in all languages.

    Tensors: {self,masked,cross}_…, those of `attention_payload` without weights and mask;
    {source,target}_{lookup,embedding,positions,input} (S or T, D), in some models _summed; those of `sublayer_tensors`;
    memory (S, D) and states (T, D), the last LayerNorm of each stack; {encoder,decoder}_ffn_hidden (L, S or T, F).
    """
    trace, config = explanation.trace, explanation.trace.config
    sublayers = sublayer_tensors(trace)
    written = {name: array for name, array in sublayers.items() if config.norm == "post" or not name.endswith("_norm")}
    printed = _entering(explanation) | written
    drawn = {name: array for name, array in sublayers.items() if name not in written}
    drawn |= {"memory": trace.array("encoder.memory"), "states": trace.array("decoder.states")}
    drawn |= {f"{stack}_ffn_hidden": hidden_units(trace, stack) for stack in BLOCKS}
    tensors = {name: compact(array, EXACT) for name, array in printed.items()}
    tensors |= {name: compact(array, 0) for name, array in drawn.items()}
    sites = [site for site in sites_of(explanation) if site != "weights"]
    for kind in BLOCK:
        tensors |= {f"{kind}_{site}": array for site, array in attention_tensors(explanation, kind, sites).items()}
    return pack(tensors, {"limits": {"stream": _stream_limit(trace)}, "code": lens_code()})


def hidden_units(trace: Trace, stack: Stack) -> Array:
    """The hidden units of a stack's feed-forward in all layers, (L, S or T, F)."""
    return np.stack([trace.array(f"{stack}.{layer}.ffn.hidden") for layer in range(trace.config.layers(stack))])


def _entering(explanation: Explanation) -> dict[str, Array]:
    """The steps that lead to each stack's input vectors."""
    trace = explanation.trace
    parts = ("lookup", "embedding", "positions", "input", *(("summed",) if trace.config.embedding_norm else ()))
    counts = {"source": len(explanation.source), "target": len(explanation.target)}
    return {f"{side}_{part}": trace.array(f"{side}.{part}")[:count] for side, count in counts.items() for part in parts}


def _stream_limit(trace: Trace) -> float:
    """The end of the colour scale for layer outputs."""
    ends = [layer_output(trace.config, stack, layer) for stack in BLOCKS for layer in range(trace.config.layers(stack))]
    return colour_limit(np.concatenate([trace.array(end).ravel() for end in ends]), VECTORS)


ATTENTION = "viz_core.model.attention:scaled_dot_product_attention"
MULTI_HEAD = "viz_core.model.attention:MultiHeadAttention.forward"
SITES = {"scores": "scores", "scaled": "scaled", "mask": "masked", "softmax": "weights", "mix": "mix"}
STAGES = {stage: f'tap("{site}"' for stage, site in SITES.items()}
"""Stage of an attention → a part of the line that computes it."""
CODE: Mapping[str, tuple[str, str]] = {
    "embedding": ("viz_core.model.embedding:Embedding.forward", 'tap("input"'),
    "encoder_ffn": ("viz_core.model.blocks:FeedForward.forward", 'tap("hidden"'),
    "ffn": ("viz_core.model.blocks:FeedForward.forward", 'tap("hidden"'),
    **{f"{block}_qkv": (MULTI_HEAD, "self.w_q(x)") for block in ("encoder", "masked", "cross")},
    **{f"{block}_out": (MULTI_HEAD, 'tap("out"') for block in ("encoder", "masked", "cross")},
    "memory": ("viz_core.model.transformer:Encoder.forward", 'tap("memory"'),
    "softmax": ("viz_core.model.transformer:Generator.forward", 'tap("log_probs"'),
}
"""Every other block → its function, and a part of the line that computes it."""


@functools.cache
def lens_code() -> dict[str, Any]:
    """Block → { place, numbers, lines, highlight }: a function without its docstring, with its line numbers in the file.

    highlight: stage, or "" for the whole block → number of the line that computes it.
    """
    code = {block: _code(function, {"": line}) for block, (function, line) in CODE.items()}
    return code | {block: _code(ATTENTION, STAGES) for block in ("encoder", "masked", "cross")}


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


Tensors = dict[str, npt.NDArray[np.float32]]


def sublayer_tensors(trace: Trace) -> Tensors:
    """Under `{stack}_{block}`, all layers of a sub-layer, (L, T, D) each: `…_out`, its output, and `…_norm`, its LayerNorm.

    The stream after it is not sent, since the browser can add the stream before it and `…_out`, in float32 as in the model, and
    with post-norm has its LayerNorm. Only if an edit changed the sum, `…_sum` is sent, too.
    """
    tensors: Tensors = {}
    is_pre = trace.config.norm == "pre"
    for stack, blocks in BLOCKS.items():
        layers = range(trace.config.layers(stack))
        side = "source" if stack == "encoder" else "target"
        for i, block in enumerate(blocks):
            sites = f"{block}.out", f"norm_{block}", f"resid_{block}"
            out, norm, summed = (_all(trace, [f"{stack}.{layer}.{site}" for layer in layers]) for site in sites)
            before = blocks[i - 1]  # the last one of the layer below, for the first
            ends = [f"{stack}.{layer - (i == 0)}.{'resid' if is_pre else 'norm'}_{before}" for layer in layers]
            x = _all(trace, [f"{side}.input" if end.startswith(f"{stack}.-1") else end for end in ends])
            tensors |= {f"{stack}_{block}_out": out, f"{stack}_{block}_norm": norm}
            if not np.array_equal(x + out, summed):
                tensors[f"{stack}_{block}_sum"] = summed
    return tensors


def _all(trace: Trace, names: list[str]) -> npt.NDArray[np.float32]:
    return np.stack([trace.array(name) for name in names])
