"""What the browser gets of two models side by side: the recorded numbers, each on its own side."""

from typing import Any

import numpy as np
import pytest

from tests.payloads import unpacked
from viz_core.analysis.divergence import Comparison, compare_explanations
from viz_core.browser.output_payload import TOP, Side, comparison_payload
from viz_core.checkpoint import Checkpoint
from viz_core.edits import Edits, site_edits
from viz_core.explain import Explanation, explain, traced_pass

TEXT = "A baker paints the </script> well-worn map."
EDITS = Edits(no_scale=True, no_positions=True)


@pytest.fixture(scope="module")
def both(checkpoint: Checkpoint) -> tuple[Explanation, Explanation, Comparison]:
    before, after = explain(checkpoint, TEXT), explain(checkpoint, TEXT, edits=EDITS)
    same = traced_pass(checkpoint, [after.source.ids], [before.target.ids], site_edits(EDITS, checkpoint.config))
    return before, after, compare_explanations(before, after, same)


def test_equal_probabilities_stand_by_id_and_unknown_ones_come_last(both: Any, checkpoint: Checkpoint) -> None:
    before, _, found = both
    flat = np.full_like(found.after, -6.0)
    flat[1, :] = np.nan
    flat[2, ::2] = np.nan
    flat[3, 7] = -5.0
    side = Side("", before, checkpoint)
    tensors, _ = unpacked(
        comparison_payload(side, side, Comparison(found.words, found.before, flat, found.output, found.divergence))
    )
    top = tensors["right_ids"][:4, :TOP].tolist()
    assert top == [[0, 1, 2, 3, 4], [0, 1, 2, 3, 4], [1, 3, 5, 7, 9], [7, 0, 1, 2, 3]]
    assert np.isnan(tensors["right_own"][1]).all()
