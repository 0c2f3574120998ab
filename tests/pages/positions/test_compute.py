"""The waves are those of the model."""

import numpy as np
import pytest

from pages.positions.compute import default_dims, wave
from viz_core.model.embedding import positional_encoding

D = 32
ROWS = positional_encoding(50, D).numpy()


def test_waves_run_through_the_rows_of_the_model() -> None:
    for dim in range(D):
        assert wave(dim, D).at(np.arange(50.0)) == pytest.approx(ROWS[:, dim], abs=1e-6)


@pytest.mark.parametrize("d_model", [2, 4, 8, 256])
def test_dimensions_to_start_with_exist(d_model: int) -> None:
    dims = default_dims(d_model)
    assert dims == sorted(set(dims))
    assert all(0 <= dim < d_model for dim in dims)
