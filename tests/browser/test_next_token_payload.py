"""What the browser gets for the last softmax: the recorded numbers, bit for bit, and the right tokens beside them."""

import numpy as np
import pytest

from tests.payloads import Payload, unpacked
from viz_core.browser.output_payload import MOST, candidates, next_token_payload
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation, explain

HOSTILE = "Der Otter </script> \x00 <b>bemalt</b>."


@pytest.fixture(scope="module")
def typed(checkpoint: Checkpoint) -> Explanation:
    return explain(checkpoint, "The otter hides the map.", HOSTILE)


@pytest.fixture(scope="module")
def payload(checkpoint: Checkpoint, typed: Explanation) -> Payload:
    return unpacked(next_token_payload(typed, checkpoint.tokenizer))


def test_candidates_are_the_most_probable_then_what_stands_there(payload: Payload, typed: Explanation) -> None:
    tensors, _ = payload
    for t, step in enumerate(typed.steps):
        ids = [*step.top_ids(MOST), step.expected.id]
        assert tensors["ids"][t].tolist() == ids == candidates(step)
        assert np.array_equal(tensors["log_probs"][t], step.log_probs[ids])
        assert tensors["ranks"][t] == step.rank(step.expected.id)
        if t:
            assert np.array_equal(tensors["before"][t], typed.steps[t - 1].log_probs[ids])
    assert np.isnan(tensors["before"][0]).all()
