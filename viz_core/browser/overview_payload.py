"""Payload of the overview: every step, layer and head of one sentence."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from viz_core.analysis.embeddings import colour_limit
from viz_core.analysis.next_token import distribution, vocabulary_label
from viz_core.analysis.residual_stream import layer_output
from viz_core.browser.attention_payload import attention_payload
from viz_core.browser.lens_code import lens_code
from viz_core.browser.pack import compact, pack
from viz_core.browser.sublayers import sublayer_tensors
from viz_core.explain import ExplainedStep, Explanation
from viz_core.sites import ACTIVATION_NAMES
from viz_core.texts import texts, visible
from viz_core.tokenizer import Tokenizer
from viz_core.trace import BLOCK, BLOCKS

TOP = 5
"""Bars per step; one more where a typed target has another token."""
PRINTED = ("lookup", "embedding", "positions", "summed", "input")
EXACT = 1 << 16
"""Bytes up to which these travel as float32; the others are drawn as colours, or printed with ≈, so they are sent as float16."""
INSIDE = {"vectors": 0.95, "units": 0.99}
"""The share of the numbers of vectors, and of hidden units, which are mostly 0, that lie within the ends of the colour scale."""


def overview_payload(explanation: Explanation, tokenizer: Tokenizer) -> bytes:
    """L layers, h heads, S source and T target tokens, D dimensions, F hidden units.

    Tensors: self, masked and cross, each as `attention_payload` packs it; {source,target}_{lookup,embedding,positions,input}
    (S or T, D); those of `sublayer_tensors`; memory (S, D) and states (T, D), the last LayerNorm of each stack;
    {encoder,decoder}_ffn_hidden (L, S or T, F); firing_encoder (L, S), firing_decoder (L, T): hidden units above 0.
    """
    trace, config = explanation.trace, explanation.trace.config
    tensors: dict[str, npt.NDArray[Any]] = {kind: np.frombuffer(attention_payload(explanation, kind), np.uint8) for kind in BLOCK}
    for side, tokens in (("source", explanation.source), ("target", explanation.target)):
        tensors[f"{side}_lookup"] = trace.array(f"{side}.lookup")
        tensors[f"{side}_embedding"] = trace.array(f"{side}.embedding")
        tensors[f"{side}_positions"] = trace.array(f"{side}.positions")[: len(tokens)]
        tensors[f"{side}_input"] = trace.array(f"{side}.input")
        if config.embedding_norm:
            tensors[f"{side}_summed"] = trace.array(f"{side}.summed")
    tensors["memory"] = trace.array("encoder.memory")
    tensors["states"] = trace.array("decoder.states")
    limits = {"memory": colour_limit(tensors["memory"], INSIDE["vectors"])}
    sublayers = sublayer_tensors(trace)
    tensors |= sublayers
    for stack in BLOCKS:
        hidden = np.stack([trace.array(f"{stack}.{layer}.ffn.hidden") for layer in range(config.layers(stack))])
        tensors |= {f"{stack}_ffn_hidden": hidden, f"firing_{stack}": (hidden > 0).sum(axis=-1, dtype=np.int32)}
        limits[f"{stack}_ffn_hidden"] = colour_limit(hidden, INSIDE["units"])
    limits["input"] = colour_limit(np.concatenate([tensors["source_input"], tensors["target_input"]]), INSIDE["vectors"])
    ends = [layer_output(config, stack, layer) for stack in BLOCKS for layer in range(config.layers(stack))]
    streams = [trace.array(end).ravel() for end in ends]
    limits["stream"] = colour_limit(np.concatenate(streams), INSIDE["vectors"])
    written = [name for name in sublayers if config.norm == "post" or not name.endswith("_norm")]
    exact = dict.fromkeys([*(f"{side}_{part}" for side in ("source", "target") for part in PRINTED), *written], EXACT)
    tensors = {name: compact(array, exact.get(name, 0)) if array.dtype == np.float32 else array for name, array in tensors.items()}
    about = {
        "source": [visible(token.label) for token in explanation.source.tokens],
        "target": [visible(token.label) for token in explanation.target.tokens],
        "output": [visible(token.label) for token in explanation.output],
        "given_target": explanation.given_target,
        "vocabulary": config.target_vocab,
        "norm": config.norm,
        "final_norm": config.has_final_norm,
        "activation": ACTIVATION_NAMES[config.activation],
        "scaled": config.scaled_embeddings,
        "bias": config.output_bias,
        "limits": limits,
        "steps": [_bars(explanation, step, tokenizer) for step in explanation.steps],
        "texts": texts("browser.overview"),
        "code": lens_code(),
    }
    return pack(tensors, about)


def _bars(explanation: Explanation, step: ExplainedStep, tokenizer: Tokenizer) -> dict[str, Any]:
    """The most probable tokens, and last the one that is written where it is not among them.

    bars: [label, probability, the same token's probability one step before or null at the first, logit] of each; written: which of
    them is written; log_sum: log Σ e^logit over the vocabulary; derived.
    """
    ids = step.top_ids(TOP)
    if step.expected.id not in ids:
        ids.append(step.expected.id)
    before = explanation.steps[step.index - 1] if step.index else None
    found = distribution(explanation.trace, step.index)
    return {
        "bars": [
            [
                visible(vocabulary_label(tokenizer, i)),
                step.probability(i),
                None if before is None else before.probability(i),
                float(found.logits[i]),
            ]
            for i in ids
        ],
        "written": ids.index(step.expected.id),
        "log_sum": found.log_sum_exp,
    }
