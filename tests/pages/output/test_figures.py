"""The table of a typed target: what is in which column, and typed markup stays text."""

from tests.pages.test_all_pages import opened, view
from tests.payloads import unpacked
from tests.plots import payloads
from viz_core.figures.base import percent
from viz_core.texts import texts

HOSTILE = "</script><b>x</b> $y$"


def test_table_says_what_the_model_would_have_written() -> None:
    app = opened("output/page.py", text="The cat is sleeping.", target=f"Der {HOSTILE} schläft.")
    (sent,) = payloads(app, "next_token_arithmetic")
    table, steps = unpacked(sent)[1]["table"], view(app).explanation.steps
    others = [step for step in steps if step.log_probs.argmax() != step.expected.id]
    for step in others:
        assert f"{percent(step.probability(int(step.log_probs.argmax())))}</td>" in table
    assert table.count(texts("output")["same"]) == len(steps) - len(others) > 0
    assert "</script><b>x" not in table and "<b>x" not in table
    assert table.count("<tr") == len(steps) + 2
