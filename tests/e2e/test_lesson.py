"""The first lesson: its cards beside the picture, turned by button and key, its place kept in the browser; and where one begins."""

import re
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.e2e import bare
from tests.e2e.driving import follows, open_at, query, settle, turn_to
from viz_core import explain
from viz_core.analysis.attention import clearest_head
from viz_core.analysis.exercises import answer
from viz_core.checkpoint import Checkpoint

pytestmark = pytest.mark.e2e


def at(page: Page) -> list[str]:
    return parse_qs(urlsplit(page.url).query).get("at", [])


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
    assert at(page) == []
    page.keyboard.press("Escape")
    open_at(page, f"{server}/")
    again = page.get_by_role("button", name="Continue the lesson: card 3")
    again.click()
    expect(card.locator("h2")).to_have_text("3. Tokens become vectors")


def test_the_last_card_asks_and_ends_the_lesson(page: Page, server: str) -> None:
    open_at(page, f"{server}/?talk=first-lesson&at=12")
    asked = page.locator(".question")
    expect(asked).to_contain_text("Which token comes after «spielen»?")
    asked.get_by_role("button", name="im", exact=True).click()
    expect(asked.locator(".asks")).to_contain_text("Right: «im»")
    expect(page.locator(".card").get_by_role("button", name="Finish")).to_be_visible()
    page.keyboard.press("PageDown")  # as a clicker does; the button does the same
    expect(page.get_by_role("dialog")).to_contain_text("End of the lesson")
    for onwards in ("Exercises", "The Transformer in 12 stops"):
        expect(page.get_by_role("dialog").get_by_role("button", name=onwards)).to_be_visible()
    page.get_by_role("dialog").get_by_role("button", name="Leave the lesson").click()
    expect(page.locator(".viz-lesson .card")).to_be_hidden()
    settle(page)
    expect(page.locator(".question")).to_be_hidden()
    assert {"predict", "open", "talk"}.isdisjoint(query(page))
    expect(page.get_by_role("button", name="Start the lesson")).to_be_visible()  # it begins again


def test_on_a_phone_the_card_stands_at_the_foot(page: Page, server: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    open_at(page, f"{server}/?talk=first-lesson&at=5")
    bare.frame(page)
    card, steps = page.locator(".viz-lesson .card").bounding_box(), page.locator(".transport").bounding_box()
    assert card and steps
    assert card["y"] + card["height"] <= steps["y"] + 1
    assert card["width"] == 390
    assert card["y"] > 844 / 3
    assert page.evaluate("document.documentElement.scrollWidth") == 390


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


def test_an_exercise_names_the_mistake_shows_the_working_and_knows_the_answer(page: Page, server: str, shipped: Checkpoint) -> None:
    open_at(page, f"{server}/?talk=fifteen-exercises&at=5")
    card = page.locator(".viz-lesson .card")
    key = answer("scaled_score", shipped, explain(shipped, "The cat is sleeping on the sofa."), 0, 3, 3)
    field, said = card.get_by_role("textbox", name="Your answer"), card.get_by_role("status")
    expect(card.locator(".asks")).to_contain_text(f"the score is {key.given['score']:.6g}")
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
    expect(card.locator(".count")).to_have_text("Exercise 5 of 15 · 1 solved")
    page.locator(".choice.head button").nth(5).click()  # the question follows to another place
    settle(page)
    other = answer("scaled_score", shipped, explain(shipped, "The cat is sleeping on the sofa."), 0, 3, 5)
    expect(card.locator(".asks")).to_contain_text(f"the score is {other.given['score']:.6g}")
    expect(field).to_have_value("")


def test_a_comma_may_part_thousands_and_the_end_says_what_is_open(page: Page, server: str) -> None:
    open_at(page, f"{server}/?talk=fifteen-exercises&at=4")
    card = page.locator(".viz-lesson .card")
    field = card.get_by_role("textbox", name="Your answer")
    field.fill("8,192")  # as the app writes it
    field.press("Enter")
    expect(card.get_by_role("status")).to_have_text("Right: 8,192.")
    turn_to(page, f"{server}/?talk=fifteen-exercises&at=15")
    card.get_by_role("button", name="Finish").click()
    end = page.get_by_role("dialog")
    expect(end).to_contain_text("End of the exercises")
    expect(end).to_contain_text("1 of 15 are solved. Still open:")
    expect(end.locator("p button")).to_have_text([str(number) for number in range(1, 16) if number != 4])
    end.get_by_role("button", name="12", exact=True).click()
    expect(card.locator("h2")).to_have_text("12. What comes next?")
    expect(end).to_be_hidden()


OPENED: dict[int, dict[str, object]] = {
    1: {"page": "tokens", "side": "source"}, 2: {"page": "embeddings", "show": "lookup", "token": 1},
    3: {"page": "positions", "show": "waves", "token": 3}, 4: {"page": "qkv", "kind": "self", "role": "q"},
    5: {"page": "self_attention", "stage": "scores", "token": 1, "layer": 3, "head": 3},
    6: {"page": "self_attention", "stage": "scaled", "token": 1, "layer": 3, "head": 3}, 7: {"page": "self_attention"},
    8: {"page": "residual", "show": "norm", "stack": "encoder", "token": 1, "layer": 1},
    9: {"page": "residual", "show": "ffn", "stack": "encoder", "token": 1, "layer": 1}, 10: {"page": "masked_attention"},
    11: {"page": "cross_attention", "predict": "source", "step": 3, "layer": 2, "head": 4},
    12: {"page": "output", "predict": "word", "step": 2}, 13: {"page": "decoding", "case": "beam"},
    14: {"page": "output", "step": 1},
    15: {"page": "what_if", "step": 2},
}  # fmt: skip
"""What each exercise asks about, as the store and the address have it; tokens, layers, heads and steps from 0."""
FIRST = {"side": "source", "kind": "self", "role": "q", "stack": "encoder", "case": "beam"}
SHOWN = {"embeddings": "lookup", "positions": "waves", "residual": "stream"}
"""What the address leaves out, as it is the control's first value."""


def test_each_exercise_opens_on_what_it_asks_about(page: Page, server: str) -> None:
    open_at(page, server)
    for number, wanted in OPENED.items():
        turn_to(page, f"{server}/?talk=fifteen-exercises&at={number}")
        store = page.evaluate("(({ view, limits }) => ({ ...view, page: limits.page }))(globalThis[Symbol.for('viz_core.store')])")
        address = query(page)
        for name, value in wanted.items():
            first = SHOWN[str(wanted["page"])] if name == "show" else FIRST.get(name)
            assert (address.get(name, first) if first else store[name]) == value, f"exercise {number}: {name}"
        asks = page.locator(".card .asks").inner_text()
        if number in (5, 6):  # the very cell
            named = re.findall("«(.*?)»", asks)[:2]
            picked = [page.locator(".side select").nth(at).evaluate("node => node.selectedOptions[0].text") for at in (0, 1)]
            assert [words.split(maxsplit=1)[-1] for words in picked] == named, f"exercise {number}: {picked}"
        elif "token" in wanted:
            assert f"«{page.locator('.line.source .token').nth(int(str(wanted['token']))).inner_text()}»" in asks
        if number == 8:  # the very dimension, though its arithmetic waits for the answer
            dimension = re.search(r"Dimension (\d+)", asks)
            assert dimension and f"dimension {dimension[1]}" in page.locator(".viz-layer-norm").first.inner_text()
        if number in (2, 3, 5, 6, 8, 9):
            expect(page.locator(".st-key-_below .viz-prose").first).to_be_hidden()


def test_what_is_on_the_screen_answers_where_something_is_to_be_found(page: Page, server: str, shipped: Checkpoint) -> None:
    open_at(page, f"{server}/?talk=fifteen-exercises&at=7")
    card = page.locator(".viz-lesson .card")
    said = card.get_by_role("status")
    expect(said).to_contain_text("Layer 1, head 1:")
    expect(said).not_to_contain_text("Solved")
    layer, head = clearest_head(explain(shipped, "The cat is sleeping on the sofa."), "self")
    page.locator(".choice.layer button").nth(layer).click()
    page.locator(".choice.head button").nth(head).click()
    expect(said).to_contain_text("Solved")
    turn_to(page, f"{server}/?talk=fifteen-exercises&at=15")
    expect(said).to_have_text("Nothing is changed yet.")
    page.locator(".switches, .viz-switchboard").first.get_by_role("button", name="layer 1", exact=False).first.click()
    settle(page)
    expect(said).to_contain_text("The edited model writes")
    expect(card.locator(".count")).to_contain_text("solved")


def test_a_guess_that_is_right_solves_its_exercise(page: Page, server: str) -> None:
    open_at(page, f"{server}/?talk=fifteen-exercises&at=12")
    page.locator(".question").get_by_role("button", name="hat", exact=True).click()
    expect(page.locator(".card").get_by_role("status")).to_contain_text("Solved")
    open_at(page, f"{server}/")
    page.get_by_role("button", name="Exercises", exact=True).click()
    expect(page.locator(".card h2")).to_have_text("1. Count the numbers")
    expect(page.locator(".card .count")).to_have_text("Exercise 1 of 15 · 1 solved")


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
