"""One sentence, explained by each kind of small model."""

import dataclasses

import pytest

from tests.conftest import Traced
from viz_core.checkpoint import Checkpoint
from viz_core.edits import NONE, Edits
from viz_core.explain import Explanation, explain
from viz_core.model import Transformer


def explained(checkpoint: Checkpoint, model: Transformer, edits: Edits = NONE) -> Explanation:
    """By this model, with the tokenizer of the small checkpoint."""
    made = dataclasses.replace(checkpoint, model=model)
    return explain(made, "The umbrella hides a nurse.", "Der Regenschirm versteckt die Pflegerin.", edits)


@pytest.fixture
def ex(checkpoint: Checkpoint, traced: Traced) -> Explanation:
    return explained(checkpoint, traced[0])
