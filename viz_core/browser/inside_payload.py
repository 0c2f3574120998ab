"""Payload of what an open block of the overview shows beside `overview_payload`: the vectors, and how each attention came about.

It is a dozen times as large as what the closed overview draws, so it is a file that the browser fetches when a block opens.
"""

from __future__ import annotations

import numpy as np

from viz_core.analysis.embeddings import colour_limit
from viz_core.analysis.residual_stream import layer_output
from viz_core.browser.attention_payload import attention_tensors, sites_of
from viz_core.browser.lens_code import lens_code
from viz_core.browser.pack import compact, pack
from viz_core.browser.sublayers import sublayer_tensors
from viz_core.config import Stack
from viz_core.explain import Explanation
from viz_core.trace import BLOCK, BLOCKS, Array, Trace

EXACT = 1 << 16
"""Bytes up to which these travel as float32; the others are drawn as colours, or printed with ≈, so they are sent as float16."""
VECTORS = 0.95
"""The share of the numbers of vectors that lie within the ends of the colour scale."""


def inside_payload(explanation: Explanation) -> bytes:
    """L layers, h heads, S source and T target tokens, D dimensions, F hidden units. No texts: it is the same in all languages.

    Tensors: {self,masked,cross}_…, what `attention_payload` has of each beside weights and mask;
    {source,target}_{lookup,embedding,positions,input} (S or T, D), of some models _summed; those of `sublayer_tensors`;
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
    """Of all layers of a stack's feed-forward, (L, S or T, F)."""
    return np.stack([trace.array(f"{stack}.{layer}.ffn.hidden") for layer in range(trace.config.layers(stack))])


def _entering(explanation: Explanation) -> dict[str, Array]:
    """How the vectors that enter each stack came about."""
    trace = explanation.trace
    parts = ("lookup", "embedding", "positions", "input", *(("summed",) if trace.config.embedding_norm else ()))
    counts = {"source": len(explanation.source), "target": len(explanation.target)}
    return {f"{side}_{part}": trace.array(f"{side}.{part}")[:count] for side, count in counts.items() for part in parts}


def _stream_limit(trace: Trace) -> float:
    """The end of the colours of what leaves a layer."""
    ends = [layer_output(trace.config, stack, layer) for stack in BLOCKS for layer in range(trace.config.layers(stack))]
    return colour_limit(np.concatenate([trace.array(end).ravel() for end in ends]), VECTORS)
