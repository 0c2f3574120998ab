"""The page "How it chooses": every control by link, whatever is typed, and what it says when there is nothing to choose from."""

import math
import time
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from pages.decoding.compute import SamplingOptions, draw
from tests.foot import press
from tests.pages.decoding.shown import words
from tests.pages.test_all_pages import HOSTILE, address, opened
from tests.plots import below
from viz_core.analysis.search import BeamOptions, search
from viz_core.checkpoint import Checkpoint
from viz_core.config import EOS_ID
from viz_core.explain import explain
from viz_core.taps import Editor

PAGE = "decoding/page.py"
TEXT = "She speaks French at home and German at school."


def arrived(shown: dict[str, Any], **parameters: str) -> AppTest:
    """The page as a link to it opens it."""
    shown.clear()
    return opened(PAGE, **{"text": TEXT} | parameters)


def bodies(app: AppTest) -> list[str]:
    """All HTML of the page."""
    return [str(element.proto.body) for element in app.get("html")]


def written(app: AppTest) -> str:
    return "\n".join([words(app), *bodies(app)])


def table(app: AppTest) -> str:
    """The draws."""
    return next(body for body in bodies(app) if "<table>" in body)


def test_the_tree_is_of_what_the_link_asks_for(shown: dict[str, Any], shipped: Checkpoint) -> None:
    asked = {"size": "7", "alpha": "1.3", "n_best": "5", "early": "off"}
    app = arrived(shown, **asked)
    _, about = shown["beam_tree"]
    result = search(shipped, explain(shipped, TEXT), BeamOptions(7, 1.3, 5, early_stop=False))
    assert about["steps"] == len(result.steps)
    assert [one["score"] for one in about["endings"]] == pytest.approx([each.score for each in result.hypotheses])
    assert asked.items() <= address(app).items()
    assert not app.warning


def test_the_arithmetic_has_both_sentences_with_their_numbers(shown: dict[str, Any], shipped: Checkpoint) -> None:
    text = written(arrived(shown))
    result = search(shipped, explain(shipped, TEXT), BeamOptions())
    for one in (result.best, result.greedy):
        assert f"= {one.score:.3f}" in text
        assert rf"{{{one.total:.3f}}}" in text
        assert rf"\frac{{5 + {len(one.ids)}}}{{6}}" in text
    assert "Greedy's sentence," in text


def test_a_search_follows_edits_and_not_what_was_typed(shown: dict[str, Any]) -> None:
    arrived(shown)
    usual = shown["beam_tree"][1]["endings"]
    app = arrived(shown, target="Der Hund schläft.")
    assert shown["beam_tree"][1]["endings"] == usual
    assert "not used here" in written(app)
    arrived(shown, edits="no_positions")
    assert shown["beam_tree"][1]["endings"] != usual


def test_a_token_that_an_edit_forces_is_forced_here(shown: dict[str, Any]) -> None:
    for text in ("The cat sleeps.", "She speaks French at home and German at school."):
        assert "«Hund» at step 2**" in written(arrived(shown, edits="force.2.Hund", text=text))
        tensors, about = shown["beam_tree"]
        forced = tensors["token"][tensors["step"] == 1]
        assert {about["labels"][str(token)] for token in forced} == {"Hund"}
        assert about["forced"] == [1] and about["others"][1] == 0 < about["others"][2]
    app = arrived(shown, edits="force.2.Hund", case="sampling", draw="3", step="2", temp="1.4")
    assert all("Hund" in row for row in table(app).split("<tr class")[1:])
    assert all("Hund" in row.split('class="forced">')[1].split("</span>")[0] for row in table(app).split("<tr class")[1:])
    assert "Draw 3 had no choice at step 2" in written(app)
    app = arrived(shown, edits="force.2.Hund", case="sampling", step="2", first="cut")
    assert "is forced by your edit" in written(app) and "nothing is sampled; these are the numbers" in written(app)
    assert "is forced, nothing is sampled" in shown["truncation"][1]["titles"][1]
    assert "Draw 3 used the random number" in written(
        arrived(shown, edits="force.2.Hund", case="sampling", draw="3", step="3", temp="1.4")
    )
    assert "Forced" not in written(arrived(shown, edits="force.2.Hund", target="Der Hund."))


def test_a_model_whose_numbers_overflow_is_reported(shown: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    broken = {"tap": Editor({"output.logits": lambda x: x * math.nan}), "whole": False}
    for module in ("pages.decoding.compute", "viz_core.analysis.search"):
        monkeypatch.setattr(f"{module}.editor", lambda *_: broken)
    for case in ("beam", "sampling"):
        assert "nothing to choose from" in written(arrived(shown, case=case, text="Nobody has asked for this before."))
        assert not shown


def test_without_a_cache_the_search_stops_early_and_says_so(shown: dict[str, Any]) -> None:
    app = arrived(shown, text="The very old house is big. " * 5, edits="no_causal_mask", early="off", size="2")
    assert "**after 48 steps**" in written(app)
    assert shown["beam_tree"][1]["steps"] <= 48
    assert "after 48" not in written(arrived(shown, edits="no_causal_mask"))


@pytest.mark.parametrize("case", ["beam", "sampling"])
def test_whatever_is_typed_the_page_is_shown(shown: dict[str, Any], case: str) -> None:
    app = arrived(shown, model="en-de-small", text=f"{HOSTILE} " * 30, case=case, size="10", top_p="0.9")
    assert ("beam_tree" in shown) == (case == "beam")
    assert "<b>*x*" not in written(app)


def test_twenty_tokens_at_size_10_take_less_than_a_second(shown: dict[str, Any], shipped: Checkpoint) -> None:
    explanation = explain(shipped, "If I had known that you were coming, I would have baked a cake.")
    assert len(explanation.steps) == 18
    began = time.process_time()
    search(shipped, explanation, BeamOptions(size=10, n_best=5))
    assert time.process_time() - began < 1


def test_ten_draws_are_below_greedys_sentence_and_the_seed_advances(shown: dict[str, Any]) -> None:
    app = arrived(shown, case="sampling", temp="1.2", seed="41")
    first = table(app)
    assert first.count("<tr class") == 11
    press(app, "draw_again")
    assert address(app)["seed"] == "42"
    assert table(app) != first


def test_top_k_1_is_greedy_ten_times(shown: dict[str, Any]) -> None:
    app = arrived(shown, case="sampling", top_k="1")
    assert "Different sentences in 10 draws: **1**. Draws that equal greedy's sentence: **10**" in written(app)
    assert "ore probable than greedy" not in written(app)
    assert "<mark>" not in table(app)
    assert "<mark>" in table(arrived(shown, case="sampling", temp="1.5"))


def test_a_draw_that_has_ended_is_reported(shown: dict[str, Any]) -> None:
    target = "Sie spricht viel Deutsch und noch mehr in der Schule jeden Tag."
    app = arrived(shown, case="sampling", top_k="1", draw="1", step="99", target=target)
    _, about = shown["truncation"]
    assert about["labels"][9] and not about["labels"][10]
    assert about["titles"][10].startswith("Draw 1 ends with step 10, so at step 11") and not below(app, step=10)


@pytest.mark.parametrize("top_p", [0.6, 1.0])
def test_the_comparison_of_draws_with_greedy_is_right(shown: dict[str, Any], shipped: Checkpoint, top_p: float) -> None:
    text = "The baby fell asleep while her father was singing."
    app = arrived(shown, text=text, case="sampling", top_p=str(top_p))
    explanation = explain(shipped, text)
    greedy = search(shipped, explanation, BeamOptions(1, 0.0, 1)).greedy
    draws = draw(shipped, explanation, SamplingOptions(top_p=top_p), 0, 10)
    above = [f"draw {i}" for i, each in enumerate(draws, 1) if each.ended and each.ids != greedy.ids and each.total > greedy.total]
    assert ("reach 0.6" in written(app)) == (top_p == 0.6)
    assert ("No other sentence here is more probable" in written(app)) == (not above)
    assert (f"More probable than greedy's sentence: **{', '.join(above)}**" in written(app)) == bool(above)


def test_a_draw_that_was_cut_off_says_so(shown: dict[str, Any], shipped: Checkpoint) -> None:
    app = arrived(shown, case="sampling", temp="2")
    draws = draw(shipped, explain(shipped, TEXT), SamplingOptions(2.0), 0, 10)
    cut = [i for i, each in enumerate(draws, 1) if each.ids[-1] != EOS_ID]
    assert cut
    assert f"without ⟨/s⟩: {', '.join(f'draw {i}' for i in cut)}. A" in written(app)
    assert f"**{max(len(each.ids) for each in draws)} tokens** long" in written(app)
    assert [" …</td>" in row for row in table(app).split("<tr class")[1:]] == [i in cut for i in range(11)]
    assert "cut off" not in written(arrived(shown, case="sampling"))
