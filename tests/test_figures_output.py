"""The bars of the output page: which piece on which row, fixed axes, nothing printed as 0 % that is not."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from viz_core.figures.output import Candidates, Show, candidate_bars, sentence_so_far, steps_overview
from viz_core.figures.palette import DARK, LIGHT
from viz_core.figures.scores import Judged, judged_table

HOSTILE = "</script><b>x</b> $y$"


def pieces(**changes: Any) -> Candidates:
    fields: dict[str, Any] = {
        "labels": ["auf", "auf", HOSTILE],
        "ranks": [1, 2, 1234],
        "logits": np.array([9.0, 7.5, -2.0]),
        "probabilities": np.array([0.7, 0.2, 2.5e-7]),
        "before": np.array([0.01, 0.6, 0.0]),
        "rest": 0.1 - 2.5e-7,
        "rest_logits": (-8.0, -1.0, 6.0),
        "chosen": 0,
        "typed": 2,
    }
    return Candidates(**fields | changes)


def drawn(show: Show = "probabilities", **changes: Any) -> go.Figure:
    return candidate_bars(
        pieces(**changes),
        show=show,
        rest="the other 7,997\npieces",
        names=("logit", "probability", "before"),
        limits=(-9, 12),
        picked=1,
    )


def notes(fig: go.Figure) -> list[str]:
    return [note.text for note in fig.layout.annotations]


def test_most_probable_on_top_equal_pieces_apart_and_the_rest_below() -> None:
    fig = drawn()
    assert fig.layout.yaxis.range[0] > fig.layout.yaxis.range[1]
    assert len(fig.layout.yaxis.ticktext) == 4
    assert "auf" in fig.layout.yaxis.ticktext[0] and "auf" in fig.layout.yaxis.ticktext[1]
    assert fig.layout.yaxis.ticktext[3] == "the other 7,997<br>pieces"
    bar = fig.data[0]
    assert list(bar.x) == pytest.approx([0.7, 0.2, 2.5e-7, 0.1 - 2.5e-7])
    assert bar.y[3] > 2
    assert fig.layout.xaxis.range == (0, 1)
    assert fig.layout.xaxis.title.text == "probability"


def test_a_small_probability_is_never_zero() -> None:
    assert "2.5·10⁻⁵ %" in notes(drawn())
    assert "70 %" in notes(drawn())


def test_the_ghost_is_the_step_before_and_the_first_step_has_none() -> None:
    ghost = next(trace for trace in drawn().data if trace.name == "ghost")
    assert list(ghost.x) == [0.01, 0.6, None]
    assert {"1.0 %", "60 %"} <= set(notes(drawn()))
    assert all(trace.name != "ghost" for trace in drawn(before=None).data)


def test_logits_have_the_axis_they_are_given() -> None:
    for show in ("logits", "both"):
        fig = drawn(show)
        assert fig.layout.xaxis.range == (-9, 12)
        assert list(fig.data[0].x) == [9.0, 7.5, -2.0]
        assert "−2.00" in notes(fig)
    assert drawn("both").layout.xaxis2.range == (0, 1)


def test_a_click_carries_the_piece() -> None:
    targets = drawn().data[-1]
    assert {int(y) for y in targets.y} == {0, 1, 2}
    assert all(data[0] == y for data, y in zip(targets.customdata, targets.y, strict=True))
    assert "rank 1,234" in targets.hovertext[-1]


def test_typed_markup_stays_text() -> None:
    fig = drawn()
    assert "<b>x" not in fig.layout.yaxis.ticktext[2]
    assert "$" not in fig.layout.yaxis.ticktext[2]
    assert "</script><b>x" not in sentence_so_far(HOSTILE, HOSTILE, ahead=HOSTILE)


def test_overview_has_a_bar_for_each_step_and_the_current_one_lit() -> None:
    fig = steps_overview(np.array([0.9, 0.5, 0.99]), ["a", "b", "a"], title="", axes=("steps", "p"), lit=1, palette=DARK)
    assert list(fig.data[0].y) == [0.9, 0.5, 0.99]
    assert fig.data[0].marker.opacity[1] > fig.data[0].marker.opacity[0]
    assert [data[0] for data in fig.data[-1].customdata[::4]] == [0, 1, 2]
    assert fig.layout.xaxis.title.text == "steps"
    assert "b" in fig.layout.xaxis.ticktext[1]


def test_overview_of_a_typed_target_marks_what_the_model_wanted() -> None:
    best = (np.array([0.9, 0.8]), ["a", "z"], "model")
    fig = steps_overview(np.array([0.9, 0.001]), ["a", "b"], title="", axes=("", ""), lit=0, best=best)
    assert list(fig.data[1].y) == [0.9, 0.8]
    assert "model: «z», 80 %" in fig.data[-1].hovertext[-1]
    assert "0.10 %" in fig.data[-1].hovertext[-1]


def test_a_long_sentence_shows_its_end() -> None:
    drawn = sentence_so_far("x" * 400 + " end ", "piece", palette=LIGHT)
    assert "… " in drawn
    assert " end " in drawn
    assert len(drawn) < 900


def test_table_says_what_the_model_would_have_written() -> None:
    rows = [Judged("Der", 0.004, 2, -5.5, "Die", 0.93), Judged(HOSTILE, 0.9, 1, -0.1, HOSTILE, 0.9)]
    table = judged_table(
        rows, headings=["n", "typed", "p", "rank", "log", "best"], same="the same", total="sum", log_prob=-5.6, lit=0
    )
    assert "«Die» 93 %" in table
    assert "the same" in table
    assert "−5.60" in table
    assert "</script><b>x" not in table
    assert table.count("<tr") == 4
