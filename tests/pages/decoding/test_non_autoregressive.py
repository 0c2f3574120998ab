"""Non-autoregressive decoding on its page: what the table holds, every control by link, and what is missing."""

import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pages.decoding.mask_predict_figures import PassCell, passes_table
from pages.decoding.non_autoregressive_compute import mask_predict_all_lengths
from tests.pages.decoding.shown import highlighted, table_html
from tests.pages.test_all_pages import address, opened, words
from viz_core import checkpoint as checkpoints
from viz_core.checkpoint import Checkpoint
from viz_core.figures.base import percent

PAGE = "decoding/page.py"
TEXT = "My brother bought a new bicycle yesterday."


@pytest.fixture(scope="module")
def masked() -> Checkpoint:
    return checkpoints.load(Path(__file__).parents[3] / "checkpoints" / "en-de-masked", "masked")


def arrived(**parameters: str) -> AppTest:
    return opened(PAGE, **{"text": TEXT, "case": "non_autoregressive"} | parameters)


def rows(app: AppTest) -> list[list[tuple[str, str]]]:
    """The marks and the token of each position after each pass."""
    lines = re.findall(r"<tr[^>]*><th scope=.row.>(.*?)</tr>", table_html(app))
    return [re.findall(r'<td class="([^"]*)" style="[^"]*"><b>(.*?)</b>', line) for line in lines]


def test_the_table_holds_the_passes_of_the_best_length(masked: Checkpoint) -> None:
    app = arrived(passes="3")
    best = mask_predict_all_lengths(masked, TEXT, 3, None)[0]
    found = rows(app)
    assert [[token for _, token in row] for row in found] == [masked.tokenizer.read(one.ids, "de").labels for one in best.passes]
    assert [["hidden" in marks for marks, _ in row] for row in found] == [list(one.hidden) for one in best.passes]
    assert percent(best.passes[0].probabilities[0]) in table_html(app)
    assert address(app) == {"text": TEXT, "case": "non_autoregressive", "passes": "3"}


def test_the_plain_decoder_ends_at_greedys_sentence() -> None:
    app = arrived(decoder="plain", passes="10", text="I love you.")
    found = rows(app)
    assert [token for _, token in found[-1]] == ["Ich", "liebe", "dich", ".", "⟨/s⟩"]
    assert "hidden" not in {mark for marks, _ in found[-1] for mark in marks.split()}
    assert "**is** greedy" in words(app)
    assert len(found) < 10
    one = arrived(decoder="plain", passes="1", text="I love you.")
    assert len(rows(one)) == 1
    assert "More passes bring the rest" in words(one)


def test_the_step_highlights_its_pass_and_beyond_the_last_pass_the_last() -> None:
    app = arrived(passes="3")
    found = table_html(app)
    assert [highlighted(found, step) for step in range(5)] == [[0], [1], [2], [2], [2]]
    assert [highlighted(table_html(arrived(passes="1")), step) for step in (0, 3)] == [[0], [0]]


def test_a_cell_has_its_marks_and_typed_text_is_escaped() -> None:
    cells = [PassCell("<b>", 0.25, True, False, False), PassCell("a", 1.0, False, True, True)]
    html = passes_table([("pass 1", "2 of 2", cells)], {"hidden": "H", "other": "O", "twin": "T"}, position="position")
    assert "&lt;b&gt;</b>25 %" in html
    assert 'class="hidden"' in html and 'class="other twin"' in html
    assert all(f"</span> {word}</i>" in html for word in "HOT")
    assert "</span> T</i>" not in passes_table([("pass 1", "", cells[:1])], {"twin": "T"}, position="position")
