"""The logit lens against the formula in float64, for both places of LayerNorm, tied and untied."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

from viz_core.analysis.logits import logit_lens, stream_sites
from viz_core.checkpoint import Checkpoint
from viz_core.config import ModelConfig
from viz_core.explain import explain
from viz_core.model import Transformer
from viz_core.trace import Trace

Traced = tuple[Transformer, Trace]


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


def test_rank_and_probability_are_those_of_the_sorted_row(traced: Traced) -> None:
    found = logit_lens(*traced, 2)
    order = found.top_ids(1, 6)
    assert [found.rank(1, i) for i in order] == [1, 2, 3, 4, 5, 6]
    total = sum(found.probability(1, i) for i in range(found.log_probs.shape[1]))
    assert total == pytest.approx(1, abs=1e-5)


def test_the_shipped_model_starts_at_the_token_it_read_and_finds_its_answer_later(shipped: Checkpoint) -> None:
    """Its embeddings are tied, so the stream before the first layer points to the token that was read."""
    ex = explain(shipped, "My grandmother bakes bread every Sunday.")
    for step in ex.steps:
        found = logit_lens(shipped.model, ex.trace, step.index)
        assert found.top_ids(0, 1) == [step.read.id]
        assert found.rank(0, step.chosen.id) > 100
        assert found.rank(shipped.config.n_layers, step.chosen.id) == 1


def test_post_norm_streams_end_with_their_layers_norm(make_model: Callable[..., Transformer]) -> None:
    config: ModelConfig = make_model(norm="post").config
    assert stream_sites(config) == ["target.input", "decoder.0.norm_ffn", "decoder.1.norm_ffn"]
