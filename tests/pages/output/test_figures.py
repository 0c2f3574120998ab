"""The table of a typed target: what is in which column, and typed markup stays text."""

from __future__ import annotations

import pytest

from tests.pages.recorded import recorded
from viz_core.figures.base import percent
from viz_core.texts import texts

HOSTILE = "</script><b>x</b> $y$"


def test_table_says_what_the_model_would_have_written(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = recorded(monkeypatch, "output", text="The cat is sleeping.", target=f"Der {HOSTILE} schläft.")
    table, rows = shown.html[-1], shown.tables["given_target"]
    for row in rows:
        if row["rank"] != "1":
            assert f"{percent(float(row['best_probability']))}</td>" in table
    assert table.count(texts("output")["same"]) == sum(row["rank"] == "1" for row in rows) > 0
    assert "</script><b>x" not in table and "<b>x" not in table
    assert table.count("<tr") == len(rows) + 2
