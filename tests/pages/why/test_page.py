"""The page "Why this word?": every view, whatever the sentence, the step and the edits are; integrated gradients at all steps at
once for a short sentence, else with a run for each step.
"""

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest

from pages.why import source_words
from pages.why.controls import SHOW
from tests.pages.test_all_pages import HOSTILE, address, messages, opened, visited, words
from tests.plots import answered
from viz_core.analysis.alignment import agreement, sides, word_attention, word_losses
from viz_core.app import chosen, components
from viz_core.app.cache import get_explanation
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation, explain
from viz_core.texts import texts
from viz_core.trace import Trace

PAGE = "why/page.py"
TEXT = "Our neighbour sold his red tractor."
CASES: dict[str, dict[str, Any]] = {
    "hostile": {"model": "en-de-small", "text": HOSTILE, "target": "<i>$a$</i> `b`", "step": "2"},
    "nothing written": {"edits": "force.1.⟨/s⟩"},
    "padding": {"edits": "no_padding_mask"},
    "no causal mask": {"edits": "no_causal_mask", "step": "2"},
    "all heads out": {"edits": "heads.self.1-4.1-8~heads.masked.1-4.1-8~heads.cross.1-4.1-8"},
}
arrived = partial(opened, PAGE, text=TEXT)


@pytest.mark.parametrize(("case", "show"), zip(CASES, SHOW.options, strict=True))
def test_views_are_shown_whatever_is_typed(case: str, show: str) -> None:
    app = arrived(show=show, **CASES[case])
    assert address(app).get("show", SHOW.options[0]) == show


def unknown(explanation: Explanation) -> Explanation:
    """As if an edited model's numbers overflowed (NaN)."""
    tensors = explanation.trace.tensors.items()
    made = {site: torch.full_like(each, torch.nan) if each.is_floating_point() else each for site, each in tensors}
    steps = tuple(replace(step, log_probs=np.full_like(step.log_probs, np.nan)) for step in explanation.steps)
    return replace(explanation, trace=Trace(explanation.trace.config, made), steps=steps)


def test_numbers_that_overflow_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    known, told = get_explanation, texts("why")["unknown"]
    monkeypatch.setattr(chosen, "get_explanation", lambda *args: unknown(known(*args)))
    assert told in words(arrived(show="source_words"))


def test_the_head_of_the_question_agrees_with_erasure_as_its_answer_says(shipped: Checkpoint) -> None:
    asked = texts("why")["try"][1]
    ex = explain(shipped, asked["set"]["text"])
    agreed, counted = agreement(word_attention(ex), word_losses(shipped.model, ex), len(sides(ex).source))
    assert (np.argwhere(agreed == agreed.max()).tolist(), agreed.max(), counted) == ([[2, 2]], 9, 11)
    assert "head 3 of layer 3, agrees with erasure for 9 of 11 words" in asked["answer"]


def test_the_word_of_the_question_ends_on_the_rank_of_its_answer() -> None:
    asked = texts("why")["try"][2]
    ((lens, about),) = answered(
        opened(PAGE, **{name: str(value) for name, value in (asked["set"] | asked["own"]).items()}), "lens_of_steps"
    )
    step = int(asked["set"]["step"]) - 1
    assert (about["written"][step], lens["ranks"][step, -1, 0]) == ("Hund", 35)
    assert "ends on rank 35" in asked["answer"]


def test_any_word_may_be_compared_with(shipped: Checkpoint) -> None:
    app = arrived(show="logit_attribution", step="2")
    for typed, token, told in (("Hund", "▁Hund", 0), ("Hnud", "▁Hund", 1), ("</script>", "<", 1), ("\0", "<0x00>", 1)):
        visited(app, text=TEXT, show="logit_attribution", step="2", against=typed)
        now, rival = app.session_state["_view"].current, shipped.tokenizer.vocab.index(token)
        ((sums, _),) = answered(app, "logit_sums")
        assert sums["value"][1] == pytest.approx(float(now.log_probs[now.expected.id] - now.log_probs[rival]), abs=1e-4)
        assert len(messages(app)) == told


@pytest.mark.parametrize(("edits", "adds_up"), [("", True), ("no_residual", False)])
def test_only_without_residual_connections_the_sum_does_not_add_up(edits: str, *, adds_up: bool) -> None:
    ((sums, _),) = answered(arrived(show="logit_attribution", edits=edits), "logit_sums")
    assert (sums["terms"].sum(-1) == pytest.approx(sums["value"], abs=1e-3)) == adds_up


STEP = 2


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


def scores(app: AppTest) -> dict[str, Any]:
    """The arrays of the figure."""
    ((arrays, _),) = answered(app, "source_words")
    return arrays


def test_two_methods_are_there_at_once_and_in_a_class_the_third_comes_with_a_run(
    shipped: Checkpoint, follows: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "My aunt reads."
    monkeypatch.setattr(source_words, "has_many_readers", lambda: True)
    ex = explain(shipped, text)  # of a sentence that no other test has asked for: nothing of it is there before
    app = opened(PAGE, text=text, show="source_words", step="1")
    assert "step" in follows["follows"]
    assert [bool(np.isfinite(row).all()) for row in scores(app)["gradients"]] == [step == 0 for step in range(len(ex.steps))]
    for step in range(len(ex.steps)):
        app = visited(app, text=text, show="source_words", step=str(step + 1))
    assert "step" not in follows["follows"]
    assert np.isfinite(scores(app)["gradients"]).all()
