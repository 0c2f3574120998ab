"""The first lesson: its cards beside the picture, turned by button and key, its place kept in the browser; and where one begins."""

import re

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e import bare
from tests.e2e.driving import follows, open_at, query, settle, turn_to
from viz_core import explain
from viz_core.analysis.attention import clearest_head
from viz_core.analysis.exercises import answer
from viz_core.checkpoint import Checkpoint

pytestmark = pytest.mark.e2e


def test_a_reader_goes_through_the_lesson_and_comes_back_to_it(page: Page, server: str) -> None:
    open_at(page, f"{server}/")
    page.get_by_role("button", name="Start the lesson").click()
    card = page.locator(".viz-lesson .card")
    expect(card.locator("h2")).to_have_text("1. A translator, opened")
    expect(card.locator(".todo")).to_contain_text("Press the →")
    expect(page.locator(".viz-bar .note")).to_be_hidden()
    ring, box = page.locator(".viz-lesson .frame"), page.locator(".vm.output .choice")
    expect(ring).to_be_visible()
    around, inside = ring.bounding_box(), box.bounding_box()
    assert around and inside
    assert around["x"] < inside["x"] < inside["x"] + inside["width"] < around["x"] + around["width"]
    figure, beside = page.locator(".viz-overview").bounding_box(), card.bounding_box()
    assert figure and beside
    assert figure["x"] + figure["width"] <= beside["x"], "the card covers the picture"
    expect(page.locator("[data-sideways]")).to_have_count(0)  # all of the first picture is seen
    card.get_by_role("button", name="Next").click()
    expect(card.locator("h2")).to_have_text("2. Text becomes tokens")
    settle(page)
    page.keyboard.press("PageDown")
    expect(card.locator("h2")).to_have_text("3. Tokens become vectors")
    expect(page.locator(".crumbs")).to_contain_text("Embedding + position")
    settle(page)
    card.get_by_role("button", name="Leave the lesson").click()
    expect(card).to_be_hidden()
    settle(page)
    assert "at" not in query(page)
    page.keyboard.press("Escape")
    open_at(page, f"{server}/")
    page.get_by_role("button", name="Continue the lesson: card 3").click()
    expect(card.locator("h2")).to_have_text("3. Tokens become vectors")

    page.set_viewport_size({"width": 390, "height": 844})  # on a phone it stands at the foot
    settle(page)
    bare.frame(page)
    beside, steps = card.bounding_box(), page.locator(".transport").bounding_box()
    assert beside and steps
    assert beside["y"] + beside["height"] <= steps["y"] + 1
    assert beside["width"] == 390 and beside["y"] > 844 / 3
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    page.set_viewport_size({"width": 1280, "height": 720})

    turn_to(page, f"{server}/?talk=first-lesson&at=12")
    ends(page, card)


def ends(page: Page, card: Locator) -> None:
    """The last card asks and ends the lesson."""
    asked = page.locator(".question")
    expect(asked).to_contain_text("Which token comes after «spielen»?")
    asked.get_by_role("button", name="im", exact=True).click()
    expect(asked.locator(".asks")).to_contain_text("Right: «im»")
    expect(card.get_by_role("button", name="Finish")).to_be_visible()
    page.keyboard.press("PageDown")  # as a clicker does; the button does the same
    end = page.get_by_role("dialog")
    expect(end).to_contain_text("End of the lesson")
    for onwards in ("Exercises", "The Transformer in 12 stops"):
        expect(end.get_by_role("button", name=onwards)).to_be_visible()
    end.get_by_role("button", name="Leave the lesson").click()
    expect(card).to_be_hidden()
    settle(page)
    expect(asked).to_be_hidden()
    assert {"predict", "open", "talk"}.isdisjoint(query(page))
    expect(page.get_by_role("button", name="Start the lesson")).to_be_visible()  # it begins again


def test_one_begins_with_a_line_to_type_in_and_a_head_that_shows_something(page: Page, server: str, shipped: Checkpoint) -> None:
    open_at(page, f"{server}/")
    line = page.get_by_role("textbox", name="Type an English sentence")
    line.press("Enter")
    assert line.evaluate("line => line.validationMessage") == "Type an English sentence"
    line.fill("The sailor repairs the blue boat.")
    line.press("Enter")
    expect(page.locator(".line.source")).to_contain_text("boat")
    expect(line).to_be_hidden()
    settle(page)
    ex = explain(shipped, "The sailor repairs the blue boat.")
    page.get_by_role("link", name="Self-attention").first.click()
    settle(page)
    layer, head = clearest_head(ex, "self")
    expect(page.locator(".choice.layer [aria-pressed=true]")).to_have_text(str(layer + 1))
    expect(page.locator(".choice.head [aria-pressed=true]")).to_have_text(str(head + 1))
    weights = ex.trace.attention("self", layer).weights[head]
    share = float(np.mean([weights[at, at - 1] for at in range(1, len(weights))]))
    expect(page.locator(".pattern")).to_have_text(f"This head: {share:.0%} to the token before".replace("%", " %"))
    page.locator(".choice.head button").nth((head + 1) % 8).click()
    chosen = str((head + 1) % 8 + 1)
    follows(page, head=chosen)
    page.get_by_role("link", name="Cross attention").first.click()
    settle(page)
    expect(page.locator(".choice.head [aria-pressed=true]")).to_have_text(chosen)


SENTENCE = "The cat is sleeping on the sofa."


def test_exercises_know_their_answers_and_what_is_solved(page: Page, server: str, shipped: Checkpoint) -> None:
    def exercise(number: int) -> None:
        turn_to(page, f"{server}/?talk=fifteen-exercises&at={number}")

    explained = explain(shipped, SENTENCE)
    open_at(page, f"{server}/?talk=fifteen-exercises&at=4")
    card = page.locator(".viz-lesson .card")
    field, said, asks = card.get_by_role("textbox", name="Your answer"), card.get_by_role("status"), card.locator(".asks")
    field.fill("8,192")  # as the app writes it
    field.press("Enter")
    expect(said).to_have_text("Right: 8,192.")

    exercise(5)
    key = answer("scaled_score", shipped, explained, 0, 3, 3)
    expect(asks).to_contain_text(f"the score is {key.given['score']:.6g}")
    expect(field).to_be_focused()
    for typed, heard in (
        (f"{key.slips['score']:.2f}", "That is the score itself"),
        ("12", "√dₖ = √32 = 5.65685"),
        ("</script>", "Type a number"),
        (f"{key.value:.2f}".replace(".", ","), f"Right. The model computed {key.value:.3f}"),
    ):
        field.fill(typed)
        field.press("Enter")
        expect(said).to_contain_text(heard)
    expect(card.locator(".count")).to_have_text("Exercise 5 of 15 · 2 solved")
    page.locator(".choice.head button").nth(5).click()  # the question follows to another place
    settle(page)
    other = answer("scaled_score", shipped, explained, 0, 3, 5)
    expect(asks).to_contain_text(f"the score is {other.given['score']:.6g}")
    expect(field).to_have_value("")

    exercise(7)  # what is on the screen answers where something is to be found
    expect(said).to_contain_text("Layer 1, head 1:")
    expect(said).not_to_contain_text("Solved")
    layer, head = clearest_head(explained, "self")
    page.locator(".choice.layer button").nth(layer).click()
    page.locator(".choice.head button").nth(head).click()
    expect(said).to_contain_text("Solved")

    exercise(12)
    page.locator(".question").get_by_role("button", name="hat", exact=True).click()
    expect(said).to_contain_text("Solved")

    exercise(15)
    expect(said).to_have_text("Nothing is changed yet.")
    page.locator(".switches, .viz-switchboard").first.get_by_role("button", name="layer 1", exact=False).first.click()
    settle(page)
    expect(said).to_contain_text("The edited model writes")
    expect(card.locator(".count")).to_contain_text("solved")
    card.get_by_role("button", name="Finish").click()
    says_what_is_open(page, card)
    open_at(page, f"{server}/")
    page.get_by_role("button", name="Exercises", exact=True).click()
    expect(card.locator("h2")).to_have_text("1. Count the numbers")
    expect(card.locator(".count")).to_have_text(re.compile("^Exercise 1 of 15 · [45] solved"))


def says_what_is_open(page: Page, card: Locator) -> None:
    end = page.get_by_role("dialog")
    expect(end).to_contain_text("End of the exercises")
    expect(end).to_contain_text(re.compile(r"[45] of 15 are solved\. Still open:"))
    left = [str(number) for number in range(1, 15) if number not in (4, 5, 7, 12)]
    assert end.locator("p button").all_inner_texts()[: len(left)] == left
    end.get_by_role("button", name="11", exact=True).click()
    expect(card.locator("h2")).to_have_text(re.compile("^11[.]"))
    expect(end).to_be_hidden()


def test_an_exercise_opens_on_what_it_asks_about_and_hides_the_working(kept: Page, server: str) -> None:
    """One each of a token, a cell and a dimension."""
    for number in (2, 6, 8):
        turn_to(kept, f"{server}/?talk=fifteen-exercises&at={number}")
        asks = kept.locator(".card .asks").inner_text()
        if number == 6:
            picked = [kept.locator(".side select").nth(at).evaluate("node => node.selectedOptions[0].text") for at in (0, 1)]
            assert [words.split(maxsplit=1)[-1] for words in picked] == re.findall("«(.*?)»", asks)[:2]
        else:
            assert f"«{kept.locator('.line.source .token[aria-current]').inner_text()}»" in asks
        if number == 8:
            dimension = re.search(r"Dimension (\d+)", asks)
            assert dimension and f"dimension {dimension[1]}" in kept.locator(".viz-layer-norm").first.inner_text()
        expect(kept.locator(".st-key-_below .viz-prose").first).to_be_hidden()


def test_a_translation_that_is_likely_wrong_is_marked_and_says_why(kept: Page, server: str) -> None:
    turn_to(kept, f"{server}/?text=😀")
    kept.get_by_text("likely wrong").click()
    expect(kept.locator(".doubt p")).to_contain_text("single bytes")
    turn_to(kept, f"{server}/?text=我爱你")
    kept.get_by_text("likely wrong").click()
    expect(kept.locator(".doubt p")).to_contain_text("another script")
    says = kept.locator(".doubt p")
    for way in ("Escape", "elsewhere", "ArrowRight"):  # all ways in which a bubble goes
        if not says.is_visible():
            kept.get_by_text("likely wrong").click()
        expect(says).to_be_visible()
        kept.locator("h1").first.click() if way == "elsewhere" else kept.keyboard.press(way)
        expect(says).to_be_hidden()
    kept.set_viewport_size({"width": 390, "height": 844})  # a phone, on which the target keeps its room
    assert kept.locator(".line.target .row").evaluate("node => node.clientWidth") > 90
    kept.set_viewport_size({"width": 1280, "height": 720})
    kept.get_by_text("likely wrong").click()
    kept.get_by_role("button", name="Switch to zh-en").click()
    expect(kept.locator(".st-key-_part_top_bar")).to_contain_text("love")
    turn_to(kept, f"{server}/?text=I+love+you.")
    expect(kept.locator(".doubt")).to_have_count(0)
