"""The waves are those of the model."""

import numpy as np
import pytest

from pages.positions.compute import curve_points, default_dims, listed_dims, wave
from viz_core.model.embedding import positional_encoding

D = 32
ROWS = positional_encoding(50, D).numpy()


def test_waves_run_through_the_rows_of_the_model() -> None:
    for dim in range(D):
        assert wave(dim, D).at(np.arange(50.0)) == pytest.approx(ROWS[:, dim], abs=1e-6)


def test_a_wave_repeats_after_its_length() -> None:
    one = wave(9, D)
    assert one.name == "cos"
    assert one.at(np.array([1.5])) == pytest.approx(one.at(np.array([1.5 + one.length])))


@pytest.mark.parametrize("d_model", [2, 4, 8, 256])
def test_dimensions_to_start_with_exist(d_model: int) -> None:
    dims = default_dims(d_model)
    assert dims == sorted(set(dims))
    assert all(0 <= dim < d_model for dim in dims)


def test_curves_reach_from_the_first_to_the_last_position() -> None:
    for count in (1, 2, 128):
        fine = curve_points(count)
        assert (fine[0], fine[-1]) == (0, max(count - 1, 1))


def test_a_vector_is_written_out_whole_when_it_is_short() -> None:
    assert listed_dims(2) == [0, 1]
    assert listed_dims(5) == [0, 1, 2, 3, 4]
    assert listed_dims(6) == [0, 1, 2, 3, None, 5]
