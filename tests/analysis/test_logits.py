"""The logit lens, and direct logit attribution."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from tests.conftest import Traced
from viz_core.analysis.logits import ATTENTIONS, LogitAttribution, logit_attribution, logit_lens, stream_sites
from viz_core.checkpoint import Checkpoint
from viz_core.edits import Edits, Head, Sublayer
from viz_core.explain import explain
from viz_core.model import Transformer
from viz_core.trace import Trace


def test_each_row_is_the_formula(traced: Traced) -> None:
    model, trace = traced
    found = logit_lens(model, trace, 3)
    assert found.log_probs.shape == (model.config.n_layers + 1, model.config.target_vocab)
    assert len(stream_sites(trace.config)) == len(found.log_probs)
    for row, site in zip(found.log_probs, stream_sites(trace.config), strict=True):
        x = trace[site][0, 3].double()
        if model.config.norm == "pre":
            last: Any = model.decoder.norm
            x = torch.nn.functional.layer_norm(x, x.shape, last.gamma.double(), last.beta.double(), last.eps)
        assert np.allclose(row, (x @ model.generator.weight.double().T).log_softmax(-1), atol=1e-5)


def test_the_last_row_is_what_the_model_answered(traced: Traced) -> None:
    model, trace = traced
    for step in (0, 4):
        assert np.allclose(logit_lens(model, trace, step).log_probs[-1], trace.array("output.log_probs")[step], atol=1e-5)


STEP, TOKEN, OTHER = 3, 345, 346


def stream_logits(model: Transformer, trace: Trace, left_out: Mapping[str, Tensor]) -> Tensor:
    """The logits of one step, forwards in float64, with each LayerNorm's σ as in the recorded pass.

    Args:
        left_out: site → what to take off there, (D,).
    """

    def held(norm: Any, x: Tensor, recorded: str) -> Tensor:
        was = trace[recorded][0, STEP].double()
        sigma = (was.var(correction=0) + norm.eps).sqrt()
        return norm.gamma.double() * (x - x.mean()) / sigma + norm.beta.double()

    def written(site: str) -> Tensor:
        return trace[site][0, STEP].double() - left_out.get(site, torch.zeros(()))

    x = written("target.input")
    for layer, module in enumerate(model.decoder.layers):
        for block in ("self_attn", "cross_attn", "ffn"):
            x = x + written(f"decoder.{layer}.{block}.out")
            if model.config.norm == "post":
                x = held(getattr(module, f"add_{block}").norm, x, f"decoder.{layer}.resid_{block}")
    if model.config.norm == "pre":
        x = held(model.decoder.norm, x, f"decoder.{model.config.n_layers - 1}.resid_ffn")
    return x @ model.generator.weight.double().T


def named(found: LogitAttribution) -> dict[tuple[object, ...], float]:
    return {(part.writer, part.layer, part.head, part.block): part.value for part in found.parts}


def test_parts_sum_to_the_logit_and_to_a_difference_of_two(traced: Traced) -> None:
    model, trace = traced
    one, other, both = (logit_attribution(model, trace, STEP, *ids) for ids in ((TOKEN,), (OTHER,), (TOKEN, OTHER)))
    for found in (one, other, both):
        assert abs(found.remainder) < 1e-5
    assert both.value == pytest.approx(float(trace["output.logits"][0, STEP, TOKEN] - trace["output.logits"][0, STEP, OTHER]))
    assert [part.value for part in both.parts] == pytest.approx(
        [a.value - b.value for a, b in zip(one.parts, other.parts, strict=True)]
    )


def test_each_part_is_what_the_logit_loses_without_it(traced: Traced) -> None:
    model, trace = traced
    whole, found = stream_logits(model, trace, {})[TOKEN], named(logit_attribution(model, trace, STEP, TOKEN))
    for layer, module in enumerate(model.decoder.layers):
        for block, kind in ATTENTIONS.items():
            attention: Any = getattr(module, block)
            seen = trace.attention(kind, layer)
            for head in range(model.config.n_heads):
                alone = torch.zeros(model.config.n_heads, model.config.d_k, dtype=torch.double)
                alone[head] = torch.tensor(seen.mix[head, STEP]).double()
                wrote = alone.flatten() @ attention.w_o.weight.double().T
                loss = whole - stream_logits(model, trace, {f"decoder.{layer}.{block}.out": wrote})[TOKEN]
                assert found[kind, layer, head, ""] == pytest.approx(float(loss), abs=1e-9)
            loss = whole - stream_logits(model, trace, {f"decoder.{layer}.{block}.out": attention.w_o.bias.double()})[TOKEN]
            assert found["bias", layer, None, block] == pytest.approx(float(loss), abs=1e-9)
        ffn: Any = module.get_submodule("ffn")
        wrote = trace[f"decoder.{layer}.ffn.out"][0, STEP].double() - ffn.w_2.bias.double()
        loss = whole - stream_logits(model, trace, {f"decoder.{layer}.ffn.out": wrote})[TOKEN]
        assert found["ffn", layer, None, ""] == pytest.approx(float(loss), abs=1e-5)  # out is recorded in float32
    for writer in ("embedding", "positions"):
        wrote = trace[f"target.{writer}"].reshape(-1, model.config.d_model)[STEP].double()
        loss = whole - stream_logits(model, trace, {"target.input": wrote})[TOKEN]
        assert found[writer, None, None, ""] == pytest.approx(float(loss), abs=1e-9)


def test_a_heads_part_is_shared_out_over_its_keys(traced: Traced) -> None:
    model, trace = traced
    found = logit_attribution(model, trace, STEP, TOKEN, OTHER)
    for (kind, layer), shares in found.by_key.items():
        heads = [part.value for part in found.parts if (part.writer, part.layer) == (kind, layer)]
        assert shares.sum(-1) == pytest.approx(heads, abs=1e-6)
        assert shares.shape == trace.attention(kind, layer).weights[:, STEP].shape
        if kind == "masked":
            assert not shares[:, STEP + 1 :].any()
    looked = sum(part.value for part in found.parts if part.writer == "cross")
    assert found.over_keys("cross").sum() == pytest.approx(looked, abs=1e-6)


def test_what_an_edit_takes_out_has_no_part(checkpoint: Checkpoint) -> None:
    out = Edits(sublayers={Sublayer("decoder", 0, "cross_attn"), Sublayer("decoder", 1, "ffn")}, heads={Head("masked", 1, 2)})
    ex = explain(checkpoint, "The nurse paints a kettle.", "Die Pflegerin bemalt den Kessel.", out)
    found = logit_attribution(checkpoint.model, ex.trace, STEP, TOKEN)
    assert abs(found.remainder) < 1e-5
    values = named(found)
    gone = [("ffn", 1, None, ""), ("bias", 1, None, "ffn"), ("masked", 1, 2, ""), ("bias", 0, None, "cross_attn")]
    assert not any(values[part] for part in gone)
    assert not any(values["cross", 0, head, ""] for head in range(4))
    assert values["masked", 1, 1, ""] and values["cross", 1, 2, ""]
    assert not found.by_key["cross", 0].any() and not found.by_key["masked", 1][2].any()
