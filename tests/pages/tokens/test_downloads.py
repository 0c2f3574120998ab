"""The download of the merges says what the page draws."""

from __future__ import annotations

import pytest

from tests.pages.recorded import recorded
from tests.payloads import unpacked


def test_merges_are_those_of_the_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = recorded(monkeypatch, "tokens", text="The xylophonist sleeps.", token="3")
    _, about = unpacked(shown.parts["merges"])
    word, rows = about["words"][1], shown.tables["merges"]
    assert word["word"] == "xylophonist"
    steps = [[row["token"] for row in rows if row["step"] == str(step)] for step in range(len(word["merges"]) + 1)]
    assert steps[0] == word["letters"]
    for (at, rank, joined), before, after in zip(word["merges"], steps, steps[1:], strict=False):
        assert after == [*before[:at], joined, *before[at + 2 :]]
        assert {row["rank"] for row in rows if row["step"] == str(steps.index(after))} == {str(rank)}
    assert [row["merged"] for row in rows if row["step"] == "0"] == ["0"] * len(steps[0])
    assert all(sum(row["merged"] == "1" for row in rows if row["step"] == str(step)) == 1 for step in range(1, len(steps)))
