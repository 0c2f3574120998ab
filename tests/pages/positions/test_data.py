"""All positions of a side are those that this side adds: learned ones are not the same for both. The first dimensions exist."""

import numpy as np
import pytest

from pages.positions.compute import default_dims
from pages.positions.data import positions
from tests.conftest import MakeModel, made
from viz_core.explain import explain
from viz_core.tokenizer import Tokenizer


@pytest.mark.parametrize("kind", ["learned", "interleaved"])
@pytest.mark.parametrize("side", ["source", "target"])
def test_all_positions_begin_with_those_of_the_sentence(make_model: MakeModel, tokenizer: Tokenizer, kind: str, side: str) -> None:
    checkpoint = made(make_model(positions=kind), tokenizer)
    explanation = explain(checkpoint, "A baker carries two umbrellas.")
    everywhere = positions(checkpoint, explanation, side, "all")
    added = explanation.trace.array(f"{side}.positions")
    np.testing.assert_array_equal(everywhere.rows[: len(added)], added)
    assert len(everywhere.rows) == checkpoint.config.max_len


@pytest.mark.parametrize("d_model", [2, 4, 8, 256])
def test_dimensions_to_start_with_exist(d_model: int) -> None:
    dims = default_dims(d_model)
    assert dims == sorted(set(dims))
    assert all(0 <= dim < d_model for dim in dims)
