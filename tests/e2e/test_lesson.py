"""The first lesson, its cards turned by button and key, its place kept in the browser; exercises; and where one begins."""

import re

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.e2e.driving import Source, follows, query, settle
from viz_core import explain
from viz_core.analysis.attention import clearest_head
from viz_core.analysis.exercises import answer
from viz_core.checkpoint import Checkpoint

pytestmark = pytest.mark.e2e


def test_a_reader_goes_through_the_lesson_and_comes_back_to_it(anew: Source) -> None:
    page = anew.tab
    page.get_by_role("button", name="Start the lesson").click()
    card = page.locator(".viz-lesson .card")
    expect(card.locator("h2")).to_have_text("1. A translator, opened")
    expect(card.locator(".todo")).to_contain_text("Press the →")
    expect(page.locator(".viz-lesson .frame")).to_be_visible()
    settle(page)
    figure, beside = page.locator(".viz-overview").bounding_box(), card.bounding_box()
    assert figure and beside
    assert figure["x"] + figure["width"] <= beside["x"], "the card covers the picture"
    card.get_by_role("button", name="Next").click()
    expect(card.locator("h2")).to_have_text("2. Text becomes tokens")
    settle(page)
    page.keyboard.press("PageDown")
    expect(card.locator("h2")).to_have_text("3. Tokens become vectors")
    settle(page)
    card.get_by_role("button", name="Leave the lesson").click()
    expect(card).to_be_hidden()
    settle(page)
    assert "at" not in query(page)
    anew.turn("")
    page.get_by_role("button", name="Continue the lesson: card 3").click()
    expect(card.locator("h2")).to_have_text("3. Tokens become vectors")

    anew.turn("?talk=first-lesson&at=12")
    asked = page.locator(".question")
    asked.get_by_role("button", name="im", exact=True).click()
    expect(asked.locator(".asks")).to_contain_text("Right: «im»")
    expect(card.get_by_role("button", name="Finish")).to_be_visible()
    page.keyboard.press("PageDown")  # as a clicker does; the button does the same
    end = page.get_by_role("dialog")
    expect(end).to_contain_text("End of the lesson")
    end.get_by_role("button", name="Leave the lesson").click()
    expect(card).to_be_hidden()
    settle(page)
    assert {"predict", "open", "talk"}.isdisjoint(query(page))
    expect(page.get_by_role("button", name="Start the lesson")).to_be_visible()  # it begins again


def test_one_begins_with_a_line_to_type_in_and_a_head_that_shows_something(anew: Source, shipped: Checkpoint) -> None:
    page = anew.tab
    page.keyboard.press("/")
    line = page.get_by_role("textbox", name="Source" if anew.is_site else "Type an English sentence")
    line.fill("The sailor repairs the blue boat.")
    line.press("Enter")
    expect(page.locator(".line.source")).to_contain_text("boat")
    settle(page)
    ex = explain(shipped, "The sailor repairs the blue boat.")
    page.get_by_role("link", name="Self-attention").first.click()
    layer, head = clearest_head(ex, "self")
    expect(page.locator(".choice.layer [aria-pressed=true]")).to_have_text(str(layer + 1))
    expect(page.locator(".choice.head [aria-pressed=true]")).to_have_text(str(head + 1))
    weights = ex.trace.attention("self", layer).weights[head]
    share = float(np.mean([weights[at, at - 1] for at in range(1, len(weights))]))
    expect(page.locator(".pattern")).to_have_text(f"This head: {share:.0%} to the token before".replace("%", " %"))
    settle(page)
    chosen = (head + 1) % 8
    page.locator(".choice.head button").nth(chosen).click()
    follows(page, head=str(chosen + 1))
    page.get_by_role("link", name="Cross attention").first.click()
    settle(page)
    expect(page.locator(".choice.head [aria-pressed=true]")).to_have_text(str(chosen + 1))


SENTENCE = "The cat is sleeping on the sofa."


def test_exercises_know_their_answers_and_what_is_solved(anew: Source, shipped: Checkpoint) -> None:
    explained = explain(shipped, SENTENCE)
    page = anew.turn("?talk=fifteen-exercises&at=5")
    card = page.locator(".viz-lesson .card")
    field, said, asks = card.get_by_role("textbox", name="Your answer"), card.get_by_role("status"), card.locator(".asks")
    key = answer("scaled_score", shipped, explained, 0, 3, 3)
    expect(asks).to_contain_text(f"the score is {key.given['score']:.6g}")
    for typed, heard in (
        (f"{key.slips['score']:.2f}", "That is the score itself"),
        ("12", "√dₖ = √32 = 5.65685"),
        ("</script>", "Type a number"),
        (f"{key.value:.2f}".replace(".", ","), f"Right. The model computed {key.value:.3f}"),
    ):
        field.fill(typed)
        field.press("Enter")
        expect(said).to_contain_text(heard)
    expect(card.locator(".count")).to_have_text("Exercise 5 of 15 · 1 solved")
    page.locator(".choice.head button").nth(5).click()  # the question follows to another place
    other = answer("scaled_score", shipped, explained, 0, 3, 5)
    expect(asks).to_contain_text(f"the score is {other.given['score']:.6g}")
    expect(field).to_have_value("")

    anew.turn("?talk=fifteen-exercises&at=6")  # opens on what it asks about, and hides the working
    picked = [page.locator(".side select").nth(at).evaluate("node => node.selectedOptions[0].text") for at in (0, 1)]
    assert [words.split(maxsplit=1)[-1] for words in picked] == re.findall("«(.*?)»", asks.inner_text())[:2]
    expect(page.locator(".st-key-_below .viz-prose, .at-below .viz-prose").first).to_be_hidden()

    anew.turn("?talk=fifteen-exercises&at=7")  # what is on the screen answers where something is to be found
    expect(said).to_contain_text("Layer 1, head 1:")
    expect(said).not_to_contain_text("Solved")
    layer, head = clearest_head(explained, "self")
    page.locator(".choice.layer button").nth(layer).click()
    page.locator(".choice.head button").nth(head).click()
    expect(said).to_contain_text("Solved")

    anew.turn("?talk=fifteen-exercises&at=15")
    expect(said).to_have_text("Nothing is changed yet.")
    page.locator(".switches, .viz-switchboard").first.get_by_role("button", name="layer 1", exact=False).first.click()
    expect(said).to_contain_text("The edited model writes")
    settle(page)
    card.get_by_role("button", name="Finish").click()
    end = page.get_by_role("dialog")
    expect(end).to_contain_text(re.compile(r"[23] of 15 are solved\. Still open:"))
    left = [str(number) for number in range(1, 15) if number not in (5, 7)]
    assert end.locator("p button").all_inner_texts()[: len(left)] == left
    end.get_by_role("button", name="11", exact=True).click()
    expect(card.locator("h2")).to_have_text(re.compile("^11[.]"))
    expect(card.locator(".count")).to_have_text(re.compile("^Exercise 11 of 15 · [23] solved"))


def test_a_translation_that_is_likely_wrong_is_marked_and_says_why(source: Source) -> None:
    kept = source.turn("?text=😀")
    says, mark = kept.locator(".doubt p"), kept.get_by_text("likely wrong")
    mark.click()
    expect(says).to_contain_text("single bytes")
    kept.keyboard.press("Escape")
    expect(says).to_be_hidden()
    source.turn("?text=我爱你")
    mark.click()
    expect(says).to_contain_text("another script")
    if not source.is_site:  # which has no other model
        kept.get_by_role("button", name="Switch to zh-en").click()
        expect(kept.locator(".viz-top-bar")).to_contain_text("love")
    source.turn("?text=I+love+you.")
    expect(kept.locator(".doubt")).to_have_count(0)
