"""The CSV of the page on one word: the numbers that its views show."""

from __future__ import annotations

import numpy as np
import pytest

from pages.why.compute import edge_shares, rollout_edges
from pages.why.controls import NamedToken
from pages.why.logits import attribution_csv, lens_csv
from pages.why.rollout import edges_csv
from tests.app.test_csv_files import rows
from tests.foot import downloads_open
from tests.pages.recorded import recorded
from tests.pages.why.test_page import arrived
from viz_core.analysis.alignment import sides, word_attention, word_losses
from viz_core.analysis.logits import logit_attribution, logit_lens
from viz_core.analysis.rollout import rollout
from viz_core.analysis.words import groups
from viz_core.app import models
from viz_core.app.cache import get_explanation
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation, explain

STEP = 1


@pytest.fixture(scope="module")
def ex(checkpoint: Checkpoint) -> Explanation:
    return explain(checkpoint, "A baker carries two umbrellas.", "Ein Bäcker.")


def test_the_lens_after_the_last_layer_is_the_prediction(ex: Explanation, checkpoint: Checkpoint) -> None:
    lens, word = logit_lens(checkpoint.model, ex.trace, STEP), ex.steps[STEP].expected
    lines = rows(lens_csv(lens, checkpoint.tokenizer, 3, [NamedToken(word.id, word.label)]))
    last = [line for line in lines if int(line["layer"]) == len(lens.log_probs) - 1]
    (mine,) = [line for line in last if int(line["id"]) == word.id]
    assert float(mine["log_prob"]) == pytest.approx(float(ex.steps[STEP].log_probs[word.id]), abs=1e-4)
    assert [line["rank"] for line in last[:3]] == ["1", "2", "3"]


def test_the_contributions_and_the_remainder_make_the_logit(ex: Explanation, checkpoint: Checkpoint) -> None:
    found = logit_attribution(checkpoint.model, ex.trace, STEP, ex.steps[STEP].expected.id)
    lines = rows(attribution_csv(found))
    assert sum(float(line["contribution"]) for line in lines) == pytest.approx(found.value, abs=1e-6)
    assert len(lines) == len(found.parts) + 1


def test_each_method_has_a_column(monkeypatch: pytest.MonkeyPatch) -> None:
    view = recorded(monkeypatch, "why", show="source_words")
    bars = [trace.x for trace in view.figures["needed"].data]
    for drawn, name in zip(bars, ("erasure", "gradients", "keys"), strict=True):
        assert view.column("scores", name) == pytest.approx(drawn)


def test_erasure_and_every_head_have_a_column_for_each_pair_of_words(monkeypatch: pytest.MonkeyPatch) -> None:
    view = recorded(monkeypatch, "why", text="The cat is sleeping.", show="alignment")
    (line,) = [line for line in view.tables["alignment"] if (line["output_index"], line["source_index"]) == ("1", "2")]
    explanation = get_explanation(models.get_checkpoint("en-de"), "The cat is sleeping.", "")
    both, attention = sides(explanation), word_attention(explanation)
    assert (line["output"], line["source"]) == (both.output[0], both.source[1])
    assert float(line["erasure_nats"]) == pytest.approx(word_losses(models.get_checkpoint("en-de").model, explanation)[0, 1])
    for layer, head in np.ndindex(attention.shape[:2]):
        assert float(line[f"layer{layer + 1}_head{head + 1}"]) == pytest.approx(attention[layer, head, 0, 1])


def test_the_edges_are_those_that_are_drawn(ex: Explanation) -> None:
    labels, positions = groups(ex.source)
    edges = rollout_edges(edge_shares(rollout(ex.trace, STEP), positions))
    lines = rows(edges_csv(edges, labels, ex.target.labels))
    assert [float(line["share"]) for line in lines] == [edge.share for edge in edges]
    for edge, line in zip(edges, lines, strict=True):
        assert line["to"] == (ex.target.labels if edge.leg == "masked" else labels)[edge.end]


@pytest.mark.parametrize(
    ("show", "offered"), [("logit_lens", 1), ("logit_attribution", 1), ("source_words", 1), ("alignment", 1), ("rollout", 2)]
)
def test_every_view_has_downloads(show: str, offered: int) -> None:
    assert len(downloads_open(arrived(show=show), "why").selectbox(key="_csv_why").options) == offered


def test_a_download_is_of_the_step_that_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    text, model = "The cat is sleeping.", models.get_checkpoint("en-de")
    explanation = get_explanation(model, text, "")
    view = recorded(monkeypatch, "why", text=text, show="rollout", step="3")
    shares = rollout(explanation.trace, 2).source
    assert view.column("shares", "share_percent") == pytest.approx([100 * shares[at].sum() for at in groups(explanation.source)[1]])
    view = recorded(monkeypatch, "why", text=text, show="logit_lens", step="3")
    lens = logit_lens(model.model, explanation.trace, 2)
    assert float(view.tables["lens"][0]["log_prob"]) == float(lens.log_probs[0, lens.top_ids(0)[0]])
