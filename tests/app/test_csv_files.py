"""Typed text stays text in a spreadsheet, and nothing is left out; numbers as text. The numbers of each CSV: tests/golden."""

import csv
import io
import math

import numpy as np
import pytest

from viz_core.app.csv_files import output_csv, site_csv, written
from viz_core.app.markup import close_thousands, e_to_the, latex, number, readable
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation, explain

TEXT = "=1+1 a baker\x00 carries, “two” umbrellas."


@pytest.fixture(scope="module")
def ex(checkpoint: Checkpoint) -> Explanation:
    return explain(checkpoint, TEXT, "Ein Bäcker.")


def rows(content: bytes) -> list[dict[str, str]]:
    assert content.startswith(b"\xef\xbb\xbf")
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline="")))


def test_the_output_of_a_step_is_whole_and_that_of_all_steps_their_first_tokens(ex: Explanation, checkpoint: Checkpoint) -> None:
    assert len(rows(output_csv(ex, checkpoint.tokenizer, step=1))) == len(checkpoint.tokenizer)
    first = rows(output_csv(ex, checkpoint.tokenizer, most=3))
    places = [(str(step), str(rank)) for step in range(1, len(ex.steps) + 1) for rank in (1, 2, 3)]
    assert [(line["step"], line["rank"]) for line in first] == places


def test_a_mask_is_written_as_0_and_1_beside_what_was_typed(ex: Explanation) -> None:
    label = ex.source.labels[0].replace("=", "'=")
    assert rows(site_csv(ex, "encoder.0.self_attn.mask"))[0] == {"key_index": "1", "key": label, "value": "1"}


@pytest.mark.parametrize("typed", ["=1+1", "+1", "-x", "@SUM(A1)", "\tx", "\r=x", "＝1"])
def test_no_text_is_a_formula(typed: str) -> None:
    content = written("text number", [[typed, np.float32(-0.5)]])
    cell, number = content.decode("utf-8-sig").splitlines()[1].split(",")
    assert cell.startswith("'")
    assert not set(cell) & set("\t\r\0")
    assert number == "-0.5"


def test_commas_quotes_and_line_breaks_stay_in_their_cell() -> None:
    assert rows(written("a b", [['x,"y"\n\x00', None]])) == [{"a": 'x,"y"⟨0A⟩⟨00⟩', "b": ""}]


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
