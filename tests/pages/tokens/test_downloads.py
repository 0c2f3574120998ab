"""The download of the merges says what the page draws."""

from __future__ import annotations

import re
from html import unescape

import pytest

from tests.pages.recorded import recorded


def test_merges_are_those_of_the_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = recorded(monkeypatch, "tokens", text="The xylophonist sleeps.")
    drawn = [re.findall(r'class="token(?: joined)?"[^>]*>([^<]*)<', line) for line in shown.html[-1].split('class="rung')[1:]]
    rows = shown.tables["merges"]
    steps = [[row["token"] for row in rows if row["step"] == str(step)] for step in range(len(drawn))]
    assert [[unescape(token) for token in line] for line in drawn] == steps
    assert [row["merged"] for row in rows if row["step"] == "0"] == ["0"] * len(steps[0])
    assert all(sum(row["merged"] == "1" for row in rows if row["step"] == str(step)) == 1 for step in range(1, len(steps)))
