"""Payload of the overview while no block is open: every step, layer and head of one sentence."""

from dataclasses import asdict
from typing import Any

import numpy as np
import numpy.typing as npt

from viz_core.analysis.embeddings import colour_limit
from viz_core.analysis.next_token import distribution, rest_of, vocabulary_label
from viz_core.analysis.residual_stream import layer_output
from viz_core.browser.attention_payload import attention_about, attention_tensors, mask_of
from viz_core.browser.inside_payload import VECTORS, hidden_units, inside_payload
from viz_core.browser.pack import compact, pack
from viz_core.explain import ExplainedStep, Explanation
from viz_core.texts import visible
from viz_core.tokenizer import Tokenizer
from viz_core.trace import BLOCK, BLOCKS, Array

TOP = 5
"""Bars per step; one more if a typed target has another token."""
CELLS, LINES = 16, 4
"""How many of a vector's first numbers are drawn in a line (`kit/pen.ts`), and lines of hidden units (`overview/rows.tsx`)."""
UNITS = 0.99
"""Share of the hidden units, which are mostly 0, within the ends of the colour scale."""


def overview_payload(explanation: Explanation, tokenizer: Tokenizer, inside: str = "") -> bytes:
    """L layers, h heads, S source and T target tokens.

    Tensors: {self,masked,cross}_weights (L, h, Tq, Tk) and …_mask (Tq, Tk); …_print, the first numbers of
    {source,target}_{embedding,positions,input} and memory (S or T, 16), and of {encoder,decoder}_ffn_hidden (L, S or T, 64);
    …_length, ‖x‖ of {source,target}_input and memory (S or T), and of {encoder,decoder}_stream, the output of each layer
    (L, S or T); firing_{encoder,decoder} (L, S or T): number of hidden units above 0.

    Args:
        inside: the view with `inside_payload`, which the browser requests once a block opens. Without it, that payload is included
            as the tensor inside.
    """
    trace, config = explanation.trace, explanation.trace.config
    tensors: dict[str, npt.NDArray[Any]] = {}
    for kind in BLOCK:
        tensors[f"{kind}_weights"] = attention_tensors(explanation, kind, ["weights"])["weights"]
        tensors[f"{kind}_mask"] = mask_of(explanation, kind)
    vectors = {"memory": trace.array("encoder.memory")}
    for side, tokens in (("source", explanation.source), ("target", explanation.target)):
        for part in ("embedding", "positions", "input"):
            vectors[f"{side}_{part}"] = trace.array(f"{side}.{part}")[: len(tokens)]
    tensors |= {f"{name}_print": compact(array[..., :CELLS], 0) for name, array in vectors.items()}
    tensors |= {f"{name}_length": _length(vectors[name]) for name in ("source_input", "target_input", "memory")}
    limits = {
        "memory": colour_limit(vectors["memory"], VECTORS),
        "input": colour_limit(np.concatenate([vectors["source_input"], vectors["target_input"]]), VECTORS),
    }
    for stack in BLOCKS:
        hidden, name = hidden_units(trace, stack), f"{stack}_ffn_hidden"
        tensors[f"{name}_print"] = compact(hidden[..., : LINES * CELLS], 0)
        tensors[f"firing_{stack}"] = (hidden > 0).sum(axis=-1, dtype=np.int32)
        limits[name] = colour_limit(hidden, UNITS)
        stream = np.stack([trace.array(layer_output(config, stack, layer)) for layer in range(config.layers(stack))])
        tensors[f"{stack}_stream_length"] = _length(stream)
    if not inside:
        tensors["inside"] = np.frombuffer(inside_payload(explanation), np.uint8)
    about = {
        "inside": inside,
        "source": [visible(token.label) for token in explanation.source.tokens],
        "target": [visible(token.label) for token in explanation.target.tokens],
        "output": [visible(token.label) for token in explanation.output],
        "given_target": explanation.given_target,
        "config": asdict(config),
        "limits": limits,
        "steps": [_bars(explanation, step, tokenizer) for step in explanation.steps],
        "attentions": {kind: attention_about(explanation, kind) for kind in BLOCK},
    }
    return pack(tensors, about)


def _length(vectors: Array) -> Array:
    """‖x‖₂ of each vector."""
    return np.linalg.norm(vectors.astype(np.float64), axis=-1).astype(np.float32)


def _bars(explanation: Explanation, step: ExplainedStep, tokenizer: Tokenizer) -> dict[str, Any]:
    """The most probable tokens, then the written one unless it is among them.

    bars: [label, probability, the same token's probability one step before or null at the first, logit] of each; others: number
    of other tokens, and their total probability; written: index of the written token's bar; log_sum: log Σ e^logit over the
    vocabulary, derived.
    """
    ids = step.top_ids(TOP)
    if step.expected.id not in ids:
        ids.append(step.expected.id)
    before = explanation.steps[step.index - 1] if step.index else None
    spread = distribution(explanation.trace, step.index)
    return {
        "bars": [
            [
                visible(vocabulary_label(tokenizer, i)),
                step.probability(i),
                None if before is None else before.probability(i),
                float(spread.logits[i]),
            ]
            for i in ids
        ],
        "others": [len(step.log_probs) - len(ids), rest_of(step.log_probs, ids)],
        "written": ids.index(step.expected.id),
        "log_sum": spread.log_sum_exp,
    }
