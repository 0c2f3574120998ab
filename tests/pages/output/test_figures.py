"""The table of a typed target: what stands where, and that typed markup stays text."""

from __future__ import annotations

from pages.output.figures import JudgedToken, judged_table

HOSTILE = "</script><b>x</b> $y$"


def test_table_says_what_the_model_would_have_written() -> None:
    rows = [JudgedToken("Der", 0.004, 2, -5.5, "Die", 0.93), JudgedToken(HOSTILE, 0.9, 1, -0.1, HOSTILE, 0.9)]
    table = judged_table(
        rows, headings=["n", "typed", "p", "rank", "log", "best"], same="the same", total="sum", log_prob=-5.6, highlighted=0
    )
    assert "«Die» 93 %" in table
    assert "the same" in table
    assert "−5.60" in table
    assert "</script><b>x" not in table
    assert table.count("<tr") == 4
