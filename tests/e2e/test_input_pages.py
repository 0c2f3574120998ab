"""Tokens, Embeddings and Positions in a real browser: at each token the right numbers and labels, at once, as they were typed."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from pages.embeddings.data import lookup
from pages.tokens.compute import WordBlock, blocks, built_words, merge_rows, written_target
from pages.tokens.data import ROWS, merges_payload, spelling_payload
from tests.e2e import bare
from viz_core.analysis.embeddings import embedding_space, one_hot_window
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation, explain
from viz_core.figures.attention import signed

pytestmark = pytest.mark.e2e
HOSTILE = "The otter </script><b>x</b> 🐱 hides."


@pytest.fixture(scope="module")
def explained(checkpoint: Checkpoint) -> Explanation:
    return explain(checkpoint, HOSTILE, "Der Otter bemalt die Karte.")


def set_(tab: Page, **view: object) -> None:
    """Changes the view, and waits until that is painted."""
    tab.evaluate("view => store.set(view)", view)
    bare.frame(tab)


def lines(tab: Page) -> list[list[str]]:
    """What is written in the figure, line by line from above, each from the left."""
    return tab.evaluate(  # type: ignore[no-any-return]
        """() => {
            const found = new Map();
            const picture = Object.assign(document.createElement("div"), { innerHTML: part.svg() });
            document.body.append(picture);
            for (const text of picture.querySelectorAll("text")) {
              const { x, y, width, height } = text.getBoundingClientRect();
              const line = Math.round((y + height / 2) / 6);
              const at = [...found.keys()].find((each) => Math.abs(each - line) < 2) ?? line;
              found.set(at, [...(found.get(at) ?? []), [x + width / 2, text.textContent]]);
            }
            picture.remove();
            const order = (one, other) => one[0] - other[0];
            return [...found].sort(order).map(([, words]) => words.sort(order).map(([, word]) => word));
        }"""
    )


@pytest.mark.parametrize("side", ["source", "target"])
def test_a_lookup_shows_the_rows_around_the_token_and_its_own_again_as_the_sum(
    tab: Page, checkpoint: Checkpoint, explained: Explanation, side: Any
) -> None:
    payload = lookup(checkpoint, explained, side)
    bare.mount(tab, "lookup", payload, explained, {}, page="embeddings", width=1100)
    space = embedding_space(checkpoint, side)
    tokenized, name = (explained.source, "token") if side == "source" else (explained.target, "step")
    columns = [*range(6), space.rows.shape[1] - 1]
    for at in range(len(explained.source if side == "source" else explained.steps)):
        set_(tab, **{name: at})
        own, rows = tokenized.ids[at], one_hot_window(tokenized.ids[at], len(space))

        def numbers(token_id: int) -> list[str]:
            *first, last = [signed(float(value), 3) for value in space.rows[token_id, columns]]
            return [*first, "…", last]

        written = [line for line in lines(tab) if "⋮" not in line]
        names, *drawn, total, dimensions, axis = written
        assert names == ["one-hot", f"matrix E: {len(space)} rows × {space.rows.shape[1]}"]
        assert drawn == [[f"{i}  {space.labels[i]}", "1" if i == own else "0", "×", *numbers(i)] for i in rows]
        assert total == [f"sum = row {own}", *numbers(own)]
        assert (dimensions, axis) == ([str(column + 1) for column in columns], ["dimension"])
    label = re.compile(rf"sum = row {own}\b.*{re.escape(signed(float(space.rows[own, 0]), 3))}")
    expect(tab.locator("#root canvas")).to_have_attribute("aria-label", label)  # a little later


DONE = 2  # merges


def mount_tokens(
    tab: Page, checkpoint: Checkpoint, explained: Explanation, part: str, side: Any, **view: object
) -> list[WordBlock]:
    """Shows the spelling of one side, or the merges of its words; its blocks."""
    tokenizer = checkpoint.tokenizer
    parts = blocks(explained.source if side == "source" else written_target(explained), tokenizer)
    if part == "spelling":
        payload = spelling_payload(side, parts, {row: f"{row}: 1" for row in ROWS})
    else:
        payload = merges_payload(side, parts, built_words(explained, tokenizer, side), DONE)
    bare.mount(tab, part, payload, explained, view, page="tokens", width=1100)
    return parts


def test_a_spelling_shows_every_token_below_its_characters_and_a_click_picks_it(
    tab: Page, checkpoint: Checkpoint, explained: Explanation
) -> None:
    parts = mount_tokens(tab, checkpoint, explained, "spelling", "source", token=1)
    tokens = [token for block in parts for token in block.tokens]
    assert tab.locator(".token").all_text_contents() == [token.text for token in tokens]
    assert tab.locator(".id").all_text_contents() == [str(token.id) for token in tokens]
    assert tab.locator(".word").all_text_contents() == [block.word.text for block in parts if block.word]
    for at in (2, len(tokens) - 1):
        tab.locator(".token").nth(at).click()
        bare.frame(tab)
        assert tab.evaluate("store.view.token") == at
        assert tab.locator(".token").evaluate_all("all => all.flatMap((node, at) => (node.matches('.picked') ? [at] : []))") == [at]
    for block in range(len(parts)):
        above, below = (tab.locator(".block").nth(block).locator(name) for name in (".letter", ".token"))
        if above.count():
            boxes = above.first.bounding_box(), below.first.bounding_box()
            assert boxes[0] and boxes[1] and boxes[0]["y"] < boxes[1]["y"]


def test_the_stage_has_room_for_three_lines_and_an_arrow_says_when_there_are_more(
    tab: Page, checkpoint: Checkpoint, explained: Explanation
) -> None:
    mount_tokens(tab, checkpoint, explained, "spelling", "source", token=0)
    tab.set_viewport_size({"width": 1440, "height": 545})  # with a margin, what the stage has in a window of 1280 × 720
    widths: dict[int, int] = {}
    for width in range(1000, 200, -20):
        tab.evaluate("width => { document.querySelector('#root').parentElement.style.width = `${width}px`; }", width)
        bare.frame(tab)
        widths.setdefault(tab.locator(".names > div").count(), width)
    assert {3, 4} <= widths.keys()
    for lines, opacity in ((3, "0"), (4, "1")):
        tab.evaluate("width => { document.querySelector('#root').parentElement.style.width = `${width}px`; }", widths[lines])
        bare.frame(tab)
        place = tab.locator(".spelling").bounding_box()
        ids = [box for each in tab.locator(".id").all() if (box := each.bounding_box())]
        third = sorted({box["y"] + box["height"] for box in ids})[2]
        assert place and third <= place["y"] + place["height"] + 1
        assert tab.locator(".spelling").evaluate("node => getComputedStyle(node, '::after').opacity") == opacity


def test_merges_are_those_of_the_picked_word_as_far_as_they_are_applied(
    tab: Page, checkpoint: Checkpoint, explained: Explanation
) -> None:
    parts = mount_tokens(tab, checkpoint, explained, "merges", "source", token=0)
    for at, block in enumerate(parts):
        set_(tab, token=sum(len(each.tokens) for each in parts[:at]))
        if block.word is None:
            expect(tab.locator(".ladder")).to_be_hidden()
            continue
        merges = checkpoint.tokenizer.merges(block.word.text, block.spaced)
        rows = merge_rows(checkpoint.tokenizer.letters(block.word.text, block.spaced), merges)
        expect(tab.locator("h2")).to_have_text(f"How «{block.word.text}» is built from characters")
        drawn = [rung.locator(".token").all_text_contents() for rung in tab.locator(".rung").all()]
        assert drawn == [[token.text for token in row.tokens] for row in rows]
        expect(tab.locator(".rung:not(.later)")).to_have_count(min(DONE, len(merges)) + 1)
        said = tab.locator(".ladder").get_attribute("aria-label") or ""
        assert said.count("; ") >= min(DONE, len(merges)) and all(token.text in said for token in rows[0].tokens)


def test_tokens_of_the_target_that_are_to_be_guessed_are_not_drawn(
    tab: Page, checkpoint: Checkpoint, explained: Explanation
) -> None:
    parts = mount_tokens(tab, checkpoint, explained, "spelling", "target", predict="word", step=2)
    tokens = [token.text for block in parts for token in block.tokens]
    for known in (3, 4):
        assert tab.locator(".token").all_text_contents() == tokens[:known]
        last = next(block for block in parts if sum(len(each.tokens) for each in parts[: parts.index(block) + 1]) > known)
        assert last.word is not None
        said = tab.locator(".spelling").get_attribute("aria-label") or ""
        assert last.word.text not in tab.locator(".word").all_text_contents() and f"«{last.word.text}»" not in said
        set_(tab, revealed=True)
    mount_tokens(tab, checkpoint, explained, "merges", "target", predict="word", step=2)
    expect(tab.locator(".ladder")).to_be_hidden()
