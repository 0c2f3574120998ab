"""The download of a given target has the numbers of its table."""

import re

import pytest

from tests.pages.recorded import recorded
from tests.payloads import unpacked
from viz_core.figures.base import percent


def test_a_given_target_token_by_token(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = recorded(monkeypatch, "output", text="The cat is sleeping.", target="Der Hund schläft.")
    rows = shown.tables["given_target"]
    table = unpacked(shown.parts["next_token_arithmetic"])[1]["table"]
    drawn = re.findall(r'<td>(\d+)</td><td class="word">([^<]*)</td><td>([^<]*)</td><td>([\d,]+)</td>', table)
    told = [(row["step"], row["token"], percent(float(row["probability"])), f"{int(row['rank']):,}") for row in rows]
    assert drawn == told
    assert len(rows) > 3
