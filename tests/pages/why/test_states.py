"""Every view at another step, layer and head than the first: what the browser shows there is computed anew, and needs no run."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest

from pages.why import source_words
from pages.why.controls import SHOW
from tests.pages.test_all_pages import opened, visited
from tests.pages.why.test_page import PAGE, TEXT
from tests.plots import below, plots
from viz_core.analysis.alignment import prediction_difference, sides
from viz_core.analysis.integrated_gradients import integrated_gradients
from viz_core.analysis.rollout import decoder_rollout
from viz_core.analysis.words import groups
from viz_core.app import components
from viz_core.app.markup import number
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation, explain
from viz_core.figures.attention import signed
from viz_core.figures.base import percent
from viz_core.texts import texts

STEP, LAYER, HEAD = 2, 2, 4


@pytest.fixture(scope="module")
def ex(shipped: Checkpoint) -> Explanation:
    return explain(shipped, TEXT)


@pytest.fixture
def follows(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What of the view the page followed in its last run, under `follows`."""
    found: dict[str, Any] = {}
    connect = components.connect

    def keep(name: str, data: Any, *options: Any, **more: Any) -> Any:
        if name == "address":
            found.update(data)
        return connect(name, data, *options, **more)

    monkeypatch.setattr("viz_core.app.addressed.connect", keep)
    return found


def arrived(**parameters: str) -> AppTest:
    return opened(PAGE, **{"text": TEXT} | parameters)


@pytest.mark.parametrize("show", [each for each in SHOW.options if each != "source_words"])
@pytest.mark.parametrize("by", ["erasure_by", "head_by", "mean_by"])
def test_no_step_layer_or_head_asks_for_a_run(follows: dict[str, Any], show: str, by: str) -> None:
    arrived(show=show, by=by)
    assert not {"step", "layer", "head", "token"} & set(follows["follows"])


def test_the_lens_reads_the_stream_of_its_layer_and_step(shipped: Checkpoint, ex: Explanation) -> None:
    app = arrived(show="logit_lens")
    norm: Any = shipped.model.decoder.norm
    stream = ex.trace[f"decoder.{LAYER}.resid_ffn"][0, STEP]
    with torch.inference_mode():
        logits = torch.nn.functional.layer_norm(stream, stream.shape, norm.gamma, norm.beta, norm.eps)
        probabilities = (logits @ shipped.model.generator.weight.T).double().softmax(-1).numpy()
    order, word = np.argsort(-probabilities), ex.steps[STEP].expected.id
    fig = plots(app, step=STEP, layer=LAYER)[0]
    rival = next(i for i in ex.steps[STEP].top_ids(2) if i != word)
    assert fig["data"][0]["z"][LAYER + 1] == pytest.approx(probabilities[[*order[:3], word, rival]], rel=1e-4)
    assert fig["layout"]["yaxis"]["ticktext"][LAYER + 1].startswith("<b>")
    assert sum(name.startswith("<b>") for name in fig["layout"]["yaxis"]["ticktext"]) == 1
    hovers = fig["data"][-1]["hovertext"]
    said = [hovers[at] for at in fig["layout"]["meta"]["says"]]
    assert len(said) == 5 and all(f"after layer {LAYER + 1}" in each for each in said)
    arithmetic = below(app, step=STEP, layer=LAYER)["arithmetic"]
    rank = 1 + int((probabilities > probabilities[word]).sum())
    assert f"a probability of {percent(probabilities[word])}, rank {rank:,} of 8,000" in arithmetic
    assert f"After layer {LAYER + 1}: $\\ln p_{{{LAYER + 1}}} = {number(float(np.log(probabilities[word])))}$" in arithmetic


@pytest.mark.parametrize("of", ["difference", "logit"])
def test_the_terms_of_a_step_add_up_to_its_logit(ex: Explanation, of: str) -> None:
    app, logits = arrived(show="logit_attribution", of=of), ex.trace.array("output.logits")[STEP].astype(np.float64)
    word = ex.steps[STEP].expected.id
    rival = next(i for i in ex.steps[STEP].top_ids(2) if i != word)
    value = logits[word] - (logits[rival] if of == "difference" else 0.0)
    parts, heads = plots(app, step=STEP, layer=LAYER, head=HEAD)
    bars = parts["data"][0]["x"]
    assert bars[:-1].sum() == pytest.approx(value, abs=1e-5) and bars[-1] == pytest.approx(value)
    names = parts["layout"]["yaxis"]["ticktext"]
    assert [name for name in names if name.startswith("<b>")] == [*names[2 + 3 * LAYER : 5 + 3 * LAYER], names[-1]]
    brought = np.reshape(heads["data"][0]["customdata"], (4, 8))
    assert [bars[3 + 3 * layer] for layer in range(4)] == pytest.approx(brought.sum(1))  # those of cross attention
    (frame,) = heads["layout"]["shapes"]
    assert (frame["x0"], frame["y0"]) == (HEAD - 0.5, LAYER - 0.5)
    said = heads["data"][-1]["hovertext"][heads["layout"]["meta"]["says"][0]]
    assert said == f"Head {HEAD + 1} of layer {LAYER + 1}: {signed(brought[LAYER, HEAD])}"
    assert f"= {number(value)}" in below(app, step=STEP)["arithmetic"]


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [("SHORT", 0, "My uncle sleeps."), ("many_read", lambda: True, "My aunt reads.")],
    ids=["long", "many readers"],
)
def test_two_methods_are_there_at_once_and_the_third_comes_with_a_run_of_a_long_sentence_or_in_a_class(
    shipped: Checkpoint, follows: dict[str, Any], monkeypatch: pytest.MonkeyPatch, name: str, value: object, text: str
) -> None:
    monkeypatch.setattr(source_words, name, value)
    ex = explain(shipped, text)  # of a sentence that no other test has asked for: nothing of it is there before
    app, positions = arrived(text=text, show="source_words", step="1"), groups(ex.source)[1]
    assert "step" in follows["follows"]
    fig = plots(app, step=STEP)[0]
    assert fig["data"][0]["x"] == pytest.approx(prediction_difference(shipped.model, ex)[STEP])
    keys = fig["data"][2]["x"]
    bars = plots(arrived(text=text, show="logit_attribution", of="logit"), step=STEP)[0]["data"][0]["x"]
    assert keys.sum() == pytest.approx(sum(bars[3 + 3 * layer] for layer in range(4)))  # those of cross attention
    assert not fig["data"][1]["x"].any() and "arithmetic" not in below(app, step=STEP)
    assert below(app, step=STEP)["told"] == texts("why")["computing"] != below(app, step=0)["told"]
    for step, awaited in ((0, False), (STEP, True)):
        notes = [note for note in plots(app, step=step)[0]["layout"]["annotations"] if note["text"] == texts("why")["awaited"]]
        assert [note["visible"] for note in notes] == [False, awaited, False]
    for step in range(len(ex.steps)):
        app = visited(app, text=text, show="source_words", step=str(step + 1))
    assert "step" not in follows["follows"]
    found = integrated_gradients(shipped.model, ex, STEP, ex.steps[STEP].expected.id)
    assert plots(app, step=STEP)[0]["data"][1]["x"] == pytest.approx([found.source[at].sum() for at in positions])
    assert f"[{number(found.error)}]"[1:-1] in below(app, step=STEP)["arithmetic"]


def test_of_a_short_sentences_words_all_methods_are_there_at_all_steps(
    shipped: Checkpoint, follows: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source_words, "many_read", lambda: False)
    app, ex = arrived(text="I love you.", show="source_words"), explain(shipped, "I love you.")
    positions = groups(ex.source)[1]
    assert "step" not in follows["follows"]
    for step in (0, STEP, len(ex.steps) - 1):
        found = integrated_gradients(shipped.model, ex, step, ex.steps[step].expected.id)
        drawn = plots(app, step=step)[0]["data"][1]["x"]
        assert drawn == pytest.approx([found.source[at].sum() for at in positions], abs=0.01)
        assert number(found.value) in below(app, step=step)["arithmetic"]


def test_a_method_that_names_no_word_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    best = source_words._best
    monkeypatch.setattr(source_words, "_best", lambda values, words: None)
    none = below(arrived(text="I love you.", show="source_words"), step=0)["told"]
    assert none == "No method names a word: no score is above 0."
    assert best(np.array([-1.0, 0.0, 2.0]), words=2) is None and best(np.array([-1.0, 0.5]), words=2) == 1


def test_the_lines_of_a_head_are_its_strongest_words_and_that_of_the_step_is_highlighted(ex: Explanation) -> None:
    both = sides(ex)
    weights = ex.trace.array(f"decoder.{LAYER}.cross_attn.weights")[HEAD]
    lines, agreed = plots(arrived(show="alignment", by="head_by"), step=STEP, layer=LAYER, head=HEAD)
    for word, tokens in enumerate(both.output_tokens):
        best = int(np.argmax([weights[tokens][:, at].sum(1).mean() for at in both.source_tokens]))
        line = lines["data"][word]
        assert line["visible"] == (best < len(both.source))
        assert not line["visible"] or list(line["y"]) == [best, word]
        assert (line["opacity"] == 1) == (STEP in tokens)
    assert lines["layout"]["title"]["text"] == f"Head {HEAD + 1} of layer {LAYER + 1}: strongest word"
    (frame,) = agreed["layout"]["shapes"]
    assert (frame["x0"], frame["y0"]) == (HEAD - 0.5, LAYER - 0.5)


def test_the_shares_of_rollout_are_those_of_the_step(ex: Explanation) -> None:
    app = arrived(show="rollout")
    rolled = decoder_rollout(ex.trace)[-1]  # (T, S), computed from below
    shares = 100 * np.stack([rolled[:, at].sum(1) for at in groups(ex.source)[1]], 1)
    flow, excess = plots(app, step=STEP)
    assert [list(trace["x"]) for trace in excess["data"]] == [
        pytest.approx(shares[STEP]),
        pytest.approx(shares[STEP] - shares.mean(0), abs=1e-9),
    ]
    word = ex.steps[STEP].expected.label
    assert f"→ {word}" in flow["layout"]["annotations"][-4]["text"]
    best = int((shares[STEP] - shares.mean(0)).argmax())
    assert f"is {shares[STEP, best]:.1f} % at this step" in below(app, step=STEP)["arithmetic"]
