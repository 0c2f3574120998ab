"""The learning rate against the formula of the paper."""

from __future__ import annotations

import pytest

from viz_core.training.settings import cooldown, noam


@pytest.mark.parametrize(("step", "rate"), [(1, 1.746928e-7), (2000, 3.493856e-4), (4000, 6.987712e-4), (100_000, 1.397542e-4)])
def test_values_of_the_base_model_of_the_paper(step: int, rate: float) -> None:
    assert noam(step, d_model=512, warmup=4000) == pytest.approx(rate, rel=1e-6)


def test_rises_to_the_end_of_the_warm_up_and_falls_after() -> None:
    rates = [noam(step, 256, 50) for step in range(1, 200)]
    assert max(rates) == rates[49]
    assert rates[:50] == sorted(rates[:50])
    assert rates[49:] == sorted(rates[49:], reverse=True)


def test_step_0_is_step_1() -> None:
    assert noam(0, 64, 10) == noam(1, 64, 10)


def test_cooldown_is_a_straight_line_over_the_last_share() -> None:
    assert [cooldown(step, 100, 0.2) for step in (1, 80, 85, 90, 100, 101)] == pytest.approx([1, 1, 0.75, 0.5, 0, 0])
    assert cooldown(99, 100, 0.0) == 1.0
