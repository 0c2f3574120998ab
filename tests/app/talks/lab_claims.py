"""Claims about what the labs show: the logit lens, a source word erased, the curves of a training.

{ lens = 3, token = "gekauft", about = 0.66 }     the probability of a token after so many layers of the decoder, at the step
{ lens = 2, token = "gele", rank = 1 }            and its rank among all
{ erased = "river", number = 9.9 }                nats that the step's token loses without this word of the source
{ loss_at = 300, number = 6.0 }                   the training loss of the checkpoint, mean of the 50 steps up to this one
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from viz_core.analysis.alignment import prediction_difference
from viz_core.analysis.logits import logit_lens
from viz_core.analysis.next_token import vocabulary_label
from viz_core.analysis.words import groups
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation
from viz_core.training import history

NUMBERS = ("erased", "loss_at")
CHECKPOINTS = Path(__file__).parents[3] / "checkpoints"


def lens_probability(checkpoint: Checkpoint, ex: Explanation, at: Mapping[str, Any]) -> tuple[float, int]:
    """The probability of a claim's token after its layer, and its rank, from 1."""
    lens = logit_lens(checkpoint.model, ex.trace, int(at["step"]) - 1)
    layer = int(at["lens"])
    ids = lens.top_ids(layer, 2000)
    found = next(i for i in ids if vocabulary_label(checkpoint.tokenizer, i) == at["token"])
    return lens.probability(layer, found), ids.index(found) + 1


def lab_number(checkpoint: Checkpoint, ex: Explanation, at: Mapping[str, Any]) -> float:
    """The number that a claim of NUMBERS speaks of."""
    if "erased" in at:
        labels = groups(ex.source)[0]
        return float(prediction_difference(checkpoint.model, ex)[int(at["step"]) - 1, labels.index(at["erased"])])
    found = history.read(CHECKPOINTS / checkpoint.name)
    assert found is not None
    return dict(found.loss)[int(at["loss_at"])]
