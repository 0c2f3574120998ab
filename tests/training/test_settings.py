"""Settings that are out of range, and the learning rate against the formula of the paper."""

from pathlib import Path
from typing import Any

import pytest

from viz_core.errors import ConfigError
from viz_core.training.settings import TrainSettings, cooldown, noam

FILES: dict[str, Any] = {"pairs": Path("p"), "valid": Path("v"), "out": Path("o")}


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"epochs": 0}, "epochs is 0, expected at least 1"),
        ({"smoothing": 1.0}, r"smoothing is 1\.0, expected at least 0 and less than 1"),
        ({"clip": 0.0}, r"clip is 0\.0, expected more than 0"),
        ({"last_epochs": 13}, "last_epochs is 13, expected at least 0 and at most the epochs, 12"),
        ({"learning_rate": float("inf")}, r"learning_rate is inf, expected more than 0, at most 1e\+30"),
    ],
)
def test_a_bad_value_is_quoted(fields: dict[str, Any], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        TrainSettings(**FILES, **fields)


@pytest.mark.parametrize(("step", "rate"), [(1, 1.746928e-7), (2000, 3.493856e-4), (4000, 6.987712e-4), (100_000, 1.397542e-4)])
def test_values_of_the_base_model_of_the_paper(step: int, rate: float) -> None:
    assert noam(step, d_model=512, warmup=4000) == pytest.approx(rate, rel=1e-6)


def test_cooldown_is_a_straight_line_over_the_last_share() -> None:
    assert [cooldown(step, 100, 0.2) for step in (1, 80, 85, 90, 100, 101)] == pytest.approx([1, 1, 0.75, 0.5, 0, 0])
    assert cooldown(99, 100, 0.0) == 1.0
