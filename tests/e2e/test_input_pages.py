"""Tokens, Embeddings and Positions in a real browser: at each token the right numbers and labels, at once, as they were typed."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from pages.tokens.compute import WordBlock, blocks, written_target
from pages.tokens.data import merges, spelling
from tests.e2e import bare
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation

pytestmark = pytest.mark.e2e


def set_(tab: Page, **view: object) -> None:
    """Changes the view, and waits until that is painted."""
    tab.evaluate("view => store.set(view)", view)
    bare.frame(tab)


DONE = 2  # merges


def mount_tokens(
    tab: Page, checkpoint: Checkpoint, explained: Explanation, part: str, side: Any, **view: object
) -> list[WordBlock]:
    """Shows the spelling of one side, or the merges of its words; its blocks."""
    parts = blocks(explained.source if side == "source" else written_target(explained), checkpoint.tokenizer)
    payload = spelling(checkpoint, explained, side) if part == "spelling" else merges(checkpoint, explained, side, DONE)
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
