"""The page "Why this word?": every view, whatever the sentence, the step and the edits are."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest

from pages.why.controls import RIVALS, SHOW
from tests.foot import ask, controls, press
from tests.pages.test_all_pages import HOSTILE, address, messages, opened, view
from tests.pages.why.shown import all_words
from tests.plots import answered, below, plots
from viz_core.analysis.alignment import agreement, sides, word_attention, word_losses
from viz_core.analysis.next_token import vocabulary_label
from viz_core.app import chosen
from viz_core.app.cache import get_explanation
from viz_core.app.markup import number
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation, explain
from viz_core.figures.base import percent
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


def arrived(**parameters: str) -> AppTest:
    """The page as a link to it opens it."""
    return opened(PAGE, **{"text": TEXT} | parameters)


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


@pytest.mark.parametrize("show", SHOW.options)
def test_numbers_that_overflow_are_reported(show: str, monkeypatch: pytest.MonkeyPatch) -> None:
    told = texts("why")["unknown"]
    assert told not in all_words(arrived(show=show))
    known = get_explanation
    monkeypatch.setattr(chosen, "get_explanation", lambda *args: unknown(known(*args)))
    assert told in all_words(arrived(show=show))


def test_three_methods_name_the_source_word_that_is_needed() -> None:
    app = arrived(show="source_words", step="2")
    assert app.session_state["_view"].current.expected.text.startswith("Nachbar")
    ((scores, about),) = answered(app, "source_words")
    for method in ("losses", "gradients", "keys"):
        assert about["words"][scores[method][1, : about["count"]].argmax()] == "neighbour"


def test_the_head_of_the_question_agrees_with_erasure_as_its_answer_says(shipped: Checkpoint) -> None:
    asked = texts("why")["try"][1]
    ex = explain(shipped, asked["set"]["text"])
    agreed, counted = agreement(word_attention(ex), word_losses(shipped.model, ex), len(sides(ex).source))
    assert (np.argwhere(agreed == agreed.max()).tolist(), agreed.max(), counted) == ([[2, 2]], 9, 11)
    assert "head 3 of layer 3, agrees with erasure for 9 of 11 words" in asked["answer"]


def test_a_picked_word_stays_as_one_steps_on(shipped: Checkpoint) -> None:
    app, ex = arrived(show="logit_attribution", step="2"), explain(shipped, TEXT)
    offered = controls(app)["against"]
    assert len(offered["options"]) <= RIVALS * len(ex.steps) and offered["hint"] == "most probable other"
    rival = ex.steps[1].top_ids(2)[1]
    name = vocabulary_label(shipped.tokenizer, rival)
    assert [name, f"«{name}» {percent(ex.steps[1].probability(rival))}, step 2"] in offered["options"]
    ask(app, against=name)
    for step in ex.steps:
        lead = float(step.log_probs[step.expected.id] - step.log_probs[rival])
        assert f"= {number(lead)}"[:7] in below(app, step=step.index)["arithmetic"]


@pytest.mark.parametrize(
    ("typed", "token", "told"), [("Hund", "▁Hund", 0), ("Hnud", "▁Hund", 1), ("</script>", "<", 1), ("\0", "<0x00>", 1)]
)
def test_any_word_may_be_compared_with(shipped: Checkpoint, typed: str, token: str, told: int) -> None:
    app = arrived(show="logit_attribution", step="2", against=typed)
    now, rival = app.session_state["_view"].current, shipped.tokenizer.vocab.index(token)
    assert f"= {number(float(now.log_probs[now.expected.id] - now.log_probs[rival]))}"[:7] in below(app, step=1)["arithmetic"]
    assert len(messages(app)) == told


@pytest.mark.parametrize("show", ["logit_lens", "logit_attribution"])
def test_where_the_picked_word_is_written_another_takes_its_place(shipped: Checkpoint, show: str) -> None:
    ex = explain(shipped, TEXT)
    app = arrived(show=show, against=ex.steps[1].expected.text)
    other = shipped.tokenizer.token_text(ex.steps[1].top_ids(2)[1])
    assert "same" not in below(app, step=0)
    assert f"is the token written here, so it is compared with «{other}»" in below(app, step=1)["same"]
    layout = plots(app, step=1)[0]["layout"]
    assert f"«{other}»" in (layout["xaxis"]["ticktext"][-1] if show == "logit_lens" else layout["title"]["text"])


def test_without_residual_connections_the_page_says_that_the_sum_does_not_add_up() -> None:
    assert "do not add up" not in all_words(arrived(show="logit_attribution"))
    app = arrived(show="logit_attribution", edits="no_residual")
    assert "do not add up" in all_words(app)
    for step in range(3):
        parts = plots(app, step=step)[0]
        assert "remainder" in parts["layout"]["yaxis"]["ticktext"]
        assert parts["data"][0]["x"][:-1].sum() == pytest.approx(parts["data"][0]["x"][-1])


def test_the_output_page_leads_here() -> None:
    app = opened("output/page.py", text=TEXT, step="3")
    press(app, "ask_why")
    assert not app.exception
    assert app.title[0].value == texts("why")["title"]
    assert view(app).step == 2
