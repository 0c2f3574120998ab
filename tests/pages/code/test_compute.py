"""Entropies and losses of a model against torch's own distributions; and an untrained model knows nothing."""

import numpy as np
import pytest
import torch

from pages.code.compute import attention_entropy, predictions, untrained
from viz_core.checkpoint import Checkpoint
from viz_core.edits import Edits
from viz_core.explain import Explanation, explain
from viz_core.trace import BLOCK

TEXT = "Our neighbour sold his red tractor."


@pytest.fixture(scope="module")
def explanation(shipped: Checkpoint) -> Explanation:
    return explain(shipped, TEXT)


def test_a_seed_gives_one_model_and_leaves_other_random_numbers_alone(checkpoint: Checkpoint) -> None:
    torch.manual_seed(11)
    expected = torch.rand(3)
    torch.manual_seed(11)
    first, again, other = (untrained(checkpoint, seed) for seed in (1, 1, 2))
    assert torch.equal(torch.rand(3), expected)
    name = "encoder.layers.0.self_attn.w_q.weight"
    one, same, different, trained = (each.model.get_parameter(name) for each in (first, again, other, checkpoint))
    assert torch.equal(one, same)
    assert not torch.equal(one, different) and not torch.equal(one, trained)
    assert one.shape == trained.shape and first.config == checkpoint.config
    assert len({first.digest, other.digest, checkpoint.digest}) == 3
    assert first.tokenizer is checkpoint.tokenizer


def test_entropies_and_losses_are_those_of_torch(shipped: Checkpoint, explanation: Explanation) -> None:
    found = predictions(shipped, explanation)
    logits = explanation.trace["output.logits"][0].double()
    ids = torch.tensor([token.id for token in explanation.output])
    assert np.allclose(found.entropies, torch.distributions.Categorical(logits=logits).entropy().numpy(), atol=1e-5)
    assert np.allclose(found.losses, torch.nn.functional.cross_entropy(logits, ids, reduction="none").numpy(), atol=1e-5)
    assert found.loss == pytest.approx(float(torch.nn.functional.cross_entropy(logits, ids)), abs=1e-5)
    assert np.allclose(found.states, explanation.trace["decoder.states"][0].norm(dim=-1).numpy(), rtol=1e-5)


def test_attention_entropy_is_1_where_all_weights_are_equal_and_0_where_one_key_has_all(shipped: Checkpoint) -> None:
    even = explain(shipped, TEXT, edits=Edits(uniform=frozenset(BLOCK)))
    sharp = explain(shipped, TEXT, "Er", edits=Edits(temperature=0.1))
    soft = explain(shipped, TEXT, "Er", edits=Edits(temperature=10.0))
    for kind in BLOCK:
        assert attention_entropy(even.trace, kind) == pytest.approx(1, abs=1e-6)
        assert attention_entropy(sharp.trace, kind) < 0.3
        assert attention_entropy(soft.trace, kind) > 0.9
