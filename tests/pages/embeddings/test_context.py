"""In context: the nearest sentence is on top, labels never touch, and the download has the drawn numbers."""

import itertools

import numpy as np
import pytest

from pages.embeddings.context import _same
from pages.embeddings.context_figures import LINE, PLOT, Other, context_lines, spread
from tests.pages.recorded import recorded
from viz_core.analysis.contexts import contexts, similarity, token_vectors
from viz_core.checkpoint import Checkpoint
from viz_core.explain import explain


def test_labels_at_the_ends_keep_their_order_and_their_distance() -> None:
    ends = [0.9, 0.88, 0.87, 0.5, 0.49, 0.03]
    at = spread(ends, 0.08)
    assert at == sorted(at, reverse=True)
    assert min(a - b for a, b in itertools.pairwise(at)) >= 0.08 - 1e-9
    assert at[-1] == pytest.approx(0.03) and np.mean(at[:3]) == pytest.approx(np.mean(ends[:3]))


def test_each_line_ends_at_its_own_sentence_and_what_is_typed_is_escaped() -> None:
    unit = np.zeros((3, 4), np.float32)
    others = [Other("<b>one</b>", np.array([1, 0.9, 0.8]), unit), Other("two", np.array([0.9, 0.5, 0.2]), unit, typed=True)]
    fig = context_lines(
        others, np.array([0.1, 0.05, 0.0]), ["input", "layer 1", "layer 2"], current=1, title="", axis="", name="all"
    ).plotly()
    assert [list(line.y) for line in fig.data[:3]] == [[1, 0.9, 0.8], [0.9, 0.5, 0.2], [0.1, 0.05, 0.0]]
    assert [note.text for note in fig.layout.annotations] == ["0.80  &lt;b&gt;one&lt;/b&gt;", "0.20  two", "0.00  all"]
    heights = [note.y for note in fig.layout.annotations]
    assert min(a - b for a, b in itertools.pairwise(heights)) >= 1.02 * LINE / PLOT - 1e-9


def test_of_many_sentences_those_with_the_nearest_and_the_farthest_are_drawn(shipped: Checkpoint) -> None:
    here, at = explain(shipped, "I see a dog."), 3
    others = [f"{who} a dog." for who in ("We had", "He has", "She sold", "Buy", "Nobody is", "Tom saw", "Is it")]
    pool = contexts(shipped, [here.source.text, *others])
    cosines = similarity(pool, token_vectors(here.trace, at))
    drawn = _same(pool, here.source.tokens[at].id, cosines, here.source.text, False)
    ends = sorted((cosines[-1, i] for i in range(len(pool.ids)) if pool.label(i) == "dog"), reverse=True)[1:]  # not itself
    assert len(ends) == 7 and [each.cosines[-1] for each in drawn] == [*ends[:3], *ends[-3:]]


def test_the_page_compares_with_our_sentences_and_with_a_typed_one(monkeypatch: pytest.MonkeyPatch) -> None:
    typed = "I saw a fly on <b>bread</b>."
    view = recorded(
        monkeypatch, "embeddings", text="There is a fly in my soup.", show="context", token="4", layer="4", second=typed
    )
    lines = view.tables["context"]
    assert {typed[:20], "A fly is an insect."} <= {line["sentence"][:20] for line in lines}
    drawn = [line.y for line in view.figures["figure"].data if line.mode and "lines" in line.mode]
    assert np.allclose(np.concatenate(drawn), view.column("context", "cosine"))
    assert "flight" in view.html[-1]  # near «fly» after the last layer


def test_a_word_that_our_sentences_lack_is_said_to_be_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    view = recorded(monkeypatch, "embeddings", text="The zebra sleeps.", show="context", token="2")
    assert {line["sentence"] for line in view.tables["context"]} == {""}
