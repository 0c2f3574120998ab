"""What the browser is sent of every layer, head and step: the numbers of that place, as they are computed apart from the page."""

from pathlib import Path

import numpy as np
import pytest

from tests.foot import press
from tests.pages.heads.test_page import PAGE, shown
from tests.pages.map_states import scaled, values
from tests.pages.test_all_pages import opened
from tests.plots import below
from viz_core.analysis.attention import norm_weighted
from viz_core.analysis.roles.table import Heads, read
from viz_core.app.markup import number
from viz_core.checkpoint import Checkpoint
from viz_core.trace import Kind

PLACES = [(0, 0), (2, 4), (3, 7)]


def stored(kind: Kind, shipped: Checkpoint) -> Heads:
    table, _ = read(Path("checkpoints/en-de"), shipped)
    assert table
    return table.kinds[kind]


def test_the_button_leads_to_the_head_that_the_browser_shows(shipped: Checkpoint) -> None:
    """Which Python learns with the click: `head` and `layer` of the session are what came along."""
    heads = stored("cross", shipped)
    without = next(place for place in np.ndindex(4, 8) if heads.evidence[place[0]][place[1]] is None)
    app = opened(PAGE, text="I love you.", layer=str(without[0] + 1), head=str(without[1] + 1))
    press(app, "evidence")
    assert not app.exception
    view = app.session_state["_view"]
    assert (view.explanation.source.text, view.layer, view.head) == ("I love you.", *without)


def test_of_a_sentence_as_long_as_a_shipped_model_reads_the_numbers_are_exact(shipped: Checkpoint) -> None:
    app = shown(show="norm_weighted", text="The old man reads a book and the young woman sleeps on the sofa " * 9)
    ex = app.session_state["_view"].explanation
    assert len(ex.source) > 100
    for layer, head in PLACES:
        weights = ex.trace.attention("cross", layer).weights[head]
        lengths = norm_weighted(shipped.model, ex.trace, "cross", layer)[head]
        assert scaled(app, layer=layer, head=head) == [pytest.approx(weights), pytest.approx(lengths)]
        assert values(app, layer=layer, head=head)["weight"] == number(float(weights[0].max()))


def test_measures_of_the_model_as_it_was_trained_are_said_to_be_so() -> None:
    for edits, told in ({}, False), ({"edits": "heads.cross.1.4", "everywhere": "on"}, True):
        app = shown(show="ablation", of="bleu", **edits)
        assert ("as_trained" in below(app)) == told
