"""What a model of the transformers library and its import have in common: each number, and each sentence that is written."""

from typing import Any

import torch

from viz_core.checkpoint import Checkpoint
from viz_core.decoding import beam_search, greedy
from viz_core.explain import traced_pass
from viz_core.trace import Trace

ATTENTIONS = {"encoder_attentions": "self", "decoder_attentions": "masked", "cross_attentions": "cross"}
TOLERANCE = 1e-5


def padded(rows: list[list[int]], pad: int) -> torch.Tensor:
    width = max(map(len, rows))
    return torch.tensor([[*row, *[pad] * (width - len(row))] for row in rows])


def assert_same_numbers(theirs: Any, ours: Checkpoint, sources: list[list[int]], targets: list[list[int]]) -> None:
    """Logits and all attention weights of two sentences in one batch, the second one padded."""
    pad = ours.config.pad_id
    source = padded(sources, pad)
    theirs.set_attn_implementation("eager")  # the one that gives its weights
    with torch.inference_mode():
        expected = theirs(
            input_ids=source, attention_mask=(source != pad).long(), decoder_input_ids=padded(targets, pad), output_attentions=True
        )
    trace = traced_pass(ours, sources, targets)
    for row, read in enumerate(targets):
        assert torch.allclose(trace["output.logits"][row, : len(read)], expected.logits[row, : len(read)], rtol=0, atol=TOLERANCE)
    for name, kind in ATTENTIONS.items():
        assert len(getattr(expected, name)) == ours.config.layers("encoder" if kind == "self" else "decoder")
        for layer, weights in enumerate(getattr(expected, name)):
            assert_same_attention(trace, kind, layer, weights, sources, targets)


def assert_same_attention(
    trace: Trace, kind: str, layer: int, weights: torch.Tensor, sources: list[list[int]], targets: list[list[int]]
) -> None:
    """The weights of all heads, (B, h, Tq, Tk), where no padding looks."""
    for row, read in enumerate(targets):
        found = torch.from_numpy(trace.attention(kind, layer, row).weights)  # type: ignore[arg-type]
        queries = len(sources[row]) if kind == "self" else len(read)
        keys = len(read) if kind == "masked" else len(sources[row])
        there = weights[row, :, :queries, :keys]
        assert torch.allclose(found[:, :queries, :keys], there, rtol=0, atol=TOLERANCE), (kind, layer)


def assert_same_translations(theirs: Any, ours: Checkpoint, sources: list[list[int]], **how: Any) -> None:
    """Greedy and beam search write what `generate` writes."""
    steps = 12
    how = {"max_new_tokens": steps, "do_sample": False, **how}
    beam = how | {"num_beams": 4, "length_penalty": 0.0, "early_stopping": "never"}
    for row in sources:
        source = torch.tensor([row])
        assert _tokens(theirs.generate(source, num_beams=1, **how), ours) == greedy(ours.model, source, steps)[0]
        assert _tokens(theirs.generate(source, **beam), ours) == [*beam_search(ours.model, source, 4, steps)[0][0].tokens]


def _tokens(written: torch.Tensor, ours: Checkpoint) -> list[int]:
    """What generate wrote after its first token, up to the end."""
    after = written[0].tolist()[1:]
    end = next((at for at, i in enumerate(after) if i in ours.config.ends), len(after))
    return after[:end]
