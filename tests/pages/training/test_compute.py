"""One sentence through the snapshots of a training: each number is that snapshot's, for the trained model's words."""

from dataclasses import replace

import numpy as np
import pytest

from pages.training.compute import predictions_of
from tests.conftest import MakeModel
from viz_core.checkpoint import Checkpoint, load
from viz_core.explain import explain


@pytest.fixture(scope="module")
def trained(checkpoint_folder: object) -> Checkpoint:
    return load(str(checkpoint_folder))


def test_each_snapshot_is_scored_on_the_correct_words_and_writes_its_own(trained: Checkpoint, make_model: MakeModel) -> None:
    early = replace(trained, name="tiny@3", model=make_model(norm="post"), digest="x")
    right = explain(trained, "The otter hides two umbrellas.", "Der Otter versteckt zwei Regenschirme.")
    first, last = predictions_of([(3, early), (None, trained)], right)
    assert (first.step, last.step) == (3, None)
    asked = explain(early, "The otter hides two umbrellas.", right.text)
    assert [token.id for token in asked.output] == [token.id for token in right.output]
    for stop, ex in ((first, asked), (last, right)):
        expected = [step.log_probs[step.expected.id] for step in ex.steps]
        assert np.allclose(stop.log_probs, expected, atol=1e-5)
        assert list(stop.best) == [int(step.log_probs.argmax()) for step in ex.steps]
        assert stop.loss == pytest.approx(-float(np.mean(expected)), rel=1e-5)
    own = explain(early, "The otter hides two umbrellas.")
    assert list(first.written) == [token.id for token in own.output]
