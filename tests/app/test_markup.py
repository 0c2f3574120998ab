"""Numbers as text: digits, thousands, what overflows, and the same in a formula."""

import math

import pytest

from viz_core.app.markup import close_thousands, e_to_the, latex, number, readable


def test_thousands_are_separated_in_every_number() -> None:
    assert [readable(value) for value in (999, 8000, 1234.5, -15.67, "4110")] == ["999", "8,000", "1,234", "-15.67", "4110"]


def test_what_is_not_finite_has_its_sign() -> None:
    assert [number(value) for value in (math.inf, -math.inf, math.nan)] == ["∞", "-∞", "NaN"]


@pytest.mark.parametrize(
    ("exponent", "text"),
    [(0.0, "1.000"), (9.0, "8,103"), (720.0, "4.92·10³¹²"), (math.inf, "∞"), (math.nan, "NaN"), (-math.inf, "0.000")],
)
def test_a_power_of_e_is_written_where_a_float_cannot_hold_it(exponent: float, text: str) -> None:
    assert e_to_the(exponent) == text


def test_only_formulas_close_their_thousands() -> None:
    assert close_thousands("8,000 of $V = 8,000$, $$x = 1,234,567$$ (0,1)") == "8,000 of $V = 8{,}000$, $$x = 1{,}234{,}567$$ (0,1)"


def test_in_the_text_of_a_formula_beta_is_written_in_math_mode() -> None:
    """The letters of KaTeX's texts lack it."""
    assert latex("biases and β") == r"biases and \(\beta\)"
