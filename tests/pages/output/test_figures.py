"""The table of a typed target: what is in which column, and typed markup stays text."""

import re

import numpy as np
import pytest

from tests.pages.recorded import recorded
from tests.payloads import unpacked
from viz_core.figures.base import percent
from viz_core.texts import texts

HOSTILE = "</script><b>x</b> $y$"


def test_table_says_what_the_model_would_have_written(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = recorded(monkeypatch, "output", text="The cat is sleeping.", target=f"Der {HOSTILE} schläft.")
    table, rows = unpacked(shown.parts["next_token_arithmetic"])[1]["table"], shown.tables["given_target"]
    for row in rows:
        if row["rank"] != "1":
            assert f"{percent(float(row['best_probability']))}</td>" in table
    assert table.count(texts("output")["same"]) == sum(row["rank"] == "1" for row in rows) > 0
    assert "</script><b>x" not in table and "<b>x" not in table
    assert table.count("<tr") == len(rows) + 2


def test_logits_in_the_billions_of_an_edited_model_stay_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    text, target = "The cat is sleeping on the sofa.", "Die Katze schläft auf dem Sofa."
    parts = recorded(monkeypatch, "output", text=text, target=target, edits="no_layer_norm").parts
    (tensors, _), (_, about) = (unpacked(parts[name]) for name in ("next_token", "next_token_arithmetic"))
    assert tensors["logits"].max() > 1e6 and all(np.isfinite(tensors[name]).all() for name in ("logits", "others", "states"))
    assert re.search(r"/\d+} = \d\.\d\d·10[⁰¹²³⁴⁵⁶⁷⁸⁹]{7,}\$", about["summary"]), "the perplexity of the target"
